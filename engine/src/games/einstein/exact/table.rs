//! A computed table as bytes: a header of 16 bytes, then four bytes an entry.
//!
//! | bytes | content |
//! |---|---|
//! | 0–1 | version of this layout, little endian like all numbers |
//! | 2–3 | version of the rules |
//! | 4–7 | the most cubes of a position in the table |
//! | 8–15 | number of entries |
//! | 16– | entries: the value `v` for the side to roll as the whole number nearest to `(v + 1) / 2 · (2³² − 1)` |
//!
//! Rounding moves a value by at most 1 / (2³² − 1), about 2.3e-10. Values are computed unrounded and
//! rounded once, so errors do not add up. 1 and -1 are kept exactly.

use super::layout::Layout;
use super::view::View;
use crate::game::{Game, Status};
use crate::games::einstein::Einstein;

/// The most cubes that a table can have. Six would take about 20 thousand million entries.
pub const MOST_STONES: u8 = 5;

/// Version of the order and the form of the entries.
const LAYOUT: u16 = 1;

const HEADER_LEN: usize = 16;
const ENTRY_LEN: usize = 4;

/// A table that cannot be made or read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableError {
    /// A number of cubes that no table has.
    #[error("exact tables cover 2 to {MOST_STONES} cubes, not {0}")]
    Stones(u8),
    /// Too few bytes for a header.
    #[error("a table begins with {HEADER_LEN} bytes of header, but there are only {0} bytes")]
    Short(usize),
    /// The table was made for other rules or in another layout.
    #[error(
        "this table has layout {layout} and rules {rules}, this build reads layout {LAYOUT} and rules {}",
        Einstein::RULES
    )]
    Version {
        /// The table's layout.
        layout: u16,
        /// The table's rules.
        rules: u16,
    },
    /// The header contradicts itself or the length of the data.
    #[error("a table of {stones} cubes has {expected} bytes, this one has {found}")]
    Length {
        /// The most cubes by the header.
        stones: u8,
        /// Bytes that such a table has.
        expected: u64,
        /// Bytes by the header's count of entries, or the bytes that are there.
        found: u64,
    },
}

/// What a table covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    stones: u8,
    entries: u64,
}

/// Exact values of all positions with few cubes, read from bytes in memory or mapped
/// from a file.
#[derive(Debug)]
pub struct Table<B> {
    bytes: B,
    layout: Layout,
}

impl<B: AsRef<[u8]>> Table<B> {
    /// Reads what [`Build::to_bytes`](super::Build::to_bytes) wrote. The entries are not looked at;
    /// whoever stores them guards them with a checksum.
    ///
    /// # Errors
    /// A header of another version, or one that does not fit the number of bytes.
    pub fn from_bytes(bytes: B) -> Result<Table<B>, TableError> {
        let header = Header::read(bytes.as_ref())?;
        let layout = Layout::new(usize::from(header.stones));
        let expected = bytes_of(layout.entries() as u64);
        for found in [bytes_of(header.entries), bytes.as_ref().len() as u64] {
            if found != expected {
                return Err(TableError::Length {
                    stones: header.stones,
                    expected,
                    found,
                });
            }
        }
        Ok(Table { bytes, layout })
    }

    /// The most cubes of a position in the table.
    pub fn stones(&self) -> u8 {
        self.layout.stones as u8
    }

    /// The value for the side to move before or after its roll, from -1 to 1, within 2.3e-10. `None`
    /// while cubes are placed, when the game is over, and beyond the table. Allocates nothing.
    pub fn value(&self, game: &Einstein) -> Option<f64> {
        let view = View::of(game)?;
        if view.stones() > self.layout.stones {
            return None;
        }
        Some(match game.status() {
            Status::Rolling => self.read(&view),
            // No ply adds a cube, so the table covers what follows too.
            _ => view.rolled_value(game.movable(), |next| self.read(next)),
        })
    }

    /// The value of a view; `None` beyond the table.
    pub(super) fn of_view(&self, view: &View) -> Option<f64> {
        (view.stones() <= self.layout.stones).then(|| self.read(view))
    }

    fn read(&self, view: &View) -> f64 {
        let at = HEADER_LEN + ENTRY_LEN * self.layout.entry(view);
        let word = word_at(self.bytes.as_ref(), at);
        f64::from(word) / f64::from(u32::MAX) * 2.0 - 1.0
    }
}

impl Header {
    pub fn of(layout: &Layout) -> Header {
        Header {
            stones: layout.stones as u8,
            entries: layout.entries() as u64,
        }
    }

    pub fn to_bytes(self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[0..2].copy_from_slice(&LAYOUT.to_le_bytes());
        bytes[2..4].copy_from_slice(&Einstein::RULES.to_le_bytes());
        bytes[4..8].copy_from_slice(&u32::from(self.stones).to_le_bytes());
        bytes[8..16].copy_from_slice(&self.entries.to_le_bytes());
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Header, TableError> {
        if bytes.len() < HEADER_LEN {
            return Err(TableError::Short(bytes.len()));
        }
        let versions = word_at(bytes, 0);
        let (layout, rules) = (versions as u16, (versions >> 16) as u16);
        if (layout, rules) != (LAYOUT, Einstein::RULES) {
            return Err(TableError::Version { layout, rules });
        }
        let stones = u8::try_from(word_at(bytes, 4)).unwrap_or(u8::MAX);
        if !(2..=MOST_STONES).contains(&stones) {
            return Err(TableError::Stones(stones));
        }
        let entries = u64::from(word_at(bytes, 8)) | u64::from(word_at(bytes, 12)) << 32;
        Ok(Header { stones, entries })
    }
}

/// A value as it is stored.
pub(super) fn quantised(value: f64) -> u32 {
    debug_assert!((-1.0..=1.0).contains(&value), "values lie from -1 to 1");
    ((value + 1.0) / 2.0 * f64::from(u32::MAX)).round() as u32
}

fn bytes_of(entries: u64) -> u64 {
    entries
        .saturating_mul(ENTRY_LEN as u64)
        .saturating_add(HEADER_LEN as u64)
}

#[inline]
fn word_at(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word)
}
