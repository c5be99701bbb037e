//! The search tree of one position: an arena with indices, emptied and reused for the next search.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::params::{Budget, Params};
use super::schedule::Schedule;
use crate::game::{Game, Roll, Side, Value};

/// No node: the place of a child that has not been visited.
pub(super) const NONE: u32 = u32::MAX;

/// The root is always the first node.
pub(super) const ROOT: u32 = 0;

/// What a node stands for. A decision and a chance event are two types of node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// A side chooses among `Choice`s.
    Decision { side: Side },
    /// Chance chooses among `Chance`s.
    Chance,
    /// The game is over.
    Terminal,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub kind: Kind,
    /// The first of the node's edges in `choices` or `chances`.
    pub first: u32,
    pub edges: u32,
    /// Edges that do not lead to a proven node yet.
    pub open: u32,
    /// Simulations that went through the node, its own evaluation included.
    pub visits: u32,
    /// The node's own evaluation; forced positions have none.
    pub own: Option<f64>,
    /// Sum over the edges of visits times value.
    pub total: f64,
    /// A decision's best proven move, as its side sees it.
    pub floor: f64,
    /// The expected value, as `Side::First` sees it.
    pub value: f64,
    /// Whether `value` is exact.
    pub proven: bool,
}

/// An edge below a decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice<M> {
    pub mv: M,
    pub prior: f32,
    pub child: u32,
    pub visits: u32,
    /// The child's value at the last visit, as `Side::First` sees it.
    pub value: f64,
    pub proven: bool,
}

/// An edge below a chance node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chance {
    pub roll: Roll,
    pub probability: f64,
    pub child: u32,
    pub visits: u32,
    /// The child's value at the last visit, as `Side::First` sees it.
    pub value: f64,
    pub proven: bool,
}

/// One step of the simulation in progress: a node and the edge taken there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub node: u32,
    pub edge: u32,
}

/// A search in progress.
#[derive(Clone, Debug)]
pub struct Tree<G: Game> {
    pub(super) params: Params,
    pub(super) budget: Budget,
    pub(super) root: G,
    pub(super) nodes: Vec<Node>,
    pub(super) choices: Vec<Choice<G::Move>>,
    pub(super) chances: Vec<Chance>,
    pub(super) path: Vec<Step>,
    /// The position at the end of the path and its legal moves.
    pub(super) leaf: G,
    pub(super) leaf_moves: Vec<G::Move>,
    pub(super) done: u32,
    pub(super) draws: ChaCha8Rng,
    pub(super) schedule: Schedule,
    /// What the moves of one decision weigh, while it chooses.
    pub(super) weights: Vec<f64>,
}

/// What the edges of a decision say together, in the view of its side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Explored {
    /// Visits of all edges.
    pub visits: u32,
    /// Visits of the most visited edge.
    pub most: u32,
    /// The value that stands in for unvisited moves: the node's own evaluation mixed with the
    /// prior-weighted mean of the visited moves (v_mix of Danihelka et al. 2022, appendix D).
    pub mixed: f64,
    /// The highest value of an edge, with `mixed` for the unvisited ones.
    pub best: f64,
}

impl<G: Game> Tree<G> {
    /// An idle tree; [`Tree::begin`] starts a search.
    pub fn new(params: Params, position: &G) -> Tree<G> {
        Tree {
            params,
            budget: Budget::play(0),
            root: position.clone(),
            nodes: Vec::new(),
            choices: Vec::new(),
            chances: Vec::new(),
            path: Vec::new(),
            leaf: position.clone(),
            leaf_moves: Vec::new(),
            done: 0,
            draws: ChaCha8Rng::seed_from_u64(0),
            schedule: Schedule::default(),
            weights: Vec::new(),
        }
    }

    /// Starts a search of a position in which a side is to move, forgetting the last one.
    pub fn begin(&mut self, position: &G, budget: Budget, draws: ChaCha8Rng) {
        self.budget = budget;
        self.root.clone_from(position);
        self.nodes.clear();
        self.choices.clear();
        self.chances.clear();
        self.path.clear();
        self.done = 0;
        self.draws = draws;
    }

    /// The position that is searched.
    pub fn position(&self) -> &G {
        &self.root
    }

    /// Simulations done, the root's evaluation not counted.
    pub fn simulations(&self) -> u32 {
        self.done
    }

    /// The exact value of the root, once proven.
    pub fn proof(&self) -> Option<Value> {
        let root = self.nodes.first()?;
        root.proven.then_some(Value(root.value))
    }

    pub(super) fn choices_of(&self, node: u32) -> &[Choice<G::Move>] {
        let node = &self.nodes[node as usize];
        &self.choices[node.first as usize..(node.first + node.edges) as usize]
    }

    /// What the edges of a decision say together.
    pub(super) fn explored(&self, node: u32, side: Side) -> Explored {
        let (mut visits, mut most, mut unvisited) = (0, 0, false);
        let (mut prior, mut weighted, mut best) = (0.0, 0.0, f64::NEG_INFINITY);
        for choice in self.choices_of(node) {
            if choice.visits == 0 {
                unvisited = true;
                continue;
            }
            let value = Value(choice.value).seen_by(side);
            visits += choice.visits;
            most = most.max(choice.visits);
            prior += f64::from(choice.prior);
            weighted += f64::from(choice.prior) * value;
            best = best.max(value);
        }
        let own = self.nodes[node as usize].own;
        let own = own.map(|own| Value(own).seen_by(side));
        let all = f64::from(visits);
        let mixed = match own {
            None if prior > 0.0 => weighted / prior,
            None => 0.0,
            Some(own) if prior > 0.0 => (own + all * weighted / prior) / (1.0 + all),
            Some(own) => own,
        };
        Explored {
            visits,
            most,
            mixed,
            best: if unvisited { best.max(mixed) } else { best },
        }
    }
}

impl<M> Choice<M> {
    /// Whether the move loses for `side` whatever comes.
    pub fn is_lost(&self, side: Side) -> bool {
        self.proven && Value(self.value).seen_by(side) <= -1.0
    }
}

/// The values of edges as `side` sees them, with `unvisited` for those without a visit.
pub(super) fn completed_with<M>(unvisited: f64, side: Side) -> impl Fn(&Choice<M>) -> f64 {
    move |choice| {
        if choice.visits == 0 {
            unvisited
        } else {
            Value(choice.value).seen_by(side)
        }
    }
}
