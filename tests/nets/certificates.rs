//! An export proves itself on real positions, or fails.

use std::collections::HashSet;

use burn::module::{Module, ModuleMapper, Param};
use burn::tensor::Tensor;
use engine::Encode;
use engine::games::einstein::Einstein;
use engine::games::jiu::{self, Jiu};
use engine::games::surakarta::Surakarta;
use models::Artifact;
use models::export::Format;
use models::export::certificate::{Certified, POSITIONS, compare};
use models::export::onnx::runtime;
use models::export::samples::{Answer, Sample};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use crate::support::artifact;

fn document(certified: &Certified) -> Json {
    serde_json::to_value(&certified.certificate).unwrap()
}

/// A net of this variant is certified on different positions of these board sizes, from all over the game.
fn is_certified<G: Encode>(variant: &G::Variant, boards: &[u64]) {
    let net = artifact::<G>(variant);
    let certified = Certified::new::<G>(&net, variant).unwrap();
    let found = document(&certified);
    assert_eq!(found["positions"], POSITIONS);
    assert_eq!(
        (&found["hash"], &found["step"]),
        (&json!(net.hash), &json!(50))
    );
    for format in Format::ALL {
        let digest = Sha256::digest(certified.bytes(format));
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(found["files"][format.name()]["sha256"], digest);
    }
    let exact = json!({"policy": 0.0, "outcomes": 0.0, "value": 0.0});
    assert_eq!(
        found["files"]["safetensors"]["differences"], exact,
        "read back bit by bit"
    );
    let onnx = &found["files"]["onnx"]["differences"];
    assert_eq!(onnx.is_null(), runtime::NAME.is_none());
    let compared = certified.certificate.compared();
    assert_eq!(compared.contains(&Format::Onnx), runtime::NAME.is_some());

    let samples = found["samples"].as_array().unwrap();
    let planes: HashSet<_> = samples
        .iter()
        .map(|sample| (&sample["board"], sample["planes"].to_string()))
        .collect();
    assert_eq!(planes.len(), POSITIONS, "different positions");
    let sides: HashSet<_> = samples
        .iter()
        .map(|sample| sample["board"][0].as_u64().unwrap())
        .collect();
    assert_eq!(sides, boards.iter().copied().collect());
    for sample in samples {
        let logit = |index: &Json| {
            sample["policy"][index.as_u64().unwrap() as usize]
                .as_f64()
                .unwrap()
        };
        let legal = sample["legal"].as_array().unwrap();
        let best = logit(&sample["best"]);
        assert!(legal.contains(&sample["best"]) && legal.iter().all(|index| logit(index) <= best));
    }
}

#[test]
fn nets_of_every_game_are_certified() {
    is_certified::<Einstein>(&Default::default(), &[5]);
    is_certified::<Surakarta>(&Default::default(), &[6]);
    is_certified::<Jiu>(&jiu::Variant::sized(6), &[6, 8, 10, 12, 14]);
}

#[test]
fn a_certificate_shows_eight_samples_and_is_the_same_each_time() {
    let variant = Default::default();
    let certified =
        || Certified::new::<Surakarta>(&artifact::<Surakarta>(&variant), &variant).unwrap();
    let (first, second) = (certified(), certified());
    assert_eq!(first.certificate, second.certificate);
    let short = serde_json::to_value(first.certificate.shortened()).unwrap();
    let (shown, all) = (&short["samples"], &document(&first)["samples"]);
    assert_eq!(shown.as_array().unwrap().len(), 8);
    assert!(
        shown
            .as_array()
            .unwrap()
            .iter()
            .all(|sample| all.as_array().unwrap().contains(sample))
    );
    assert_eq!(short["positions"], POSITIONS);
}

/// The net with all its biases changed.
fn with_biases(net: Artifact, factor: f32) -> Artifact {
    struct Biases(f32);
    impl ModuleMapper for Biases {
        fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
            match D {
                1 => param.map(|bias| bias * self.0),
                _ => param,
            }
        }
    }
    let Artifact { origin, net, .. } = net;
    Artifact::new(origin, net.map(&mut Biases(factor)))
}

#[test]
fn a_net_that_answers_with_no_numbers_is_not_certified() {
    let variant = Default::default();
    let broken = with_biases(artifact::<Einstein>(&variant), f32::NAN);
    let error = Certified::new::<Einstein>(&broken, &variant).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("not all of its weights are finite"),
        "{error}"
    );
}

#[test]
fn answers_that_rounding_moves_too_far_are_not_certified() {
    // Logits of about a million are rounded to more than a hundredth.
    let variant = Default::default();
    let large = with_biases(artifact::<Einstein>(&variant), 1e7);
    let found = Certified::new::<Einstein>(&large, &variant);
    match runtime::NAME {
        None => assert_eq!(found.unwrap().certificate.compared(), [Format::Safetensors]),
        Some(_) => {
            let error = found.unwrap_err().to_string();
            assert!(
                error.contains("onnx file's") && error.contains("less than 1e-4"),
                "{error}"
            );
        }
    }
}

#[test]
fn answers_within_the_tolerance_that_prefer_another_move_are_refused() {
    let answer = |policy: [f32; 3]| Answer {
        policy: policy.to_vec(),
        outcomes: vec![0.0, 0.0],
        value: 0.0,
    };
    let sample = Sample {
        board: [1, 1],
        text: "a position".to_string(),
        planes: Vec::new(),
        legal: vec![0, 2],
        best: 2,
        answer: answer([0.5, 9.0, 0.500_02]),
    };
    let compared = |policy| {
        let samples = std::slice::from_ref(&sample);
        compare(Format::Onnx, samples, &[answer(policy)])
    };
    let close = compared([0.5, 9.000_05, 0.500_03]).unwrap();
    assert!((close.policy - 5e-5).abs() < 1e-6, "{close:?}");
    let error = compared([0.500_03, 9.0, 0.5]).unwrap_err().to_string();
    assert_eq!(
        error,
        "in 'a position' the onnx file prefers policy index 0, and the net 2"
    );
}
