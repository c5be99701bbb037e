//! The network's answers on real positions.

use std::collections::HashSet;
use std::sync::Arc;

use burn::tensor::Device;
use engine::draws::{Purpose, keyed};
use engine::games::einstein::{Einstein, Rules, Setup};
use engine::search::{Evaluations, Evaluator, Leaf};
use engine::{Encode, Game, Roll, Side, Status, Symmetry};
use models::artifact::outcomes;
use models::forward::Buffers;
use models::{Forward, Kernel, Net, NetConfig, NetEvaluator};

fn net(seed: u64) -> Net {
    let config = NetConfig {
        blocks: 2,
        channels: 8,
        ..NetConfig::default()
    };
    let shape = Einstein::shape(&Rules {});
    Net::new(
        &config,
        shape,
        outcomes::<Einstein>(),
        seed,
        &Device::flex(),
    )
}

fn forward(seed: u64) -> Arc<Forward> {
    let device = Device::flex();
    let net = net(seed);
    Arc::new(Forward::new::<Einstein>(
        &net,
        &Rules {},
        &device,
        Kernel::Auto,
    ))
}

fn evaluator(seed: u64) -> NetEvaluator {
    NetEvaluator::new(forward(seed), 0)
}

fn positions(count: u64) -> Vec<Einstein> {
    (0..count)
        .map(|number| {
            let mut draws = keyed(3, Purpose::Start, number, 0);
            let mut game = Einstein::start(&Rules {}, &Setup::Random, &mut draws).unwrap();
            game.settle(Roll((number % 6) as u8));
            game
        })
        .collect()
}

fn evaluate(evaluator: &mut NetEvaluator, positions: &[Einstein]) -> Evaluations {
    let mut draws: Vec<_> = positions
        .iter()
        .map(|_| keyed(1, Purpose::Choice, 0, 0))
        .collect();
    let lists: Vec<_> = positions
        .iter()
        .map(|position| {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            moves
        })
        .collect();
    let mut leaves: Vec<_> = positions
        .iter()
        .zip(&lists)
        .zip(&mut draws)
        .map(|((position, moves), draws)| Leaf {
            position,
            moves,
            draws,
        })
        .collect();
    let mut out = Evaluations::default();
    evaluator.evaluate(&mut leaves, &mut out);
    out
}

#[test]
fn priors_of_the_legal_moves_sum_to_one_and_values_are_in_range() {
    let found = evaluate(&mut evaluator(1), &positions(64));
    for index in 0..found.len() {
        let (priors, value) = found.get(index);
        assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(value.0.abs() <= 1.0);
    }
    assert_eq!(found.repaired, 0);
}

#[test]
fn the_network_speaks_for_the_mover() {
    // The same picture from the other side: the value as the mover sees it stays, while the absolute
    // value changes its sign.
    let swap = Symmetry(8);
    let mut evaluator = evaluator(3);
    for position in positions(16) {
        let pair = [position, position.map(swap)];
        let found = evaluate(&mut evaluator, &pair);
        let [one, other] = [0, 1].map(|index| found.get(index).1.0);
        assert!(one == -other, "{one} against {other}");
    }
}

#[test]
fn the_evaluator_says_what_the_network_says_of_the_canonical_picture() {
    let forward = forward(8);
    let policy = forward.shape().policy;
    let mut positions = early_positions(20);
    let swapped = positions.iter().map(|position| position.map(Symmetry(8)));
    let swapped: Vec<_> = swapped.collect();
    positions.extend(swapped);
    let found = evaluate(&mut NetEvaluator::new(forward.clone(), 0), &positions);
    let mut largest = 0.0_f64;
    for (index, position) in positions.iter().enumerate() {
        let (symmetry, _) = position.canonical();
        let picture = position.map(symmetry);
        let mut planes = vec![0.0; forward.shape().input()];
        picture.planes(&mut planes);
        let mut buffers = Buffers::default();
        forward.run(&planes, &mut buffers);
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let logits = moves
            .iter()
            .map(|&mv| buffers.policy()[picture.index(position.map_move(symmetry, mv))]);
        let powers: Vec<_> = logits.map(|logit| f64::from(logit).exp()).collect();
        let total: f64 = powers.iter().sum();
        let (priors, value) = found.get(index);
        for (prior, power) in priors.iter().zip(&powers) {
            assert!((f64::from(*prior) - power / total).abs() < 1e-6);
        }
        // The network speaks for the mover, and values are those of Red.
        let mover = position.status() == Status::ToMove(Side::First);
        let sign = if mover { 1.0 } else { -1.0 };
        assert_eq!(value.0, sign * f64::from(buffers.values()[0]));
        assert_eq!(buffers.policy().len(), policy);
        largest = largest.max(value.0.abs());
    }
    assert!(
        largest > 0.01,
        "values of {largest} have no sign to speak of"
    );
}

