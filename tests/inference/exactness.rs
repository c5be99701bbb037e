//! The packed network against the plain one, on every kind of board.

use inference::{Isa, Network, Target};

use crate::sample::{Form, Sample, Shape};

/// Largest difference allowed, as a share of the largest output.
const TOLERANCE: f32 = 1e-4;

/// Packs for single positions and for batches, which choose different tiles.
fn assert_exact(isa: Isa, shape: Shape) {
    for batch in [1, 32] {
        assert_exact_for(Target { isa, batch }, shape);
    }
}

fn assert_exact_for(target: Target, shape: Shape) {
    let sample = Sample::new(shape, 1);
    let network = Network::for_target(target, &sample.weights()).unwrap();
    let count = 3;
    let positions = sample.positions(count, 2);
    let mut policy = vec![0.0; count * shape.policy_length()];
    let mut value = vec![0.0; count * shape.value];
    network.run(
        &mut network.workspace(count),
        &positions,
        &mut policy,
        &mut value,
    );

    let input = positions.chunks_exact(network.position_length());
    let output = policy
        .chunks_exact(shape.policy_length())
        .zip(value.chunks_exact(shape.value));
    let mut worst = 0.0_f32;
    let mut size = 0.0_f32;
    for (position, (policy, value)) in input.zip(output) {
        let (right_policy, right_value) = sample.reference(position);
        let right = right_policy.iter().chain(&right_value);
        for (got, &right) in policy.iter().chain(value).zip(right) {
            assert!(got.is_finite(), "{shape:?} on {target:?} gives {got}");
            worst = worst.max((got - right).abs());
            size = size.max(right.abs());
        }
    }
    println!("{shape:?} {target:?}: off by {worst:e}, largest output {size}");
    assert!(
        worst < TOLERANCE * size.max(1.0),
        "{shape:?} on {target:?} is off by {worst}"
    );
    assert!(size > 0.1, "the outputs are too small to compare");
}

#[test]
fn every_board_side_agrees_with_the_plain_pass() {
    for isa in [Isa::detect(), Isa::portable()] {
        for side in 2..=14 {
            assert_exact(isa, Shape::square(5, side, 1, 16));
        }
    }
}

#[test]
fn every_width_agrees_with_the_plain_pass() {
    for isa in [Isa::detect(), Isa::portable()] {
        for channels in [1, 7, 8, 9, 24, 32, 40, 48, 96] {
            assert_exact(isa, Shape::square(11, 5, 1, channels));
        }
    }
}

#[test]
fn boards_need_not_be_square() {
    for isa in [Isa::detect(), Isa::portable()] {
        for (rows, columns) in [(1, 9), (9, 5), (4, 13)] {
            assert_exact(
                isa,
                Shape {
                    rows,
                    columns,
                    ..Shape::square(6, 5, 1, 16)
                },
            );
        }
    }
}

#[test]
fn every_form_of_heads_agrees_with_the_plain_pass() {
    for isa in [Isa::detect(), Isa::portable()] {
        for form in [Form::Pairs, Form::Planes] {
            for (rows, columns) in [(1, 9), (5, 5), (6, 6), (7, 4), (8, 8), (14, 14)] {
                for (channels, policy_planes) in [(9, 3), (32, 17)] {
                    let shape = Shape {
                        rows,
                        columns,
                        form,
                        policy_planes,
                        ..Shape::square(6, 5, 2, channels)
                    };
                    assert_exact(isa, shape);
                }
            }
        }
    }
}

#[test]
fn the_networks_of_the_games_agree_with_the_plain_pass() {
    let policy = |shape, form, policy_planes, policy| Shape {
        form,
        policy_planes,
        policy,
        ..shape
    };
    for isa in [Isa::detect(), Isa::portable()] {
        assert_exact(isa, policy(Shape::square(25, 5, 4, 64), Form::Dense, 8, 24));
        assert_exact(isa, policy(Shape::square(7, 6, 4, 64), Form::Pairs, 32, 0));
        assert_exact(
            isa,
            policy(Shape::square(24, 8, 6, 96), Form::Planes, 32, 11),
        );
        assert_exact(
            isa,
            policy(Shape::square(24, 14, 6, 96), Form::Planes, 32, 11),
        );
    }
}
