//! Computes a table in retrograde order, in stages whose parts are independent of each other.
//!
//! A ply lowers the number of cubes, or keeps it and lowers the distance that both sides have before
//! them. So positions with fewer cubes come first and, among those with equally many, the nearer ones.

use super::layout::{Layout, Material, materials};
use super::patterns::sets;
use super::placements::digits;
use super::table::{Header, MOST_STONES, TableError, quantised};
use super::view::{Cubes, View};
use crate::game::{Game, Status};
use crate::games::einstein::Einstein;

/// A table in the making, with unrounded values.
///
/// The work is a sequence of stages. The parts of a stage may be computed in any order and at the same
/// time; [`Build::store`] takes their values and begins the next stage.
#[derive(Debug)]
pub struct Build {
    layout: Layout,
    values: Vec<f64>,
    stage: Stage,
    stored: u64,
}

/// All positions with one number of cubes and one distance to the goals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stage {
    stones: usize,
    distance: usize,
}

/// The positions of a stage that have one pair of number patterns.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    stage: Stage,
    material: Material,
    /// The patterns by their index and the set that stands for them.
    own: (usize, u8),
    enemy: (usize, u8),
}

impl Build {
    /// An empty table for all positions with at most `stones` cubes. Takes 8 bytes an entry.
    ///
    /// # Errors
    /// Fewer than 2 or more than [`MOST_STONES`] cubes.
    pub fn new(stones: u8) -> Result<Build, TableError> {
        if !(2..=MOST_STONES).contains(&stones) {
            return Err(TableError::Stones(stones));
        }
        let layout = Layout::new(usize::from(stones));
        Ok(Build {
            values: vec![0.0; layout.entries()],
            layout,
            stage: Stage {
                stones: 2,
                distance: 0,
            },
            stored: 0,
        })
    }

    /// The parts of the stage that is due; none when the table is complete.
    pub fn parts(&self) -> Vec<Part> {
        if self.stage.stones > self.layout.stones {
            return Vec::new();
        }
        let mut parts = Vec::new();
        for material in materials(self.stage.stones) {
            for own in sets(material.own).enumerate() {
                for enemy in sets(material.enemy).enumerate() {
                    parts.push(Part {
                        stage: self.stage,
                        material,
                        own,
                        enemy,
                    });
                }
            }
        }
        parts
    }

    /// The values of a part's positions. Reads only what earlier stages have stored.
    pub fn compute(&self, part: &Part) -> Vec<f64> {
        let mut values = Vec::new();
        self.walk(part, |view, _| {
            values.push(if view.clashes() {
                0.0
            } else {
                view.value(|next| self.values[self.layout.entry(next)])
            });
        });
        values
    }

    /// Stores what [`Build::compute`] gave for each part of the stage, in the parts' order.
    pub fn store(&mut self, parts: &[Part], values: &[Vec<f64>]) {
        assert_eq!(parts.len(), values.len(), "each part has its values");
        let mut table = std::mem::take(&mut self.values);
        for (part, values) in parts.iter().zip(values) {
            assert_eq!(
                part.stage, self.stage,
                "parts belong to the stage that is due"
            );
            let mut next = values.iter();
            self.walk(part, |_, entry| {
                table[entry] = *next.next().expect("a part has a value for each position");
            });
            self.stored += values.len() as u64;
        }
        self.values = table;
        self.stage.distance += 1;
        // A cube has at most eight rows and columns before it.
        if self.stage.distance > 8 * self.stage.stones {
            self.stage.stones += 1;
            self.stage.distance = 0;
        }
    }

    /// Computes all stages that are left, one part after the other.
    pub fn run(&mut self) {
        loop {
            let parts = self.parts();
            if parts.is_empty() {
                return;
            }
            let values: Vec<_> = parts.iter().map(|part| self.compute(part)).collect();
            self.store(&parts, &values);
        }
    }

    /// Entries stored so far and in all.
    pub fn progress(&self) -> (u64, u64) {
        (self.stored, self.values.len() as u64)
    }

    /// The unrounded value for the side to roll, from -1 to 1, of a position whose stage is stored.
    /// `None` when a die lies, when the game is over, and beyond the table.
    pub fn value(&self, game: &Einstein) -> Option<f64> {
        if game.status() != Status::Rolling {
            return None;
        }
        let view = View::of(game)?;
        (view.stones() <= self.layout.stones).then(|| self.values[self.layout.entry(&view)])
    }

    /// The complete table as bytes, in pieces of moderate length: the header, then the entries.
    pub fn pieces(&self) -> impl Iterator<Item = Vec<u8>> {
        const ENTRIES: usize = 1 << 18;
        let header = Header::of(&self.layout).to_bytes().to_vec();
        let entries = self.values.chunks(ENTRIES).map(|values| {
            let words = values.iter().map(|&value| quantised(value));
            words.flat_map(u32::to_le_bytes).collect()
        });
        std::iter::once(header).chain(entries)
    }

    /// The complete table as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.pieces().flatten().collect()
    }

    /// Calls `visit` for each position of a part with its entry, always in the same order.
    fn walk(&self, part: &Part, mut visit: impl FnMut(&View, usize)) {
        let Material { own, enemy } = part.material;
        let lines = &self.layout.placements(own).folded;
        let places = &self.layout.placements(enemy).plain;
        let block = self.layout.block(part.material, part.own.0, part.enemy.0);
        for near in 0..=part.stage.distance {
            for line in lines.at_distance(near) {
                let own = placed(part.own.1, lines.key(line), own);
                let first = block + line * places.len();
                for place in places.at_distance(part.stage.distance - near) {
                    let enemy = placed(part.enemy.1, places.key(place), enemy);
                    visit(&View { own, enemy }, first + place);
                }
            }
        }
    }
}

/// The living set's cubes on the squares of a key.
fn placed(alive: u8, key: u32, count: usize) -> Cubes {
    let mut cubes = Cubes::NONE;
    let numbers = (0..6).filter(|cube| alive >> cube & 1 == 1);
    for (cube, square) in numbers.zip(digits(key, count)) {
        cubes.put(cube, square);
    }
    cubes
}
