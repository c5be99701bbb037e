//! `moves` and `encode`: what is said of one position, or of each line of standard input.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Write, stdin, stdout};

use anyhow::Context;
use engine::{Game, Listing, Status};
use serde::Serialize;
use serde_json::json;

use super::inspect::variant;
use super::{OUTPUT, PositionsArgs, WrongUse};
use crate::dispatch::Playable;
use crate::lines::lines;
use crate::with_game;

pub(super) fn moves(args: &PositionsArgs) -> anyhow::Result<()> {
    with_game!(args.game.game, G => answer(args, |game: &G| Ok(game.listing()), listing_text))
}

pub(super) fn encode(args: &PositionsArgs) -> anyhow::Result<()> {
    with_game!(args.game.game, G => answer(args, Encoded::of::<G>, Encoded::text))
}

/// Prints what `find` finds, as a document or as `text` puts it.
fn answer<G: Playable, T: Serialize>(
    args: &PositionsArgs,
    find: impl Fn(&G) -> Result<T, String>,
    text: impl Fn(&T) -> String,
) -> anyhow::Result<()> {
    let variant = variant::<G>(&args.game)?;
    let mut out = stdout().lock();
    let found = |position: &str, line: usize| {
        let game = G::parse(position, &variant).map_err(|error| error.on_line(line).to_string())?;
        let found = past_the_roll(&game).and_then(|()| find(&game));
        found.map_err(|reason| format!("line {line}: {reason}"))
    };
    let write = |found: &T| match args.json {
        true => serde_json::to_string(found),
        false => Ok(text(found)),
    };
    if let Some(position) = &args.position {
        let wrong = |reason| WrongUse(format!("position '{position}': {reason}"));
        let found = write(&found(position, 1).map_err(wrong)?)?;
        return writeln!(out, "{found}").context(OUTPUT);
    }
    for (number, line) in (1..).zip(lines(stdin().lock())) {
        let answer = match found(line?.trim_end(), number) {
            Ok(found) => write(&found)?,
            Err(error) => json!({ "error": error }).to_string(),
        };
        let written = writeln!(out, "{answer}").and_then(|()| out.flush());
        written.context(OUTPUT)?;
    }
    Ok(())
}

fn past_the_roll<G: Playable>(game: &G) -> Result<(), String> {
    match game.status() {
        Status::Rolling => Err("the position is before a roll: add the die".into()),
        Status::ToMove(_) | Status::Over(_) => Ok(()),
    }
}

fn listing_text(listing: &Listing) -> String {
    let words: Vec<_> = match listing {
        Listing::Moves(moves) => moves.clone(),
        Listing::Paths(paths) => paths
            .iter()
            .map(|(path, squares)| format!("{path}:{squares}"))
            .collect(),
    };
    words.join(" ")
}

/// A position as a network sees it.
#[derive(Serialize)]
struct Encoded {
    /// Version of the encoding.
    encoding: u16,
    /// The input, by plane, row and column.
    planes: Vec<Vec<Vec<f32>>>,
    /// Number of policy indices.
    policy: usize,
    /// The policy index of each legal ply.
    moves: BTreeMap<String, usize>,
}

impl Encoded {
    fn of<G: Playable>(game: &G) -> Result<Encoded, String> {
        if !matches!(game.status(), Status::ToMove(_)) {
            return Err(
                "the game is over: a network sees only positions with a side to move".into(),
            );
        }
        let shape = G::shape(game.variant());
        let mut numbers = vec![0.0; shape.input()];
        game.planes(&mut numbers);
        let rows = |plane: &[f32]| plane.chunks(shape.columns).map(<[f32]>::to_vec).collect();
        let mut moves = Vec::new();
        game.moves(&mut moves);
        Ok(Encoded {
            encoding: G::ENCODING,
            planes: numbers
                .chunks(shape.rows * shape.columns)
                .map(rows)
                .collect(),
            policy: shape.policy,
            moves: moves
                .into_iter()
                .map(|mv| (game.move_text(mv), game.index(mv)))
                .collect(),
        })
    }

    /// The planes one below the other, then a line for each move.
    fn text(&self) -> String {
        let mut text = String::new();
        for (number, plane) in self.planes.iter().enumerate() {
            let _ = writeln!(text, "plane {number}");
            for row in plane {
                let cells: Vec<_> = row.iter().map(|cell| format!("{cell:>5.3}")).collect();
                let _ = writeln!(text, "{}", cells.join(" "));
            }
        }
        for (mv, index) in &self.moves {
            let _ = writeln!(text, "{mv} {index}");
        }
        text
    }
}
