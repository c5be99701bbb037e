//! Searches on the toy game, whose exact values a full expectimax gives.

use engine::draws::{Purpose, keyed};
use engine::search::{
    Budget, Evaluations, Evaluator, Leaf, Method, Params, Tree, Verdict, finish, step,
};
use engine::{Game, Side, Status, Value, conformance};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::toy::Toy;

/// Knows nothing: equal priors and a level value.
pub struct Level;

impl<G: Game> Evaluator<G> for Level {
    fn evaluate(&mut self, leaves: &mut [Leaf<'_, G>], out: &mut Evaluations) {
        for leaf in leaves {
            assert!(matches!(leaf.position.status(), Status::ToMove(_)));
            out.push_uniform(leaf.moves.len(), Value(0.0));
        }
    }
}

pub const METHODS: [Method; 2] = [Method::Gumbel, Method::Puct];

pub fn search<G: Game>(
    position: &G,
    method: Method,
    budget: Budget,
    evaluator: &mut impl Evaluator<G>,
) -> Verdict<G::Move> {
    let params = Params {
        method,
        ..Params::default()
    };
    let mut trees = [Tree::new(params, position)];
    trees[0].begin(position, budget, keyed(3, Purpose::Choice, 0, 0));
    finish(&mut trees, evaluator, &mut Evaluations::default());
    trees[0].verdict()
}

fn toy(tree: &str, simulations: u32) -> [Verdict<u8>; 2] {
    METHODS.map(|method| {
        search(
            &Toy::new(tree),
            method,
            Budget::play(simulations),
            &mut Level,
        )
    })
}

#[test]
fn the_toy_game_keeps_the_contract() {
    let rules = crate::toy::Rules {
        tree: random_tree(&mut keyed(1, Purpose::Start, 0, 0)),
    };
    conformance::check::<Toy>(&rules, &(), 1, 200, 10).unwrap_or_else(|broken| panic!("{broken}"));
}

#[test]
fn each_one_move_ending_has_the_sign_of_its_winner() {
    // C1: for each mover a game that it wins at once and one that it loses at once.
    for (mover, end, expected) in [
        ("A", 1, 1.0),
        ("A", -1, -1.0),
        ("B", -1, -1.0),
        ("B", 1, 1.0),
    ] {
        let tree = format!("start: {mover} one two\none: = {end}\ntwo: = {end}");
        for verdict in toy(&tree, 8) {
            assert_eq!(verdict.value, Value(expected), "{tree}");
            assert!(verdict.proven);
        }
    }
}

#[test]
fn the_mover_takes_the_win_wherever_it_stands() {
    for (mover, win) in [("A", 1), ("B", -1)] {
        for place in 0..3 {
            let mut to = ["loss", "loss", "loss"];
            to[place] = "win";
            let tree = format!(
                "start: {mover} {}\nwin: = {win}\nloss: = {}",
                to.join(" "),
                -win
            );
            for verdict in toy(&tree, 16) {
                assert_eq!(usize::from(verdict.best), place, "{tree}");
                assert_eq!(verdict.value, Value(f64::from(win)));
            }
        }
    }
}

#[test]
fn a_second_ply_of_the_same_side_is_chosen_in_its_own_favour() {
    // A moves twice. A search that flips the sign with every ply believes that B chooses at `more`.
    let tree = "start: A stop more\nstop: = 0\nmore: A win loss\nwin: = 1\nloss: = -1";
    for verdict in toy(tree, 16) {
        assert_eq!((verdict.best, verdict.value), (1, Value(1.0)));
    }
    let mirrored = "start: B stop more\nstop: = 0\nmore: B win loss\nwin: = -1\nloss: = 1";
    for verdict in toy(mirrored, 16) {
        assert_eq!((verdict.best, verdict.value), (1, Value(-1.0)));
    }
}

#[test]
fn chance_is_an_exact_mean_and_not_a_choice() {
    let tree = "start: A safe bold\nsafe: = 0\nbold: chance 1/4 win 3/4 loss\nwin: = 1\nloss: = -1";
    for verdict in toy(tree, 32) {
        assert_eq!((verdict.best, verdict.value), (0, Value(0.0)));
        assert_eq!(verdict.moves[1].value, Some(Value(-0.5)));
    }
}

#[test]
fn a_single_legal_move_is_searched_and_played() {
    let tree = "start: A only\nonly: B one two\none: = 1\ntwo: = -1";
    for verdict in toy(tree, 8) {
        assert_eq!((verdict.best, verdict.value), (0, Value(-1.0)));
        assert!((verdict.moves[0].share - 1.0).abs() < 1e-12);
    }
}

#[test]
pub fn random_trees_are_proven_to_their_exact_values() {
    let mut proven = 0;
    for number in 0..300 {
        let tree = random_tree(&mut keyed(9, Purpose::Start, number, 0));
        let position = Toy::new(&tree);
        if !matches!(position.status(), Status::ToMove(_)) {
            continue;
        }
        for verdict in toy(&tree, 3_000) {
            assert!(
                verdict.proven,
                "a tree of a few dozen nodes is searched out\n{tree}"
            );
            assert!(
                (verdict.value.0 - position.exact().0).abs() < 1e-12,
                "{tree}"
            );
            let mut played = position;
            played.play(verdict.best);
            assert!(
                (played.exact().0 - position.exact().0).abs() < 1e-12,
                "{tree}"
            );
            proven += 1;
        }
    }
    assert!(proven > 300);
}

/// Layers of nodes, each pointing into the next: turns of several plies, chance, three results.
pub fn random_tree(draws: &mut ChaCha8Rng) -> String {
    const LAYERS: usize = 5;
    const WIDTH: usize = 5;
    let mut tree = String::new();
    for layer in 0..LAYERS {
        for index in 0..if layer == 0 { 1 } else { WIDTH } {
            let mut next = || format!("n{}x{}", layer + 1, draws.random_range(0..WIDTH));
            let node = if layer + 1 == LAYERS {
                format!("= {}", ["1", "-1", "0"][draws.random_range(0..3)])
            } else {
                let to = [next(), next(), next()];
                match draws.random_range(0..5) {
                    0 | 1 => format!("A {}", to[..draws.random_range(1..=3)].join(" ")),
                    2 | 3 => format!("B {}", to[..draws.random_range(1..=3)].join(" ")),
                    _ => format!("chance 1/6 {} 2/6 {} 3/6 {}", to[0], to[1], to[2]),
                }
            };
            tree.push_str(&format!("n{layer}x{index}: {node}\n"));
        }
    }
    tree
}

#[test]
fn values_and_moves_change_sides_with_the_players() {
    let tree = "start: A one two\none: chance 1/2 x 1/2 y\ntwo: B x y\nx: A p q\ny: B p q\np: = 1\nq: = -1";
    let swapped: String = tree
        .split_inclusive(['\n', ' '])
        .map(|word| match word.trim() {
            "A" => "B ".into(),
            "B" => "A ".into(),
            "1" => "-1\n".into(),
            "-1" => "1\n".into(),
            _ => word.to_string(),
        })
        .collect();
    for (plain, mirrored) in toy(tree, 50).into_iter().zip(toy(&swapped, 50)) {
        assert_eq!(
            plain.value.seen_by(Side::First),
            mirrored.value.seen_by(Side::Second)
        );
        assert_eq!(plain.best, mirrored.best);
    }
}

#[test]
fn temperature_zero_repeats_itself_and_temperature_one_varies() {
    let tree = "start: A p q r s\np: B x\nq: B x\nr: B x\ns: B x\nx: B y z\ny: = 1\nz: = -1";
    let params = Params::default();
    let position = Toy::new(tree);
    let best = |temperature: f64, game: u64| {
        let budget = Budget {
            simulations: 4,
            temperature,
            noise: false,
        };
        let mut trees = [Tree::new(params, &position)];
        trees[0].begin(&position, budget, keyed(3, Purpose::Choice, game, 0));
        finish(&mut trees, &mut Level, &mut Evaluations::default());
        trees[0].verdict().best
    };
    assert!((0..20).all(|game| best(0.0, game) == best(0.0, 0)));
    let mut seen: Vec<_> = (0..60).map(|game| best(1.0, game)).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [0, 1, 2, 3]);
}

