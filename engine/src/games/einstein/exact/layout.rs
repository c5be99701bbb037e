//! Where the value of a position lies in a table.
//!
//! A table is a row of *materials* (cubes of the mover, cubes of the opponent), by their sum and then by
//! the mover's cubes. A material is a row of blocks, one for each pair of number patterns, and a block
//! has a line for each folded placement of the mover's cubes with an entry for each placement of the
//! opponent's. Because the order begins with the sum, a smaller table is a prefix of a larger one.
//! Entries of placements in which two sides' cubes share a cell are never read.

use super::patterns::{PATTERN, PATTERNS};
use super::placements::{Placements, key};
use super::view::{Cubes, View, mirrored};

/// Numbers of cubes of the mover and of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Material {
    pub own: usize,
    pub enemy: usize,
}

/// The places of all positions with at most `stones` cubes.
#[derive(Debug)]
pub(super) struct Layout {
    pub stones: usize,
    placements: Vec<Placements>,
    starts: [[usize; 7]; 7],
    entries: usize,
}

impl Layout {
    pub fn new(stones: usize) -> Layout {
        let placements: Vec<_> = (1..stones).map(Placements::new).collect();
        let mut layout = Layout {
            stones,
            placements,
            starts: [[0; 7]; 7],
            entries: 0,
        };
        for material in (2..=stones).flat_map(materials) {
            layout.starts[material.own][material.enemy] = layout.entries;
            let blocks = PATTERNS[material.own] * PATTERNS[material.enemy];
            layout.entries += blocks * layout.block_len(material);
        }
        layout
    }

    /// The number of entries.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// All placements of a number of cubes.
    pub fn placements(&self, count: usize) -> &Placements {
        &self.placements[count - 1]
    }

    /// The first entry of the block for two patterns by their indices.
    pub fn block(&self, material: Material, own: usize, enemy: usize) -> usize {
        let block = own * PATTERNS[material.enemy] + enemy;
        self.starts[material.own][material.enemy] + block * self.block_len(material)
    }

    fn block_len(&self, material: Material) -> usize {
        let lines = self.placements(material.own).folded.len();
        lines * self.placements(material.enemy).plain.len()
    }

    /// The entry of a position with at most `stones` cubes.
    #[inline]
    pub fn entry(&self, view: &View) -> usize {
        let material = Material {
            own: view.own.count(),
            enemy: view.enemy.count(),
        };
        let (own, enemy) = (pattern_of(&view.own), pattern_of(&view.enemy));
        let block = self.block(material, own, enemy);
        let enemies = self.placements(material.enemy);
        let own_key = pattern_key(&view.own, |square| square);
        let (line, folded) = self.placements(material.own).folded.rank(own_key);
        let enemy_key = if folded {
            pattern_key(&view.enemy, mirrored)
        } else {
            pattern_key(&view.enemy, |square| square)
        };
        let (place, _) = enemies.plain.rank(enemy_key);
        block + line * enemies.plain.len() + place
    }
}

/// The materials with one sum, by the mover's cubes.
pub(super) fn materials(sum: usize) -> impl Iterator<Item = Material> {
    (1..sum).map(move |own| Material {
        own,
        enemy: sum - own,
    })
}

#[inline]
fn pattern_of(cubes: &Cubes) -> usize {
    usize::from(PATTERN[usize::from(cubes.alive)].index)
}

/// The key of the cubes' squares in the order of the numbers that stand for their pattern.
#[inline]
fn pattern_key(cubes: &Cubes, change: impl Fn(u8) -> u8) -> u32 {
    if PATTERN[usize::from(cubes.alive)].reversed {
        key(cubes.squares().map(change))
    } else {
        key(cubes.squares().rev().map(change))
    }
}
