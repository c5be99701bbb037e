//! Runs that stop and go on, and runs that go wrong.

use std::fs;
use std::path::Path;

use burn::tensor::Device;
use engine::games::einstein::Einstein;
use engine::games::jiu::{Jiu, Variant};
use models::Artifact;
use trainer::config::Config;
use trainer::pipeline::Training;
use trainer::run::{Checkpoint, RunFolder};

use crate::support::{files_below, machine, open, tiny, tiny_einstein};

/// Every game record and net of a run, by name.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let parts = ["games", "nets"].map(|part| files_below(&folder.join(part)));
    let named = parts.into_iter().flatten().map(|path| {
        let name = path.strip_prefix(folder).unwrap().display().to_string();
        (name, fs::read(path).unwrap())
    });
    named.collect()
}

/// The numbers of a net file's weights; the identities of parameters differ from run to run.
fn same_games_and_weights(a: &Path, b: &Path) {
    let (a, b) = (RunFolder::new(a), RunFolder::new(b));
    assert_eq!(a.net_steps(), b.net_steps());
    for step in a.net_steps() {
        let load = |run: &RunFolder| {
            models::Artifact::load::<Einstein>(
                &run.net_of(step),
                &Default::default(),
                &burn::tensor::Device::flex(),
            )
            .unwrap()
        };
        assert_eq!(load(&a).hash, load(&b).hash, "the net of step {step}");
    }
    let games = |run: &RunFolder| {
        let files = files(run.root()).into_iter();
        files
            .filter(|(name, _)| name.starts_with("games"))
            .collect::<Vec<_>>()
    };
    let (a, b) = (games(&a), games(&b));
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(&b) {
        assert!(a == b, "the games of {}", a.0);
    }
}

#[test]
fn three_and_three_rounds_equal_six_rounds_bit_for_bit() {
    let (straight, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut config = tiny_einstein();
    config.run.rounds = 6;
    open(&config, straight.path(), 2).run().unwrap();

    let mut training = open(&config, broken.path(), 1);
    for _ in 0..3 {
        training.selfplay().unwrap();
        training.learn().unwrap();
    }
    drop(training);
    // One more break between self-play and learning.
    let mut training = open(&config, broken.path(), 2);
    training.selfplay().unwrap();
    drop(training);
    open(&config, broken.path(), 2).run().unwrap();
    same_games_and_weights(straight.path(), broken.path());
}

#[test]
fn a_damaged_checkpoint_is_skipped_for_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let config = tiny_einstein();
    open(&config, folder.path(), 2).run().unwrap();
    let run = RunFolder::new(folder.path());
    let mut bytes = fs::read(run.checkpoint()).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(run.checkpoint(), &bytes).unwrap();
    let restored = Checkpoint::load(&run).unwrap().unwrap();
    assert!(
        restored.message.contains("previous.trb"),
        "{}",
        restored.message
    );
    assert!(restored.message.contains("latest.trb") && restored.message.contains("damaged"));
    open(&config, folder.path(), 2).run().unwrap();

    fs::write(run.checkpoint(), b"x").unwrap();
    fs::write(run.previous_checkpoint(), b"").unwrap();
    let error = Checkpoint::load(&run)
        .expect_err("no whole checkpoint")
        .to_string();
    assert!(
        error.contains("latest.trb") && error.contains("previous.trb"),
        "{error}"
    );
}

#[test]
fn a_run_goes_on_only_under_its_own_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let config = tiny_einstein();
    drop(open(&config, folder.path(), 1));
    let mut other = config.clone();
    other.learning.rate = 0.5;
    other.run.rounds = 9;
    let error = Training::open(other, RunFolder::new(folder.path()), machine(1), false);
    let error = error.err().expect("another rate").to_string();
    assert!(
        error.contains("learning.rate") && !error.contains("rounds"),
        "{error}"
    );
}

#[test]
fn a_half_made_run_folder_is_recognised() {
    // Killed right after the start: folders, perhaps run.json, but no checkpoint.
    let folder = tempfile::tempdir().unwrap();
    let run = RunFolder::new(folder.path());
    run.create().unwrap();
    fs::write(run.checkpoints().join("latest.trb.tmp"), b"half").unwrap();
    open(&tiny_einstein(), folder.path(), 1).selfplay().unwrap();
}

