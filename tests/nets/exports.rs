//! Nets as safetensors files: what stands in them, and that they come back bit by bit.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use burn::tensor::Device;
use engine::Encode;
use engine::games::einstein::Einstein;
use engine::games::jiu::{self, Jiu};
use engine::games::surakarta::Surakarta;
use models::artifact::FILE;
use models::export::{self, Format};
use models::net::{flat_parameters, parameters};
use models::{Artifact, ArtifactError};
use serde_json::Value as Json;

use crate::support::artifact;

fn bytes_of<G: Encode>(artifact: &Artifact, variant: &G::Variant) -> Vec<u8> {
    export::encode::<G>(artifact, variant, Format::Safetensors)
}

fn load<G: Encode>(path: &Path, variant: &G::Variant) -> Result<Artifact, ArtifactError> {
    Artifact::load::<G>(path, variant, &Device::flex())
}

fn comes_back<G: Encode>(variant: &G::Variant) {
    let folder = tempfile::tempdir().unwrap();
    let (exported, native) = (
        folder.path().join("net.safetensors"),
        folder.path().join(FILE),
    );
    let saved = artifact::<G>(variant);
    let bytes = bytes_of::<G>(&saved, variant);
    fs::write(&exported, &bytes).unwrap();
    let loaded = load::<G>(&exported, variant).unwrap();
    assert_eq!(flat_parameters(&loaded.net), flat_parameters(&saved.net));
    assert_eq!(loaded.origin, saved.origin);
    assert!(
        bytes_of::<G>(&loaded, variant) == bytes,
        "equal nets, equal files, the licence too"
    );
    loaded.save(&native).unwrap();
    let again = load::<G>(&native, variant).unwrap();
    assert_eq!(again.hash, saved.hash);
    assert_eq!(flat_parameters(&again.net), flat_parameters(&saved.net));
}

#[test]
fn a_net_of_every_game_comes_back_bit_by_bit() {
    comes_back::<Einstein>(&Default::default());
    comes_back::<Surakarta>(&Default::default());
    comes_back::<Jiu>(&jiu::Variant::sized(8));
}

/// The header and the numbers behind it, read after the format's description
/// (huggingface/safetensors, README, "Format") without the library.
fn parts(bytes: &[u8]) -> (BTreeMap<String, Json>, &[u8]) {
    let (length, rest) = bytes.split_first_chunk::<8>().unwrap();
    let (header, numbers) = rest.split_at(u64::from_le_bytes(*length) as usize);
    (serde_json::from_slice(header).unwrap(), numbers)
}

fn numbers(header: &BTreeMap<String, Json>, data: &[u8], name: &str) -> (Vec<u64>, Vec<f32>) {
    let at = |index: usize| header[name]["data_offsets"][index].as_u64().unwrap() as usize;
    let words = data[at(0)..at(1)].chunks_exact(4);
    let shape = header[name]["shape"].as_array().unwrap();
    (
        shape.iter().map(|axis| axis.as_u64().unwrap()).collect(),
        words
            .map(|word| f32::from_le_bytes(word.try_into().unwrap()))
            .collect(),
    )
}

#[test]
fn tensors_have_plain_names_and_the_output_comes_first() {
    let saved = artifact::<Einstein>(&Default::default());
    let bytes = bytes_of::<Einstein>(&saved, &Default::default());
    let (header, data) = parts(&bytes);
    let layers = [
        "blocks.0.first",
        "blocks.0.second",
        "blocks.1.first",
        "blocks.1.second",
        "policy.conv",
        "policy.linear",
        "stem",
        "value.conv",
        "value.hidden",
        "value.output",
    ];
    let both = layers
        .iter()
        .flat_map(|layer| ["bias", "weight"].map(|kind| format!("{layer}.{kind}")));
    let names: Vec<_> = header
        .keys()
        .filter(|&name| name != "__metadata__")
        .cloned()
        .collect();
    assert_eq!(names, both.collect::<Vec<_>>());
    let (shape, stem) = numbers(&header, data, "stem.weight");
    assert_eq!(shape, [8, 25, 3, 3]);
    let flat = flat_parameters(&saved.net);
    assert_eq!(
        stem, flat[0],
        "the stem is defined first, and burn has the same layout"
    );

    // burn keeps a linear layer as [in, out].
    let (shape, output) = numbers(&header, data, "value.output.weight");
    assert_eq!(shape, [2, 32]);
    let ours = &flat[flat.len() - 2];
    for (out, row) in output.chunks_exact(32).enumerate() {
        for (from, weight) in row.iter().enumerate() {
            assert_eq!(*weight, ours[from * 2 + out]);
        }
    }
}

#[test]
fn the_heads_of_other_games_have_names_of_their_own() {
    let names = |artifact: &Artifact| parameters(&artifact.net).into_keys().collect::<Vec<_>>();
    let surakarta = names(&artifact::<Surakarta>(&Default::default()));
    let jiu = names(&artifact::<Jiu>(&jiu::Variant::sized(6)));
    for name in ["policy.from.weight", "policy.to.bias"] {
        assert!(surakarta.iter().any(|found| found == name), "{surakarta:?}");
    }
    for name in [
        "policy.conv.weight",
        "policy.planes.weight",
        "policy.rest.bias",
        "blocks.1.pooled.weight",
    ] {
        assert!(jiu.iter().any(|found| found == name), "{jiu:?}");
    }
}

