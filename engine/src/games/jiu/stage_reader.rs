//! The entries of a Stage record: reading them with their places, and the texts of their stones.

use super::paths::PathKind;
use super::ply::{Direction, Spot};
use super::state::Jiu;
use super::text::{colour, letter};
use crate::game::Side;
use crate::text::TextError;

#[derive(Clone, Copy, PartialEq)]
pub(super) struct Stone {
    pub(super) side: Side,
    pub(super) spot: Spot,
}

/// A slip of a record: its jumped stones are not those of the path.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {turn}: {message}")]
pub struct StageWarning {
    /// Line of the turn, from 1.
    pub line: usize,
    /// Column of the turn, from 1.
    pub column: usize,
    /// The turn by its number in `Stage[2]`, from 1, and its path as the record writes it.
    pub turn: String,
    /// What the record says and what holds.
    pub message: String,
}

/// One entry of a record: a placement or a turn.
pub(super) struct Entry {
    pub(super) place: (usize, usize),
    pub(super) stone: Stone,
    pub(super) landings: Vec<Spot>,
    jumped: Vec<Stone>,
    taken: Vec<Stone>,
}

impl Entry {
    pub(super) fn error(&self, message: String) -> TextError {
        error_at(self.place, message)
    }

    /// The stones taken for squares.
    pub(super) fn taken_spots(&self) -> Vec<Spot> {
        self.taken.iter().map(|stone| stone.spot).collect()
    }

    pub(super) fn kind(&self, game: &Jiu) -> PathKind {
        let Some(&first) = self.landings.first() else {
            return PathKind::Quiet;
        };
        let from = self.stone.spot;
        let over = Direction::between(from, first, 2).map(|way| from.neighbour(way));
        let over_enemy = over.is_some_and(|over| game.enemy().has(over.0));
        let flies = game.flies(game.side());
        let chain = self.landings.len() > 1;
        if chain || over_enemy && (!flies || !self.jumped.is_empty()) {
            PathKind::Jumps
        } else {
            PathKind::Quiet
        }
    }

    /// The warning that the listed jumped stones are not those of the path.
    pub(super) fn slip(&self, number: usize, jumped: &[Spot]) -> Option<StageWarning> {
        let side = self.stone.side.other();
        let mut listed: Vec<_> = self.jumped.iter().map(|s| stone(s.side, s.spot)).collect();
        let mut found: Vec<_> = jumped.iter().map(|&spot| stone(side, spot)).collect();
        listed.sort();
        found.sort();
        if listed == found {
            return None;
        }
        let said = |stones: &[String]| match stones {
            [] => "nothing".to_string(),
            stones => stones.join(","),
        };
        let mut path = vec![self.stone.spot];
        path.extend(&self.landings);
        Some(StageWarning {
            line: self.place.0,
            column: self.place.1,
            turn: format!("turn {number}, {}", path_text(self.stone.side, &path)),
            message: format!(
                "TC lists {}, the path jumps over {}",
                said(&listed),
                said(&found)
            ),
        })
    }
}

pub(super) fn error_at((line, column): (usize, usize), message: String) -> TextError {
    TextError::at(column, message).on_line(line)
}

