//! A position's bits do not depend on the batch around it.

use inference::{Isa, Network, Target};

use crate::sample::{Form, Sample, Shape};

/// Runs batches of many sizes that start at different positions and compares bit by bit with each
/// position alone.
fn assert_invariant(isa: Isa, shape: Shape, sizes: impl Iterator<Item = usize> + Clone) {
    for batch in [1, 32] {
        assert_invariant_for(Target { isa, batch }, shape, sizes.clone());
    }
}

fn assert_invariant_for(target: Target, shape: Shape, sizes: impl Iterator<Item = usize> + Clone) {
    let sample = Sample::new(shape, 3);
    let network = Network::for_target(target, &sample.weights()).unwrap();
    let most = sizes.clone().max().unwrap();
    let positions = sample.positions(most, 4);
    let largest = network.largest_activations(&positions[..network.position_length()]);
    let quantised = Network::quantised(target, &sample.weights(), &largest).unwrap();
    for network in [network, quantised] {
        assert_invariant_of(&network, &positions, shape, sizes.clone());
    }
}

fn assert_invariant_of(
    network: &Network,
    positions: &[f32],
    shape: Shape,
    sizes: impl Iterator<Item = usize>,
) {
    let most = positions.len() / network.position_length();
    let mut workspace = network.workspace(most);
    let mut run = |positions: &[f32]| {
        let count = positions.len() / network.position_length();
        let mut policy = vec![0.0; count * shape.policy_length()];
        let mut value = vec![0.0; count * shape.value];
        network.run(&mut workspace, positions, &mut policy, &mut value);
        let bits = |x: Vec<f32>| x.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        (bits(policy), bits(value))
    };
    let alone: Vec<_> = positions
        .chunks_exact(network.position_length())
        .map(&mut run)
        .collect();
    for size in sizes {
        let first = most - size;
        let (policy, value) = run(&positions[first * network.position_length()..]);
        let rows = policy
            .chunks_exact(shape.policy_length())
            .zip(value.chunks_exact(shape.value));
        for (i, (policy, value)) in rows.enumerate() {
            let (right_policy, right_value) = &alone[first + i];
            assert!(
                policy == right_policy && value == right_value,
                "{shape:?} on {network:?}: position {i} of a batch of {size} has other bits than alone"
            );
        }
    }
}

#[test]
fn a_position_has_the_same_bits_in_every_batch() {
    for isa in [Isa::detect(), Isa::portable()] {
        for (side, form) in [(5, Form::Dense), (6, Form::Pairs), (8, Form::Planes)] {
            let shape = Shape {
                form,
                ..Shape::square(9, side, 2, 32)
            };
            assert_invariant(isa, shape, 1..=130);
        }
    }
}

#[test]
fn a_position_has_the_same_bits_in_every_batch_on_large_boards() {
    let sizes = [1, 2, 3, 5, 8, 13, 32, 33];
    for isa in [Isa::detect(), Isa::portable()] {
        assert_invariant(isa, Shape::square(9, 14, 1, 48), sizes.into_iter());
        assert_invariant(isa, Shape::square(9, 11, 1, 24), sizes.into_iter());
    }
}
