//! Surakarta: the rules S1–S10, its texts, records and arrays, and its encoding.

mod encoding;
mod ends;
mod formats;
mod moves;
mod texts;

use engine::draws::{Purpose, keyed};
use engine::games::surakarta::{Move, Square, Surakarta, Variant};
use engine::{Game, Outcome, Side, Status};
use rand::RngExt;

const START: &str = "bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r 0";

fn position(text: &str) -> Surakarta {
    position_under(text, &Variant::default())
}

fn position_under(text: &str, variant: &Variant) -> Surakarta {
    Surakarta::parse(text, variant).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn square(name: &str) -> Square {
    Square::parse(name).unwrap()
}

fn listed(game: &Surakarta) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves
}

/// The legal moves as sorted texts.
fn legal(text: &str) -> Vec<String> {
    let game = position(text);
    let mut texts: Vec<_> = listed(&game).iter().map(|&mv| game.move_text(mv)).collect();
    texts.sort();
    texts
}

/// The legal captures as sorted texts.
fn captures(text: &str) -> Vec<String> {
    let mut texts = legal(text);
    texts.retain(|text| text.contains('x'));
    texts
}

fn play(game: &mut Surakarta, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = game.parse_move(text).unwrap();
        game.try_play(mv).unwrap_or_else(|error| panic!("{error}"));
    }
}

fn played(text: &str, moves: &str) -> Surakarta {
    let mut game = position(text);
    play(&mut game, moves);
    game
}

fn won(side: Side) -> Status {
    Status::Over(Outcome::Win(side))
}

const DRAWN: Status = Status::Over(Outcome::Draw);
const RED: Status = Status::ToMove(Side::First);
const BLACK: Status = Status::ToMove(Side::Second);

/// Plays random games from the start and calls `look` at every position, the last ones included.
fn along_random_games(games: u64, mut look: impl FnMut(&Surakarta)) {
    for number in 0..games {
        let mut draws = keyed(7, Purpose::Choice, number, 0);
        let mut game = position(START);
        look(&game);
        while let Status::ToMove(_) = game.status() {
            let moves = listed(&game);
            game.play(moves[draws.random_range(0..moves.len())]);
            look(&game);
        }
    }
}
