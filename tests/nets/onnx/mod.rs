//! ONNX files: their form, and that their graphs are the networks.

mod file;
mod operators;

use std::collections::BTreeMap;

use burn::tensor::Device;
use engine::Encode;
use engine::games::einstein::Einstein;
use engine::games::jiu::{self, Jiu};
use engine::games::surakarta::Surakarta;
use models::export::onnx::runtime;
use models::export::{self, Format, onnx};
use models::forward::Buffers;
use models::{Artifact, Forward, Kernel, Ready, calibration};

use crate::support::artifact;
use file::File;
use operators::{Array, run};

fn exported<G: Encode>(artifact: &Artifact, variant: &G::Variant) -> File {
    let bytes = export::encode::<G>(artifact, variant, Format::Onnx);
    File::read(&bytes)
}

/// Name, type (1 is a 32-bit float) and axes.
fn tensors(tensors: &[file::Tensor]) -> Vec<(&str, u64, Vec<&str>)> {
    let shown = tensors.iter().map(|tensor| {
        let axes = tensor.axes.iter().map(String::as_str).collect();
        (&tensor.name[..], tensor.element, axes)
    });
    shown.collect()
}

#[test]
fn inputs_and_outputs_have_names_and_a_batch_of_any_size() {
    // X3.
    let variant = Default::default();
    let einstein = exported::<Einstein>(&artifact::<Einstein>(&variant), &variant);
    assert_eq!(
        tensors(&einstein.inputs),
        [("planes", 1, vec!["batch", "25", "5", "5"])]
    );
    let outputs = |policy, outcomes| {
        [
            ("policy", 1, vec!["batch", policy]),
            ("outcomes", 1, vec!["batch", outcomes]),
            ("value", 1, vec!["batch"]),
        ]
    };
    assert_eq!(tensors(&einstein.outputs), outputs("24", "2"));
    let variant = Default::default();
    let surakarta = exported::<Surakarta>(&artifact::<Surakarta>(&variant), &variant);
    assert_eq!(tensors(&surakarta.outputs), outputs("1296", "3"));
    let variant = jiu::Variant::sized(6);
    let jiu = exported::<Jiu>(&artifact::<Jiu>(&variant), &variant);
    let expected = [
        ("planes", 1, vec!["batch", "31", "rows", "columns"]),
        ("mask", 1, vec!["batch", "1", "rows", "columns"]),
    ];
    assert_eq!(tensors(&jiu.inputs), expected);
    assert_eq!(tensors(&jiu.outputs), outputs("policy", "3"));

    for file in [einstein, surakarta, jiu] {
        assert_eq!(file.ir_version, 8);
        assert_eq!(file.operator_sets, [(String::new(), 17)]);
        for node in &file.nodes {
            assert!(
                onnx::OPERATORS.contains(&&node.operator[..]),
                "{}",
                node.operator
            );
        }
        for (key, text) in [
            ("view", "side to move"),
            ("step", "50"),
            ("licence", "CC0-1.0"),
        ] {
            assert_eq!(file.metadata[key], text);
        }
    }
}

#[test]
fn both_formats_say_the_same_of_a_net() {
    let variant = Default::default();
    let net = artifact::<Surakarta>(&variant);
    let bytes = export::encode::<Surakarta>(&net, &variant, Format::Safetensors);
    let (texts, parameters) = export::safetensors::decode(&bytes).unwrap();
    let file = exported::<Surakarta>(&net, &variant);
    assert_eq!(file.metadata, texts);
    for (name, parameter) in parameters {
        let Array { shape, values } = &file.constants[&name];
        assert_eq!(shape, &parameter.shape);
        assert!(
            values
                .iter()
                .zip(&parameter.values)
                .all(|(&a, &b)| a == f64::from(b))
        );
    }
}

/// The net's own answers: policy logits, outcomes' logits and values.
fn answers<G: Encode>(artifact: &Artifact, variant: &G::Variant, planes: &[f32]) -> [Vec<f32>; 3] {
    let forward = Forward::new::<G>(&artifact.net, variant, &Device::flex(), Kernel::Auto);
    let mut buffers = Buffers::default();
    forward.run(planes, &mut buffers);
    [buffers.policy(), buffers.outcomes(), buffers.values()].map(<[f32]>::to_vec)
}

fn assert_near(found: &[f64], wanted: &[f32], what: &str) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (found, &wanted) in found.iter().zip(wanted) {
        assert!(
            (found - f64::from(wanted)).abs() < 1e-4,
            "{what}: {found} for {wanted}"
        );
    }
}

fn array(shape: &[usize], numbers: &[f32]) -> Array {
    Array::new(
        shape.to_vec(),
        numbers.iter().map(|&number| number.into()).collect(),
    )
}

/// The graph of a game's net, run operator by operator, gives what the net gives.
fn graph_is_the_network<G: Encode>(variant: &G::Variant) {
    const COUNT: usize = 3;
    let artifact = artifact::<G>(variant);
    let file = exported::<G>(&artifact, variant);
    let planes = calibration::positions::<G>(variant, COUNT);
    let shape = G::shape(variant);
    let (rows, columns) = (shape.rows, shape.columns);
    let mut inputs = BTreeMap::from([(
        "planes".to_string(),
        array(&[COUNT, shape.planes, rows, columns], &planes),
    )]);
    if file.inputs.len() == 2 {
        let mask = vec![1.0; COUNT * rows * columns];
        inputs.insert("mask".to_string(), array(&[COUNT, 1, rows, columns], &mask));
    }
    let found = run(&file, inputs);
    let wanted = answers::<G>(&artifact, variant, &planes);
    for (what, wanted) in ["policy", "outcomes", "value"].into_iter().zip(&wanted) {
        assert_near(&found[what].values, wanted, what);
    }
}

