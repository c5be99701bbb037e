//! Weights that do not fit together are refused, and say why.

use inference::{Conv, Network};

use crate::sample::{Sample, Shape};

fn message(change: impl FnOnce(&mut inference::Weights<'_>)) -> String {
    let sample = Sample::new(Shape::square(4, 5, 2, 8), 7);
    let mut weights = sample.weights();
    change(&mut weights);
    Network::new(&weights).unwrap_err().to_string()
}

#[test]
fn a_short_stem_is_refused() {
    let got = message(|w| w.stem.weight = &w.stem.weight[1..]);
    let wanted = "the weight of the stem holds 287 numbers where the network's shape asks for 288";
    assert_eq!(got, wanted);
}

#[test]
fn a_block_of_other_width_is_refused() {
    let got = message(|w| {
        let Conv { weight, bias } = w.blocks[1].first;
        w.blocks[1].first = Conv {
            weight: &weight[..9 * 8 * 7],
            bias: &bias[..7],
        };
    });
    assert!(
        got.contains("the first convolution of block 1 holds 7"),
        "{got}"
    );
}

#[test]
fn a_policy_layer_for_another_board_is_refused() {
    let got = message(|w| w.columns = 6);
    assert!(
        got.contains("the policy head's first linear layer"),
        "{got}"
    );
}

#[test]
fn a_network_is_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Network>();
}
