//! The layout: where stones are placed.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::game::{Game, Side};
use crate::games::jiu::{Jiu, Move, PatternKind, Spot};

/// The placement that serves most ideas; of equally good points a drawn one.
pub(super) fn placement(game: &Jiu, mover: Side, draws: &mut ChaCha8Rng) -> Move {
    let mut worths = [0; 256];
    central_points(game, &mut worths);
    build(game, mover, &mut worths);
    deny(game, mover, &mut worths);
    let mut plies = Vec::new();
    game.moves(&mut plies);
    let ranked = plies.into_iter().map(|ply| {
        let Move::Place(Spot(at)) = ply else {
            unreachable!("the layout has placements only")
        };
        (worths[usize::from(at)], draws.random::<u64>(), ply)
    });
    ranked.max().expect("a placement is due").2
}

/// The battle begins round the two central points, so the points near them come first.
fn central_points(game: &Jiu, worths: &mut [i32; 256]) {
    let last = i32::from(game.size()) - 1;
    for at in game.vacant() {
        let from_centre = |place: u8| (2 * i32::from(place) - last).abs();
        let distance = from_centre(Spot(at).column()) + from_centre(Spot(at).row());
        worths[usize::from(at)] += 2 * (2 * last - distance);
    }
}

/// Make squares, then two triangles at once, then what may grow into them.
fn build(game: &Jiu, mover: Side, worths: &mut [i32; 256]) {
    add(game, mover, worths, |kind| match kind {
        PatternKind::Triangle => 24,
        PatternKind::Trinity => 12,
        PatternKind::Diagonal => 6,
        PatternKind::Twain => 8,
        PatternKind::SingleDalian => 8,
        PatternKind::DoubleDalian => 12,
        // In the layout every triangle is a gate.
        PatternKind::Gate => 0,
    });
}

/// Answer the enemy's shapes.
fn deny(game: &Jiu, mover: Side, worths: &mut [i32; 256]) {
    add(game, mover.other(), worths, |kind| match kind {
        PatternKind::Triangle => 30,
        PatternKind::Trinity => 14,
        PatternKind::Diagonal => 5,
        PatternKind::Twain => 3,
        PatternKind::SingleDalian => 10,
        PatternKind::DoubleDalian => 14,
        PatternKind::Gate => 0,
    });
}

/// Adds to each point what the shapes of `side` that it answers are worth.
fn add(game: &Jiu, side: Side, worths: &mut [i32; 256], worth: impl Fn(PatternKind) -> i32) {
    for pattern in game.patterns(side) {
        for at in pattern.answers {
            worths[usize::from(at)] += worth(pattern.kind);
        }
    }
}