#[test]
fn a_search_that_needs_no_evaluations_lets_its_owner_look_at_the_clock() {
    /// Is as good as sure of the first move.
    struct Sure;
    impl<G: Game> Evaluator<G> for Sure {
        fn evaluate(&mut self, leaves: &mut [Leaf<'_, G>], out: &mut Evaluations) {
            for leaf in leaves {
                let logits = (0..leaf.moves.len()).map(|index| -30.0 * index as f32);
                out.push_logits(logits, Value(0.0));
            }
        }
    }
    // The draw is proven at once, and the other move is never tried.
    let position = Toy::new("start: A draw far\ndraw: = 0\nfar: B win loss\nwin: = 1\nloss: = -1");
    let params = Params {
        method: Method::Puct,
        ..Params::default()
    };
    const BUDGET: u32 = 100_000;
    let mut trees = [Tree::new(params, &position)];
    trees[0].begin(
        &position,
        Budget::play(BUDGET),
        keyed(1, Purpose::Choice, 0, 0),
    );
    let mut evaluations = Evaluations::default();
    let (mut steps, mut before) = (0, 0);
    while step(trees.iter_mut(), &mut Sure, &mut evaluations) {
        let done = trees[0].simulations();
        assert!(done - before < 1000, "{before} to {done}");
        (steps, before) = (steps + 1, done);
    }
    assert!(steps > 100, "{steps}");
    assert_eq!(before, BUDGET);
    assert_eq!(trees[0].proof(), None, "one move was never tried");
}
