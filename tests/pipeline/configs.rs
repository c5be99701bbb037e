//! Configurations: every shipped file is right, and every kind of mistake is found with its line (O1).

use std::fs;
use std::path::{Path, PathBuf};

use engine::games::einstein::Einstein;
use engine::games::surakarta::Surakarta;
use trainer::config::{Config, ConfigError, check_file, load};

use crate::support::files_below;

fn shipped() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = ["configs", "models/nets"].map(|folder| files_below(&root.join(folder)));
    let files = files.into_iter().flatten();
    files
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect()
}

fn faults(text: &str) -> ConfigError {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.toml");
    fs::write(&path, text).unwrap();
    load::<Einstein>(&path, &[]).expect_err(text)
}

const GAME: &str = "[game]\nname = \"einstein\"\n";

#[test]
fn every_shipped_configuration_is_right() {
    let files = shipped();
    assert!(files.len() >= 3);
    for file in files {
        check_file(&file).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn unknown_keys_are_found_all_at_once_with_line_and_nearest_name() {
    let error = faults(&format!(
        "{GAME}[learning]\nlearning_rte = 0.1\nrte = 0.1\n[selfplay]\nbatch = 64\n[lerning]\nrate = 1.0\n"
    ));
    let text = error.to_string();
    assert_eq!(error.faults.len(), 4, "{text}");
    assert!(
        text.contains("wrong.toml, line 4: unknown key `learning.learning_rte`"),
        "{text}"
    );
    assert!(
        text.contains("line 5: unknown key `learning.rte`; did you mean `rate`?"),
        "{text}"
    );
    assert!(
        text.contains("line 7: unknown key `selfplay.batch`; it belongs into [learning]"),
        "{text}"
    );
    assert!(
        text.contains("line 8: unknown key `lerning`; did you mean `learning`?"),
        "{text}"
    );
}

#[test]
fn wrong_types_and_ranges_are_refused_with_their_line() {
    for (line, part) in [
        (
            "batch = \"64\"",
            "`learning.batch` must be of type integer, not string",
        ),
        ("batch = 0", "`learning.batch` must be from 1"),
        ("batch = -5", "line 4"),
        ("rate = 1e400", "line 4: floating-point number overflowed"),
        ("rate = 0.0", "`learning.rate` must be above 0"),
        (
            "average_keep = 1.0",
            "`learning.average_keep` must be from 0, below 1",
        ),
        ("rate = nan", "`learning.rate` must be above 0"),
        (
            "window = 600000",
            "`learning.window_limit` must be at least learning.window",
        ),
    ] {
        let error = faults(&format!("{GAME}[learning]\n{line}\n")).to_string();
        assert!(error.contains(part), "{line}: {error}");
    }
}

#[test]
fn a_duplicate_key_and_broken_text_are_refused_with_their_line() {
    let error = faults(&format!("{GAME}[learning]\nbatch = 1\nbatch = 2\n")).to_string();
    assert!(
        error.contains("line 5") && error.contains("duplicate"),
        "{error}"
    );
    let error = faults(&format!("{GAME}[learning\n")).to_string();
    assert!(error.contains("line 3"), "{error}");
}

#[test]
fn a_wrong_game_or_start_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.toml");
    for (text, part) in [
        (
            "[game]\nname = \"chess\"\n",
            "'chess' is not a game of tribord",
        ),
        ("[run]\nrounds = 3\n", "needs a name"),
        ("[game]\nname = \"einstein\"\nstart = \"randm\"\n", "randm"),
        (
            "[game]\nname = \"einstein\"\n[game.variant]\nsize = 8\n",
            "size",
        ),
        (
            "[game]\nname = \"einstein\"\n[ladder]\nopponents = [\"rollout\"]\n",
            "'rollout' is not a player",
        ),
    ] {
        fs::write(&path, text).unwrap();
        let error = check_file(&path).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    }
    let error = check_file(&folder.path().join("missing.toml"))
        .expect_err("no file")
        .to_string();
    assert!(error.contains("missing.toml"), "{error}");
}

#[test]
fn positions_to_begin_with_are_read_from_lines_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mixed.toml");
    let game = "[game]\nname = \"surakarta\"\n";
    fs::write(
        &path,
        format!("{game}[[game.mixture]]\nshare = 1\nfile = \"starts.txt\"\n"),
    )
    .unwrap();
    let starts = folder.path().join("starts.txt");
    let error = check_file(&path).expect_err("no such file").to_string();
    assert!(error.contains("starts.txt"), "{error}");
    fs::write(
        &starts,
        "# two\nb5/6/6/2r3/6/r5 r 0\n\nb5/6/6/3r2/6/r5 b 3\n",
    )
    .unwrap();
    let config = load::<Surakarta>(&path, &[]).unwrap();
    let positions = &config.game.mixture[0].positions;
    assert_eq!(
        positions[..],
        ["b5/6/6/2r3/6/r5 r 0", "b5/6/6/3r2/6/r5 b 3"]
    );
    for (line, part) in [
        ("b5/6/6/2x3/6/r5 r 0", "column"),
        ("6/6/6/2r3/6/6 r 0", "over"),
    ] {
        fs::write(&starts, line).unwrap();
        let error = check_file(&path).expect_err(line).to_string();
        assert!(
            error.contains("entry 1 of `game.mixture`") && error.contains(part),
            "{error}"
        );
    }
    fs::write(&path, format!("{game}[[game.mixture]]\nshare = 0\n")).unwrap();
    let error = check_file(&path).expect_err("no share").to_string();
    assert!(error.contains("`game.mixture` must be"), "{error}");
}

#[test]
fn settings_are_put_over_the_file_and_checked_like_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("right.toml");
    fs::write(&path, GAME).unwrap();
    let with = |settings: &[&str]| {
        let settings: Vec<_> = settings.iter().map(|setting| setting.to_string()).collect();
        load::<Einstein>(&path, &settings)
    };
    let config = with(&["run.rounds=7", "learning.rate=0.5", "search.method=puct"]).unwrap();
    assert_eq!(config.run.rounds, 7);
    assert_eq!(config.learning.rate, 0.5);
    assert_eq!(config.search.method, engine::search::Method::Puct);
    assert_eq!(with(&[]).unwrap(), Config::of_game());
    for setting in ["run.round=7", "run.rounds=many", "rounds", "run.rounds=0"] {
        assert!(with(&[setting]).is_err(), "{setting}");
    }
}
