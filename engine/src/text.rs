//! What the text formats of all games share: squares, rows of a board text, and errors with a place.

/// A text that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct TextError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, as a sentence part.
    pub message: String,
}

impl TextError {
    /// An error at a place of the first line; `column` counts from 1.
    pub fn at(column: usize, message: impl Into<String>) -> TextError {
        TextError {
            line: 1,
            column,
            message: message.into(),
        }
    }

    /// The same error, found on another line.
    pub fn on_line(mut self, line: usize) -> TextError {
        self.line = line;
        self
    }

    /// The same error in a text of which a prefix of `columns` characters had been cut off.
    pub fn shifted(mut self, columns: usize) -> TextError {
        self.column += columns;
        self
    }
}

/// A point by column and row, both from 0; row 0 is the bottom row (N.1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// 0 is column A.
    pub column: u8,
    /// 0 is row 1.
    pub row: u8,
}

impl Point {
    /// The point's name, such as `C3`.
    pub fn name(self) -> String {
        format!("{}{}", char::from(b'A' + self.column), self.row + 1)
    }

    /// Reads a point's name of a board with `size` columns and rows; lower case is accepted.
    ///
    /// # Errors
    /// A name of another form, or one that lies off the board.
    pub fn parse(text: &str, size: u8) -> Result<Point, TextError> {
        let unreadable = || TextError::at(1, format!("'{text}' is not a point such as C3"));
        let mut chars = text.chars();
        let letter = chars.next().ok_or_else(unreadable)?.to_ascii_uppercase();
        let digits = chars.as_str();
        if !letter.is_ascii_uppercase()
            || digits.is_empty()
            || digits.starts_with('0')
            || !digits.bytes().all(|b| b.is_ascii_digit())
        {
            return Err(unreadable());
        }
        let column = letter as u8 - b'A';
        match digits.parse::<u8>() {
            Ok(row) if column < size && row <= size => Ok(Point {
                column,
                row: row - 1,
            }),
            _ => Err(TextError::at(
                1,
                format!("{text} lies off the {size}×{size} board"),
            )),
        }
    }
}

/// Writes a board text (N.2): `piece` gives the letter on a point, or `None` where it is empty.
pub fn write_board(size: u8, piece: impl Fn(Point) -> Option<char>) -> String {
    let mut text = String::new();
    for row in (0..size).rev() {
        if row + 1 < size {
            text.push('/');
        }
        let mut run = 0;
        for column in 0..size {
            match piece(Point { column, row }) {
                Some(letter) => {
                    push_run(&mut text, run);
                    run = 0;
                    text.push(letter);
                }
                None => run += 1,
            }
        }
        push_run(&mut text, run);
    }
    text
}

fn push_run(text: &mut String, run: u32) {
    if run > 0 {
        text.push_str(&run.to_string());
    }
}

/// Reads a board text (N.2) of `size` rows and columns, calling `place` for each stone with its letter.
///
/// # Errors
/// Rows of the wrong number or width, runs that are not maximal, and whatever `place` refuses;
/// its message gets the place of the letter.
pub fn read_board(
    text: &str,
    size: u8,
    mut place: impl FnMut(Point, char) -> Result<(), String>,
) -> Result<(), TextError> {
    let rows = text.split('/').count();
    if rows != usize::from(size) {
        return Err(TextError::at(
            1,
            format!("the board has {rows} rows where {size} are needed"),
        ));
    }
    let mut at = 1;
    for (row_from_top, row_text) in text.split('/').enumerate() {
        let row = size - 1 - row_from_top as u8;
        read_row(row_text, row, size, &mut place).map_err(|error| error.shifted(at - 1))?;
        at += row_text.chars().count() + 1;
    }
    Ok(())
}

fn read_row(
    text: &str,
    row: u8,
    size: u8,
    place: &mut impl FnMut(Point, char) -> Result<(), String>,
) -> Result<(), TextError> {
    let mut column: usize = 0;
    let mut chars = text.chars().enumerate().peekable();
    while let Some((at, letter)) = chars.next() {
        let error = |message: String| TextError::at(at + 1, message);
        if letter.is_ascii_digit() {
            let mut run = letter as usize - '0' as usize;
            while let Some((_, digit)) = chars.next_if(|(_, next)| next.is_ascii_digit()) {
                run = (run * 10 + digit as usize - '0' as usize).min(1000);
            }
            if run == 0 || letter == '0' {
                return Err(error(
                    "a run of empty points must be a number from 1".into(),
                ));
            }
            column += run;
        } else {
            if column < usize::from(size) {
                let point = Point {
                    column: column as u8,
                    row,
                };
                place(point, letter).map_err(error)?;
            }
            column += 1;
        }
        if column > usize::from(size) {
            return Err(error(format!(
                "row {} has more than {size} points",
                row + 1
            )));
        }
    }
    if column < usize::from(size) {
        return Err(TextError::at(
            text.chars().count().max(1),
            format!(
                "row {} has {column} points where {size} are needed",
                row + 1
            ),
        ));
    }
    Ok(())
}

/// Splits a position text into exactly `count` fields, each with its column (from 1).
///
/// # Errors
/// Another number of fields; the message lists `names`.
pub fn fields<'a>(text: &'a str, names: &[&str]) -> Result<Vec<(usize, &'a str)>, TextError> {
    let mut found = Vec::new();
    let mut column = 1;
    for part in text.split(' ') {
        if !part.is_empty() {
            found.push((column, part));
        }
        column += part.chars().count() + 1;
    }
    if found.len() == names.len() {
        return Ok(found);
    }
    Err(TextError::at(
        text.chars().count().max(1),
        format!(
            "a position needs {} fields ({}), and this text has {}",
            names.len(),
            names.join(", "),
            found.len()
        ),
    ))
}