/// Positions of random games from the first ply on: many are alike up to symmetry, as they are in the
/// trees of a search.
fn early_positions(games: u64) -> Vec<Einstein> {
    let mut found = Vec::new();
    for number in 0..games {
        let mut draws = keyed(5, Purpose::Start, 0, 0);
        let mut game = Einstein::start(&Rules {}, &Setup::Random, &mut draws).unwrap();
        let mut moves = Vec::new();
        for ply in 0..4 {
            game.settle(Roll(((number + ply) % 6) as u8));
            found.push(game);
            moves.clear();
            game.moves(&mut moves);
            game.play(moves[(number / 3) as usize % moves.len()]);
            let symmetries = game.symmetries();
            game = game.map(symmetries[number as usize % symmetries.len()]);
        }
    }
    found
}

/// What the network is shown of a position, through each symmetry; the smallest.
fn smallest_picture(position: &Einstein) -> Vec<u32> {
    let bits = |symmetry: &Symmetry| {
        let mut planes = vec![0.0; Einstein::shape(&Rules {}).input()];
        position.map(*symmetry).planes(&mut planes);
        planes.iter().map(|value| value.to_bits()).collect()
    };
    position.symmetries().iter().map(bits).min().unwrap()
}

fn bits(found: &Evaluations, index: usize) -> (Vec<u32>, u64) {
    let (priors, value) = found.get(index);
    let priors = priors.iter().map(|prior| prior.to_bits());
    (priors.collect(), value.0.to_bits())
}

#[test]
fn answers_do_not_depend_on_what_is_kept_or_stands_in_the_batch() {
    let positions = early_positions(60);
    let forward = forward(4);
    let alone: Vec<_> = positions
        .iter()
        .map(|position| {
            let mut fresh = NetEvaluator::new(forward.clone(), 0);
            bits(&evaluate(&mut fresh, &[*position]), 0)
        })
        .collect();
    for kept in [0, 1, 20, 1000] {
        let mut evaluator = NetEvaluator::new(forward.clone(), kept);
        for (batch, answers) in positions.chunks(16).zip(alone.chunks(16)) {
            let found = evaluate(&mut evaluator, batch);
            for (index, answer) in answers.iter().enumerate() {
                assert!(bits(&found, index) == *answer, "kept {kept}, {index}");
            }
        }
    }
}

#[test]
fn priors_follow_the_moves_through_every_symmetry() {
    let mut evaluator = evaluator(5);
    for position in early_positions(20) {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let found = evaluate(&mut evaluator, &[position]);
        for &symmetry in position.symmetries() {
            let image = position.map(symmetry);
            let mut image_moves = Vec::new();
            image.moves(&mut image_moves);
            let seen = evaluate(&mut evaluator, &[image]);
            for (&mv, prior) in moves.iter().zip(found.get(0).0) {
                let wanted = position.map_move(symmetry, mv);
                let at = image_moves.iter().position(|&mv| mv == wanted).unwrap();
                assert!((seen.get(0).0[at] - prior).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn a_picture_is_asked_for_once_while_it_is_kept() {
    let positions = early_positions(60);
    let pictures: HashSet<_> = positions.iter().map(smallest_picture).collect();
    assert!(pictures.len() * 3 < positions.len() * 2);
    let mut keeping = NetEvaluator::new(forward(6), 1000);
    let mut forgetting = NetEvaluator::new(forward(6), 0);
    let mut in_batches = 0;
    for batch in positions.chunks(16) {
        evaluate(&mut keeping, batch);
        evaluate(&mut forgetting, batch);
        let batch: HashSet<_> = batch.iter().map(smallest_picture).collect();
        in_batches += batch.len() as u64;
    }
    assert_eq!(keeping.clock.asked, positions.len() as u64);
    assert_eq!(keeping.clock.positions, pictures.len() as u64);
    assert_eq!(forgetting.clock.positions, in_batches);
}
