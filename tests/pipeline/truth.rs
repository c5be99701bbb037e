//! Exact values in search, as targets, and as a measure of players.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use engine::draws::{Purpose, keyed};
use engine::games::einstein::exact::Exact;
use engine::games::einstein::{Einstein, Rules, Setup};
use engine::search::{Evaluations, Evaluator, Leaf, Playouts};
use engine::{Game, Roll, Side, Status};
use trainer::config::Config;
use trainer::learning::Window;
use trainer::record::RecordFile;
use trainer::truth::{ExactLeaves, TABLE, Truth, compute, public_set};

use crate::support::{open, tiny_einstein};
use crate::toy::Toy;

/// Two cubes against two, a whole board apart.
pub const FOUR_CUBES: &str = "AB3/5/5/5/3ab r -";

/// A table file of three cubes.
pub fn table() -> &'static Path {
    static FOLDER: OnceLock<(tempfile::TempDir, std::path::PathBuf)> = OnceLock::new();
    let (_, path) = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("three.tbl");
        let build = compute(3, 2).unwrap();
        TABLE.write_pieces(&path, build.pieces()).unwrap();
        (folder, path)
    });
    path
}

pub fn truth() -> Arc<Truth> {
    Arc::new(Truth::open(table(), 0).unwrap())
}

fn with_table(leaf_values: bool, targets: bool) -> Config<Einstein> {
    let mut config = tiny_einstein();
    // One capture leads into the table.
    config.game.start = Setup::Fixed(FOUR_CUBES.into());
    config.truth.tables = table().display().to_string();
    config.truth.leaf_values = leaf_values;
    config.truth.targets = targets;
    config.truth.positions = 20;
    config.truth.simulations = 2;
    config
}

fn cubes(game: &Einstein) -> u32 {
    Side::BOTH
        .map(|side| game.alive(side).count_ones())
        .iter()
        .sum()
}

/// The value in the mover's view by expectimax alone, which knows nothing of tables.
fn expected(game: &Einstein) -> f64 {
    Exact::<Vec<u8>>::new(None, 1_000_000).value(game).unwrap()
}

#[test]
fn leaves_that_the_table_covers_get_its_value_and_keep_their_priors() {
    let truth = truth();
    let mut covered = 0;
    let positions = [
        "5/1F3/5/2b2/1c3 r 6",
        "5/2c2/5/4f/F4 b 2",
        "ABC2/DE3/F3f/3ed/2cba r 3",
        "5/1A3/2aB1/3b1/5 b 2",
    ];
    for text in positions {
        let position = Einstein::parse(text, &Rules {}).unwrap();
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let evaluate = |evaluator: &mut dyn Evaluator<Einstein>| {
            let mut draws = keyed(1, Purpose::Choice, 0, 0);
            let mut out = Evaluations::default();
            // What stands in the batch before stays as it is.
            out.push_uniform(1, engine::Value(0.5));
            let leaf = Leaf {
                position: &position,
                moves: &moves,
                draws: &mut draws,
            };
            evaluator.evaluate(&mut [leaf], &mut out);
            assert_eq!(out.get(0).1.0, 0.5);
            (out.get(1).0.to_vec(), out.get(1).1)
        };
        let plain = evaluate(&mut Playouts::default());
        let mut exact = ExactLeaves::new(Playouts::default(), Some(&*truth));
        let (priors, value) = evaluate(&mut exact);
        assert_eq!(priors, plain.0);
        if cubes(&position) <= 3 {
            covered += 1;
            let view = value.seen_by(position.mover());
            assert!((view - expected(&position)).abs() < 1e-9, "{text}: {view}");
        } else {
            assert_eq!(value, plain.1, "{text}");
        }
    }
    assert_eq!(covered, 2);
    assert!(
        truth
            .value(&Toy::parse("start", &crate::support::tiny_toy().game.variant).unwrap())
            .is_none()
    );
}

