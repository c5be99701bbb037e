//! The order in which moves are tried: the table's move, plies that take, killers, then by history.

use super::judge::Judge;
use crate::game::{Game, Side};

/// A move with its rank; the highest is tried first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked<M> {
    pub mv: M,
    rank: u32,
    pub quiet: bool,
}

/// Ranks of the kinds of moves; history stays below the lowest.
const KILLER: u32 = 1 << 26;
const TAKER: u32 = 1 << 27;
const KNOWN: u32 = 1 << 31;

/// History counts stop growing here.
const MOST_HISTORY: u32 = KILLER - 1;

/// What past cuts say about moves.
#[derive(Debug)]
pub(super) struct Order<G: Game> {
    /// For each ply the last two quiet moves that cut the search there.
    killers: Vec<[Option<G::Move>; 2]>,
    /// For each side and policy index, how much a quiet move has cut.
    history: [Vec<u32>; 2],
    moves: Vec<G::Move>,
}

impl<G: Judge> Order<G> {
    /// For searches of fewer than `plies` plies.
    pub fn new(plies: usize) -> Order<G> {
        Order {
            killers: vec![[None; 2]; plies],
            history: [Vec::new(), Vec::new()],
            moves: Vec::new(),
        }
    }

    /// Forgets everything before a search from `position`.
    pub fn begin(&mut self, position: &G) {
        self.killers.fill([None; 2]);
        for history in &mut self.history {
            history.clear();
            history.resize(G::shape(position.variant()).policy, 0);
        }
    }

    /// Lists the legal moves with their ranks. `known` is the table's move.
    pub fn rank(
        &mut self,
        position: &G,
        side: Side,
        ply: usize,
        known: Option<G::Move>,
        out: &mut Vec<Ranked<G::Move>>,
    ) {
        position.moves(&mut self.moves);
        out.clear();
        let killers = self.killers[ply];
        let history = &self.history[side.index()];
        out.extend(self.moves.iter().map(|&mv| {
            let gain = position.gain(mv);
            let cuts = history[position.index(mv)];
            let rank = if known == Some(mv) {
                KNOWN
            } else if gain > 0 {
                TAKER * gain.min(8) + cuts
            } else if killers.contains(&Some(mv)) {
                KILLER
            } else {
                cuts
            };
            Ranked {
                mv,
                rank,
                quiet: gain == 0,
            }
        }));
    }

    /// Notes that a move cut the search.
    pub fn cut(
        &mut self,
        position: &G,
        side: Side,
        ply: usize,
        depth: usize,
        ranked: Ranked<G::Move>,
    ) {
        let count = &mut self.history[side.index()][position.index(ranked.mv)];
        *count = (*count + (depth * depth) as u32).min(MOST_HISTORY);
        let killers = &mut self.killers[ply];
        if ranked.quiet && killers[0] != Some(ranked.mv) {
            killers[1] = killers[0];
            killers[0] = Some(ranked.mv);
        }
    }
}

/// Brings the highest ranked of the moves from `at` on to `at`; of equal ones the first.
pub(super) fn bring_best<M: Copy>(moves: &mut [Ranked<M>], at: usize) -> Ranked<M> {
    let mut best = at;
    for index in at + 1..moves.len() {
        if moves[index].rank > moves[best].rank {
            best = index;
        }
    }
    moves.swap(at, best);
    moves[at]
}
