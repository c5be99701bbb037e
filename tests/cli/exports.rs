//! Nets leave as files of other formats, come back, and play.

use std::path::{Path, PathBuf};
use std::process::Output;

use tempfile::TempDir;

use models::export::onnx::runtime;
use serde_json::Value as Json;

use crate::support::{TINY, json, run, stderr, train, tribord};

/// A folder with a net of a short run, and the net's file.
fn net() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let more = ["--set", "run.rounds=1", "--set", "ladder.pairs=0"];
    let output = train(&run, &more).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    (folder, last_net(&run))
}

fn last_net(run: &Path) -> PathBuf {
    let nets = std::fs::read_dir(run.join("nets")).unwrap();
    let last = nets.map(|entry| entry.unwrap().path()).max().unwrap();
    last.join("net.trb")
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
    assert!(stderr(&output).contains("'pickle' is not a format: safetensors, onnx"));
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

#[test]
fn trained_nets_of_every_game_answer_the_same_in_every_format() {
    // X1: some fifty learning steps, so that the net is not the one it began as.
    let folder = tempfile::tempdir().unwrap();
    for game in ["einstein", "surakarta", "jiu"] {
        let run = folder.path().join(game);
        let mut command = tribord();
        command.args([
            "train",
            &format!("configs/{game}/smoke.toml"),
            "--run",
            text(&run),
        ]);
        // Few games side by side, so that some end.
        let steps = [
            "run.rounds=1",
            "ladder.pairs=0",
            "selfplay.groups=1",
            "selfplay.slots=4",
            "selfplay.positions=2000",
            "learning.reuse=0.8",
        ];
        command
            .args(TINY)
            .args(steps.iter().flat_map(|setting| ["--set", setting]));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));

        let (net, out) = (last_net(&run), folder.path().join(game).join("net.onnx"));
        let positions = folder.path().join(game).join("positions.json");
        let told = json(&[
            "export",
            text(&net),
            "--format",
            "onnx",
            "--out",
            text(&out),
            "--positions",
            text(&positions),
            "--json",
        ]);
        assert!(told["step"].as_u64().unwrap() >= 40, "{told}");
        assert_eq!(
            told["certificate"],
            text(&out.with_extension("certificate.json"))
        );
        let certificate = read_json(&out.with_extension("certificate.json"));
        assert_eq!(certificate["positions"], 256);
        assert_eq!(certificate["samples"].as_array().unwrap().len(), 8);
        assert_eq!(
            read_json(&positions)["samples"].as_array().unwrap().len(),
            256
        );
        let files = certificate["files"].as_object().unwrap();
        assert_eq!(
            files["onnx"]["differences"].is_null(),
            runtime::NAME.is_none()
        );
        for difference in files
            .values()
            .filter_map(|file| file["differences"].as_object())
        {
            for name in ["policy", "outcomes", "value"] {
                assert!(
                    difference[name].as_f64().unwrap() < 1e-4,
                    "{game}: {difference:?}"
                );
            }
        }
    }
}

fn read_json(path: &Path) -> Json {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn an_onnx_file_plays_where_its_runtime_is_built_in() {
    let (folder, native) = net();
    let out = folder.path().join("net.onnx");
    let output = export(&native, "onnx", &out);
    assert!(output.status.success(), "{}", stderr(&output));
    let asks = stderr(&output).contains("needs a build with `--features onnx`");
    assert_eq!(asks, runtime::NAME.is_none());
    let spec = format!("net:{},sims=8", out.display());
    let play = |spec: &str| {
        run(&[
            "match", "--game", "einstein", "--a", spec, "--b", "random", "--games", "8",
        ])
    };
    let output = play(&spec);
    match runtime::NAME {
        Some(_) => assert!(output.status.success(), "{}", stderr(&output)),
        None => {
            assert_eq!(output.status.code(), Some(1));
            assert!(
                stderr(&output)
                    .contains("net.onnx: an ONNX file needs a build with `--features onnx`")
            );
        }
    }
    let output = play(&format!("{spec},eval=int8"));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("without eval="));

    // A14: what is to be learned from or read back is a net of tribord, or a safetensors file.
    let set = format!("run.from={}", out.display());
    let refused = train(&folder.path().join("other"), &["--set", &set])
        .output()
        .unwrap();
    let back = run(&[
        "import",
        text(&out),
        "--out",
        text(&folder.path().join("net.trb")),
    ]);
    for output in [refused, back] {
        assert_eq!(output.status.code(), Some(1));
        assert!(
            stderr(&output).contains("net.onnx") && stderr(&output).contains("is an ONNX file")
        );
    }
}
