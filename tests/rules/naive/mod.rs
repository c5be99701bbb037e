//! The slow, plain twins of the games: written from docs/rules alone, text in and text out, nothing shared with the engine.

mod einstein;
mod jiu;
mod surakarta;

pub(crate) use einstein::EinStein;
pub(crate) use jiu::Jiu;
pub(crate) use surakarta::Surakarta;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// The first side won: Red in EinStein and Surakarta, White in Jiu.
    First,
    /// The other side won.
    Second,
    /// The rules call it a draw.
    Draw,
    /// A cap on the plies cut the game short (J9), which is not a draw.
    Truncated,
}

/// A game's rules in their plainest form. Bad text and illegal plies panic.
pub(crate) trait Twin: Clone {
    /// Reads a position text (N.3); counters that the text does not tell start at zero.
    fn parse(text: &str) -> Self;

    /// The position text.
    fn text(&self) -> String;

    /// Whose turn it is: 0 for the first side, 1 for the other. It keeps alternating at the end of a game.
    fn side(&self) -> usize;

    /// Whether a die must be rolled next.
    fn rolling(&self) -> bool {
        false
    }

    /// How the game ended, once it is over.
    fn result(&self) -> Option<End>;

    /// The legal plies as canonical text, sorted; none before a roll and none after the end.
    fn moves(&self) -> Vec<String>;

    /// Plays a ply after checking that it is legal.
    fn play(&mut self, ply: &str) {
        assert!(
            self.moves().contains(&ply.to_string()),
            "{ply} is illegal in {}",
            self.text()
        );
        self.apply(ply);
    }

    /// Plays a ply that is known to be legal.
    fn apply(&mut self, ply: &str);

    /// Rolls a face from 1 to 6.
    fn roll(&mut self, face: u8) {
        panic!("this game has no die to show {face}");
    }
}

/// An empty point of a board.
const EMPTY: char = '.';

/// Column and row, both from 0; row 0 is the bottom row (N.1).
type Point = (usize, usize);

/// A letter or `EMPTY` for every point, by row from the bottom and then by column.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Board {
    rows: Vec<Vec<char>>,
}

impl Board {
    /// Reads a square board text (N.2) that holds no other stones than `letters`.
    fn parse(text: &str, letters: &str) -> Board {
        let mut rows = Vec::new();
        for row_text in text.split('/') {
            let mut row = Vec::new();
            let mut digits = String::new();
            for letter in row_text.chars() {
                if letter.is_ascii_digit() {
                    digits.push(letter);
                    continue;
                }
                assert!(letters.contains(letter), "'{letter}' is no stone in {text}");
                push_run(&mut row, &digits);
                digits.clear();
                row.push(letter);
            }
            push_run(&mut row, &digits);
            rows.push(row);
        }
        // The text has the top row first.
        rows.reverse();
        for row in &rows {
            assert_eq!(row.len(), rows.len(), "{text} is not a square board");
        }
        Board { rows }
    }

    fn text(&self) -> String {
        let mut row_texts = Vec::new();
        for row in self.rows.iter().rev() {
            let mut row_text = String::new();
            let mut run = 0;
            for &letter in row {
                if letter == EMPTY {
                    run += 1;
                    continue;
                }
                if run > 0 {
                    row_text.push_str(&run.to_string());
                }
                run = 0;
                row_text.push(letter);
            }
            if run > 0 {
                row_text.push_str(&run.to_string());
            }
            row_texts.push(row_text);
        }
        row_texts.join("/")
    }

    fn size(&self) -> usize {
        self.rows.len()
    }

    fn get(&self, (column, row): Point) -> char {
        self.rows[row][column]
    }

    fn set(&mut self, (column, row): Point, letter: char) {
        self.rows[row][column] = letter;
    }

    /// All points, row by row from A1.
    fn points(&self) -> Vec<Point> {
        let mut points = Vec::new();
        for row in 0..self.size() {
            for column in 0..self.size() {
                points.push((column, row));
            }
        }
        points
    }

    /// The points that hold `letter`.
    fn points_with(&self, letter: char) -> Vec<Point> {
        let mut points = self.points();
        points.retain(|&point| self.get(point) == letter);
        points
    }

    fn count(&self, letter: char) -> usize {
        self.points_with(letter).len()
    }

    /// The point that lies `across` columns to the right and `up` rows above, if it is on the board.
    fn beside(&self, (column, row): Point, across: i32, up: i32) -> Option<Point> {
        let size = self.size() as i32;
        let column = column as i32 + across;
        let row = row as i32 + up;
        if column < 0 || column >= size || row < 0 || row >= size {
            return None;
        }
        Some((column as usize, row as usize))
    }
}

fn push_run(row: &mut Vec<char>, digits: &str) {
    if digits.is_empty() {
        return;
    }
    let run: usize = digits.parse().unwrap();
    assert!(run > 0, "a run of no points");
    for _ in 0..run {
        row.push(EMPTY);
    }
}

/// A point's name (N.1).
fn name((column, row): Point) -> String {
    let letter = (b'A' + column as u8) as char;
    format!("{letter}{}", row + 1)
}

/// The point of a name (N.1).
fn point(text: &str) -> Point {
    let letter = text.chars().next().unwrap();
    assert!(letter.is_ascii_uppercase(), "{text} is no point");
    let row: usize = text[1..].parse().unwrap();
    assert!(row > 0, "{text} is no point");
    (letter as usize - 'A' as usize, row - 1)
}