/// Reads a record's characters, skipping white space and counting lines and columns.
pub(super) struct Reader<'a> {
    left: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
    column: usize,
    size: u8,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str, size: u8) -> Reader<'a> {
        Reader {
            left: text.chars().peekable(),
            line: 1,
            column: 1,
            size,
        }
    }

    pub(super) fn peek(&mut self) -> Option<char> {
        while self.left.peek().is_some_and(|next| next.is_whitespace()) {
            self.step();
        }
        self.left.peek().copied()
    }

    fn step(&mut self) {
        match self.left.next() {
            Some('\n') => (self.line, self.column) = (self.line + 1, 1),
            Some(_) => self.column += 1,
            None => {}
        }
    }

    pub(super) fn at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    pub(super) fn place(&mut self) -> (usize, usize) {
        self.peek();
        (self.line, self.column)
    }

    pub(super) fn expect(&mut self, wanted: &str) -> Result<(), TextError> {
        let place = self.place();
        for letter in wanted.chars() {
            if self.peek() != Some(letter) {
                return Err(error_at(place, format!("'{wanted}' is needed here")));
            }
            self.step();
        }
        Ok(())
    }

    /// A placement or a turn with the `;` behind it, which may be missing at the end of the text.
    pub(super) fn entry(&mut self) -> Result<Entry, TextError> {
        let place = self.place();
        let mut entry = Entry {
            place,
            stone: self.stone()?,
            landings: Vec::new(),
            jumped: Vec::new(),
            taken: Vec::new(),
        };
        while self.peek() == Some('-') {
            self.step();
            self.expect("O")?;
            entry.landings.push(self.point()?);
        }
        self.captures(&mut entry)?;
        if !self.at_end() {
            self.expect(";")?;
        }
        Ok(entry)
    }

    /// `,TC:` and `,FC:` lists, each once, of enemy stones separated by commas.
    fn captures(&mut self, entry: &mut Entry) -> Result<(), TextError> {
        while self.peek() == Some(',') {
            self.step();
            let place = self.place();
            let list = match self.peek() {
                Some('T') => {
                    self.expect("TC:")?;
                    &mut entry.jumped
                }
                Some('F') => {
                    self.expect("FC:")?;
                    &mut entry.taken
                }
                _ => return Err(error_at(place, "'TC:' or 'FC:' is needed here".into())),
            };
            if !list.is_empty() {
                return Err(error_at(place, "the list stands here a second time".into()));
            }
            self.stones(entry.stone.side.other(), list)?;
        }
        Ok(())
    }

    fn stones(&mut self, side: Side, list: &mut Vec<Stone>) -> Result<(), TextError> {
        loop {
            let place = self.place();
            let stone = self.stone()?;
            if stone.side != side {
                return Err(error_at(
                    place,
                    format!("only {} stones are taken", colour(side)),
                ));
            }
            list.push(stone);
            let mut ahead = self.left.clone();
            let comma = self.peek() == Some(',');
            let next = ahead.find(|next| *next != ',' && !next.is_whitespace());
            if !comma || !matches!(next, Some('B' | 'W')) {
                return Ok(());
            }
            self.step();
        }
    }

    fn stone(&mut self) -> Result<Stone, TextError> {
        let place = self.place();
        let side = match self.peek() {
            Some('W') => Side::First,
            Some('B') => Side::Second,
            _ => {
                return Err(error_at(
                    place,
                    "a stone such as B(H,7) is needed here".into(),
                ));
            }
        };
        self.step();
        let spot = self.point()?;
        Ok(Stone { side, spot })
    }

    fn point(&mut self) -> Result<Spot, TextError> {
        self.expect("(")?;
        let place = self.place();
        let mut name = String::new();
        while let Some(letter) = self.peek() {
            if letter == ')' {
                break;
            }
            name.push(letter);
            self.step();
        }
        self.expect(")")?;
        let parts = name.split_once(',');
        let (column, row) =
            parts.ok_or_else(|| error_at(place, format!("'{name}' is not a point such as H,7")))?;
        let read = Spot::parse(&format!("{column}{row}"), self.size);
        read.map_err(|error| error_at(place, error.message))
    }
}

pub(super) fn path_text(side: Side, path: &[Spot]) -> String {
    let mut text = String::new();
    for (place, &spot) in path.iter().enumerate() {
        if place == 0 {
            text.push_str(&stone(side, spot));
        } else {
            text.push_str(&format!("-O({},{})", column_letter(spot), spot.row() + 1));
        }
    }
    text
}

pub(super) fn stone(side: Side, spot: Spot) -> String {
    let side = letter(side).to_ascii_uppercase();
    format!("{side}({},{})", column_letter(spot), spot.row() + 1)
}

fn column_letter(spot: Spot) -> char {
    char::from(b'A' + spot.column())
}
