//! Regret: the winning probability that a player's moves give away against exact play.

use anyhow::bail;
use engine::draws::{Purpose, keyed};
use engine::games::einstein::Einstein;
use engine::{Game, Value};
use models::NetEvaluator;
use serde::Serialize;

use super::Truth;
use super::positions::{cubes, faces, public_set, values};
use crate::config::TruthSection;
use crate::interrupt::{self, Interrupted};
use crate::matches::{Course, Fault, Player, Seat, Turn};
use crate::rating::NORMAL_95;
use crate::workers;

/// Positions whose moves a player finds as one batch, all six dice of each.
const POSITIONS_A_TASK: usize = 32;

/// What a player loses over a set of positions.
#[derive(Clone, Debug, Serialize)]
pub struct Regret {
    /// Over all positions.
    #[serde(flatten)]
    pub all: Loss,
    /// By number of cubes.
    pub by_cubes: Vec<CubesLoss>,
}

/// What a player loses on the positions with one number of cubes.
#[derive(Clone, Debug, Serialize)]
pub struct CubesLoss {
    /// Cubes of both sides.
    pub cubes: usize,
    /// The loss.
    #[serde(flatten)]
    pub loss: Loss,
}

/// A mean over positions, all six dice of each.
#[derive(Clone, Debug, Serialize)]
pub struct Loss {
    /// Positions before the roll.
    pub positions: usize,
    /// Mean winning probability lost a move; a forced move loses nothing.
    pub regret: f64,
    /// Its 95 % interval, from the spread over positions.
    pub interval: [f64; 2],
    /// Mean absolute error of the net's own value after the roll, on the scale from -1 to 1.
    pub value_error: Option<f64>,
}

/// What was found in one position: means over the six dice.
#[derive(Clone, Copy)]
struct Found {
    cubes: usize,
    regret: f64,
    value_error: Option<f64>,
}

/// Measures a player of EinStein. The table of `truth` must cover the positions. The result depends on
/// seed and positions, not on the number of threads.
///
/// # Errors
/// [`Interrupted`], or a player that cannot go on.
pub fn measure(
    seat: &Seat,
    truth: &Truth,
    positions: &[Einstein],
    seed: u64,
    threads: usize,
) -> anyhow::Result<Regret> {
    let numbered: Vec<_> = (0..).zip(positions.iter().copied()).collect();
    let chunks = numbered.chunks(POSITIONS_A_TASK);
    let mut tasks: Vec<_> = chunks.map(|chunk| (chunk, Ok(Vec::new()))).collect();
    workers::run(threads, &mut tasks, |(chunk, found)| {
        if !interrupt::requested() {
            let mut player = seat.player::<Einstein>();
            *found = examine(player.as_mut(), seat.net(), truth, chunk, seed);
        }
    });
    if interrupt::requested() {
        bail!(Interrupted);
    }
    let found: Result<Vec<_>, Fault> = tasks.into_iter().map(|(_, found)| found).collect();
    let found = found.map_err(|fault| anyhow::anyhow!("{} {fault}", seat.spec()))?;
    let found = found.concat();
    let most = found.iter().map(|found| found.cubes).max().unwrap_or(0);
    let of_cubes = |cubes| {
        let some = found.iter().filter(|found| found.cubes == cubes);
        let loss = Loss::of(some)?;
        Some(CubesLoss { cubes, loss })
    };
    Ok(Regret {
        by_cubes: (2..=most).filter_map(of_cubes).collect(),
        all: Loss::of(found.iter()).unwrap_or(Loss {
            positions: 0,
            regret: 0.0,
            interval: [0.0, 1.0],
            value_error: None,
        }),
    })
}

/// The loss of a run's net on the positions that the run's configuration asks for; `None` for none.
///
/// # Errors
/// As [`measure`].
pub fn of_net(
    seat: &Seat,
    truth: &Truth,
    section: &TruthSection,
    threads: usize,
) -> anyhow::Result<Option<Loss>> {
    if section.positions == 0 {
        return Ok(None);
    }
    let positions = public_set(section.positions, truth.stones());
    let found = measure(seat, truth, &positions, 1, threads)?;
    Ok(Some(found.all))
}

/// Lets the player move for every die in some positions, as one batch.
fn examine(
    player: &mut dyn Player<Einstein>,
    net: Option<NetEvaluator>,
    truth: &Truth,
    positions: &[(u64, Einstein)],
    seed: u64,
) -> Result<Vec<Found>, Fault> {
    let rolled: Vec<_> = positions
        .iter()
        .flat_map(|(_, position)| faces(position))
        .collect();
    let courses: Vec<_> = (0..)
        .zip(&rolled)
        .map(|(number, position)| Course::from(position, number))
        .collect();
    let mut losses = vec![0.0; rolled.len()];
    let (mut at, mut turns, mut moves) = (Vec::new(), Vec::new(), Vec::new());
    for (index, position) in rolled.iter().enumerate() {
        position.moves(&mut moves);
        if moves.len() > 1 {
            let (number, face) = (positions[index / 6].0, index as u64 % 6);
            at.push(index);
            let draws = keyed(seed, Purpose::Choice, number, face);
            turns.push(Turn::new(position, &courses[index], draws));
        }
    }
    if !turns.is_empty() {
        player.choose(&mut turns);
    }
    for (index, turn) in at.into_iter().zip(turns) {
        let position = turn.position;
        let regret = truth.exact.regret(position, turn.found()?.best);
        losses[index] = regret.expect(COVERED);
    }
    let errors = net.map(|mut net| {
        let off = |(position, value): (&Einstein, Value)| {
            (value.0 - truth.value(position).expect(COVERED).0).abs()
        };
        let values = values(&mut net, &rolled);
        rolled.iter().zip(values).map(off).collect::<Vec<_>>()
    });
    let mean = |numbers: &[f64], index: usize| numbers[6 * index..][..6].iter().sum::<f64>() / 6.0;
    let found = |(index, (_, position)): (usize, &(u64, Einstein))| Found {
        cubes: cubes(position),
        regret: mean(&losses, index),
        value_error: errors.as_ref().map(|errors| mean(errors, index)),
    };
    Ok(positions.iter().enumerate().map(found).collect())
}

const COVERED: &str = "the table covers the positions of the set";

impl Loss {
    /// The means over some positions; `None` without any.
    fn of<'a>(found: impl Iterator<Item = &'a Found> + Clone) -> Option<Loss> {
        let positions = found.clone().count();
        let count = positions as f64;
        if positions == 0 {
            return None;
        }
        let mean = found.clone().map(|found| found.regret).sum::<f64>() / count;
        let spread: f64 = found
            .clone()
            .map(|found| (found.regret - mean).powi(2))
            .sum();
        let half = NORMAL_95 * (spread / (count - 1.0).max(1.0) / count).sqrt();
        let errors: Option<f64> = found.map(|found| found.value_error).sum();
        Some(Loss {
            positions,
            regret: mean,
            interval: [(mean - half).max(0.0), (mean + half).min(1.0)],
            value_error: errors.map(|sum| sum / count),
        })
    }
}
