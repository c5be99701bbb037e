//! Iterative deepening, and the search below the root.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::judge::{Judge, ended, is_decided, shown};
use super::order::{Order, Ranked, bring_best};
use super::table::{Place, Table};
use super::window::{Window, is_better, one_worse};
use crate::game::{Side, Status};
use crate::search::{Searched, Verdict};

/// The deepest search. The recursion goes no deeper, whatever the length of the game.
pub const MOST_PLIES: usize = 60;

/// Positions after which a search asks whether it is still wanted: a few milliseconds.
const BETWEEN_QUESTIONS: u64 = 1024;

/// How long a search goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// Until this many plies are searched in full, 1 to [`MOST_PLIES`].
    Depth(usize),
    /// Until this many positions below the root have been visited, at least 1.
    Nodes(u64),
}

/// The player: a budget, and the memory that its searches share.
#[derive(Debug)]
pub struct AlphaBeta<G: Judge> {
    budget: Budget,
    table: Table<G::Move>,
    order: Order<G>,
    /// The move list of each ply.
    lists: Vec<Vec<Ranked<G::Move>>>,
    nodes: u64,
    most_nodes: u64,
    /// Whether a search is wanted no longer.
    stop: fn() -> bool,
}

/// What a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct Found<M> {
    /// The move to play.
    pub best: M,
    /// Its score as `Side::First` sees it.
    pub score: i32,
    /// Plies searched in full; with a budget of nodes a part of the next may have been searched too.
    pub depth: usize,
    /// Positions visited below the root.
    pub nodes: u64,
    /// Every legal move, in the game's order.
    pub moves: Vec<FoundMove<M>>,
}

/// What a search found of one move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FoundMove<M> {
    /// The move.
    pub mv: M,
    /// Positions visited after it.
    pub nodes: u64,
    /// Its score, if it is one of the best; the others are only known to be worse.
    pub score: Option<i32>,
}

/// A move at the root.
#[derive(Clone, Copy)]
struct RootMove<M> {
    mv: M,
    /// Its place in the game's order.
    place: usize,
    nodes: u64,
    /// The latest score: exact for the best moves, a bound for the others.
    score: i32,
}

/// The best moves of one depth, or of the part of it that the budget allowed.
struct Pass {
    score: i32,
    /// Places of the moves with this score.
    best: Vec<usize>,
    whole: bool,
}

impl<M: Copy + Eq> Found<M> {
    /// The same as any other search tells it. Visits are positions visited; the best move has the whole
    /// share, as the scores of the others are not known.
    pub fn verdict(&self) -> Verdict<M> {
        let prior = 1.0 / self.moves.len() as f64;
        let searched = |found: &FoundMove<M>| Searched {
            mv: found.mv,
            share: f64::from(u8::from(found.mv == self.best)),
            prior,
            visits: u32::try_from(found.nodes).unwrap_or(u32::MAX),
            value: found.score.map(shown),
        };
        Verdict {
            best: self.best,
            value: shown(self.score),
            proven: is_decided(self.score),
            depth: Some(self.depth as u32),
            moves: self.moves.iter().map(searched).collect(),
        }
    }
}

impl<G: Judge> AlphaBeta<G> {
    /// A player with an empty memory.
    pub fn new(budget: Budget) -> AlphaBeta<G> {
        AlphaBeta {
            budget,
            table: Table::new(),
            order: Order::new(MOST_PLIES + 1),
            lists: vec![Vec::new(); MOST_PLIES + 1],
            nodes: 0,
            most_nodes: match budget {
                Budget::Depth(_) => u64::MAX,
                Budget::Nodes(nodes) => nodes.max(1),
            },
            stop: || false,
        }
    }

    /// The player, whose searches end as if their nodes were used up soon after `stop` says so.
    pub fn stopped_by(self, stop: fn() -> bool) -> AlphaBeta<G> {
        AlphaBeta { stop, ..self }
    }

    /// Searches a position in which a side is to move. Searches do not depend on earlier ones, and
    /// `draws` decides only between moves with the same score.
    ///
    /// # Panics
    /// When no side is to move.
    pub fn search(&mut self, position: &G, draws: &mut ChaCha8Rng) -> Found<G::Move> {
        let Status::ToMove(side) = position.status() else {
            panic!("a search begins where a side is to move")
        };
        self.table.begin();
        self.order.begin(position);
        self.nodes = 0;
        let mut moves = self.root_moves(position, side);
        let deepest = match self.budget {
            Budget::Depth(depth) => depth.clamp(1, MOST_PLIES),
            Budget::Nodes(_) => MOST_PLIES,
        };
        let (mut last, mut depth) = (None, 0);
        while depth < deepest {
            let Some(pass) = self.pass(position, side, depth + 1, &mut moves) else {
                break;
            };
            depth += usize::from(pass.whole);
            let ends = !pass.whole || is_decided(pass.score);
            last = Some(pass);
            if ends {
                break;
            }
        }
        // The smallest budget visits one position, after which the first move has a score.
        let last = last.expect("at least one move is searched");
        let best = last.best[draws.random_range(0..last.best.len())];
        moves.sort_unstable_by_key(|root| root.place);
        let found = |root: &RootMove<G::Move>| FoundMove {
            mv: root.mv,
            nodes: root.nodes,
            score: last.best.contains(&root.place).then_some(last.score),
        };
        Found {
            best: moves[best].mv,
            score: last.score,
            depth,
            nodes: self.nodes,
            moves: moves.iter().map(found).collect(),
        }
    }

