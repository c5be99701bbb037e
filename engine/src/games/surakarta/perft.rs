//! Perft without the limits on quiet plies and repetition; the last ply is counted, not played.

use super::moves::Stones;
use super::state::Surakarta;
use super::variant::Variant;
use crate::perft::Perft;

impl Perft for Surakarta {
    /// Paths of `depth` plies on the stones alone: of S8 only a and d end a path.
    fn perft(&self, depth: u32) -> u64 {
        paths(self.stones(), depth)
    }

    fn perft_start(variant: &Variant) -> Surakarta {
        Surakarta::new(variant).expect("a checked variant can be played")
    }
}

fn paths(stones: Stones, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if stones.enemies == 0 {
        // S8 a: the game is over.
        return 0;
    }
    if depth == 1 {
        return stones.count();
    }
    let mut nodes = 0;
    stones.each_move(|mv| nodes += paths(stones.after(mv), depth - 1));
    nodes
}
