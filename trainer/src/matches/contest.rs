//! The contest match of EinStein (E8): at most seven games, first to four wins, a clock for each side.

use std::time::Duration;

use engine::draws::{Purpose, keyed};
use engine::games::einstein::wtn::Record;
use engine::games::einstein::{Einstein, Ply};
use engine::{Game, Outcome, Roll, Side, Status};
use rand::RngExt;
use serde::Serialize;

use super::fault::Fault;
use super::player::Player;
use super::seat::Seat;
use super::table::{Course, CourseStep};
use crate::workers;

/// Which player moves first in each game: 0 is A, 1 is B (E8). Who moves first has Red and places first.
const FIRST: [usize; 7] = [0, 1, 1, 0, 0, 1, 1];

/// Games that win a match (E8).
const WINS: usize = 4;

/// A contest between two players.
pub struct Contest<'a> {
    /// Players A and B.
    pub seats: [&'a Seat; 2],
    /// Everything random follows from this number.
    pub seed: u64,
    /// What each side may think in one game, placing included.
    pub clock: Duration,
    /// The time since some moment.
    pub now: &'a (dyn Fn() -> Duration + Sync),
}

/// A finished match.
#[derive(Clone, Debug, Serialize)]
pub struct ContestMatch {
    /// The player that won, `"a"` or `"b"`.
    pub winner: &'static str,
    /// Games won by A and by B.
    pub score: [usize; 2],
    /// The games in order.
    pub games: Vec<ContestGame>,
}

/// A finished game of a match.
#[derive(Clone, Debug, Serialize)]
pub struct ContestGame {
    /// The player that moved first, with Red.
    pub first: &'static str,
    /// The player that won.
    pub winner: &'static str,
    /// Why.
    pub reason: Reason,
    /// Plies after the set-up.
    pub plies: usize,
    /// Seconds that A and B have thought.
    pub seconds: [f64; 2],
    /// Set-up and plies; `None` when time ran out before both sides stood.
    #[serde(skip)]
    pub played: Option<(Einstein, Vec<(Roll, Ply)>)>,
}

/// Why a game was won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// The winner reached its goal corner.
    Goal,
    /// The winner took the last enemy cube.
    Annihilation,
    /// The loser's clock ran out.
    Time,
    /// The loser's program ended.
    Crash,
    /// The loser's program gave no answer before its watchdog's time.
    Hang,
    /// The loser's program answered with no legal move.
    Illegal,
}

impl From<Fault> for Reason {
    fn from(fault: Fault) -> Reason {
        match fault {
            Fault::Crash(_) => Reason::Crash,
            Fault::Hang => Reason::Hang,
            Fault::Illegal(_) => Reason::Illegal,
            Fault::Time => Reason::Time,
        }
    }
}

const NAMES: [&str; 2] = ["a", "b"];

impl Contest<'_> {
    /// Plays the match of a number, which its dice depend on.
    pub fn play(&self, number: u64) -> ContestMatch {
        workers::alone(|| {
            let mut players = self.seats.map(Seat::player::<Einstein>);
            let mut score = [0; 2];
            let mut games = Vec::new();
            for (game, first) in (0..).zip(FIRST) {
                let (game, winner) = self.game(number * 7 + game, first, &mut players);
                games.push(game);
                score[winner] += 1;
                if score[winner] == WINS {
                    break;
                }
            }
            ContestMatch {
                winner: NAMES[usize::from(score[1] == WINS)],
                score,
                games,
            }
        })
    }

    fn game(
        &self,
        number: u64,
        first: usize,
        players: &mut [Box<dyn Player<Einstein>>; 2],
    ) -> (ContestGame, usize) {
        let player_of = |side: Side| first ^ side.index();
        let mut game = Einstein::PLACING;
        let mut course = Course::from(&game, number);
        let mut start = None;
        let mut plies = Vec::new();
        let mut thought = [Duration::ZERO; 2];
        for step in 0.. {
            let ended = match game.status() {
                Status::Over(Outcome::Win(side)) => {
                    let wiped_out = game.alive(side.other()) == 0;
                    let reason = if wiped_out {
                        Reason::Annihilation
                    } else {
                        Reason::Goal
                    };
                    Some((player_of(side), reason))
                }
                Status::Over(_) => unreachable!("EinStein has no draws (E6)"),
                Status::Rolling => {
                    start.get_or_insert(game);
                    let roll =
                        Roll(keyed(self.seed, Purpose::Roll, number, step).random_range(0..6));
                    game.settle(roll);
                    course.steps.push(CourseStep::Roll(roll));
                    None
                }
                Status::ToMove(side) => {
                    let player = player_of(side);
                    let draws = keyed(self.seed, Purpose::Choice, number, step);
                    let began = (self.now)();
                    let ply = choose(players[player].as_mut(), &game, &course, draws);
                    thought[player] += (self.now)() - began;
                    let is_late = thought[player] > self.clock;
                    let ply = if is_late { Err(Fault::Time) } else { ply };
                    match ply {
                        Err(fault) => Some((1 - player, fault.into())),
                        Ok(ply) => {
                            let die = game.die();
                            game.play(ply);
                            course.steps.push(CourseStep::Ply(ply));
                            plies.extend(die.map(|die| (Roll(die - 1), ply)));
                            None
                        }
                    }
                }
            };
            if let Some((winner, reason)) = ended {
                let game = ContestGame {
                    first: NAMES[first],
                    winner: NAMES[winner],
                    reason,
                    plies: plies.len(),
                    seconds: thought.map(|time| time.as_secs_f64()),
                    played: start.map(|start| (start, plies)),
                };
                return (game, winner);
            }
        }
        unreachable!("a game ends after at most 69 plies (E6)")
    }
}

/// The player's ply; a forced one is not asked for.
fn choose(
    player: &mut dyn Player<Einstein>,
    game: &Einstein,
    course: &Course<Einstein>,
    draws: rand_chacha::ChaCha8Rng,
) -> Result<Ply, Fault> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    if let [only] = moves[..] {
        return Ok(only);
    }
    Ok(player.verdict(game, course, draws)?.best)
}

impl ContestGame {
    /// The game as a contest record. `names` are those of A and B, `place` and `event` the record's last
    /// two fields. `None` when time ran out before both sides stood.
    pub fn record(&self, names: [&str; 2], place: &str, event: &str) -> Option<Record> {
        let (start, plies) = self.played.clone()?;
        let first = usize::from(self.first == NAMES[1]);
        let result = if self.winner == self.first {
            "先手胜"
        } else {
            "后手胜"
        };
        // Brackets end a field.
        let plain = |name: &str| name.replace('[', "(").replace(']', ")");
        Some(Record {
            header: [
                plain(names[first]),
                plain(names[1 - first]),
                result.to_string(),
                plain(place),
                plain(event),
            ],
            start,
            plies,
        })
    }
}
