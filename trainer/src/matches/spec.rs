//! Player specs: how a player is named on the command line, in ladders and in results.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use models::Kernel;

/// A player by its spec.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerSpec {
    /// `random`: every legal move is equally likely.
    Random,
    /// `rollout:sims=N`: tree search whose leaves are valued by one random game each.
    Rollout {
        /// Simulations a move.
        simulations: u32,
    },
    /// `net:PATH,sims=N` or `net:PATH,sims=N,eval=NAME`: tree search with a network.
    Net {
        /// The net's file, or the folder that holds it.
        path: PathBuf,
        /// Simulations a move.
        simulations: u32,
        /// Which code evaluates it, if not that of the command.
        evaluator: Option<Kernel>,
    },
}

/// A spec that names no player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{spec}' is not a player: {problem}. Players are random, rollout:sims=N and net:PATH,sims=N"
)]
pub struct SpecError {
    spec: String,
    problem: String,
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(spec: &str) -> Result<PlayerSpec, SpecError> {
        let error = |problem: &str| SpecError {
            spec: spec.to_string(),
            problem: problem.to_string(),
        };
        let (kind, rest) = spec.split_once(':').unwrap_or((spec, ""));
        match kind {
            "random" if rest.is_empty() => Ok(PlayerSpec::Random),
            "random" => Err(error("random takes no options")),
            "rollout" => Ok(PlayerSpec::Rollout {
                simulations: simulations(rest).map_err(|problem| error(&problem))?,
            }),
            "net" => {
                // The options follow the last comma that begins one, so a path may hold commas.
                let (path, options) = match rest.rfind(",sims=") {
                    Some(at) => (&rest[..at], &rest[at + 1..]),
                    None => {
                        return Err(error("the simulations are missing, as in net:PATH,sims=64"));
                    }
                };
                if path.is_empty() {
                    return Err(error("the path is missing"));
                }
                let (options, evaluator) = match options.split_once(",eval=") {
                    Some((options, name)) => {
                        let kernel = name.parse().map_err(|problem: String| error(&problem))?;
                        (options, Some(kernel))
                    }
                    None => (options, None),
                };
                Ok(PlayerSpec::Net {
                    path: path.into(),
                    simulations: simulations(options).map_err(|problem| error(&problem))?,
                    evaluator,
                })
            }
            _ => Err(error("no such kind of player")),
        }
    }
}

fn simulations(options: &str) -> Result<u32, String> {
    let number = options
        .strip_prefix("sims=")
        .ok_or("the simulations are missing, as in rollout:sims=1000")?;
    match number.parse() {
        Ok(simulations @ 1..=100_000_000) => Ok(simulations),
        _ => Err(format!(
            "sims must be a number from 1 to 100000000, not '{number}'"
        )),
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Random => f.write_str("random"),
            PlayerSpec::Rollout { simulations } => write!(f, "rollout:sims={simulations}"),
            PlayerSpec::Net {
                path,
                simulations,
                evaluator,
            } => {
                write!(f, "net:{},sims={simulations}", path.display())?;
                evaluator.map_or(Ok(()), |kernel| write!(f, ",eval={kernel}"))
            }
        }
    }
}
