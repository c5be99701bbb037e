//! Exact expectimax over the positions that can still arise, with a bound on their number.
//!
//! Every ply lowers the distance that both sides have before them, so a walk from far to near collects
//! the positions, each once, and a walk back values them. Nothing recurses.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::patterns::renumbered;
use super::view::{Cubes, GONE, View};

/// Rows and columns before twelve cubes in their home zones are fewer than this.
const DISTANCES: usize = 8 * 12 + 1;

/// A position's value for its mover, or `UNKNOWN` until the walk back.
type Known = HashMap<u64, f64, BuildHasherDefault<KeyHasher>>;

const UNKNOWN: f64 = f64::NAN;

/// The values of the positions for their movers, or `None` when more than `limit` positions that
/// `known` does not value can arise.
pub(super) fn solve(
    roots: &[View],
    limit: usize,
    known: impl Fn(&View) -> Option<f64>,
) -> Option<Vec<f64>> {
    let mut levels = collect(roots, limit, &known)?;
    for level in 0..DISTANCES {
        let (nearer, rest) = levels.split_at_mut(level);
        for (&key, value) in &mut rest[0] {
            *value = unpacked(key).value(|next| read(nearer, next, &known));
        }
    }
    Some(
        roots
            .iter()
            .map(|root| read(&levels, root, &known))
            .collect(),
    )
}

/// All positions that can arise, by distance.
fn collect(
    roots: &[View],
    limit: usize,
    known: &impl Fn(&View) -> Option<f64>,
) -> Option<Vec<Known>> {
    let mut levels = vec![Known::default(); DISTANCES];
    let mut found = 0;
    let mut meet = |levels: &mut [Known], view: &View| {
        if found <= limit && known(view).is_none() {
            let level = &mut levels[level_of(view)];
            found += usize::from(level.insert(packed(view), UNKNOWN).is_none());
        }
        found <= limit
    };
    for root in roots {
        meet(&mut levels, root);
    }
    for level in (0..DISTANCES).rev() {
        let (nearer, rest) = levels.split_at_mut(level);
        for &key in rest[0].keys() {
            let mut within = true;
            unpacked(key).value(|next| {
                within = meet(nearer, next);
                0.0
            });
            if !within {
                return None;
            }
        }
    }
    // The last root may have gone beyond the limit without a position to walk on from.
    (found <= limit).then_some(levels)
}

fn read(levels: &[Known], view: &View, known: &impl Fn(&View) -> Option<f64>) -> f64 {
    known(view).unwrap_or_else(|| levels[level_of(view)][&packed(view)])
}

fn level_of(view: &View) -> usize {
    view.own.distance() + view.enemy.distance()
}

/// One key for all positions that are equal by their number patterns and the mirror.
fn packed(view: &View) -> u64 {
    let (own, enemy) = (renumbered(&view.own), renumbered(&view.enemy));
    let mirror = word(&own.mirrored(), &enemy.mirrored());
    word(&own, &enemy).min(mirror)
}

/// Five bits a cube.
fn word(own: &Cubes, enemy: &Cubes) -> u64 {
    let cubes = own.at.iter().chain(&enemy.at);
    cubes.fold(0, |word, &at| word << 5 | u64::from(at))
}

fn unpacked(word: u64) -> View {
    let mut halves = [Cubes::NONE; 2];
    for place in 0..12 {
        let at = (word >> (5 * (11 - place)) & 31) as u8;
        if at != GONE {
            halves[place / 6].put(place % 6, at);
        }
    }
    let [own, enemy] = halves;
    View { own, enemy }
}

/// Spreads packed positions over a hash table. They come from nobody who could choose them badly.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(self.0 << 8 | u64::from(byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, key: u64) {
        // Fibonacci hashing (Knuth); the upper half, which all key bits reach, goes into the lower.
        let product = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = product ^ product >> 32;
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