#[test]
fn a_loss_that_is_not_finite_stops_the_run_and_keeps_the_last_good_net() {
    // B3.
    let folder = tempfile::tempdir().unwrap();
    let mut config = tiny_einstein();
    config.run.rounds = 30;
    config.learning.rate = 1e30;
    config.learning.clip_norm = 1e30;
    let error = open(&config, folder.path(), 2)
        .run()
        .expect_err("an exploding loss")
        .to_string();
    assert!(
        error.contains("learning step") && error.contains("not finite"),
        "{error}"
    );
    let run = RunFolder::new(folder.path());
    for step in run.net_steps() {
        let net = models::Artifact::load::<Einstein>(
            &run.net_of(step),
            &Default::default(),
            &burn::tensor::Device::flex(),
        )
        .unwrap();
        let weights = models::net::flat_parameters(&net.net);
        assert!(weights.iter().flatten().all(|weight| weight.is_finite()));
    }
    assert!(Checkpoint::load(&run).unwrap().is_some());
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let blocked = folder.path().join("run");
    fs::write(&blocked, b"a file stands here").unwrap();
    let error = Training::open(tiny_einstein(), RunFolder::new(&blocked), machine(1), false);
    let error = format!("{:#}", error.err().expect("no folder"));
    assert!(error.contains("run"), "{error}");
}

#[test]
fn a_refused_candidate_leaves_the_acting_net_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = tiny_einstein();
    config.gate.pairs = 20;
    config.gate.simulations = 2;
    config.gate.threshold = 1.0;
    // A net that has hardly learned does not win all of forty games against itself.
    config.learning.rate = 1e-9;
    open(&config, folder.path(), 2).run().unwrap();
    let run = RunFolder::new(folder.path());
    let restored = Checkpoint::load(&run).unwrap().unwrap().checkpoint;
    assert_eq!(restored.acting_step, 0);
    assert_eq!(run.net_steps(), [0]);
}

#[test]
fn a_round_that_was_closed_just_before_a_kill_gets_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let config = tiny_einstein();
    open(&config, folder.path(), 2).run().unwrap();
    let path = folder.path().join("metrics.jsonl");
    let whole = fs::read_to_string(&path).unwrap();
    let first = whole.lines().next().unwrap();
    fs::write(&path, format!("{first}\n")).unwrap();
    drop(open(&config, folder.path(), 2));
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
}

#[test]
fn a_run_that_is_done_says_so_when_asked_for_a_round_more() {
    let folder = tempfile::tempdir().unwrap();
    let config = tiny_einstein();
    let mut training = open(&config, folder.path(), 2);
    training.run().unwrap();
    let error = training
        .selfplay()
        .expect_err("no round is left")
        .to_string();
    assert!(
        error.contains("2 rounds") && error.contains("run.rounds"),
        "{error}"
    );
}

#[test]
fn rounds_that_finish_no_game_are_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = tiny_einstein();
    config.selfplay.positions = 10;
    config.run.rounds = 4;
    open(&config, folder.path(), 2).run().unwrap();
}

/// A Jiu run on boards of a size.
fn tiny_jiu(size: u8) -> Config<Jiu> {
    let mut config = tiny::<Jiu>();
    config.game.variant = Variant::sized(size);
    config
}

#[test]
fn a_net_of_small_boards_goes_on_learning_on_larger_ones() {
    let folders: Vec<_> = (0..2).map(|_| tempfile::tempdir().unwrap()).collect();
    let mut small = open(&tiny_jiu(6), folders[0].path(), 2);
    small.run().unwrap();
    let small = RunFolder::new(folders[0].path());
    let last = *small.net_steps().last().unwrap();
    let mut config = tiny_jiu(8);
    config.run.from = small.net_of(last);
    let mut large = open(&config, folders[1].path(), 2);
    let hash = |run: &RunFolder, step, size| {
        let variant = Variant::sized(size);
        let net = Artifact::load::<Jiu>(&run.net_of(step), &variant, &Device::flex());
        net.unwrap().hash
    };
    let run = RunFolder::new(folders[1].path());
    assert_eq!(hash(&run, 0, 8), hash(&small, last, 6));
    large.run().unwrap();

    let folder = tempfile::tempdir().unwrap();
    config.net.channels = 16;
    let error = Training::open(config, RunFolder::new(folder.path()), machine(1), false);
    let error = error.err().unwrap().to_string();
    assert!(
        error.contains("[net] asks for") && error.contains("nets"),
        "{error}"
    );
}
