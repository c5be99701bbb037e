//! Positions of real games with a network's answers.

use std::collections::HashSet;

use engine::{Encode, Key, Symmetry};
use rand::RngExt;
use serde::Serialize;

use crate::artifact::outcomes;
use crate::calibration::{pass_by, uniform};
use crate::forward::{Buffers, Forward};

/// The seed of the games that the positions come from, of no meaning.
const SEED: u64 = 0x0A17;

/// A game is left when this many of its positions, for each that is wanted, have brought too few new ones.
const MOST_TRIES: usize = 64;

/// A position and what a network answers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Sample {
    /// Rows and columns.
    pub board: [usize; 2],
    /// The position as text.
    pub text: String,
    /// `[planes, rows, columns]`, the last axis running fastest.
    pub planes: Vec<f32>,
    /// Policy indices of the legal moves.
    pub legal: Vec<usize>,
    /// The legal index with the highest logit.
    pub best: usize,
    /// What the network answers.
    #[serde(flatten)]
    pub answer: Answer,
}

/// A network's answer on a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    /// Policy logits.
    pub policy: Vec<f32>,
    /// Logits of win, (draw,) loss for the side to move.
    pub outcomes: Vec<f32>,
    /// The value from -1 to 1 for the side to move.
    pub value: f32,
}

/// Different positions of one variant, from games of which every other is random, while in the rest three
/// plies of four are the network's best. Fewer than `count` only where there are hardly more.
pub(super) fn positions<G: Encode>(
    variant: &G::Variant,
    forward: &Forward,
    count: usize,
) -> Vec<G> {
    let mut found: Vec<G> = Vec::new();
    let (mut seen, mut tries) = (HashSet::new(), 0);
    pass_by(
        variant,
        SEED,
        |number, position, moves, draws| match number % 2 == 1 && draws.random_range(0..4) > 0 {
            true => best_move(forward, position, moves),
            false => uniform(moves, draws),
        },
        |position: &G| {
            let key: Key = position.pictures()(Symmetry::IDENTITY).into();
            if seen.insert(key) {
                found.push(position.clone());
            }
            tries += 1;
            found.len() < count && tries < MOST_TRIES * count
        },
    );
    found
}

/// Each position with the network's answer.
pub(super) fn samples<G: Encode>(forward: &Forward, positions: &[G]) -> Vec<Sample> {
    let answers = answers(forward, positions);
    let shape = forward.shape();
    let samples = positions.iter().zip(answers).map(|(position, answer)| {
        let (mut moves, mut planes) = (Vec::new(), vec![0.0; shape.input()]);
        position.moves(&mut moves);
        position.planes(&mut planes);
        let legal: Vec<_> = moves.iter().map(|&mv| position.index(mv)).collect();
        Sample {
            board: [shape.rows, shape.columns],
            text: position.text(),
            planes,
            best: best(&answer.policy, &legal),
            legal,
            answer,
        }
    });
    samples.collect()
}

/// The network's answers, in one batch.
pub(super) fn answers<G: Encode>(forward: &Forward, positions: &[G]) -> Vec<Answer> {
    let shape = forward.shape();
    let mut planes = vec![0.0; positions.len() * shape.input()];
    for (position, planes) in positions.iter().zip(planes.chunks_exact_mut(shape.input())) {
        position.planes(planes);
    }
    let mut buffers = Buffers::default();
    forward.run(&planes, &mut buffers);
    let policies = buffers.policy().chunks_exact(shape.policy);
    let outcomes = buffers.outcomes().chunks_exact(outcomes::<G>());
    let rows = policies.zip(outcomes).zip(buffers.values());
    let rows = rows.map(|((policy, outcomes), &value)| Answer {
        policy: policy.to_vec(),
        outcomes: outcomes.to_vec(),
        value,
    });
    rows.collect()
}

/// The index with the highest logit, the first of equals.
pub(super) fn best(policy: &[f32], legal: &[usize]) -> usize {
    let better = |best: usize, index: usize| {
        if policy[index] > policy[best] {
            index
        } else {
            best
        }
    };
    let mut legal = legal.iter().copied();
    let first = legal.next().expect("a side to move has a legal move");
    legal.fold(first, better)
}

fn best_move<G: Encode>(forward: &Forward, position: &G, moves: &[G::Move]) -> G::Move {
    let [answer] = &answers(forward, std::slice::from_ref(position))[..] else {
        unreachable!("one position has one answer")
    };
    let legal: Vec<_> = moves.iter().map(|&mv| position.index(mv)).collect();
    let best = position.with_index(moves, best(&answer.policy, &legal));
    best.expect("the best index is a legal move's")
}
