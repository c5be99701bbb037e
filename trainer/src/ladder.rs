//! The short ladder of a run: its nets against fixed opponents, resumable match by match.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use engine::Game;
use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::dispatch::Playable;
use crate::interrupt::Interrupted;
use crate::machine::Machine;
use crate::matches::{MatchPlan, PlayerSpec, Score, Seat, play_match};
use crate::run::RunFolder;
use crate::truth;

/// One match of the ladder.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Learning step of the net.
    pub step: u64,
    /// Hash of its weights.
    pub hash: String,
    /// Simulations of its moves.
    pub simulations: u32,
    /// The opponent's spec.
    pub opponent: String,
    /// Seed of the match.
    pub seed: u64,
    /// Random first plies of each pair of games.
    #[serde(default)]
    pub opening_plies: u32,
    /// Pairs of games.
    pub pairs: u64,
    /// The result as the net sees it.
    pub result: Score,
    /// Winning probability that the net's moves give away, where `[truth]` names a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regret: Option<f64>,
}

/// Plays the matches that are not in `ladder/ladder.json` yet, and returns those of the configuration.
/// Matches that were played under other settings stay in the file.
///
/// # Errors
/// A net that cannot be loaded, a file that cannot be written, or an interruption.
pub fn play<G: Playable>(
    config: &Config<G>,
    run: &RunFolder,
    machine: &Machine,
) -> anyhow::Result<Vec<Entry>> {
    let path = run.ladder().join("ladder.json");
    let mut known = read(&path)?;
    let mut entries = Vec::new();
    let truth = truth::of_config(&config.truth)?;
    for step in spread(&run.net_steps(), config.ladder.nets) {
        let spec = PlayerSpec::Net {
            path: run.net_of(step),
            simulations: config.ladder.simulations,
            evaluator: None,
        };
        let seat = Seat::load::<G>(&spec, &config.game.variant, machine)?;
        let (_, hash) = seat.identity.clone().context("a net has an identity")?;
        let regret = match &truth {
            Some(truth) => {
                truth::of_net(&seat, truth, &config.truth, machine.threads)?.map(|loss| loss.regret)
            }
            None => None,
        };
        for opponent in &config.ladder.opponents {
            let mut entry = Entry {
                step,
                hash: hash.clone(),
                simulations: config.ladder.simulations,
                opponent: opponent.clone(),
                seed: seed(config),
                opening_plies: config.ladder.opening_plies,
                pairs: config.ladder.pairs,
                result: Score::of(&[]),
                regret,
            };
            let same = |other: &&Entry| {
                Entry {
                    result: entry.result.clone(),
                    regret: entry.regret,
                    ..(*other).clone()
                } == entry
            };
            entry.result = match known.iter().find(same) {
                Some(played) => played.result.clone(),
                None => {
                    let result = against(config, machine, &seat, opponent)?;
                    known.push(Entry {
                        result: result.clone(),
                        ..entry.clone()
                    });
                    result
                }
            };
            entries.push(entry);
            fs::create_dir_all(run.ladder())
                .with_context(|| format!("cannot make {}", run.ladder().display()))?;
            models::frame::write_whole(&path, serde_json::to_string_pretty(&known)?.as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(entries)
}

fn against<G: Playable>(
    config: &Config<G>,
    machine: &Machine,
    seat: &Seat,
    opponent: &str,
) -> anyhow::Result<Score> {
    let opponent = Seat::load::<G>(&opponent.parse()?, &config.game.variant, machine)?;
    let plan = MatchPlan::<G> {
        variant: config.game.variant.clone(),
        start: config.game.start.clone(),
        opening_plies: config.ladder.opening_plies,
        pairs: config.ladder.pairs,
        seed: seed(config),
        threads: machine.threads,
    };
    match play_match(seat, &opponent, &plan)? {
        Ok(results) => Ok(Score::of(&results)),
        Err(Interrupted) => bail!(Interrupted),
    }
}

/// Ladder games share no start and no dice with the games that the nets have learned from.
fn seed<G: Game>(config: &Config<G>) -> u64 {
    !config.run.seed
}

fn read(path: &Path) -> anyhow::Result<Vec<Entry>> {
    match fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).with_context(|| {
            format!(
                "{} is damaged; remove it to play the ladder anew",
                path.display()
            )
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// `count` of the steps, evenly spread, the last one always among them.
fn spread(steps: &[u64], count: usize) -> Vec<u64> {
    let count = count.min(steps.len());
    (1..=count)
        .map(|part| steps[part * steps.len() / count - 1])
        .collect()
}

/// The ladder as a table; every line is in the view of the net that it names.
pub fn table<G: Game>(entries: &[Entry]) -> String {
    let measured = entries.iter().any(|entry| entry.regret.is_some());
    let mut table = format!(
        "ladder of {}: each line in the view of the run's net\n{:>8} {:>5}  {:<20} {:>6} {:>5} {:>6} {:>7} {:>17} {:>9}{}\n",
        G::NAME,
        "net step",
        "sims",
        "opponent",
        "win",
        "draw",
        "loss",
        "score",
        "95 % interval",
        "distinct",
        if measured { "   regret" } else { "" }
    );
    for entry in entries {
        let result = &entry.result;
        table.push_str(&format!(
            "{:>8} {:>5}  {:<20} {:>6} {:>5} {:>6} {:>6.1}% {:>7.1}% – {:>5.1}% {:>9}{}\n",
            entry.step,
            entry.simulations,
            entry.opponent,
            result.wins,
            result.draws + result.truncated,
            result.losses,
            100.0 * result.score,
            100.0 * result.interval[0],
            100.0 * result.interval[1],
            result.distinct_games,
            entry
                .regret
                .map_or(String::new(), |regret| format!(" {regret:>8.4}"))
        ));
    }
    table
}
