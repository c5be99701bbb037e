//! Every way to evaluate a network gives the same answers, on positions of every game.

use burn::tensor::Device;
use engine::Encode;
use engine::games::einstein::Einstein;
use engine::games::jiu::{Jiu, SIZES, Variant};
use engine::games::surakarta::Surakarta;
use models::artifact::outcomes;
use models::forward::Buffers;
use models::{Forward, Kernel, Net, NetConfig, calibration};

/// Policy logits and value of each position of some planes.
type Answers = Vec<(Vec<f32>, f32)>;

/// A network of a game whose branches are not the zeros they begin with.
struct Case<G: Encode> {
    variant: G::Variant,
    net: Net,
}

impl<G: Encode> Case<G> {
    fn new() -> Self {
        Self::of(G::Variant::default())
    }

    fn of(variant: G::Variant) -> Self {
        let config = NetConfig {
            blocks: 2,
            channels: 16,
            ..NetConfig::default()
        };
        let shape = G::shape(&variant);
        let net = Net::new(&config, shape, outcomes::<G>(), 5, &Device::flex());
        Self {
            net: net.stirred(1),
            variant,
        }
    }

    fn forward(&self, kernel: Kernel) -> Forward {
        Forward::new::<G>(&self.net, &self.variant, &Device::flex(), kernel)
    }

    fn answers(&self, kernel: Kernel, planes: &[f32]) -> Answers {
        answers(&self.forward(kernel), planes)
    }
}

fn answers(forward: &Forward, planes: &[f32]) -> Answers {
    let mut buffers = Buffers::default();
    forward.run(planes, &mut buffers);
    let rows = buffers.policy().chunks_exact(forward.shape().policy);
    rows.map(<[f32]>::to_vec)
        .zip(buffers.values().iter().copied())
        .collect()
}

/// The largest difference of two sets of answers, and the root mean square of the second's logits.
fn difference(a: &Answers, b: &Answers) -> (f32, f32) {
    let mut largest = 0.0_f32;
    let (mut squares, mut count) = (0.0, 0);
    for ((policy_a, value_a), (policy_b, value_b)) in a.iter().zip(b) {
        assert!(value_a.is_finite() && policy_a.iter().all(|logit| logit.is_finite()));
        largest = largest.max((value_a - value_b).abs());
        for (a, b) in policy_a.iter().zip(policy_b) {
            largest = largest.max((a - b).abs());
            squares += b * b;
            count += 1;
        }
    }
    (largest, (squares / count as f32).sqrt())
}

fn the_fused_path_is_the_network<G: Encode>(case: &Case<G>) {
    let planes = calibration::positions::<G>(&case.variant, 40);
    let burn = case.answers(Kernel::Burn, &planes);
    let (off, size) = difference(&case.answers(Kernel::Auto, &planes), &burn);
    assert!(
        size > 0.05,
        "{}: logits of {size} are too small to compare",
        G::NAME
    );
    assert!(off < 1e-4, "{}: off by {off}", G::NAME);
}

fn whole_numbers_stay_near<G: Encode>() {
    let case = Case::<G>::new();
    // Other positions than those the activations were measured on, which come first.
    let planes = calibration::positions::<G>(&case.variant, 200);
    let planes = &planes[128 * G::shape(&case.variant).input()..];
    let exact = case.answers(Kernel::Auto, planes);
    let (off, size) = difference(&case.answers(Kernel::Int8, planes), &exact);
    println!("{}: off by {off}, logits {size}", G::NAME);
    assert!(off > 0.0, "{}: nothing was rounded", G::NAME);
    assert!(
        off < 0.2 * size.max(0.5),
        "{}: off by {off}, logits {size}",
        G::NAME
    );
}

fn companions_change_no_bit<G: Encode>() {
    let case = Case::<G>::new();
    let size = G::shape(&case.variant).input();
    let planes = calibration::positions::<G>(&case.variant, 37);
    for kernel in [Kernel::Auto, Kernel::Int8] {
        let forward = case.forward(kernel);
        let together = answers(&forward, &planes);
        for first in [0, 1, 20, 36] {
            let alone = answers(&forward, &planes[first * size..][..size]);
            assert_eq!(alone[0], together[first], "{}, {kernel}", G::NAME);
            let some = answers(&forward, &planes[first * size..]);
            assert_eq!(some[..], together[first..], "{}, {kernel}", G::NAME);
        }
    }
}

#[test]
fn the_fused_path_is_the_network_on_positions_of_every_game() {
    the_fused_path_is_the_network(&Case::<Einstein>::new());
    the_fused_path_is_the_network(&Case::<Surakarta>::new());
    // Small boards are convolved by matrix products, and those of 8×8 in several tiles.
    for size in SIZES {
        the_fused_path_is_the_network(&Case::<Jiu>::of(Variant::sized(size)));
    }
}

#[test]
fn whole_numbers_stay_near_the_network_on_positions_of_every_game() {
    whole_numbers_stay_near::<Einstein>();
    whole_numbers_stay_near::<Surakarta>();
    whole_numbers_stay_near::<Jiu>();
}

#[test]
fn a_positions_companions_change_no_bit_in_any_game() {
    companions_change_no_bit::<Einstein>();
    companions_change_no_bit::<Surakarta>();
    companions_change_no_bit::<Jiu>();
}

#[test]
fn operations_are_those_of_the_layers() {
    fn check<G: Encode>(multiplications: impl Fn(usize, usize) -> usize) {
        let case = Case::<G>::new();
        let shape = G::shape(&case.variant);
        let wanted = 2 * multiplications(9 * shape.planes * 16, shape.policy);
        assert_eq!(case.net.operations(shape), wanted as u64, "{}", G::NAME);
    }
    // Stem, two blocks of two 3×3 convolutions, a head's convolutions; then linear layers.
    let blocks = 4 * 9 * 16 * 16;
    check::<Einstein>(|stem, policy| {
        let convolutions = 25 * (stem + blocks + 16 * 8 + 16 * 4);
        convolutions + 25 * 8 * policy + 25 * 4 * 32 + 32 * 2
    });
    check::<Surakarta>(|stem, _| {
        let convolutions = 36 * (stem + blocks + 2 * 16 * 8 + 16 * 4);
        convolutions + 36 * 36 * 8 + 36 * 4 * 32 + 32 * 3
    });
    check::<Jiu>(|stem, policy| {
        let (planes, rest) = (policy / 196, policy % 196);
        let convolutions = 196 * (stem + blocks + 16 * 8 + 8 * planes + 16 * 4);
        let pooled = 2 * (2 * 16 * 16);
        convolutions + pooled + 2 * 8 * rest + 2 * 4 * 32 + 32 * 3
    });
}

#[test]
fn calibration_positions_are_different_ones() {
    let variant = Default::default();
    let size = Einstein::shape(&variant).input();
    let planes = calibration::positions::<Einstein>(&variant, 100);
    let mut rows: Vec<Vec<u32>> = planes
        .chunks_exact(size)
        .map(|row| row.iter().map(|x| x.to_bits()).collect())
        .collect();
    rows.sort();
    rows.dedup();
    assert!(rows.len() > 90, "{} of 100 differ", rows.len());
}
