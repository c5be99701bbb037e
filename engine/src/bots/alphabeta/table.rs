//! The table of positions already searched, of fixed size.

use super::judge::{seen_from, seen_from_root};
use super::window::Window;

/// Entries of a table, 32 to 40 bytes each.
const ENTRIES: usize = 1 << 18;

/// Entries that one position may take: the first keeps the deeper search, the second the latest.
const WAYS: usize = 2;

/// What a stored score says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bound {
    Exact,
    /// The true score is at least this.
    AtLeast,
    /// The true score is at most this.
    AtMost,
}

/// What was found at a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<M> {
    key: u64,
    past: u64,
    score: i32,
    search: u32,
    depth: u8,
    bound: Bound,
    /// The best move, or the one that refuted the rest.
    pub best: M,
}

impl<M: Copy> Entry<M> {
    /// The stored score, if it holds here and decides a search with this window. Only a search of the
    /// same depth counts: then the root's value is that of a minimax without a table.
    pub fn decides(&self, depth: usize, past: u64, window: Window, ply: usize) -> Option<i32> {
        if usize::from(self.depth) != depth || self.past != past {
            return None;
        }
        let score = seen_from_root(self.score, ply);
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => score >= window.high,
            Bound::AtMost => score <= window.low,
        };
        decides.then_some(score)
    }
}

/// Where in the tree something was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub key: u64,
    pub past: u64,
    pub depth: usize,
    pub ply: usize,
}

#[derive(Debug)]
pub(super) struct Table<M> {
    buckets: Vec<[Option<Entry<M>>; WAYS]>,
    /// The number of the present search; entries of others do not count.
    search: u32,
}

impl<M: Copy> Table<M> {
    pub fn new() -> Table<M> {
        Table {
            buckets: vec![[None; WAYS]; ENTRIES / WAYS],
            search: 0,
        }
    }

    /// Forgets everything, so that a search does not depend on earlier ones.
    pub fn begin(&mut self) {
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.buckets.fill([None; WAYS]);
        }
    }

    fn bucket(&self, key: u64) -> usize {
        key as usize % self.buckets.len()
    }

    /// What is known of a position.
    pub fn find(&self, key: u64) -> Option<Entry<M>> {
        let ways = self.buckets[self.bucket(key)].iter().flatten();
        ways.filter(|entry| entry.key == key && entry.search == self.search)
            .max_by_key(|entry| entry.depth)
            .copied()
    }

    /// Keeps what a search with `window` found.
    pub fn keep(&mut self, place: Place, window: Window, score: i32, best: M) {
        let bound = if window.has(score) {
            Bound::Exact
        } else if score >= window.high {
            Bound::AtLeast
        } else {
            Bound::AtMost
        };
        let entry = Entry {
            key: place.key,
            past: place.past,
            score: seen_from(score, place.ply),
            search: self.search,
            depth: place.depth as u8,
            bound,
            best,
        };
        let index = self.bucket(place.key);
        let search = self.search;
        let [deep, latest] = &mut self.buckets[index];
        let replaces = |old: &Entry<M>| old.search != search || old.depth <= entry.depth;
        if deep.as_ref().is_none_or(replaces) {
            // The same position goes on in one way only.
            if deep.is_some_and(|old| old.key != entry.key) {
                *latest = *deep;
            }
            *deep = Some(entry);
        } else {
            *latest = Some(entry);
        }
    }
}
