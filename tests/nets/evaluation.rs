//! The network's answers on real positions.

use std::sync::Arc;

use burn::tensor::Device;
use engine::draws::{Purpose, keyed};
use engine::games::einstein::{Einstein, Rules, Setup};
use engine::search::{Evaluations, Evaluator, Leaf};
use engine::{Encode, Game, Roll, Side, Symmetry};
use models::artifact::outcomes;
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

fn evaluator(seed: u64) -> NetEvaluator {
    let device = Device::flex();
    let forward = Forward::new::<Einstein>(&net(seed), &Rules {}, &device, Kernel::Auto);
    NetEvaluator::new(Arc::new(forward))
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
    // The same picture from the other side: only the plane that names the mover differs, so the
    // value as the mover sees it hardly moves while the absolute value changes its sign.
    let swap = Symmetry(8);
    let mut evaluator = evaluator(3);
    for position in positions(16) {
        let pair = [position, position.map(swap)];
        let found = evaluate(&mut evaluator, &pair);
        let seen = found.get(0).1.seen_by(Side::First);
        let swapped = found.get(1).1.seen_by(Side::Second);
        assert!((seen - swapped).abs() < 0.2, "{seen} against {swapped}");
    }
}
