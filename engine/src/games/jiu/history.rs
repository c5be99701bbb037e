//! The quiet turns since the last capture, from which every position since then can be told.

use super::ply::Spot;
use super::variant::MOST_QUIET_TURNS;
use crate::bits::Wide;
use crate::keys::mixed;

/// The moves of the turns since the last capture, oldest first; the sides took turns.
///
/// A turn without a capture moves one stone and changes nothing else, so its start and end points are
/// all it takes to compare positions, and a symmetry maps them exactly.
#[derive(Clone, Copy)]
pub(super) struct QuietTurns {
    length: u8,
    moves: [(Spot, Spot); MOST_QUIET_TURNS as usize],
}

impl QuietTurns {
    pub(super) const NONE: QuietTurns = QuietTurns {
        length: 0,
        moves: [(Spot(0), Spot(0)); MOST_QUIET_TURNS as usize],
    };

    #[inline]
    pub(super) fn len(&self) -> u16 {
        u16::from(self.length)
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.length = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, from: Spot, to: Spot) {
        self.moves[usize::from(self.length)] = (from, to);
        self.length += 1;
    }

    /// How often the position after the last turn has stood since the last capture, itself included.
    pub(super) fn occurrences(&self) -> u8 {
        // Going back turn by turn, `differing` holds each side's points that differ from the latest
        // position: a position is the same when it has none and the same side is to move.
        let mut differing = [Wide::EMPTY; 2];
        let mut count = 0;
        let mut found = 1;
        for (left, &(from, to)) in self.played().iter().enumerate().rev() {
            let side = &mut differing[left & 1];
            for spot in [from, to] {
                count += if side.toggle(spot.0) { 1 } else { -1 };
            }
            let same_side = (self.played().len() - left).is_multiple_of(2);
            found += u8::from(same_side && count == 0);
            // A turn clears two points at most: too few turns are left to undo the difference.
            if count > 2 * left as i32 {
                break;
            }
        }
        found
    }

    /// A key of the turns in their order; 0 if there are none.
    pub(super) fn key(&self) -> u64 {
        let turns = self.played().iter();
        turns.fold(0, |key, &(from, to)| {
            mixed(key, u64::from(from.0) << 8 | u64::from(to.0))
        })
    }

    /// The same turns with every point mapped.
    pub(super) fn map(&self, spot: impl Fn(Spot) -> Spot) -> QuietTurns {
        let mut mapped = QuietTurns::NONE;
        for &(from, to) in self.played() {
            mapped.push(spot(from), spot(to));
        }
        mapped
    }

    fn played(&self) -> &[(Spot, Spot)] {
        &self.moves[..usize::from(self.length)]
    }
}

impl PartialEq for QuietTurns {
    fn eq(&self, other: &QuietTurns) -> bool {
        self.played() == other.played()
    }
}

impl std::fmt::Debug for QuietTurns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let turns = self.played().iter();
        f.debug_list()
            .entries(turns.map(|&(from, to)| format!("{}-{}", from.name(), to.name())))
            .finish()
    }
}
