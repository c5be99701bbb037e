//! The enemy's immediate reply: the most it can take in its next turn.

use crate::bits::Wide;
use crate::games::jiu::{Direction, Jiu, Path, Spot};

/// Paths of a reply that are looked at; beyond it the board holds more chains than are worth the time. All
/// flights of a side that may fly are fewer.
const MOST_PATHS: u32 = 4_000;

/// A best reply.
#[derive(Clone, Copy)]
pub(super) struct Reply {
    /// Stones that it takes by jumps and for squares.
    pub(super) taken: u8,
    /// The stone that moves and those that its squares need.
    pub(super) stones: Wide,
}

/// The reply of the side to move that takes most.
pub(super) fn best(game: &Jiu) -> Reply {
    let side = game.side();
    let most = game.count(side.other());
    let mut best = Reply {
        taken: 0,
        stones: Wide::EMPTY,
    };
    game.for_first_paths(MOST_PATHS, |path| {
        let taken = (path.jumped() + path.squares).min(most);
        if taken > best.taken {
            best = Reply {
                taken,
                stones: needed(game.stones(side), &path),
            };
        }
    });
    best
}

/// The stones without which a path would not be, or would make no square.
fn needed(own: Wide, path: &Path<'_>) -> Wide {
    let mut needed = Wide::single(path.origin.0);
    if path.squares > 0
        && let Some(&end) = path.landings.last()
    {
        needed = needed | (around(end) & own);
    }
    needed
}

/// The eight neighbours of a point, guard points among them.
fn around(at: Spot) -> Wide {
    let row = Wide::single(at.0) | Wide::single(at.neighbour(Direction::East).0);
    let row = row | Wide::single(at.neighbour(Direction::West).0);
    row | row.north() | row.south()
}
