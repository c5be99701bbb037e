//! A toy game whose whole tree is a text: turns of several plies, chance, and both seats winning.
//!
//! One line a node, the first is the start:
//! ```text
//! start: A left right
//! left: chance 1/4 win 3/4 loss
//! right: B win loss
//! win: = 1
//! loss: = -1
//! ```
//! `A` and `B` name the side that moves, and the words after it the nodes its plies lead to.

use std::collections::HashMap;
use std::sync::Mutex;

use engine::{
    Encode, Game, Head, Key, Outcome, Perft, Roll, Shape, Side, Status, Symmetry, TextError, Value,
};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Planes and policy indices that the toy game's encoding has room for.
pub const MOST_NODES: usize = 64;
pub const MOST_MOVES: usize = 8;

#[derive(Debug)]
enum Node {
    Decision(Side, Vec<usize>),
    Chance(&'static [(Roll, f64)], Vec<usize>),
    End(Outcome),
}

#[derive(Debug)]
pub struct Graph {
    names: Vec<String>,
    nodes: Vec<Node>,
    rules: Rules,
}

/// The toy game's variant: its tree.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    pub tree: String,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            tree: "start: A win loss\nwin: = 1\nloss: = -1".into(),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Toy {
    graph: &'static Graph,
    node: usize,
}

impl PartialEq for Toy {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.graph, other.graph) && self.node == other.node
    }
}

impl Toy {
    /// The start of a game on this tree.
    pub fn new(tree: &str) -> Toy {
        Toy {
            graph: graph(&Rules { tree: tree.into() }),
            node: 0,
        }
    }

    /// The exact value by full expectimax.
    pub fn exact(&self) -> Value {
        let child = |&node: &usize| Toy { node, ..*self }.exact().0;
        match &self.graph.nodes[self.node] {
            Node::End(outcome) => outcome.value(),
            Node::Decision(side, to) => Value::from_view(
                to.iter()
                    .map(|node| Value(child(node)).seen_by(*side))
                    .fold(f64::NEG_INFINITY, f64::max),
                *side,
            ),
            Node::Chance(rolls, to) => {
                let weighted = rolls
                    .iter()
                    .zip(to)
                    .map(|(roll, node)| roll.1 * child(node));
                Value(weighted.sum())
            }
        }
    }
}

/// Trees live as long as the test program, so that positions can be copied freely.
fn graph(rules: &Rules) -> &'static Graph {
    static KNOWN: Mutex<Option<HashMap<String, &'static Graph>>> = Mutex::new(None);
    let mut known = KNOWN.lock().expect("no test panics while it reads a tree");
    known
        .get_or_insert_default()
        .entry(rules.tree.clone())
        .or_insert_with(|| Box::leak(Box::new(read(rules))))
}

fn read(rules: &Rules) -> Graph {
    let lines: Vec<_> = rules
        .tree
        .lines()
        .map(|line| line.split_once(':').expect("a line is `name: node`"))
        .map(|(name, node)| {
            (
                name.trim().to_string(),
                node.split_whitespace().collect::<Vec<_>>(),
            )
        })
        .collect();
    let names: Vec<_> = lines.iter().map(|(name, _)| name.clone()).collect();
    let find = |name: &str| {
        let found = names.iter().position(|known| known == name);
        found.unwrap_or_else(|| panic!("no node {name}"))
    };
    let nodes = lines.iter().map(|(_, words)| match words[0] {
        "A" => Node::Decision(Side::First, words[1..].iter().map(|to| find(to)).collect()),
        "B" => Node::Decision(Side::Second, words[1..].iter().map(|to| find(to)).collect()),
        "chance" => {
            let rolls = words[1..].chunks(2).zip(0..).map(|(pair, roll)| {
                let (over, under) = pair[0].split_once('/').expect("a probability such as 1/4");
                let parts = [over, under].map(|part| part.parse::<f64>().expect("a number"));
                (Roll(roll), parts[0] / parts[1])
            });
            let rolls = Box::leak(rolls.collect::<Vec<_>>().into_boxed_slice());
            Node::Chance(
                rolls,
                words[1..].chunks(2).map(|pair| find(pair[1])).collect(),
            )
        }
        _ => Node::End(match words[1] {
            "1" => Outcome::Win(Side::First),
            "-1" => Outcome::Win(Side::Second),
            _ => Outcome::Draw,
        }),
    });
    Graph {
        nodes: nodes.collect(),
        names: names.clone(),
        rules: rules.clone(),
    }
}

