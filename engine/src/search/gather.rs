//! The way down: from the root to a position that needs an evaluation.

use rand::RngExt;

use super::evaluator::Leaf;
use super::params::Method;
use super::tree::{Chance, Choice, Kind, NONE, Node, ROOT, Step, Tree};
use crate::game::{Game, Side, Status};

/// Simulations in a row without an evaluation, after which a search lets others have their turn and its
/// owner look at the clock: less than a millisecond.
const MOST_FREE: u32 = 256;

impl<G: Game> Tree<G> {
    /// Walks down until a position needs an evaluation, and returns whether there is one.
    ///
    /// Simulations that end in a finished or proven position are backed up on the way. `false` means
    /// that the search is over ([`Tree::is_over`]), or that it has had many of these in a row.
    pub fn gather(&mut self) -> bool {
        for _ in 0..MOST_FREE {
            if self.is_over() {
                return false;
            }
            self.leaf.clone_from(&self.root);
            self.path.clear();
            if self.descend() {
                return true;
            }
            self.back_up();
        }
        false
    }

    /// The position that waits for its evaluation, after [`Tree::gather`] returned `true`.
    pub fn leaf(&mut self) -> Leaf<'_, G> {
        Leaf {
            position: &self.leaf,
            moves: &self.leaf_moves,
            draws: &mut self.draws,
        }
    }

    /// Whether nothing is left to do: the budget is spent or the root is proven.
    pub fn is_over(&self) -> bool {
        let proven = self.nodes.first().is_some_and(|root| root.proven);
        proven || (!self.nodes.is_empty() && self.done >= self.budget.simulations)
    }

    /// Goes down from the root; `true` when the end of the path needs an evaluation.
    fn descend(&mut self) -> bool {
        let mut node = ROOT;
        if self.nodes.is_empty() {
            // The root waits even where its move is forced, since its value is asked for.
            self.leaf.moves(&mut self.leaf_moves);
            return true;
        }
        loop {
            if self.nodes[node as usize].proven {
                return false;
            }
            let child = match self.nodes[node as usize].kind {
                Kind::Terminal => return false,
                Kind::Decision { side } => self.take_choice(node, side),
                Kind::Chance => self.take_chance(node),
            };
            node = if child != NONE {
                child
            } else {
                match self.leaf.status() {
                    Status::Over(outcome) => self.add_terminal(outcome.value().0),
                    Status::Rolling => self.add_chance(),
                    Status::ToMove(_) => match self.expand_forced() {
                        Some(node) => node,
                        None => return true,
                    },
                }
            };
        }
    }

    fn take_choice(&mut self, node: u32, side: Side) -> u32 {
        let edge = match self.params.method {
            Method::Gumbel if node == ROOT => self.scheduled_choice(side),
            Method::Gumbel => self.improving_choice(node, side),
            Method::Puct => self.puct_choice(node, side),
        };
        self.path.push(Step { node, edge });
        let choice = &self.choices[edge as usize];
        self.leaf.play(choice.mv);
        choice.child
    }

    /// Takes the roll that lags most behind its probability, among those that are not proven yet:
    /// a proven one counts with its exact value however seldom it is visited.
    fn take_chance(&mut self, node: u32) -> u32 {
        let Node {
            first,
            edges,
            visits,
            ..
        } = self.nodes[node as usize];
        let due = f64::from(visits + 1);
        let mut edge = first;
        let mut largest = f64::NEG_INFINITY;
        for index in first..first + edges {
            let chance = &self.chances[index as usize];
            let deficit = chance.probability * due - f64::from(chance.visits);
            if !chance.proven && deficit > largest {
                largest = deficit;
                edge = index;
            }
        }
        self.path.push(Step { node, edge });
        let chance = &self.chances[edge as usize];
        self.leaf.settle(chance.roll);
        chance.child
    }

    /// Lists the moves of the leaf. A forced position gets its node at once, without an evaluation.
    fn expand_forced(&mut self) -> Option<u32> {
        self.leaf.moves(&mut self.leaf_moves);
        (self.leaf_moves.len() == 1).then(|| self.add_decision(None, |_| 1.0))
    }

    fn add_terminal(&mut self, value: f64) -> u32 {
        self.add(Node {
            kind: Kind::Terminal,
            first: 0,
            edges: 0,
            open: 0,
            visits: 0,
            own: Some(value),
            total: 0.0,
            floor: f64::NEG_INFINITY,
            value,
            proven: true,
        })
    }

    fn add_chance(&mut self) -> u32 {
        let first = self.chances.len() as u32;
        let rolls = self.leaf.rolls();
        // Rolls that lag equally are taken in order. The order begins at random, or the many nodes
        // that are visited only a few times would all see the same rolls.
        let (later, sooner) = rolls.split_at(self.draws.random_range(0..rolls.len()));
        let order = sooner.iter().chain(later);
        self.chances
            .extend(order.map(|&(roll, probability)| Chance {
                roll,
                probability,
                child: NONE,
                visits: 0,
                value: 0.0,
                proven: false,
            }));
        let edges = rolls.len() as u32;
        self.add_open(Kind::Chance, first, edges, None)
    }

    /// Adds a decision on `leaf_moves` at the end of the path.
    pub(super) fn add_decision(&mut self, own: Option<f64>, prior: impl Fn(usize) -> f32) -> u32 {
        let Status::ToMove(side) = self.leaf.status() else {
            unreachable!("only a position with a side to move is a decision")
        };
        let first = self.choices.len() as u32;
        let moves = self.leaf_moves.iter().enumerate();
        self.choices.extend(moves.map(|(index, &mv)| Choice {
            mv,
            prior: prior(index),
            child: NONE,
            visits: 0,
            value: 0.0,
            proven: false,
        }));
        let edges = self.leaf_moves.len() as u32;
        self.add_open(Kind::Decision { side }, first, edges, own)
    }

    #[inline(always)]
    fn add_open(&mut self, kind: Kind, first: u32, edges: u32, own: Option<f64>) -> u32 {
        self.add(Node {
            kind,
            first,
            edges,
            open: edges,
            visits: 0,
            own,
            total: 0.0,
            floor: f64::NEG_INFINITY,
            value: own.unwrap_or(0.0),
            proven: false,
        })
    }

    /// Appends a node and ties it to the last edge of the path.
    // Out of line the node would go through the stack, and reading it back waits for the stores of its
    // edges.
    #[inline(always)]
    fn add(&mut self, node: Node) -> u32 {
        let index = self.nodes.len() as u32;
        self.nodes.push(node);
        if let Some(&Step { node, edge }) = self.path.last() {
            match self.nodes[node as usize].kind {
                Kind::Decision { .. } => self.choices[edge as usize].child = index,
                Kind::Chance => self.chances[edge as usize].child = index,
                Kind::Terminal => unreachable!("a finished game has no edges"),
            }
        }
        index
    }
}
