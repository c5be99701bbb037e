//! Plays a match: pairs of games with the sides swapped, from the same start and with the same dice.

use std::sync::atomic::{AtomicU64, Ordering};

use engine::draws::{self, Purpose, keyed};
use engine::opening::first_position;
use engine::{Encode, Game, Outcome, Roll, Side, Status, TextError};

use super::players::{Player, Seat, Turn};
use crate::interrupt::{self, Interrupted};
use crate::progress::Progress;
use crate::workers;

/// What is played.
#[derive(Clone, Debug)]
pub struct MatchPlan<G: Game> {
    /// The rule options.
    pub variant: G::Variant,
    /// How first positions are made.
    pub start: G::Start,
    /// Random plies after the start, the same for both games of a pair.
    pub opening_plies: u32,
    /// Pairs of games.
    pub pairs: u64,
    /// Everything random follows from this number.
    pub seed: u64,
    /// Threads that play.
    pub threads: usize,
}

/// One finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// The pair, from 0.
    pub pair: u64,
    /// The side that player A had.
    pub a_side: Side,
    /// How the game ended.
    pub outcome: Outcome,
    /// Plies played, rolls not counted.
    pub plies: u64,
    /// A fingerprint of start, rolls and moves: equal games have equal ones.
    pub fingerprint: u64,
}

/// A finished game with its dice.
#[derive(Clone, PartialEq, Debug)]
pub struct Played<G: Game> {
    /// What came out.
    pub result: GameResult,
    /// Each position before a roll, with the roll.
    pub rolls: Vec<(G, Roll)>,
}

/// Pairs that one task plays side by side; their evaluations share batches.
const PAIRS_A_TASK: u64 = 16;

/// Plays a match and returns the results in the order of their pairs. The games do not depend on the
/// number of threads.
///
/// # Errors
/// A start that cannot be made, or an interruption by the user.
pub fn play_match<G: Encode>(
    a: &Seat,
    b: &Seat,
    plan: &MatchPlan<G>,
) -> Result<Result<Vec<GameResult>, Interrupted>, TextError> {
    let games = play_games(a, b, plan)?;
    Ok(games.map(|games| games.into_iter().map(|game| game.result).collect()))
}

/// Plays a match as [`play_match`] does, and keeps the dice.
///
/// # Errors
/// As [`play_match`].
pub fn play_games<G: Encode>(
    a: &Seat,
    b: &Seat,
    plan: &MatchPlan<G>,
) -> Result<Result<Vec<Played<G>>, Interrupted>, TextError> {
    let mut tasks = Vec::new();
    for first in (0..plan.pairs).step_by(PAIRS_A_TASK as usize) {
        let pairs = first..(first + PAIRS_A_TASK).min(plan.pairs);
        let games = pairs.flat_map(|pair| [(pair, Side::First), (pair, Side::Second)]);
        let games = games.map(|(pair, a_side)| Table::open(plan, pair, a_side));
        tasks.push(games.collect::<Result<Vec<_>, _>>()?);
    }
    let done = AtomicU64::new(0);
    let title = format!("{} against {}", a.spec(), b.spec());
    let shown = std::sync::Mutex::new(Progress::new(title, 2 * plan.pairs));
    workers::run(plan.threads, &mut tasks, |games| {
        let mut players = [a.player::<G>(), b.player::<G>()];
        while !interrupt::requested() {
            let open = games.iter().filter(|game| !game.is_over()).count();
            play_turns(games, &mut players);
            let left = games.iter().filter(|game| !game.is_over()).count();
            let games =
                done.fetch_add((open - left) as u64, Ordering::Relaxed) + (open - left) as u64;
            if let Ok(mut shown) = shown.try_lock() {
                shown.set(games, || "games".to_string());
            }
            if left == 0 {
                break;
            }
        }
    });
    if let Ok(shown) = shown.into_inner() {
        shown.finish();
    }
    let games: Option<Vec<_>> = tasks.into_iter().flatten().map(Table::played).collect();
    Ok(games.ok_or(Interrupted))
}

/// A game in progress.
struct Table<G: Game> {
    seed: u64,
    pair: u64,
    a_side: Side,
    position: G,
    step: u64,
    plies: u64,
    fingerprint: u64,
    rolls: Vec<(G, Roll)>,
}

impl<G: Encode> Table<G> {
    fn open(plan: &MatchPlan<G>, pair: u64, a_side: Side) -> Result<Table<G>, TextError> {
        let mut draws = keyed(plan.seed, Purpose::Start, pair, 0);
        let position: G =
            first_position(&plan.variant, &plan.start, plan.opening_plies, &mut draws)?;
        Ok(Table {
            seed: plan.seed,
            pair,
            a_side,
            step: 0,
            plies: 0,
            fingerprint: position.key(),
            position,
            rolls: Vec::new(),
        })
    }

    fn is_over(&self) -> bool {
        matches!(self.position.status(), Status::Over(_))
    }

    /// Settles rolls; both games of a pair get the same roll at the same step.
    fn roll(&mut self) {
        while self.position.status() == Status::Rolling {
            let mut draws = keyed(self.seed, Purpose::Roll, self.pair, self.step);
            let roll = draws::roll(&self.position, &mut draws);
            self.rolls.push((self.position.clone(), roll));
            self.position.settle(roll);
            self.took(u64::from(roll.0));
        }
    }

    /// Whose turn it is: 0 for player A, 1 for B.
    fn player(&self) -> Option<usize> {
        match self.position.status() {
            Status::ToMove(side) => Some(usize::from(side != self.a_side)),
            _ => None,
        }
    }

    fn play(&mut self, mv: G::Move) {
        let index = self.position.index(mv) as u64;
        self.position.play(mv);
        self.plies += 1;
        self.took(index);
    }

    fn took(&mut self, what: u64) {
        self.step += 1;
        // The constant is that of FNV-1a.
        self.fingerprint =
            (self.fingerprint.rotate_left(5) ^ (what + 1)).wrapping_mul(0x0100_0000_01B3);
    }

    fn played(self) -> Option<Played<G>> {
        let Status::Over(outcome) = self.position.status() else {
            return None;
        };
        let result = GameResult {
            pair: self.pair,
            a_side: self.a_side,
            outcome,
            plies: self.plies,
            fingerprint: self.fingerprint,
        };
        Some(Played {
            result,
            rolls: self.rolls,
        })
    }
}

/// One ply in every game that is not over.
fn play_turns<G: Encode>(games: &mut [Table<G>], players: &mut [Box<dyn Player<G>>; 2]) {
    games.iter_mut().for_each(Table::roll);
    let mut chosen = Vec::new();
    for (number, player) in players.iter_mut().enumerate() {
        let waiting = games
            .iter()
            .enumerate()
            .filter(|(_, game)| game.player() == Some(number));
        let mut at = Vec::new();
        let mut turns = Vec::new();
        let mut moves = Vec::new();
        for (index, game) in waiting {
            game.position.moves(&mut moves);
            if let [only] = moves[..] {
                chosen.push((index, only));
                continue;
            }
            // The two games of a pair have randomness of their own.
            let table = 2 * game.pair + game.a_side.index() as u64;
            at.push(index);
            turns.push(Turn {
                position: &game.position,
                draws: keyed(game.seed, Purpose::Choice, table, game.step),
                verdict: None,
            });
        }
        if turns.is_empty() {
            continue;
        }
        player.choose(&mut turns);
        for (index, turn) in at.into_iter().zip(turns) {
            chosen.push((index, turn.found().best));
        }
    }
    for (index, mv) in chosen {
        games[index].play(mv);
    }
}
