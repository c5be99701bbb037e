//! Small runs.

use std::fs;
use std::path::{Path, PathBuf};

use engine::games::einstein::Einstein;
use models::{DeviceChoice, Kernel, NetConfig};
use trainer::config::Config;
use trainer::dispatch::Playable;
use trainer::machine::Machine;
use trainer::pipeline::Training;
use trainer::run::RunFolder;

use crate::toy::{self, Toy};

/// A configuration whose rounds take a second or two.
pub fn tiny<G: Playable>() -> Config<G> {
    let mut config = Config::<G>::of_game();
    config.net = NetConfig {
        blocks: 1,
        channels: 8,
        ..NetConfig::default()
    };
    config.run.rounds = 2;
    config.selfplay.groups = 3;
    config.selfplay.slots = 8;
    config.selfplay.positions = 600;
    config.selfplay.full_simulations = 8;
    config.selfplay.cheap_simulations = 2;
    config.learning.batch = 32;
    config.learning.reuse = 1.0;
    config.learning.warmup_steps = 5;
    config.ladder.pairs = 0;
    config
}

pub fn tiny_einstein() -> Config<Einstein> {
    tiny()
}

/// A toy game in which one of three moves wins whatever comes, and both sides get to move.
pub fn tiny_toy() -> Config<Toy> {
    let mut config = tiny::<Toy>();
    config.game.variant = toy::Rules {
        tree: "start: A bad good worse\n\
               bad: B loss chance\n\
               worse: B loss win\n\
               good: A win chance\n\
               chance: chance 1/2 win 1/2 loss\n\
               win: = 1\n\
               loss: = -1"
            .into(),
    };
    config
}

pub fn machine(threads: usize) -> Machine {
    Machine::open(DeviceChoice::Cpu, Some(threads), Kernel::Auto).unwrap()
}

pub fn open<G: Playable>(config: &Config<G>, folder: &Path, threads: usize) -> Training<G> {
    Training::open(
        config.clone(),
        RunFolder::new(folder),
        machine(threads),
        false,
    )
    .unwrap()
}

/// Every file below a folder, in the order of their paths.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .flat_map(|path| match path.is_dir() {
            true => files_below(&path),
            false => vec![path],
        })
        .collect();
    files.sort();
    files
}
