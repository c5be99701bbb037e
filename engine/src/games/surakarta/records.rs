//! Game records in the notation `(from to S)(exit points…)`, grouped by numbered rounds (N.5).
//!
//! ```text
//! 1. (C2 C3 0) (B5 B4 0)
//! 2. (C3 B4 1)(F3 D6) (A5 B4 1)
//! ```
//!
//! S is 1 for a capture. The exit points of a capture are written along its shortest route (S10);
//! on input they may be missing, or be those of any possible route. Where Black begins, `...`
//! stands for Red's move of the first round.

use super::board::Square;
use super::moves::Move;
use super::state::Surakarta;
use super::text::write_move;
use crate::game::{Game, IllegalMove, Side, Status};
use crate::text::TextError;

/// What stands for Red's move where Black begins.
const NO_MOVE: &str = "...";

/// Writes the moves of a game that began in `first`, one round a line.
///
/// # Errors
/// The first illegal move.
pub fn write_record(first: &Surakarta, moves: &[Move]) -> Result<String, IllegalMove> {
    let mut game = first.clone();
    let mut text = String::new();
    let mut round = 1;
    for (number, &mv) in moves.iter().enumerate() {
        let red = game.mover == Side::First;
        if red || number == 0 {
            text += &format!("{round}.");
            round += 1;
        }
        if !red && number == 0 {
            text += " ";
            text += NO_MOVE;
        }
        text += " ";
        text += &write_ply(&game, mv);
        if !red {
            text += "\n";
        }
        game.try_play(mv)?;
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text += "\n";
    }
    Ok(text)
}

fn write_ply(game: &Surakarta, mv: Move) -> String {
    let (from, to) = (mv.from.name(), mv.to.name());
    let flag = u8::from(mv.captures);
    let Some(route) = game.exits(mv) else {
        return format!("({from} {to} {flag})");
    };
    format!("({from} {to} {flag})({})", route.text())
}

/// Reads the moves of a game that began in `first`, and checks each of them.
///
/// # Errors
/// Says what cannot be read, is out of order or contradicts the rules, with its line and column.
pub fn read_record(first: &Surakarta, text: &str) -> Result<Vec<Move>, TextError> {
    let mut reader = Reader::new(text);
    let mut game = first.clone();
    let mut moves = Vec::new();
    let mut round = 1;
    while !reader.rest().is_empty() {
        if game.mover == Side::First || round == 1 {
            reader.expect_word(&format!("{round}."), "the number of the round")?;
            round += 1;
        }
        if game.mover == Side::Second && moves.is_empty() {
            reader.expect_word(NO_MOVE, "Black begins, so in place of Red's move")?;
        }
        let mv = reader.ply(&game)?;
        moves.push(mv);
        game.play(mv);
    }
    Ok(moves)
}

#[derive(Clone, Copy, PartialEq)]
enum Lexeme<'a> {
    Open,
    Close,
    Word(&'a str),
}

#[derive(Clone, Copy)]
struct Token<'a> {
    lexeme: Lexeme<'a>,
    line: usize,
    column: usize,
}

impl Token<'_> {
    fn error(self, message: impl Into<String>) -> TextError {
        TextError::at(self.column, message).on_line(self.line)
    }
}

