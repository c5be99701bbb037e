//! The nets that the program carries are those of `models/nets/`, small, certified, and of this build.

use std::fs;
use std::path::Path;

use burn::tensor::Device;
use engine::Encode;
use engine::games::einstein::Einstein;
use engine::games::jiu::{Jiu, Variant};
use engine::games::surakarta::Surakarta;
use models::{Artifact, bundled};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

const MOST_BYTES: usize = 1 << 20;

fn load<G: Encode>(path: &Path, variant: &G::Variant) -> Artifact {
    let artifact = Artifact::load::<G>(path, variant, &Device::flex());
    artifact.unwrap_or_else(|error| panic!("{error}"))
}

fn check<G: Encode>(variant: &G::Variant) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("nets")
        .join(G::NAME);
    let file = folder.join("net.safetensors");
    let (kept, carried) = (
        load::<G>(&file, variant),
        load::<G>(Path::new(bundled::PATH), variant),
    );
    assert_eq!(carried.hash, kept.hash);
    assert_eq!(carried.origin, kept.origin);

    let bytes = fs::read(file).unwrap();
    assert!(bytes.len() < MOST_BYTES, "{} bytes", bytes.len());
    let certificate = fs::read(folder.join("net.certificate.json")).unwrap();
    let certificate: Json = serde_json::from_slice(&certificate).unwrap();
    assert_eq!(certificate["game"], G::NAME);
    assert_eq!(certificate["hash"], kept.hash);
    assert_eq!(certificate["step"], kept.origin.step);
    let sum: String = Sha256::digest(&bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(certificate["files"]["safetensors"]["sha256"], sum);
    let told = fs::read_to_string(folder.join("RESULT.md")).unwrap();
    assert!(told.contains(&kept.hash), "RESULT.md speaks of this net");
}

#[test]
fn every_game_has_a_small_net_with_its_certificate() {
    check::<Einstein>(&Default::default());
    check::<Surakarta>(&Default::default());
    check::<Jiu>(&Variant::sized(8));
}

#[test]
fn the_net_of_jiu_serves_the_competition_board() {
    load::<Jiu>(Path::new(bundled::PATH), &Variant::sized(14));
}
