//! Player specs: how a player is named on the command line, in ladders and in results.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use engine::Game;
use engine::bots::alphabeta::{Budget, MOST_PLIES};
use engine::games::einstein::Einstein;
use engine::games::jiu::Jiu;
use engine::games::surakarta::Surakarta;
use models::Kernel;
use models::export::Format;

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
        /// What a move may cost.
        thought: Thought,
    },
    /// `alphabeta:depth=N` or `alphabeta:nodes=N`: alpha-beta search with the game's evaluation.
    AlphaBeta(Budget),
    /// `net:PATH,sims=N` or `net:PATH,sims=N,eval=NAME`: tree search with a network.
    Net {
        /// The net's file, or the folder that holds it.
        path: PathBuf,
        /// What a move may cost.
        thought: Thought,
        /// Which code evaluates it, if not that of the command.
        evaluator: Option<Kernel>,
    },
    /// `engine:COMMAND`: a program that speaks the text protocol of docs/formats.md.
    Engine {
        /// The program and its arguments, separated by blanks; quotes keep blanks together.
        command: String,
        /// What it is told that a move may cost, if anything.
        thought: Option<Thought>,
    },
}

/// What a move may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Thought {
    /// Simulations of a search, `sims=N`.
    Simulations(u32),
    /// Time on the clock, `secs=S`.
    Time(Duration),
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
            PlayerSpec::Random
            | PlayerSpec::Rollout { .. }
            | PlayerSpec::Net { .. }
            | PlayerSpec::Engine { .. } => None,
        }
    }
}

/// A spec that names no player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{spec}' is not a player: {problem}. Players are random, rollout:sims=N, net:PATH,sims=N (,eval=NAME), \
     engine:COMMAND (,sims=N), and those of one game: static, exact[:TABLE], pattern, alphabeta:depth=N, \
     alphabeta:nodes=N; secs=S may stand for sims=N"
)]
pub struct SpecError {
    spec: String,
    problem: String,
}

impl PlayerSpec {
    /// Whether the player must have a thread to itself: its time is measured, or it runs elsewhere.
    pub fn is_alone(&self) -> bool {
        match self {
            PlayerSpec::Random
            | PlayerSpec::Pattern
            | PlayerSpec::Static
            | PlayerSpec::Exact { .. }
            | PlayerSpec::AlphaBeta(_) => false,
            PlayerSpec::Rollout { thought } | PlayerSpec::Net { thought, .. } => {
                matches!(thought, Thought::Time(_))
            }
            PlayerSpec::Engine { .. } => true,
        }
    }

    /// The same player with another budget; players without one stay as they are.
    pub fn with_thought(&self, other: Thought) -> PlayerSpec {
        let mut spec = self.clone();
        match &mut spec {
            PlayerSpec::Rollout { thought } | PlayerSpec::Net { thought, .. } => *thought = other,
            PlayerSpec::Engine { thought, .. } => *thought = Some(other),
            PlayerSpec::Random
            | PlayerSpec::Pattern
            | PlayerSpec::Static
            | PlayerSpec::Exact { .. }
            | PlayerSpec::AlphaBeta(_) => {}
        }
        spec
    }
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
                thought: thought(rest).map_err(|problem| error(&problem))?,
            }),
            "alphabeta" => {
                let budget = budget(rest).map_err(|problem| error(&problem))?;
                Ok(PlayerSpec::AlphaBeta(budget))
            }
            "net" => {
                let (path, options) = split_options(rest)
                    .ok_or_else(|| error("the simulations are missing, as in net:PATH,sims=64"))?;
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
                if evaluator.is_some() && Format::of(path.as_ref()) == Some(Format::Onnx) {
                    return Err(error("an ONNX file has its own evaluator, without eval="));
                }
                Ok(PlayerSpec::Net {
                    path: path.into(),
                    thought: thought(options).map_err(|problem| error(&problem))?,
                    evaluator,
                })
            }
            "engine" => {
                let (command, options) = match split_options(rest) {
                    Some((command, options)) => (command, Some(options)),
                    None => (rest, None),
                };
                if command.trim().is_empty() {
                    return Err(error("the command is missing"));
                }
                Ok(PlayerSpec::Engine {
                    command: command.to_string(),
                    thought: options
                        .map(thought)
                        .transpose()
                        .map_err(|problem| error(&problem))?,
                })
            }
            _ => Err(error("no such kind of player")),
        }
    }
}

/// The options follow the last comma that begins one, so a path may hold commas.
fn split_options(rest: &str) -> Option<(&str, &str)> {
    let at = rest.rfind(",sims=").max(rest.rfind(",secs="))?;
    Some((&rest[..at], &rest[at + 1..]))
}

/// The most simulations of a move: their tree fills gigabytes. Time beyond it is left unused.
pub const MOST_SIMULATIONS: u32 = 2_000_000;

fn thought(options: &str) -> Result<Thought, String> {
    if let Some(number) = options.strip_prefix("secs=") {
        return match number.parse::<f64>() {
            Ok(seconds) if (0.001..=3600.0).contains(&seconds) => Ok(Thought::Time(
                Duration::from_millis((seconds * 1000.0).round() as u64),
            )),
            _ => Err(format!(
                "secs must be a number from 0.001 to 3600, not '{number}'"
            )),
        };
    }
    let number = options
        .strip_prefix("sims=")
        .ok_or("the simulations are missing, as in rollout:sims=1000")?;
    match number.parse() {
        Ok(simulations @ 1..=MOST_SIMULATIONS) => Ok(Thought::Simulations(simulations)),
        _ => Err(format!(
            "sims must be a number from 1 to {MOST_SIMULATIONS}, not '{number}'"
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
            PlayerSpec::AlphaBeta(Budget::Depth(depth)) => write!(f, "alphabeta:depth={depth}"),
            PlayerSpec::AlphaBeta(Budget::Nodes(nodes)) => write!(f, "alphabeta:nodes={nodes}"),
            PlayerSpec::Rollout { thought } => write!(f, "rollout:{thought}"),
            PlayerSpec::Net {
                path,
                thought,
                evaluator,
            } => {
                write!(f, "net:{},{thought}", path.display())?;
                evaluator.map_or(Ok(()), |kernel| write!(f, ",eval={kernel}"))
            }
            PlayerSpec::Engine {
                command,
                thought: None,
            } => write!(f, "engine:{command}"),
            PlayerSpec::Engine {
                command,
                thought: Some(thought),
            } => write!(f, "engine:{command},{thought}"),
        }
    }
}

impl fmt::Display for Thought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Thought::Simulations(simulations) => write!(f, "sims={simulations}"),
            Thought::Time(time) => write!(f, "secs={}", time.as_secs_f64()),
        }
    }
}
