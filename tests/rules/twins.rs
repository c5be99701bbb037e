//! The engine against the plain twins: the same random games on both sides, compared ply by ply.

mod einstein;
mod jiu;
mod surakarta;

use std::collections::HashSet;

use engine::draws::{Purpose, keyed};
use engine::text::{Point, write_board};
use engine::{Game, Outcome, Roll, Side, Status};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::naive::{End, Twin};

/// A game of the engine that has a twin.
trait Twinned: Game {
    /// The same rules in their plainest form.
    type Twin: Twin;

    /// In each position at most so many plies are tried on both sides, spread over the sorted list.
    const TRIED: usize;

    /// The legal plies as the twin has them, sorted by their texts.
    fn common_plies(&self) -> Vec<Ply<Self>> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let mut plies: Vec<_> = moves.iter().map(|&mv| Ply::of(self, mv)).collect();
        plies.sort_by(|one, other| one.text.cmp(&other.text));
        plies
    }

    /// Plays a ply of this position on its twin.
    fn play_on_twin(&self, ply: &Ply<Self>, twin: &mut Self::Twin) {
        twin.apply(&ply.text);
    }

    /// Compares what the two tell about a position besides text, status and plies.
    fn compare_more(&self, _twin: &Self::Twin) {}
}

/// A legal ply of the twin, and where it leads on the engine's side.
struct Ply<G> {
    text: String,
    after: G,
}

impl<G: Game> Ply<G> {
    fn of(game: &G, mv: G::Move) -> Ply<G> {
        let mut after = game.clone();
        after.play(mv);
        let text = game.move_text(mv);
        Ply { text, after }
    }
}

/// How the sides choose.
#[derive(Clone, Copy, PartialEq)]
enum Habit {
    /// Any legal ply, all equally likely.
    Random,
    /// Half of the time a side takes its last step back if it can; otherwise any ply.
    /// Such games come to the same position again.
    Shuttling,
}

/// What the random games of a test went through.
#[derive(Default, Debug)]
struct Seen {
    games: u64,
    /// Plies played, in the twin's terms.
    plies: u64,
    outcomes: HashSet<Outcome>,
}

impl Seen {
    /// Plays one game to its end on both sides.
    fn play_out<G: Twinned>(
        &mut self,
        mut engine: G,
        mut twin: G::Twin,
        habit: Habit,
        draws: &mut ChaCha8Rng,
    ) {
        let mut last = [const { String::new() }; 2];
        loop {
            agree(&engine, &twin, "along the game");
            let plies = compared_plies(&engine, &twin);
            match engine.status() {
                Status::Over(outcome) => {
                    self.games += 1;
                    self.outcomes.insert(outcome);
                    return;
                }
                Status::Rolling => {
                    let face = draws.random_range(0..6);
                    engine.settle(Roll(face));
                    twin.roll(face + 1);
                }
                Status::ToMove(side) => {
                    let last = &mut last[side.index()];
                    let ply = chosen(plies, last, habit, draws);
                    engine.play_on_twin(&ply, &mut twin);
                    engine = ply.after;
                    *last = ply.text;
                    self.plies += 1;
                }
            }
        }
    }
}

/// Both sides stand in the same position, with the same side, die or end to come.
fn agree<G: Twinned>(engine: &G, twin: &G::Twin, way: &str) {
    let text = engine.text();
    assert_eq!(text, twin.text(), "{way}");
    assert_eq!(engine.status(), status(twin), "in {text} {way}");
}

fn status(twin: &impl Twin) -> Status {
    match twin.result() {
        Some(End::First) => Status::Over(Outcome::Win(Side::First)),
        Some(End::Second) => Status::Over(Outcome::Win(Side::Second)),
        Some(End::Draw) => Status::Over(Outcome::Draw),
        Some(End::Truncated) => Status::Over(Outcome::Truncated),
        None if twin.rolling() => Status::Rolling,
        None => Status::ToMove(Side::BOTH[twin.side()]),
    }
}

/// The legal plies, which are the same on both sides and lead to the same positions.
fn compared_plies<G: Twinned>(engine: &G, twin: &G::Twin) -> Vec<Ply<G>> {
    let plies = engine.common_plies();
    let texts: Vec<_> = plies.iter().map(|ply| ply.text.clone()).collect();
    let position = engine.text();
    assert_eq!(texts, twin.moves(), "in {position}");
    engine.compare_more(twin);
    let stride = plies.len().div_ceil(G::TRIED).max(1);
    for ply in plies.iter().step_by(stride) {
        let mut twin_after = twin.clone();
        engine.play_on_twin(ply, &mut twin_after);
        let way = format!("after {} in {position}", ply.text);
        agree(&ply.after, &twin_after, &way);
    }
    plies
}

fn chosen<G>(mut plies: Vec<Ply<G>>, last: &str, habit: Habit, draws: &mut ChaCha8Rng) -> Ply<G> {
    let any = draws.random_range(0..plies.len());
    let takes_back = habit == Habit::Shuttling && draws.random();
    let back = last.split_once('-').filter(|_| takes_back);
    let back = back.and_then(|(from, to)| {
        let text = format!("{to}-{from}");
        plies.iter().position(|ply| ply.text == text)
    });
    plies.swap_remove(back.unwrap_or(any))
}

/// The generator of one random game.
fn draws_of(game: u64) -> ChaCha8Rng {
    keyed(7, Purpose::Choice, game, 0)
}

/// A board text with stones scattered at random, so many for each letter.
fn scattered(size: u8, stones: [(char, usize); 2], draws: &mut ChaCha8Rng) -> String {
    let mut points = vec![None; usize::from(size) * usize::from(size)];
    let letters = stones
        .into_iter()
        .flat_map(|(letter, count)| std::iter::repeat_n(letter, count));
    for (point, letter) in points.iter_mut().zip(letters) {
        *point = Some(letter);
    }
    points.shuffle(draws);
    write_board(size, |Point { column, row }| {
        points[usize::from(row) * usize::from(size) + usize::from(column)]
    })
}
