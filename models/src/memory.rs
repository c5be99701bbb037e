//! Answers of a network that are kept, by the key of the picture that they belong to.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use engine::Key;
use engine::keys::mixed;

/// What a network said of pictures, each asked for once. All is forgotten when the memory is full, so
/// that its size is bounded and no list of what is old has to be kept.
#[derive(Debug)]
pub(crate) struct Memory {
    capacity: usize,
    places: HashMap<Key, Place, BuildHasherDefault<KeyHasher>>,
    answers: Vec<Answer>,
    /// Policy index and logit of each legal move, an answer's moves together, in the order of the first
    /// leaf that asked.
    logits: Vec<(u16, f32)>,
}

/// An answer in the memory, until room is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place(u32);

#[derive(Clone, Copy, Debug)]
struct Answer {
    /// The value in the view of the side to move.
    value: f32,
    first: u32,
    moves: u16,
}

impl Memory {
    /// An empty memory of so many answers. With 0 it lasts for one batch.
    pub fn new(capacity: usize) -> Memory {
        Memory {
            capacity,
            places: HashMap::default(),
            answers: Vec::new(),
            logits: Vec::new(),
        }
    }

    /// Makes room for a batch, whose answers stay until the next call.
    pub fn make_room(&mut self, batch: usize) {
        if self.answers.len() + batch > self.capacity {
            self.places.clear();
            self.answers.clear();
            self.logits.clear();
        }
    }

    /// The number of answers.
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Where the answer to a picture is, or will be.
    pub fn place(&mut self, key: Key) -> Place {
        let new = Place(self.places.len() as u32);
        *self.places.entry(key).or_insert(new)
    }

    /// Whether nobody has asked at a place before, so that its answer has to be filled. New places are
    /// asked about in the order in which they were given out; `moves` are the policy indices of the legal
    /// moves, each once.
    pub fn asks_first(&mut self, place: Place, moves: &[u16]) -> bool {
        if (place.0 as usize) < self.answers.len() {
            return false;
        }
        let first = self.logits.len();
        self.logits.extend(moves.iter().map(|&index| (index, 0.0)));
        self.answers.push(Answer {
            value: 0.0,
            first: first as u32,
            moves: moves.len() as u16,
        });
        true
    }

    /// Fills the answers from number `first` on with a network's policies, `policy` logits each, and
    /// values.
    pub fn fill(&mut self, first: usize, policy: usize, policies: &[f32], values: &[f32]) {
        let rows = policies.chunks_exact(policy).zip(values);
        for (answer, (row, &value)) in self.answers[first..].iter_mut().zip(rows) {
            answer.value = value;
            let from = answer.first as usize;
            for (index, logit) in &mut self.logits[from..from + usize::from(answer.moves)] {
                *logit = row[usize::from(*index)];
            }
        }
    }

    /// The value of an answer, and the logits of some of its moves by their policy indices.
    pub fn answer(&self, place: Place, moves: &[u16]) -> (f32, impl ExactSizeIterator<Item = f32>) {
        let answer = self.answers[place.0 as usize];
        let from = answer.first as usize;
        let logits = &self.logits[from..from + usize::from(answer.moves)];
        // Leaves mostly list their moves in the order of the first that asked, so the next one wanted is
        // likely to lie behind the last one found.
        let mut ring = logits.iter().cycle();
        let logit = move |wanted: &u16| {
            let mut round = ring.by_ref().take(logits.len());
            let found = round.find(|(index, _)| index == wanted);
            found.expect("the same picture has the same legal moves").1
        };
        (answer.value, moves.iter().map(logit))
    }
}

/// Folds the words of a key.
#[derive(Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = mixed(self.0, word);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
