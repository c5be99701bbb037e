//! A net's file knows what it is for.

use burn::tensor::{Device, Tensor};
use engine::Encode;
use engine::games::einstein::{Einstein, Rules};
use engine::games::jiu::{self, Jiu};
use engine::games::surakarta::Surakarta;
use engine::search::Params;
use models::artifact::{FILE, NET, outcomes};
use models::{Artifact, Net, NetConfig, Origin};

fn small() -> NetConfig {
    NetConfig {
        blocks: 1,
        channels: 4,
        ..NetConfig::default()
    }
}

fn fresh(seed: u64) -> Artifact {
    let shape = Einstein::shape(&Rules {});
    let net = Net::new(
        &small(),
        shape,
        outcomes::<Einstein>(),
        seed,
        &Device::flex(),
    );
    Artifact::new(
        Origin::of::<Einstein>(&Rules {}, small(), Params::default(), 12),
        net,
    )
}

#[test]
fn a_net_comes_back_with_the_same_weights() {
    let folder = tempfile::tempdir().unwrap();
    let saved = fresh(1);
    saved.save(&folder.path().join(FILE)).unwrap();
    for path in [folder.path().to_path_buf(), folder.path().join(FILE)] {
        let loaded =
            Artifact::load::<Einstein>(&path, &Default::default(), &Device::flex()).unwrap();
        assert_eq!(loaded.hash, saved.hash);
        assert_eq!(loaded.origin, saved.origin);
        assert_eq!(
            models::net::flat_parameters(&loaded.net),
            models::net::flat_parameters(&saved.net)
        );
    }
}

#[test]
fn the_seed_alone_decides_fresh_weights() {
    assert_eq!(fresh(5).hash, fresh(5).hash);
    assert_ne!(fresh(5).hash, fresh(6).hash);
}

#[test]
fn a_net_of_another_game_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE);
    fresh(1).save(&path).unwrap();
    let error = Artifact::load::<Surakarta>(&path, &Default::default(), &Device::flex())
        .expect_err("another game");
    let error = error.to_string();
    assert!(
        error.contains("a net for einstein") && error.contains("surakarta is played"),
        "{error}"
    );
    assert!(error.contains(FILE), "{error}");
}

#[test]
fn a_net_of_another_encoding_is_refused_with_both_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE);
    let mut artifact = fresh(1);
    artifact.origin.encoding += 1;
    artifact.save(&path).unwrap();
    let error = Artifact::load::<Einstein>(&path, &Default::default(), &Device::flex())
        .expect_err("another encoding");
    let error = error.to_string();
    let (found, wanted) = (Einstein::ENCODING + 1, Einstein::ENCODING);
    assert!(
        error.contains(&format!("encoding {found}")) && error.contains(&format!("uses {wanted}")),
        "{error}"
    );
}

#[test]
fn a_net_of_jiu_serves_every_board_size() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE);
    let six = jiu::Variant::sized(6);
    let shape = Jiu::shape(&six);
    let net = Net::new(&small(), shape, outcomes::<Jiu>(), 1, &Device::flex());
    let saved = Artifact::new(Origin::of::<Jiu>(&six, small(), Params::default(), 0), net);
    saved.save(&path).unwrap();
    for size in jiu::SIZES {
        let variant = jiu::Variant::sized(size);
        let loaded = Artifact::load::<Jiu>(&path, &variant, &Device::flex()).unwrap();
        assert_eq!(loaded.hash, saved.hash);
        let shape = Jiu::shape(&variant);
        let planes = Tensor::zeros(
            [2, shape.planes, shape.rows, shape.columns],
            &Device::flex(),
        );
        let (policy, value) = loaded.net.forward(planes);
        assert_eq!(policy.dims(), [2, shape.policy]);
        assert_eq!(value.dims(), [2, 3]);
    }
}

#[test]
fn weights_of_other_sizes_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE);
    let mut artifact = fresh(1);
    artifact.origin.config.channels = 8;
    artifact.save(&path).unwrap();
    let error = Artifact::load::<Einstein>(&path, &Default::default(), &Device::flex())
        .expect_err("other sizes");
    assert!(error.to_string().contains("weights do not fit"), "{error}");
}

#[test]
fn a_file_that_is_no_net_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE);
    let error = Artifact::load::<Einstein>(folder.path(), &Default::default(), &Device::flex())
        .expect_err("no net yet");
    let words = error.to_string();
    assert!(
        words.contains("a folder in which there is no net.trb and no net.safetensors"),
        "{words}"
    );
    NET.write(&path, &7_u8).unwrap();
    let error = Artifact::load::<Einstein>(&path, &Default::default(), &Device::flex())
        .expect_err("no net");
    assert!(
        error.to_string().contains("not readable as a net"),
        "{error}"
    );
    let missing = folder.path().join("missing.trb");
    let error = Artifact::load::<Einstein>(&missing, &Default::default(), &Device::flex())
        .expect_err("no file");
    assert!(error.to_string().contains("missing.trb"), "{error}");
}
