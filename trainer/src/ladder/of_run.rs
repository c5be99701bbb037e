//! The short ladder of a run: some of its nets against fixed opponents.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::Game;

use super::{Ladder, Plan, Report};
use crate::config::Config;
use crate::dispatch::Playable;
use crate::machine::Machine;
use crate::matches::{GAMES_AT_ONCE, Openings, PlayerSpec, Seat, Thought};
use crate::run::RunFolder;
use crate::truth;

/// Plays the games that `ladder/` does not hold yet, and reports on those of the configuration.
///
/// # Errors
/// A net that cannot be loaded, a file that cannot be written, or an interruption.
pub fn play<G: Playable>(
    config: &Config<G>,
    run: &RunFolder,
    machine: &Machine,
) -> anyhow::Result<Report> {
    let section = &config.ladder;
    let steps = spread(&run.net_steps(), section.nets);
    let nets = steps.iter().map(|&step| {
        let spec = PlayerSpec::Net {
            path: run.net_of(step),
            thought: Thought::Simulations(section.simulations),
            evaluator: None,
        };
        (
            format!("step {step}, sims={}", section.simulations),
            Ok(spec),
        )
    });
    let opponents = section
        .opponents
        .iter()
        .map(|spec| (spec.clone(), spec.parse()));
    let (mut names, mut seats) = (Vec::new(), Vec::new());
    for (name, spec) in nets.chain(opponents) {
        let spec: PlayerSpec = spec?;
        if !names.contains(&name) {
            names.push(name);
            seats.push(Seat::load::<G>(&spec, &config.game.variant, machine)?);
        }
    }
    let nets = steps.len();
    let truth = truth::of_config(&config.truth)?;
    let mut regrets = BTreeMap::new();
    for (name, seat) in names.iter().zip(&seats).take(nets) {
        let Some(truth) = &truth else { break };
        let loss = truth::of_net(seat, truth, &config.truth, machine.threads)?;
        regrets.extend(loss.map(|loss| (name.clone(), loss.regret)));
    }
    let couples = (0..nets).flat_map(|net| (nets..names.len()).map(move |other| [net, other]));
    let ladder = Ladder::<G> {
        plan: Plan::Fixed {
            couples: couples.collect(),
            pairs: section.pairs,
        },
        anchor: (names.len() > nets).then_some(nets),
        sprt: None,
        names,
        seats,
        regrets,
        openings: Openings {
            variant: config.game.variant.clone(),
            start: config.game.start.clone(),
            plies: section.opening_plies,
            book: Arc::default(),
        },
        seed: seed(config),
        threads: machine.threads,
        games_at_once: GAMES_AT_ONCE,
        folder: run.ladder(),
    };
    ladder.play()
}

/// Ladder games share no start and no dice with the games that the nets have learned from.
fn seed<G: Game>(config: &Config<G>) -> u64 {
    !config.run.seed
}

/// `count` of the steps, evenly spread, the last one always among them.
fn spread(steps: &[u64], count: usize) -> Vec<u64> {
    let count = count.min(steps.len());
    (1..=count)
        .map(|part| steps[part * steps.len() / count - 1])
        .collect()
}
