//! Stage records (N.5): `Stage[1]` lists the placements, `Stage[2]` the turns of the battle.

use super::paths::PathKind;
use super::ply::{Direction, Move, Spot};
use super::state::{Jiu, Phase};
use super::text::{colour, letter};
use super::turns::TurnParts;
use super::variant::Variant;
use crate::game::{IllegalMove, Side};
use crate::text::TextError;

/// A game read from a Stage record.
#[derive(Clone, PartialEq, Debug)]
pub struct StageGame {
    /// The plies from the empty board on.
    pub plies: Vec<Move>,
    /// Slips of the record that do not change the game.
    pub warnings: Vec<StageWarning>,
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

/// Writes the plies of a game from the empty board as a Stage record.
///
/// # Errors
/// The first illegal ply.
pub fn write_stage(variant: &Variant, plies: &[Move]) -> Result<String, IllegalMove> {
    let mut game = Jiu::empty(variant).map_err(|error| IllegalMove {
        text: "the first placement".into(),
        position: error.to_string(),
    })?;
    let mut record = String::from("Stage[1]:");
    let mut left = plies;
    while !left.is_empty() {
        if game.phase() == Phase::Battle && !record.contains('\n') {
            record.push_str("\nStage[2]:");
        }
        let (parts, used) = game.play_turn(left)?;
        record.push_str(&turn_text(&parts));
        record.push(';');
        left = &left[used..];
    }
    record.push('\n');
    Ok(record)
}

fn turn_text(parts: &TurnParts) -> String {
    let stones = |side: Side, spots: &[Spot]| {
        let stones: Vec<_> = spots.iter().map(|&spot| stone(side, spot)).collect();
        stones.join(",")
    };
    let mut text = path_text(parts.side, &parts.path);
    for (tag, spots) in [(",TC:", &parts.jumped), (",FC:", &parts.removed)] {
        if !spots.is_empty() {
            text.push_str(tag);
            text.push_str(&stones(parts.side.other(), spots));
        }
    }
    text
}

fn path_text(side: Side, path: &[Spot]) -> String {
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

fn stone(side: Side, spot: Spot) -> String {
    let side = letter(side).to_ascii_uppercase();
    format!("{side}({},{})", column_letter(spot), spot.row() + 1)
}

fn column_letter(spot: Spot) -> char {
    char::from(b'A' + spot.column())
}

/// Reads a Stage record of a game on a board of the variant's size.
///
/// The jumped stones follow from the path; where `TC` says otherwise the path counts and a warning names
/// the turn. A move of a flying side to the second point over an enemy is a jump if `TC` is given.
///
/// # Errors
/// An unreadable record or an illegal turn, with its line and column.
pub fn read_stage(text: &str, variant: &Variant) -> Result<StageGame, TextError> {
    let mut game = Jiu::empty(variant)?;
    let mut reader = Reader::new(text, game.size());
    let mut read = StageGame {
        plies: Vec::new(),
        warnings: Vec::new(),
    };
    reader.expect("Stage[1]:")?;
    while !reader.at_end() && reader.peek() != Some('S') {
        let entry = reader.entry()?;
        if !entry.landings.is_empty() || game.phase() == Phase::Battle {
            return Err(entry.error("Stage[1] lists the placements of the layout only".into()));
        }
        play_entry(&mut game, &entry, &mut read.plies)?;
    }
    if reader.at_end() {
        return Ok(read);
    }
    let stage_2 = reader.place();
    reader.expect("Stage[2]:")?;
    if game.phase() == Phase::Layout {
        return Err(error_at(
            stage_2,
            "the layout is not complete before Stage[2]".into(),
        ));
    }
    let mut number = 0;
    while !reader.at_end() {
        let entry = reader.entry()?;
        number += 1;
        let jumped = play_entry(&mut game, &entry, &mut read.plies)?;
        read.warnings.extend(entry.slip(number, &jumped));
    }
    Ok(read)
}

/// Plays an entry and gives the stones that it jumped over.
fn play_entry(
    game: &mut Jiu,
    entry: &Entry,
    plies: &mut Vec<Move>,
) -> Result<Vec<Spot>, TextError> {
    if entry.stone.side != game.side() {
        return Err(entry.error(format!("{} is to move", colour(game.side()))));
    }
    let mut path = vec![entry.stone.spot];
    path.extend(&entry.landings);
    let turn = game
        .plies_of(&path, entry.kind(game), &spots(&entry.taken))
        .map_err(|fault| entry.error(fault.message))?;
    let (parts, _) = game
        .play_turn(&turn)
        .map_err(|illegal| entry.error(illegal.to_string()))?;
    plies.extend(turn);
    Ok(parts.jumped)
}

fn spots(stones: &[Stone]) -> Vec<Spot> {
    stones.iter().map(|stone| stone.spot).collect()
}

#[derive(Clone, Copy, PartialEq)]
struct Stone {
    side: Side,
    spot: Spot,
}

/// One entry of a record: a placement or a turn.
struct Entry {
    place: (usize, usize),
    stone: Stone,
    landings: Vec<Spot>,
    jumped: Vec<Stone>,
    taken: Vec<Stone>,
}

impl Entry {
    fn error(&self, message: String) -> TextError {
        error_at(self.place, message)
    }

    fn kind(&self, game: &Jiu) -> PathKind {
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
    fn slip(&self, number: usize, jumped: &[Spot]) -> Option<StageWarning> {
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

fn error_at((line, column): (usize, usize), message: String) -> TextError {
    TextError::at(column, message).on_line(line)
}

/// Reads a record's characters, skipping white space and counting lines and columns.
struct Reader<'a> {
    left: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
    column: usize,
    size: u8,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, size: u8) -> Reader<'a> {
        Reader {
            left: text.chars().peekable(),
            line: 1,
            column: 1,
            size,
        }
    }

    fn peek(&mut self) -> Option<char> {
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

    fn at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    fn place(&mut self) -> (usize, usize) {
        self.peek();
        (self.line, self.column)
    }

    fn expect(&mut self, wanted: &str) -> Result<(), TextError> {
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
    fn entry(&mut self) -> Result<Entry, TextError> {
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