#[test]
fn the_graph_of_every_game_is_the_network() {
    graph_is_the_network::<Einstein>(&Default::default());
    graph_is_the_network::<Surakarta>(&Default::default());
    graph_is_the_network::<Jiu>(&jiu::Variant::sized(8));
}

#[test]
fn a_batch_may_hold_boards_of_several_sizes() {
    let sizes = [jiu::Variant::sized(6), jiu::Variant::sized(8)];
    let net = artifact::<Jiu>(&sizes[0]);
    let file = exported::<Jiu>(&net, &sizes[0]);
    let (side, depth) = (8, Jiu::shape(&sizes[0]).planes);
    let mut planes = vec![0.0; 2 * depth * side * side];
    let mut mask = vec![0.0; 2 * side * side];
    let mut wanted = Vec::new();
    for (place, variant) in sizes.iter().enumerate() {
        let own = calibration::positions::<Jiu>(variant, 1);
        let size = usize::from(variant.size);
        for (at, &number) in own.iter().enumerate() {
            let (plane, row, column) = (at / (size * size), at / size % size, at % size);
            planes[((place * depth + plane) * side + row) * side + column] = number;
            mask[(place * side + row) * side + column] = 1.0;
        }
        wanted.push((size, answers::<Jiu>(&net, variant, &own)));
    }
    let found = run(
        &file,
        BTreeMap::from([
            (
                "planes".to_string(),
                array(&[2, depth, side, side], &planes),
            ),
            ("mask".to_string(), array(&[2, 1, side, side], &mask)),
        ]),
    );
    for (place, (size, [policy, outcomes, value])) in wanted.iter().enumerate() {
        let row = |name: &str| {
            let length = found[name].values.len() / 2;
            &found[name].values[place * length..(place + 1) * length]
        };
        assert_near(row("outcomes"), outcomes, "outcomes");
        assert_near(row("value"), value, "value");
        let all = row("policy");
        let (points, rest) = all.split_at(all.len() - 1);
        let on_board = points
            .iter()
            .enumerate()
            .filter(|(at, _)| at / side % side < *size && at % side < *size);
        let own: Vec<_> = on_board
            .map(|(_, &logit)| logit)
            .chain(rest.iter().copied())
            .collect();
        assert_near(&own, policy, "policy");
    }
}

/// The error for an ONNX file with these bytes; it names the file.
fn error_of<G: Encode>(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.onnx");
    std::fs::write(&path, bytes).unwrap();
    let variant = G::Variant::default();
    let ready = Ready::load::<G>(&path, &variant, &Device::flex(), Kernel::Auto);
    let error = ready.expect_err("a bad file").to_string();
    assert!(error.contains("net.onnx"), "{error}");
    error
}

#[test]
fn files_that_are_no_net_to_play_with_are_told_apart() {
    let variant = Default::default();
    let net = artifact::<Einstein>(&variant);
    let good = export::encode::<Einstein>(&net, &variant, Format::Onnx);
    let other = export::encode::<Einstein>(&net, &variant, Format::Safetensors);
    for length in [7, good.len() / 2, good.len() - 1] {
        let error = error_of::<Einstein>(&good[..length]);
        assert!(error.contains("damaged or cut short"), "{length}: {error}");
    }
    assert!(error_of::<Einstein>(&other).contains("looks like a safetensors file"));
    assert!(error_of::<Einstein>(b"\x1f\x8b\x08\0\0\0\0\0\0\x03").contains("gzip-packed"));
    assert!(error_of::<Surakarta>(&good).contains("a net for einstein"));
    let foreign = b"\x08\x08\x12\x07pytorch";
    assert!(error_of::<Einstein>(foreign).contains("does not say that it is a net of tribord"));
}

#[test]
fn a_runtime_plays_the_network_where_it_is_built_in() {
    let variant = jiu::Variant::sized(8);
    let net = artifact::<Jiu>(&variant);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.onnx");
    let bytes = export::encode::<Jiu>(&net, &variant, Format::Onnx);
    std::fs::write(&path, bytes).unwrap();
    for size in [8, 6] {
        let variant = jiu::Variant::sized(size);
        let ready = Ready::load::<Jiu>(&path, &variant, &Device::flex(), Kernel::Auto);
        if runtime::NAME.is_none() {
            let error = ready.expect_err("no runtime").to_string();
            assert!(
                error.contains("net.onnx: an ONNX file needs a build with"),
                "{error}"
            );
            continue;
        }
        let ready = ready.unwrap();
        assert_eq!((&ready.hash, &ready.origin), (&net.hash, &net.origin));
        // One buffer serves batches of every size.
        let mut buffers = Buffers::default();
        for count in [1, 7, 2] {
            let planes = calibration::positions::<Jiu>(&variant, count);
            ready.forward.run(&planes, &mut buffers);
            let [policy, outcomes, value] = answers::<Jiu>(&net, &variant, &planes);
            for (found, wanted) in [
                (buffers.policy(), policy),
                (buffers.outcomes(), outcomes),
                (buffers.values(), value),
            ] {
                let found: Vec<_> = found.iter().map(|&number| f64::from(number)).collect();
                assert_near(&found, &wanted, "answers");
            }
        }
    }
}
