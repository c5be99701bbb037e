//! Luck of the dice, taken off results.
//!
//! For each roll of a game the value after it less the mean value over all six rolls. Given the game so
//! far this has mean 0 whatever the values are worth, since one function of the position gives all six;
//! so a score with the sum taken off has the same mean, and a smaller spread the better the values are
//! (a control variate; the baselines of AIVAT, Burch et al. 2018).

use std::sync::Arc;

use engine::games::einstein::Einstein;
use engine::{Roll, Value};

use super::Truth;
use super::positions::{cubes, faces, values};
use crate::matches::{Played, Seat};
use crate::workers;

/// Where the values come from: exact ones first, a net's elsewhere; without a net, luck where no table
/// reaches counts as none.
#[derive(Clone, Debug, Default)]
pub struct Luck {
    /// Exact values.
    pub truth: Option<Arc<Truth>>,
    /// A player whose net gives values without search.
    pub net: Option<Seat>,
}

/// Games that one task looks at.
const GAMES_A_TASK: usize = 16;

impl Luck {
    /// How many points of each game player A owes to the dice, from -1 to 1 a roll.
    pub fn of_games(&self, games: &[Played<Einstein>], threads: usize) -> Vec<f64> {
        let chunks = games.chunks(GAMES_A_TASK);
        let mut tasks: Vec<_> = chunks.map(|chunk| (chunk, Vec::new())).collect();
        workers::run(threads, &mut tasks, |(games, luck)| {
            luck.extend(games.iter().map(|game| self.of_game(game)));
        });
        tasks.into_iter().flat_map(|(_, luck)| luck).collect()
    }

    fn of_game(&self, game: &Played<Einstein>) -> f64 {
        let rolls = game.course.rolls();
        let (exact, open): (Vec<_>, Vec<_>) = rolls
            .iter()
            .partition(|(before, _)| cubes(before) <= self.stones());
        let of_exact = |(before, roll): &&(Einstein, Roll)| {
            let value = |after: Einstein| self.truth.as_ref()?.value(&after);
            let values = faces(before).map(|after| value(after).unwrap_or_default());
            lucky(values, *roll)
        };
        let total: f64 = exact.iter().map(of_exact).sum::<f64>() + self.by_net(&open);
        // A value spans two where a point spans one.
        Value(total).seen_by(game.result.a_side) / 2.0
    }

    fn stones(&self) -> usize {
        self.truth.as_ref().map_or(0, |truth| truth.stones().into())
    }

    /// The luck of rolls as the first side sees it, by the net's values.
    fn by_net(&self, rolls: &[&(Einstein, Roll)]) -> f64 {
        let Some(mut net) = self.net.as_ref().and_then(Seat::net) else {
            return 0.0;
        };
        if rolls.is_empty() {
            return 0.0;
        }
        let after: Vec<_> = rolls.iter().flat_map(|(before, _)| faces(before)).collect();
        let found = values(&mut net, &after);
        let of_roll = |((_, roll), found): (&&(Einstein, Roll), &[Value; 6])| lucky(*found, *roll);
        rolls.iter().zip(found.as_chunks().0).map(of_roll).sum()
    }
}

fn lucky(values: [Value; 6], roll: Roll) -> f64 {
    let mean = values.iter().map(|value| value.0).sum::<f64>() / 6.0;
    values[usize::from(roll.0)].0 - mean
}