impl Game for Toy {
    const NAME: &'static str = "toy";
    const RULES: u16 = 1;
    const DRAWS: bool = true;

    type Move = u8;
    type Variant = Rules;
    type Start = ();

    fn start(variant: &Rules, (): &(), _: &mut ChaCha8Rng) -> Result<Self, TextError> {
        Ok(Toy {
            graph: graph(variant),
            node: 0,
        })
    }

    fn variant(&self) -> &Rules {
        &self.graph.rules
    }

    fn status(&self) -> Status {
        match &self.graph.nodes[self.node] {
            Node::Decision(side, _) => Status::ToMove(*side),
            Node::Chance(..) => Status::Rolling,
            Node::End(outcome) => Status::Over(*outcome),
        }
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.clear();
        if let Node::Decision(_, to) = &self.graph.nodes[self.node] {
            out.extend(0..to.len() as u8);
        }
    }

    fn rolls(&self) -> &'static [(Roll, f64)] {
        match &self.graph.nodes[self.node] {
            Node::Chance(rolls, _) => rolls,
            _ => &[],
        }
    }

    fn settle(&mut self, roll: Roll) {
        let Node::Chance(_, to) = &self.graph.nodes[self.node] else {
            panic!("no roll is due in {}", self.text())
        };
        self.node = to[usize::from(roll.0)];
    }

    fn play(&mut self, mv: u8) {
        let Node::Decision(_, to) = &self.graph.nodes[self.node] else {
            panic!("no move is due in {}", self.text())
        };
        self.node = to[usize::from(mv)];
    }

    fn key(&self) -> u64 {
        self.node as u64
    }

    fn text(&self) -> String {
        self.graph.names[self.node].clone()
    }

    fn parse(text: &str, variant: &Rules) -> Result<Self, TextError> {
        let graph = graph(variant);
        let node = graph.names.iter().position(|name| name == text);
        let node = node.ok_or_else(|| TextError::at(1, format!("no node {text}")))?;
        Ok(Toy { graph, node })
    }

    fn move_text(&self, mv: u8) -> String {
        mv.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u8, TextError> {
        text.parse()
            .map_err(|_| TextError::at(1, format!("'{text}' is not a number")))
    }

    fn draw(&self) -> String {
        format!("{}\n", self.text())
    }
}

impl Perft for Toy {
    fn perft_start(variant: &Rules) -> Toy {
        Toy {
            graph: graph(variant),
            node: 0,
        }
    }
}

static IDENTITY: [Symmetry; 1] = [Symmetry::IDENTITY];

impl Encode for Toy {
    type Picture = Key;

    const ENCODING: u16 = 1;

    fn shape(_: &Rules) -> Shape {
        Shape {
            planes: MOST_NODES,
            rows: 1,
            columns: 1,
            policy: MOST_MOVES,
            head: Head::Dense,
        }
    }

    fn planes(&self, out: &mut [f32]) {
        out.fill(0.0);
        out[self.node] = 1.0;
    }

    fn index(&self, mv: u8) -> usize {
        mv.into()
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        &IDENTITY
    }

    fn swaps_sides(_: Symmetry) -> bool {
        false
    }

    fn inverse(symmetry: Symmetry) -> Symmetry {
        symmetry
    }

    fn map(&self, _: Symmetry) -> Self {
        *self
    }

    fn pictures(&self) -> impl Fn(Symmetry) -> Key {
        |_| Key(self.node as u64, 0)
    }

    fn map_move(&self, _: Symmetry, mv: u8) -> u8 {
        mv
    }
}
