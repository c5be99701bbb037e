//! Player specs: how a player is named on the command line, in ladders and in results.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use engine::Game;
use engine::bots::alphabeta::{Budget, MOST_PLIES};
use engine::games::einstein::Einstein;
use engine::games::jiu::Jiu;
use engine::games::surakarta::Surakarta;
use models::Kernel;

/// A player by its spec.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerSpec {
    /// `random`: every legal move is equally likely.
    Random,
    /// `pattern`: the pattern player of Jiu, by shapes of stones.
    Pattern,
    /// `static`: the rule-based player of EinStein.
    Static,
    /// `exact[:FILE]`: exact play of EinStein.
    Exact {
        /// The table; none stands for one that is built in memory.
        tables: Option<PathBuf>,
    },
    /// `rollout:sims=N`: tree search whose leaves are valued by one random game each.
    Rollout {
        /// Simulations a move.
        simulations: u32,
    },
    /// `alphabeta:depth=N` or `alphabeta:nodes=N`: alpha-beta search with the game's evaluation.
    AlphaBeta(Budget),
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

/// A player that does not know the game it is to play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the player {spec} plays {} only, not {game}", plays.join(" and "))]
pub struct OtherGame {
    spec: PlayerSpec,
    plays: &'static [&'static str],
    game: &'static str,
}

impl PlayerSpec {
    /// Whether the player knows a game.
    ///
    /// # Errors
    /// Names the games that it plays instead.
    pub fn knows<G: Game>(&self) -> Result<(), OtherGame> {
        match self.only_games() {
            Some(plays) if !plays.contains(&G::NAME) => Err(OtherGame {
                spec: self.clone(),
                plays,
                game: G::NAME,
            }),
            _ => Ok(()),
        }
    }

    /// The games that the player plays, if it does not play every game.
    fn only_games(&self) -> Option<&'static [&'static str]> {
        match self {
            PlayerSpec::Static | PlayerSpec::Exact { .. } => Some(&[Einstein::NAME]),
            PlayerSpec::Pattern => Some(&[Jiu::NAME]),
            PlayerSpec::AlphaBeta(_) => Some(&[Surakarta::NAME, Jiu::NAME]),
            PlayerSpec::Random | PlayerSpec::Rollout { .. } | PlayerSpec::Net { .. } => None,
        }
    }
}

/// A spec that names no player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{spec}' is not a player: {problem}. Players are random, rollout:sims=N, net:PATH,sims=N (,eval=NAME), and those of one game: static, exact[:TABLE], pattern, alphabeta:depth=N, alphabeta:nodes=N"
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
            "pattern" if rest.is_empty() => Ok(PlayerSpec::Pattern),
            "pattern" => Err(error("pattern takes no options")),
            "static" if rest.is_empty() => Ok(PlayerSpec::Static),
            "static" => Err(error("static takes no options")),
            "exact" => Ok(PlayerSpec::Exact {
                tables: (!rest.is_empty()).then(|| rest.into()),
            }),
            "rollout" => Ok(PlayerSpec::Rollout {
                simulations: simulations(rest).map_err(|problem| error(&problem))?,
            }),
            "alphabeta" => {
                let budget = budget(rest).map_err(|problem| error(&problem))?;
                Ok(PlayerSpec::AlphaBeta(budget))
            }
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

/// The most positions a move that a spec may ask for.
const MOST_NODES: u64 = 1_000_000_000;

fn budget(options: &str) -> Result<Budget, String> {
    let (name, number) = options.split_once('=').ok_or(
        "the depth or the nodes are missing, as in alphabeta:depth=4 or alphabeta:nodes=100000",
    )?;
    let most = match name {
        "depth" => MOST_PLIES as u64,
        "nodes" => MOST_NODES,
        _ => return Err(format!("alphabeta takes depth or nodes, not '{name}'")),
    };
    let known = number
        .parse()
        .ok()
        .filter(|known| (1..=most).contains(known));
    let known =
        known.ok_or_else(|| format!("{name} must be a number from 1 to {most}, not '{number}'"))?;
    Ok(match name {
        "depth" => Budget::Depth(known as usize),
        _ => Budget::Nodes(known),
    })
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Random => f.write_str("random"),
            PlayerSpec::Pattern => f.write_str("pattern"),
            PlayerSpec::Static => f.write_str("static"),
            PlayerSpec::Exact { tables: None } => f.write_str("exact"),
            PlayerSpec::Exact { tables: Some(path) } => write!(f, "exact:{}", path.display()),
            PlayerSpec::Rollout { simulations } => write!(f, "rollout:sims={simulations}"),
            PlayerSpec::AlphaBeta(Budget::Depth(depth)) => write!(f, "alphabeta:depth={depth}"),
            PlayerSpec::AlphaBeta(Budget::Nodes(nodes)) => write!(f, "alphabeta:nodes={nodes}"),
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
