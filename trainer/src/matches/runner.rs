//! Plays games side by side: the positions of all games that wait for one player are one batch.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use engine::{Encode, Game, Side, TextError};
use models::evaluator::Clock;

use super::player::{Player, Turn};
use super::seat::Seat;
use super::table::{Bout, GameResult, Openings, Played, Table};
use crate::interrupt::{self, Interrupted};
use crate::progress::Progress;
use crate::selfplay::Effort;
use crate::workers;

/// A match of two players.
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

/// Games that one thread plays side by side.
pub const GAMES_AT_ONCE: usize = 64;

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

/// Plays a match as [`play_match`] does, and keeps the courses of the games.
///
/// # Errors
/// As [`play_match`].
pub fn play_games<G: Encode>(
    a: &Seat,
    b: &Seat,
    plan: &MatchPlan<G>,
) -> Result<Result<Vec<Played<G>>, Interrupted>, TextError> {
    let seats = [a.clone(), b.clone()];
    let openings = Openings::<G> {
        variant: plan.variant.clone(),
        start: plan.start.clone(),
        plies: plan.opening_plies,
        book: Arc::default(),
    };
    let hall = Hall {
        seats: &seats,
        openings: &openings,
        threads: plan.threads,
        games_at_once: GAMES_AT_ONCE,
    };
    let bouts: Vec<_> = (0..plan.pairs)
        .flat_map(|pair| bouts_of_pair([0, 1], plan.seed, pair))
        .collect();
    let title = format!("{} against {}", a.spec(), b.spec());
    let shown = Mutex::new(Progress::new(title, bouts.len() as u64));
    let done = AtomicU64::new(0);
    let found = Mutex::new(vec![None; bouts.len()]);
    hall.play(&bouts, &|place, game| {
        if let Ok(mut found) = found.lock() {
            found[place] = Some(game);
        }
        let games = done.fetch_add(1, Ordering::Relaxed) + 1;
        if let Ok(mut shown) = shown.try_lock() {
            shown.set(games, || "games".to_string());
        }
    })?;
    if let Ok(shown) = shown.into_inner() {
        shown.finish();
    }
    let found = found.into_inner().unwrap_or_default();
    let games: Option<Vec<_>> = found.into_iter().collect();
    Ok(games.ok_or(Interrupted))
}

/// The two games of a pair.
pub fn bouts_of_pair(seats: [usize; 2], seed: u64, pair: u64) -> [Bout; 2] {
    Side::BOTH.map(|a_side| Bout {
        seats,
        seed,
        pair,
        a_side,
    })
}

/// Where games are played: the players, the first positions, the threads.
#[derive(Clone, Copy, Debug)]
pub struct Hall<'a, G: Game> {
    /// The players.
    pub seats: &'a [Seat],
    /// How first positions are made.
    pub openings: &'a Openings<G>,
    /// Threads that play.
    pub threads: usize,
    /// Games that one thread plays side by side; the games do not depend on it.
    pub games_at_once: usize,
}

impl<G: Encode> Hall<'_, G> {
    /// Plays games and hands over each one, with its place in the list, as soon as it is over.
    /// An interruption by the user leaves out the games that are not over.
    ///
    /// # Errors
    /// A start that cannot be made.
    pub fn play(
        &self,
        bouts: &[Bout],
        finished: &(dyn Fn(usize, Played<G>) + Sync),
    ) -> Result<Effort, TextError> {
        let began = Instant::now();
        let is_alone = |bout: &Bout| {
            bout.seats
                .iter()
                .any(|&seat| self.seats[seat].spec().is_alone())
        };
        let (alone, together): (Vec<_>, Vec<_>) = bouts
            .iter()
            .copied()
            .enumerate()
            .partition(|(_, bout)| is_alone(bout));
        let mut clock = Clock::default();
        for (bouts, at_once) in [(together, self.games_at_once), (alone, 1)] {
            // Every thread gets its share, however few games there are.
            let at_once = at_once
                .min(bouts.len().div_ceil(self.threads.max(1)))
                .max(1);
            let queue = Mutex::new(bouts.into_iter());
            let mut tasks: Vec<_> = (0..self.threads.max(1))
                .map(|_| Ok(Clock::default()))
                .collect();
            workers::run(self.threads, &mut tasks, |task| {
                *task = Task::new(self, at_once).run(&queue, finished);
            });
            for task in tasks {
                clock.add(task?);
            }
        }
        Ok(Effort {
            clock,
            seconds: began.elapsed().as_secs_f64(),
            threads: self.threads,
            ..Effort::default()
        })
    }
}

/// The games of one thread.
struct Task<'a, G: Game> {
    hall: &'a Hall<'a, G>,
    at_once: usize,
    /// Copies of the players, made when they are first needed.
    players: Vec<Option<Box<dyn Player<G>>>>,
    tables: Vec<Table<G>>,
}

impl<'a, G: Encode> Task<'a, G> {
    fn new(hall: &'a Hall<'a, G>, at_once: usize) -> Task<'a, G> {
        Task {
            hall,
            at_once,
            players: hall.seats.iter().map(|_| None).collect(),
            tables: Vec::new(),
        }
    }

    fn run(
        mut self,
        queue: &Mutex<impl Iterator<Item = (usize, Bout)>>,
        finished: &(dyn Fn(usize, Played<G>) + Sync),
    ) -> Result<Clock, TextError> {
        loop {
            while self.tables.len() < self.at_once {
                let next = queue.lock().ok().and_then(|mut bouts| bouts.next());
                let Some((place, bout)) = next else { break };
                self.tables
                    .push(Table::open(self.hall.openings, bout, place)?);
            }
            if self.tables.is_empty() || interrupt::requested() {
                break;
            }
            self.play_turns();
            // A player that was interrupted has not failed.
            if interrupt::requested() {
                break;
            }
            self.tables.retain(|table| match table.played() {
                Some(game) => {
                    finished(table.place, game);
                    false
                }
                None => true,
            });
        }
        let mut clock = Clock::default();
        self.players
            .iter()
            .flatten()
            .for_each(|player| clock.add(player.clock()));
        Ok(clock)
    }

    /// One ply in every game.
    fn play_turns(&mut self) {
        self.tables.iter_mut().for_each(Table::roll);
        let mut waiting = vec![Vec::new(); self.players.len()];
        let mut moves = Vec::new();
        for (at, table) in self.tables.iter_mut().enumerate() {
            let Some(seat) = table.seat() else { continue };
            table.position.moves(&mut moves);
            match moves[..] {
                [only] => table.play(only),
                _ => waiting[seat].push(at),
            }
        }
        for (seat, at) in waiting
            .into_iter()
            .enumerate()
            .filter(|(_, at)| !at.is_empty())
        {
            let player = self.players[seat].get_or_insert_with(|| self.hall.seats[seat].player());
            let turn = |&at: &usize| {
                let table = &self.tables[at];
                Turn::new(&table.position, &table.course, table.draws())
            };
            let mut turns: Vec<_> = at.iter().map(turn).collect();
            player.choose(&mut turns);
            let found: Vec<_> = turns.into_iter().map(Turn::found).collect();
            for (at, found) in at.into_iter().zip(found) {
                match found {
                    Ok(verdict) => self.tables[at].play(verdict.best),
                    Err(fault) => self.tables[at].fail(fault),
                }
            }
        }
    }
}