#[test]
fn targets_are_exact_where_the_table_covers_the_position() {
    let folder = tempfile::tempdir().unwrap();
    let config = with_table(false, true);
    open(&config, folder.path(), 2).selfplay().unwrap();
    let records = folder.path().join("games/000000.rec");
    let (file, rules) = RecordFile::read::<Einstein>(&records).unwrap();
    let mut exact = Window::<Einstein>::with_exact_targets(Some(truth()));
    let mut plain = Window::<Einstein>::new();
    exact.take_in(&file.games, &rules, u64::MAX).unwrap();
    plain.take_in(&file.games, &rules, u64::MAX).unwrap();
    let mut covered = 0;
    for index in 0..plain.len() {
        let (with, without) = (exact.get(index), plain.get(index));
        assert_eq!(with.policy, without.policy);
        if cubes(&with.position) <= 3 {
            let value = expected(&with.position) as f32;
            assert!((with.value - value).abs() < 1e-6 && (with.result - value).abs() < 1e-6);
            covered += 1;
        } else {
            assert_eq!((with.value, with.result), (without.value, without.result));
        }
    }
    assert_eq!(exact.exact_targets(), covered);
    assert!(covered > 5, "{covered} positions of few cubes");
}

#[test]
fn the_same_seed_gives_the_same_games_with_exact_leaves_on_any_number_of_threads() {
    let play = |config: &Config<Einstein>, threads| {
        let folder = tempfile::tempdir().unwrap();
        open(config, folder.path(), threads).selfplay().unwrap();
        fs::read(folder.path().join("games/000000.rec")).unwrap()
    };
    let on = with_table(true, true);
    let one = play(&on, 1);
    assert_eq!(one, play(&on, 3));
    assert_ne!(
        one,
        play(&with_table(false, true), 3),
        "leaf values change the searches"
    );
}

#[test]
fn the_metrics_say_how_much_is_exact() {
    let line = |config: &Config<Einstein>| -> serde_json::Value {
        let folder = tempfile::tempdir().unwrap();
        let mut training = open(config, folder.path(), 2);
        training.selfplay().unwrap();
        training.learn().unwrap();
        let text = fs::read_to_string(folder.path().join("metrics.jsonl")).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let on = line(&with_table(true, false));
    assert!(on["truth/leaf_share"].as_f64().unwrap() > 0.0, "{on}");
    assert_eq!(on["truth/target_share"], 0.0);
    assert!(on["truth/regret"].as_f64().unwrap() > 0.0);
    assert!(line(&tiny_einstein()).get("truth/regret").is_none());
}

#[test]
fn a_switch_needs_a_table_and_a_table_needs_einstein() {
    let folder = tempfile::tempdir().unwrap();
    let faults = |game: &str, truth: &str| {
        let path = folder.path().join("config.toml");
        fs::write(
            &path,
            format!("[game]\nname = \"{game}\"\n[truth]\n{truth}\n"),
        )
        .unwrap();
        trainer::config::check_file(&path).unwrap_err().to_string()
    };
    let text = faults("einstein", "leaf_values = true");
    assert!(
        text.contains("line 4") && text.contains("truth.leaf_values"),
        "{text}"
    );
    let text = faults("einstein", "targets = true");
    assert!(text.contains("truth.targets"), "{text}");
    let text = faults("surakarta", "tables = \"x\"");
    assert!(
        text.contains("truth.tables") && text.contains("einstein only"),
        "{text}"
    );
}

#[test]
fn a_run_of_a_program_that_knew_fewer_keys_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let config = tiny_einstein();
    let run = trainer::run::RunFolder::new(folder.path());
    open(&config, folder.path(), 1);
    let mut checkpoint = trainer::run::Checkpoint::load(&run)
        .unwrap()
        .unwrap()
        .checkpoint;
    let mut older: serde_json::Value = serde_json::from_str(&checkpoint.config).unwrap();
    older.as_object_mut().unwrap().remove("truth").unwrap();
    checkpoint.config = older.to_string();
    checkpoint.check_config(&config, &run).unwrap();
    let other = with_table(true, false);
    let error = checkpoint
        .check_config(&other, &run)
        .unwrap_err()
        .to_string();
    assert!(error.contains("truth.leaf_values"), "{error}");
}

#[test]
fn the_public_set_is_even_distinct_and_a_matter_of_its_numbers_alone() {
    let set = public_set(101, 4);
    assert_eq!(set, public_set(101, 4));
    let distinct: HashSet<_> = set.iter().map(Game::key).collect();
    assert_eq!(distinct.len(), 101);
    let counts = [2, 3, 4].map(|count| set.iter().filter(|game| cubes(game) == count).count());
    assert_eq!(counts, [34, 34, 33]);
    for mut game in set {
        assert_eq!(game.status(), Status::Rolling);
        game.settle(Roll(0));
        assert!(matches!(game.status(), Status::ToMove(_)));
    }
}
