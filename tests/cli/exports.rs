//! Nets leave as files of other formats, come back, and play.

use std::path::{Path, PathBuf};
use std::process::Output;

use tempfile::TempDir;

use crate::support::{json, run, stderr, train};

/// A folder with a net of a short run, and the net's file.
fn net() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let more = ["--set", "run.rounds=1", "--set", "ladder.pairs=0"];
    let output = train(&run, &more).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let nets = std::fs::read_dir(run.join("nets")).unwrap();
    let last = nets.map(|entry| entry.unwrap().path()).max().unwrap();
    (folder, last.join("net.trb"))
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn export(net: &Path, format: &str, out: &Path) -> Output {
    run(&["export", text(net), "--format", format, "--out", text(out)])
}

#[test]
fn an_exported_net_comes_back_and_plays_as_before() {
    let (folder, native) = net();
    let exported = folder.path().join("net.safetensors");
    let imported = folder.path().join("imported.trb");
    let told = json(&[
        "export",
        text(&native),
        "--format",
        "safetensors",
        "--out",
        text(&exported),
        "--json",
    ]);
    assert_eq!(told["game"], "einstein");
    assert_eq!(told["bytes"], std::fs::metadata(&exported).unwrap().len());
    let back = json(&[
        "import",
        text(&exported),
        "--out",
        text(&imported),
        "--json",
    ]);
    assert_eq!(
        (&back["hash"], &back["step"]),
        (&told["hash"], &told["step"])
    );

    let score = |net: &Path| {
        let spec = format!("net:{},sims=8", net.display());
        let mut found = json(&[
            "match", "--game", "einstein", "--a", &spec, "--b", "random", "--games", "20", "--json",
        ]);
        assert_eq!(found["a_net"]["hash"], told["hash"]);
        found.as_object_mut().unwrap().remove("a");
        found
    };
    let before = score(&native);
    assert_eq!(score(&exported), before);
    assert_eq!(score(&imported), before);
}

#[test]
fn a_name_that_does_not_fit_the_format_is_refused() {
    let (folder, native) = net();
    let wrong = folder.path().join("net.trb");
    let output = export(&native, "safetensors", &wrong);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("must end in .safetensors"));
    assert!(!wrong.exists());
    let output = export(&native, "pickle", &folder.path().join("net.pickle"));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("'pickle' is not a format: safetensors"));
    let output = run(&[
        "import",
        text(&native),
        "--out",
        text(&folder.path().join("a.safetensors")),
    ]);
    assert_eq!(output.status.code(), Some(2));
    let output = export(
        &folder.path().join("none"),
        "safetensors",
        &folder.path().join("a.safetensors"),
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("none"), "{}", stderr(&output));
}
