//! The bridge to the lines of the contest platform, `scripts/surakarta_platform.py`.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use engine::draws::{Purpose, keyed};
use engine::games::surakarta::{Surakarta, Variant};
use engine::{Game, Side, Status};
use rand::RngExt;

use crate::ladders::{ladder, lines, played, program};
use crate::support::stderr;

const BRIDGE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../scripts/surakarta_platform.py"
);

const START: &str = "bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r 0";

/// Whether the bridge can run at all. A bare machine with Rust need not have Python.
fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    if !found {
        eprintln!("not tried: there is no python3");
    }
    found
}

/// The platform's side of the bridge: it moves at random and checks what comes back.
struct Platform {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    turned: bool,
}

impl Platform {
    fn start(options: &[&str]) -> Platform {
        let mut child = Command::new("python3")
            .arg(BRIDGE)
            .args(options)
            .args(["engine", &program(), "engine", "--player", "rollout:sims=6"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Platform {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
            turned: !options.is_empty(),
        }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    fn hear(&mut self) -> String {
        self.output.next().expect("an answer").unwrap()
    }

    /// `C2-C3` in the platform's letters, rows counted from the top.
    fn letters(&self, mv: &str) -> String {
        let point = |text: &str| {
            let (column, row) = (text.as_bytes()[0] - b'A', text.as_bytes()[1] - b'1');
            let (column, row) = match self.turned {
                true => (5 - column, 5 - row),
                false => (column, row),
            };
            format!("{}{}", char::from(b'A' + column), char::from(b'F' - row))
        };
        point(&mv[..2]) + &point(&mv[3..])
    }

    /// Plays a whole game; gives the captures of the bridged side.
    fn game(&mut self, number: u64, bridged: Side) -> u64 {
        let mut game = Surakarta::parse(START, &Variant::default()).unwrap();
        let mut draws = keyed(number, Purpose::Choice, 0, 0);
        let (mut moves, mut captures) = (Vec::new(), 0);
        self.say(match bridged {
            Side::First => "new black",
            Side::Second => "new white",
        });
        while let Status::ToMove(side) = game.status() {
            game.moves(&mut moves);
            let mv = if side == bridged {
                let answer = self.hear();
                let found = moves
                    .iter()
                    .copied()
                    .find(|&mv| answer == format!("move {}", self.letters(&game.move_text(mv))));
                found.unwrap_or_else(|| panic!("{answer} in {}", game.text()))
            } else {
                let mv = moves[draws.random_range(0..moves.len())];
                let told = format!("move {}", self.letters(&game.move_text(mv)));
                self.say(&told);
                mv
            };
            captures += u64::from(side == bridged && game.move_text(mv).contains('x'));
            game.play(mv);
        }
        // A refusal is told to whoever watches, and the next game goes on.
        self.say("error");
        self.say("end");
        captures
    }
}

#[test]
fn tribord_plays_legally_on_the_platform_with_both_colours_and_views() {
    if !has_python() {
        return;
    }
    for options in [&[][..], &["--black", "top"]] {
        let mut platform = Platform::start(options);
        platform.say("name?");
        assert_eq!(platform.hear(), "name tribord");
        let captures = Side::BOTH.map(|side| platform.game(side.index() as u64, side));
        assert!(captures.iter().all(|&count| count > 0), "{captures:?}");
        platform.say("quit");
        assert!(platform.child.wait().unwrap().success());
    }
}

#[test]
fn the_first_move_of_the_usual_start_has_the_letters_that_the_platform_draws() {
    // Written out: C2 lies in the fifth row from the top, so it is C and E.
    if !has_python() {
        return;
    }
    for (options, told, rows) in [
        (&[][..], "move CECD", ["A", "B"]),
        (&["--row-a", "bottom"], "move CBCC", ["F", "E"]),
        (&["--black", "top"], "move DBDC", ["F", "E"]),
    ] {
        let mut platform = Platform::start(options);
        platform.say("new white");
        platform.say(told);
        let answer = platform.hear();
        let from = &answer["move ".len()..][..2];
        assert!(rows.contains(&&from[1..]), "{options:?}: {answer}");
        platform.say("quit");
        assert!(platform.child.wait().unwrap().success());
    }
}

fn config(folder: &std::path::Path, player: &str, more: &str) -> String {
    let text = format!(
        "[game]\nname = \"surakarta\"\n[ladder]\npairs = 2\n{more}\n[[player]]\nname = \"theirs\"\nspec = {player:?}\n\
         [[player]]\nspec = \"random\"\n"
    );
    let path = folder.join("ladder.toml");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

#[test]
fn a_program_of_the_platform_plays_in_a_ladder() {
    // Both bridges one after the other: the inner one makes tribord such a program.
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let player = format!(
        "engine:python3 {BRIDGE} program python3 {BRIDGE} --name inner engine {} engine --player rollout:sims=6",
        program()
    );
    let (config, out) = (
        config(folder.path(), &player, ""),
        folder.path().join("out"),
    );
    played(&ladder(&config, &out, "2").output().unwrap());
    let lines = lines(&out);
    assert_eq!(lines.len(), 4);
    assert!(
        lines.iter().all(|line| line["reason"] == "rules"),
        "{lines:?}"
    );
}

#[test]
fn a_start_that_the_platform_does_not_know_is_a_fault_that_says_so() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let player = format!(
        "engine:python3 {BRIDGE} program python3 {BRIDGE} engine {} engine --player random",
        program()
    );
    let config = config(folder.path(), &player, "opening_plies = 2");
    let out = folder.path().join("out");
    let output = ladder(&config, &out, "1").output().unwrap();
    played(&output);
    assert!(
        stderr(&output).contains("the platform knows the usual start only"),
        "{}",
        stderr(&output)
    );
    assert!(lines(&out).iter().all(|line| line["reason"] == "crash"));
}
