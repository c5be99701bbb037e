//! The quiet plies since the last capture, from which repetitions are read (S8 c).
//!
//! Since the last capture stones only step, so the position n plies ago is the present one with n
//! steps taken back: it equals the present one exactly if each side's steps since then cancel out.
//! The steps take two bytes each, where positions or hashes would take eight or more, and a
//! symmetry maps them without computing anything afresh.

use super::board::Square;
use super::variant::MOST_QUIET_PLIES;

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