    fn root_moves(&mut self, position: &G, side: Side) -> Vec<RootMove<G::Move>> {
        let mut listed = Vec::new();
        position.moves(&mut listed);
        let mut ranked = Vec::new();
        self.order.rank(position, side, 0, None, &mut ranked);
        let mut moves = Vec::new();
        for at in 0..ranked.len() {
            let mv = bring_best(&mut ranked, at).mv;
            let place = listed.iter().position(|&other| other == mv);
            moves.push(RootMove {
                mv,
                place: place.expect("a ranked move was listed"),
                nodes: 0,
                score: 0,
            });
        }
        moves
    }

    /// Searches every move at the root `depth` plies deep, root included, and leaves them best first.
    /// `None` if the budget ends before one move is done.
    fn pass(
        &mut self,
        position: &G,
        side: Side,
        depth: usize,
        moves: &mut [RootMove<G::Move>],
    ) -> Option<Pass> {
        let mut pass: Option<Pass> = None;
        for root in moves.iter_mut() {
            let mut next = position.clone();
            next.play(root.mv);
            let before = self.nodes;
            let score = self.root_score(&next, side, depth - 1, pass.as_ref());
            root.nodes += self.nodes - before;
            let Some(score) = score else {
                let cut = pass.map(|pass| Pass {
                    whole: false,
                    ..pass
                });
                return cut;
            };
            root.score = score;
            match &mut pass {
                Some(pass) if score == pass.score => pass.best.push(root.place),
                Some(pass) if !is_better(side, score, pass.score) => {}
                _ => {
                    pass = Some(Pass {
                        score,
                        best: vec![root.place],
                        whole: true,
                    });
                }
            }
        }
        // A stable sort: the order does not depend on which of equal moves will be played.
        moves.sort_by(|a, b| match side {
            Side::First => b.score.cmp(&a.score),
            Side::Second => a.score.cmp(&b.score),
        });
        pass
    }

    /// The score after a move at the root: exact if it is at least as good as the best so far.
    fn root_score(
        &mut self,
        next: &G,
        side: Side,
        depth: usize,
        pass: Option<&Pass>,
    ) -> Option<i32> {
        let Some(pass) = pass else {
            return self.score(next, depth, 1, Window::WHOLE);
        };
        // One point wider than needed, so that moves of the same score are told from worse ones.
        let window = Window::better_than(side, one_worse(side, pass.score));
        let score = self.score(next, depth, 1, window.scout(side))?;
        if is_better(side, pass.score, score) {
            return Some(score);
        }
        self.score(next, depth, 1, window)
    }

    /// The score of a position `ply` plies below the root, searched `depth` plies deep: exact inside the
    /// window, a bound outside. `None` if the budget has ended.
    fn score(&mut self, position: &G, depth: usize, ply: usize, window: Window) -> Option<i32> {
        let asks = self.nodes > 0 && self.nodes.is_multiple_of(BETWEEN_QUESTIONS);
        if self.nodes == self.most_nodes || (asks && (self.stop)()) {
            return None;
        }
        self.nodes += 1;
        let side = match position.status() {
            Status::Over(outcome) => return Some(ended(outcome, ply)),
            Status::ToMove(side) => side,
            Status::Rolling => unreachable!("a game that can be judged has no chance events"),
        };
        if depth == 0 {
            return Some(position.judge());
        }
        let place = Place {
            key: position.key(),
            past: position.past(depth as u32),
            depth,
            ply,
        };
        let known = self.table.find(place.key);
        let decided = known.and_then(|entry| entry.decides(depth, place.past, window, ply));
        if decided.is_some() {
            return decided;
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        let known = known.map(|entry| entry.best);
        self.order.rank(position, side, ply, known, &mut list);
        let best = self.best_of(position, side, place, window, &mut list);
        self.lists[ply] = list;
        let (score, mv) = best?;
        self.table.keep(place, window, score, mv);
        Some(score)
    }

    /// The best of the listed moves with its score, or one that is good enough to leave the window.
    fn best_of(
        &mut self,
        position: &G,
        side: Side,
        place: Place,
        window: Window,
        list: &mut [Ranked<G::Move>],
    ) -> Option<(i32, G::Move)> {
        let mut left = window;
        let mut best: Option<(i32, G::Move)> = None;
        for at in 0..list.len() {
            let ranked = bring_best(list, at);
            let mut next = position.clone();
            next.play(ranked.mv);
            let score = self.child_score(&next, side, place, left, best.is_none())?;
            if best.is_none_or(|(known, _)| is_better(side, score, known)) {
                best = Some((score, ranked.mv));
            }
            left = left.with(side, score);
            if left.is_closed() {
                self.order
                    .cut(position, side, place.ply, place.depth, ranked);
                break;
            }
        }
        best
    }

    /// The first move is searched with the whole window; a later one only if it may be better.
    fn child_score(
        &mut self,
        next: &G,
        side: Side,
        place: Place,
        window: Window,
        is_first: bool,
    ) -> Option<i32> {
        let (depth, ply) = (place.depth - 1, place.ply + 1);
        let scout = window.scout(side);
        if !is_first && depth > 0 && scout != window {
            let score = self.score(next, depth, ply, scout)?;
            if !window.has(score) {
                return Some(score);
            }
        }
        self.score(next, depth, ply, window)
    }
}
