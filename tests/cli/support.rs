//! Runs the program.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;

pub fn tribord() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tribord"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    command.stdin(Stdio::null());
    command
}

pub fn run(args: &[&str]) -> Output {
    tribord().args(args).output().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The one JSON document that a command prints.
pub fn json(args: &[&str]) -> Json {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

/// The JSON documents that a command prints for the lines of its standard input.
pub fn json_lines(args: &[&str], input: impl AsRef<[u8]>) -> Vec<Json> {
    let mut command = tribord();
    command.args(args).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let (mut pipe, input) = (child.stdin.take().unwrap(), input.as_ref().to_vec());
    // Both pipes are in use at once, or a long input would wait for the output to be read.
    let writer = std::thread::spawn(move || pipe.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    let lines = stdout(&output);
    let documents = lines.lines().map(serde_json::from_str);
    documents.collect::<Result<_, _>>().unwrap()
}

/// A configuration whose rounds take about a second.
pub const TINY: [&str; 18] = [
    "--set",
    "net.blocks=1",
    "--set",
    "net.channels=8",
    "--set",
    "selfplay.groups=2",
    "--set",
    "selfplay.slots=8",
    "--set",
    "selfplay.positions=200",
    "--set",
    "selfplay.full_simulations=8",
    "--set",
    "selfplay.cheap_simulations=2",
    "--set",
    "learning.batch=32",
    "--set",
    "learning.reuse=1.0",
];

/// `train` on the tiny configuration, with further arguments.
pub fn train(run: &Path, more: &[&str]) -> Command {
    let mut command = tribord();
    command
        .args(["train", "configs/einstein/smoke.toml", "--run"])
        .arg(run);
    command.args(TINY).args(more);
    command
}
