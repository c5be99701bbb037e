//! The quiet plies since the last capture, from which repetitions are read (S8 c).
//!
//! Since the last capture stones only step, so the position n plies ago is the present one with n
//! steps taken back: it equals the present one exactly if each side's steps since then cancel out.
//! The steps take two bytes each, where positions or hashes would take eight or more, and a
//! symmetry maps them without computing anything afresh.

use super::board::Square;
use super::variant::MOST_QUIET_PLIES;
use crate::keys::mixed;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub(super) from: Square,
    pub(super) to: Square,
}

/// The steps since the last capture, or since the position was read from a text.
#[derive(Clone, Copy)]
pub(super) struct History {
    steps: [Step; MOST_QUIET_PLIES as usize],
    length: u8,
}

impl History {
    pub(super) const EMPTY: History = History {
        steps: [Step {
            from: Square::new(0, 0),
            to: Square::new(0, 0),
        }; MOST_QUIET_PLIES as usize],
        length: 0,
    };

    #[inline]
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.length)]
    }

    #[inline]
    pub(super) fn push(&mut self, step: Step) {
        self.steps[usize::from(self.length)] = step;
        self.length += 1;
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.length = 0;
    }

    pub(super) fn map(&self, through: impl Fn(Square) -> Square) -> History {
        let mut mapped = History::EMPTY;
        for step in self.steps() {
            mapped.push(Step {
                from: through(step.from),
                to: through(step.to),
            });
        }
        mapped
    }

    /// How often the present position stood on the board before, at most `most`.
    #[inline]
    pub(super) fn occurrences(&self, most: u32) -> u32 {
        let mut found = 0;
        let (mut last_mover, mut mover) = (0, 0);
        for pair in self.steps().rchunks_exact(2) {
            mover ^= pair[0].from.mask() ^ pair[0].to.mask();
            last_mover ^= pair[1].from.mask() ^ pair[1].to.mask();
            if last_mover | mover == 0 {
                found += 1;
                if found == most {
                    break;
                }
            }
        }
        found
    }

    /// A fingerprint of the earlier positions that can come again within `plies` plies, each by how it
    /// differs from the present one.
    pub(super) fn repeatable(&self, plies: u32) -> u64 {
        let mut fingerprint = 0_u64;
        // The points in which the stones of the last mover and of the next one differ.
        let mut differing = [0_u64; 2];
        for (step, back) in self.steps().iter().rev().zip(1_u32..) {
            differing[(back as usize + 1) & 1] ^= step.from.mask() ^ step.to.mask();
            if least_plies(differing, back) <= plies {
                // Row and column bits use no bit 6 of a row: it tells whose move it was.
                let parity = u64::from(back & 1) << 6;
                fingerprint =
                    fingerprint.wrapping_add(mixed(mixed(differing[0], parity), differing[1]));
            }
        }
        fingerprint
    }
}

/// The fewest plies that can lead to the position `back` plies ago. Every stone that stands elsewhere
/// takes a step of its side, the sides step in turn, and in the end the same side is to move.
fn least_plies(differing: [u64; 2], back: u32) -> u32 {
    // A stone that stands elsewhere makes two points differ.
    let [last, next] = differing.map(|points| points.count_ones() / 2);
    if back.is_multiple_of(2) {
        2 * last.max(next)
    } else {
        // The next mover also makes the last of an odd number of steps.
        2 * last.max(next.saturating_sub(1)) + 1
    }
}

impl PartialEq for History {
    fn eq(&self, other: &History) -> bool {
        self.steps() == other.steps()
    }
}

impl std::fmt::Debug for History {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let step = |step: &Step| format!("{}-{}", step.from.name(), step.to.name());
        formatter
            .debug_list()
            .entries(self.steps().iter().map(step))
            .finish()
    }
}