#[test]
fn the_metadata_say_what_the_net_is_for() {
    let variant = jiu::Variant::sized(8);
    let saved = artifact::<Jiu>(&variant);
    let bytes = bytes_of::<Jiu>(&saved, &variant);
    let (header, _) = parts(&bytes);
    let texts = &header["__metadata__"];
    let version = |number: u16| number.to_string();
    for (key, text) in [
        ("tribord", "1"),
        ("game", "jiu"),
        ("rules", &version(<Jiu as engine::Game>::RULES)),
        ("encoding", &version(Jiu::ENCODING)),
        ("boards", "6x6 8x8 10x10 12x12 14x14"),
        ("planes", "31"),
        ("policy", "11 * rows * columns + 1"),
        ("outcomes", "win draw loss"),
        ("view", "side to move"),
        ("step", "50"),
        ("hash", &saved.hash),
        ("licence", "CC0-1.0"),
    ] {
        assert_eq!(texts[key], text, "{key}");
    }
}

/// The error for a file with these bytes; it names the file.
fn error_of(name: &str, bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let error = load::<Einstein>(&path, &Default::default()).expect_err("a bad file");
    let error = error.to_string();
    assert!(error.contains(name), "{error}");
    error
}

fn good() -> Vec<u8> {
    let variant = Default::default();
    bytes_of::<Einstein>(&artifact::<Einstein>(&variant), &variant)
}

#[test]
fn a_file_that_is_cut_short_or_prolonged_says_both_sizes() {
    // X5.
    let good = good();
    let prolonged = [&good[..], &[0; 16]].concat();
    for bytes in [&good[..good.len() / 2], &good[..good.len() - 1], &prolonged] {
        let error = error_of("net.safetensors", bytes);
        let sizes = format!("{} bytes expected, {} found", good.len(), bytes.len());
        assert!(
            error.contains("damaged or cut short") && error.contains(&sizes),
            "{error}"
        );
    }
    // Seven bytes do not even say how long the file should be.
    let error = error_of("net.safetensors", &good[..7]);
    assert!(
        error.contains("damaged or cut short: 8 bytes expected, 7 found"),
        "{error}"
    );
    // Within the header its end is not known, only where the numbers would begin.
    let error = error_of("net.safetensors", &good[..100]);
    assert!(error.contains("damaged or cut short"), "{error}");
}

#[test]
fn files_of_other_kinds_are_told_apart() {
    // A14.
    let good = good();
    let native = models::artifact::NET.encode(&0_u8).unwrap();
    for (name, bytes, part) in [
        (
            "net.safetensors",
            b"\x1f\x8b\x08\0\0\0\0\0\0\x03rest of it".as_slice(),
            "gzip-packed",
        ),
        ("net.safetensors", b"\x08\x08\x12\x07tribord", "ONNX"),
        ("net.safetensors", &native, "a file of tribord itself"),
        ("net.safetensors", b"", "empty"),
        ("net.safetensors", &[0xFF; 64], "foreign"),
        ("net.trb", &good, "safetensors"),
        ("net.onnx", &good, "safetensors"),
        ("net.onnx", b"", "empty"),
        (
            "net.trb",
            b"\x1f\x8b\x08\0\0\0\0\0\0\x03rest of it",
            "gzip-packed",
        ),
    ] {
        let error = error_of(name, bytes);
        assert!(error.contains(part), "{error}");
    }
}

/// The good file with a part of its header replaced by a text of the same length.
fn edited(from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = good();
    let at = bytes
        .windows(from.len())
        .position(|part| part == from.as_bytes());
    let at = at.unwrap();
    bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
    bytes
}

#[test]
fn a_newer_export_asks_for_a_newer_program() {
    let error = error_of(
        "net.safetensors",
        &edited(r#""tribord":"1""#, r#""tribord":"2""#),
    );
    assert!(
        error.contains("format 2") && error.contains("a newer tribord is needed"),
        "{error}"
    );
}

#[test]
fn what_does_not_fit_is_named() {
    for (from, to, part) in [
        (
            r#""tribord":"#,
            r#""nothing":"#,
            "does not say that it is a net of tribord",
        ),
        (
            r#""game":"einstein""#,
            r#""game":"eleusine""#,
            "a net for eleusine",
        ),
        (
            r#""step":"50""#,
            r#""step":"5x""#,
            "its step cannot be read",
        ),
        ("stem.bias", "stem.bios", "stem.bias is missing"),
        (
            r#"\"blocks\":2,"#,
            r#"\"blocks\":0,"#,
            "its net.blocks must be from 1 to 64",
        ),
        (
            r#"\"blocks\":2,"#,
            "             ",
            "its network does not state blocks",
        ),
        (
            r#"\"value_scale\":0.1,"#,
            r#"\"value_scale\":0.0,"#,
            "its search.value_scale must be a finite number above 0",
        ),
        (
            r#""view":"side to move""#,
            r#""view":"side to lose""#,
            "it says view 'side to lose' where 'side to move' is right",
        ),
        (
            r#""boards":"5x5""#,
            r#""boards":"9x9""#,
            "it says boards '9x9' where '5x5' is right",
        ),
        (
            r#""outcomes":"win loss""#,
            r#""outcomes":"loss win""#,
            "it says outcomes 'loss win' where 'win loss' is right",
        ),
        (
            r#"bias":{"dtype":"F32""#,
            r#"bias":{"dtype":"I32""#,
            "32-bit floats",
        ),
        (
            r#""shape":[8,25,3,3]"#,
            r#""shape":[25,8,3,3]"#,
            "stem.weight has another shape",
        ),
    ] {
        let error = error_of("net.safetensors", &edited(from, to));
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_changed_number_is_damage() {
    let mut bytes = good();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    let error = error_of("net.safetensors", &bytes);
    assert!(error.contains("its weights have the hash"), "{error}");
}
