//! How searches spread their simulations, what policy they teach and which move they play, against the
//! papers' formulas.

use engine::draws::{Purpose, keyed};
use engine::games::surakarta::{Start, Surakarta, Variant};
use engine::search::{Budget, Evaluations, Evaluator, Leaf, Method, Params, Tree, Verdict, finish};
use engine::{Game, Side, Value};
use rand::RngExt;

use crate::toy::Toy;
use crate::toys::{Level, METHODS, random_tree};

/// Priors and values at random, the values inside ±0.9, so that only exact ones reach ±1.
struct Noise;

impl<G: Game> Evaluator<G> for Noise {
    fn evaluate(&mut self, leaves: &mut [Leaf<'_, G>], out: &mut Evaluations) {
        for leaf in leaves {
            let value = leaf.draws.random_range(-0.9..0.9);
            let logits: Vec<f32> = (0..leaf.moves.len())
                .map(|_| leaf.draws.random_range(-2.0..2.0))
                .collect();
            out.push_logits(logits.into_iter(), Value(value));
        }
    }
}

fn search<G: Game>(
    position: &G,
    params: Params,
    budget: Budget,
    game: u64,
    evaluator: &mut impl Evaluator<G>,
) -> Verdict<G::Move> {
    let mut trees = [Tree::new(params, position)];
    trees[0].begin(position, budget, keyed(7, Purpose::Choice, game, 0));
    finish(&mut trees, evaluator, &mut Evaluations::default());
    trees[0].verdict()
}

/// The start of Surakarta: six stones of the front row with sixteen moves, none of them proven soon.
fn sixteen_moves() -> Surakarta {
    let draws = &mut keyed(1, Purpose::Start, 0, 0);
    Surakarta::start(&Variant::default(), &Start::default(), draws).unwrap()
}

#[test]
fn a_move_that_is_proven_lost_is_not_played_while_another_may_be_better() {
    let mut met = 0;
    for number in 0..400 {
        let tree = random_tree(&mut keyed(11, Purpose::Start, number, 0));
        // Without chance only a proven move has a value of exactly -1.
        let tree = ["1/6 ", "2/6 ", "3/6 "]
            .iter()
            .fold(tree.replace("chance", "A"), |tree, part| {
                tree.replace(part, "")
            });
        let position = Toy::new(&tree);
        let engine::Status::ToMove(side) = position.status() else {
            continue;
        };
        for (method, temperature, simulations) in METHODS
            .into_iter()
            .flat_map(|method| [0.0, 1.0].map(|temperature| (method, temperature)))
            .flat_map(|(method, t)| (1..40).map(move |simulations| (method, t, simulations)))
        {
            let params = Params {
                method,
                ..Params::default()
            };
            let budget = Budget {
                simulations,
                temperature,
                noise: false,
            };
            let verdict = search(&position, params, budget, number, &mut Noise);
            let lost = |value: Value| value.seen_by(side) <= -1.0;
            let best = verdict.moves.iter().find(|found| found.mv == verdict.best);
            if verdict
                .moves
                .iter()
                .any(|found| found.value.is_some_and(lost))
                && !verdict.proven
            {
                met += 1;
                assert!(
                    !best.unwrap().value.is_some_and(lost),
                    "{method:?} {simulations}\n{tree}"
                );
            }
        }
    }
    assert!(met > 1000, "only {met} searches had a lost move");
}

#[test]
fn simulations_are_halved_among_the_best_sixteen_eight_four_two() {
    let params = Params::default();
    let position = sixteen_moves();
    let verdict = search(&position, params, Budget::play(64), 0, &mut Noise);
    let mut visits: Vec<_> = verdict.moves.iter().map(|found| found.visits).collect();
    visits.sort_unstable();
    // Four rounds of sixteen simulations: 1, 2, 4 and 8 for each move that is left (Karnin et al. 2013).
    let wanted = [[1; 8].as_slice(), &[3; 4], &[7; 2], &[15; 2]].concat();
    assert_eq!(visits, wanted);
}

#[test]
fn the_policy_to_learn_is_the_softmax_of_logits_and_weighted_values() {
    let params = Params {
        value_visits: 20.0,
        value_scale: 0.4,
        ..Params::default()
    };
    let verdict = search(&sixteen_moves(), params, Budget::play(64), 3, &mut Noise);
    // σ(q) = (c_visit + most visits) · c_scale · q, for values q from 0 to 1; every move was visited.
    let weights = verdict.moves.iter().map(|found| {
        let q = (found.value.unwrap().seen_by(Side::First) + 1.0) / 2.0;
        found.prior * ((20.0 + 15.0) * 0.4 * q).exp()
    });
    let weights: Vec<_> = weights.collect();
    let total: f64 = weights.iter().sum();
    let spread = verdict.moves.iter().map(|found| found.share);
    assert!(
        spread.fold(0.0, f64::max) > 0.2,
        "the policy is nearly flat"
    );
    for (found, weight) in verdict.moves.iter().zip(&weights) {
        assert!((found.share - weight / total).abs() < 1e-9, "{found:?}");
    }
}

#[test]
fn noise_takes_its_share_of_the_root_priors_and_favours_no_move() {
    let position = sixteen_moves();
    let params = Params {
        method: Method::Puct,
        ..Params::default()
    };
    let priors = |noise: bool, game: u64| {
        let budget = Budget {
            noise,
            ..Budget::play(16)
        };
        let verdict = search(&position, params, budget, game, &mut Level);
        verdict
            .moves
            .iter()
            .map(|found| found.prior)
            .collect::<Vec<_>>()
    };
    assert!(
        priors(false, 0)
            .iter()
            .all(|&prior| (prior - 1.0 / 16.0).abs() < 1e-6)
    );
    const SEEDS: u64 = 1000;
    let mut means = [0.0; 16];
    let mut squares = 0.0;
    for game in 0..SEEDS {
        let noisy = priors(true, game);
        assert!((noisy.iter().sum::<f64>() - 1.0).abs() < 1e-5);
        for (mean, prior) in means.iter_mut().zip(noisy) {
            assert!(prior >= 0.75 / 16.0 - 1e-6, "more than a quarter is noise");
            *mean += prior / SEEDS as f64;
            let noise = (prior - 0.75 / 16.0) / 0.25;
            squares += (noise - 1.0 / 16.0).powi(2) / (16 * SEEDS) as f64;
        }
    }
    // A component of a Dirichlet variable with total concentration 10 over 16 moves has this variance.
    let variance = (1.0 / 16.0) * (15.0 / 16.0) / (10.0 + 1.0);
    assert!(
        (squares / variance - 1.0).abs() < 0.1,
        "{squares} {variance}"
    );
    // Five standard deviations of a mean.
    let allowed = 5.0 * 0.25 * (variance / SEEDS as f64).sqrt();
    assert!(
        means.iter().all(|mean| (mean - 1.0 / 16.0).abs() < allowed),
        "{means:?}"
    );
}

#[test]
fn at_temperature_one_moves_are_played_as_often_as_they_were_visited() {
    /// The same answers to a position in every game.
    struct Fixed;
    impl<G: Game> Evaluator<G> for Fixed {
        fn evaluate(&mut self, leaves: &mut [Leaf<'_, G>], out: &mut Evaluations) {
            for leaf in leaves {
                let logits = (0..leaf.moves.len()).map(|index| index as f32 * 0.2);
                out.push_logits(logits, Value(0.0));
            }
        }
    }
    let params = Params {
        method: Method::Puct,
        ..Params::default()
    };
    let budget = Budget {
        temperature: 1.0,
        ..Budget::play(40)
    };
    const GAMES: u64 = 2000;
    let mut played = [0.0; 16];
    let mut shares = Vec::new();
    for game in 0..GAMES {
        let verdict = search(&sixteen_moves(), params, budget, game, &mut Fixed);
        let moves = verdict.moves.iter();
        let best = moves.clone().position(|found| found.mv == verdict.best);
        played[best.unwrap()] += 1.0 / GAMES as f64;
        shares = moves.map(|found| f64::from(found.visits) / 40.0).collect();
    }
    for (played, share) in played.iter().zip(&shares) {
        // Five standard deviations.
        let allowed = 5.0 * (share * (1.0 - share) / GAMES as f64).sqrt();
        assert!((played - share).abs() <= allowed, "{played} {share}");
    }
    assert!(shares.iter().any(|&share| share > 0.1), "{shares:?}");
}