struct Reader<'a> {
    tokens: Vec<Token<'a>>,
    /// The number of tokens read.
    read: usize,
    /// The error place for a text that ends too early.
    end: Token<'a>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        let mut tokens = Vec::new();
        let mut end = Token {
            lexeme: Lexeme::Word(""),
            line: 1,
            column: 1,
        };
        for (index, line) in text.lines().enumerate() {
            end.line = index + 1;
            end.column = line.chars().count() + 1;
            split_line(line, end.line, &mut tokens);
        }
        Reader {
            tokens,
            read: 0,
            end,
        }
    }

    /// The tokens not read yet.
    fn rest(&self) -> &[Token<'a>] {
        &self.tokens[self.read..]
    }

    fn next(&mut self, wanted: &str) -> Result<Token<'a>, TextError> {
        let token = self.rest().first().copied().ok_or_else(|| {
            self.end
                .error(format!("the record ends where {wanted} is needed"))
        })?;
        self.read += 1;
        Ok(token)
    }

    fn expect_word(&mut self, word: &str, meaning: &str) -> Result<(), TextError> {
        let token = self.next(word)?;
        if token.lexeme == Lexeme::Word(word) {
            return Ok(());
        }
        Err(token.error(format!("{meaning}, {word}, is needed here")))
    }

    fn expect(&mut self, lexeme: Lexeme<'a>, shown: &str) -> Result<Token<'a>, TextError> {
        let token = self.next(shown)?;
        if token.lexeme == lexeme {
            return Ok(token);
        }
        Err(token.error(format!("{shown} is needed here")))
    }

    fn word(&mut self, wanted: &str) -> Result<(Token<'a>, &'a str), TextError> {
        let token = self.next(wanted)?;
        match token.lexeme {
            Lexeme::Word(word) => Ok((token, word)),
            _ => Err(token.error(format!("{wanted} is needed here"))),
        }
    }

    fn square(&mut self) -> Result<Square, TextError> {
        let (token, name) = self.word("a square")?;
        Square::parse(name).map_err(|error| token.error(error.message))
    }

    /// Reads one ply with its exit points, if it has any, and checks it.
    fn ply(&mut self, game: &Surakarta) -> Result<Move, TextError> {
        let open = self.expect(Lexeme::Open, "a move such as (C2 C3 0)")?;
        let (from, to) = (self.square()?, self.square()?);
        let (flag_at, flag) = self.word("S, 0 or 1,")?;
        let captures = match flag {
            "0" => false,
            "1" => true,
            _ => return Err(flag_at.error(format!("S is 1 for a capture or 0, not '{flag}'"))),
        };
        self.expect(Lexeme::Close, "')'")?;
        let mv = Move { from, to, captures };
        if !matches!(game.status, Status::ToMove(_)) {
            return Err(open.error("the game is over before this move"));
        }
        if !game.stones().allow(mv) {
            return Err(open.error(format!(
                "{} is not a legal move in {}",
                write_move(mv),
                game.text()
            )));
        }
        self.exits(game, mv)?;
        Ok(mv)
    }

    fn exits(&mut self, game: &Surakarta, mv: Move) -> Result<(), TextError> {
        if !self.exits_follow() {
            return Ok(());
        }
        let open = self.expect(Lexeme::Open, "'('")?;
        let mut exits = Vec::new();
        while self.rest().first().map(|token| token.lexeme) != Some(Lexeme::Close) {
            exits.push(self.square()?);
        }
        self.expect(Lexeme::Close, "')'")?;
        if exits.is_empty() || game.routes(mv).iter().any(|route| route.exits() == exits) {
            return Ok(());
        }
        Err(open.error(format!(
            "{} has no route with these exit points",
            write_move(mv)
        )))
    }

    /// Whether the next group lists exit points: it is not a move, whose third word is S.
    fn exits_follow(&self) -> bool {
        let [first, group @ ..] = self.rest() else {
            return false;
        };
        let mut words = group
            .iter()
            .take_while(|token| token.lexeme != Lexeme::Close);
        first.lexeme == Lexeme::Open
            && match words.nth(2).map(|token| token.lexeme) {
                Some(Lexeme::Word(word)) => Square::parse(word).is_ok(),
                _ => true,
            }
    }
}

fn split_line<'a>(line: &'a str, number: usize, tokens: &mut Vec<Token<'a>>) {
    let mut column = 1;
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let ends_word = |c: char| c.is_whitespace() || c == '(' || c == ')';
        let (lexeme, length) = match first {
            '(' => (Some(Lexeme::Open), 1),
            ')' => (Some(Lexeme::Close), 1),
            _ if first.is_whitespace() => (None, first.len_utf8()),
            _ => {
                let length = rest.find(ends_word).unwrap_or(rest.len());
                (Some(Lexeme::Word(&rest[..length])), length)
            }
        };
        tokens.extend(lexeme.map(|lexeme| Token {
            lexeme,
            line: number,
            column,
        }));
        column += rest[..length].chars().count();
        rest = &rest[length..];
    }
}
