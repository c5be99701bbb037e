//! Shapes of stones and the points that answer them.

use engine::bits::Wide;
use engine::games::jiu::{Due, Jiu, Pattern, PatternKind, Phase, Spot, Start, Variant};
use engine::{Game, Side};

use super::boards::{battle, cases};
use super::random_games;

/// The shapes of one kind among Black's stones: number of stones and answers.
fn found(game: &Jiu, kind: PatternKind) -> Vec<(u32, String)> {
    let of_kind = |pattern: &Pattern| pattern.kind == kind && low(pattern.stones);
    let patterns = game.patterns(Side::Second);
    let patterns = patterns.iter().filter(|pattern| of_kind(pattern));
    patterns
        .map(|pattern| (pattern.stones.count(), names(pattern.answers)))
        .collect()
}

fn names(points: Wide) -> String {
    let names: Vec<_> = points.iter().map(|bit| Spot(bit).name()).collect();
    names.join(" ")
}

/// Whether the shape lies in the drawn corner and not in the rows that fill the top.
fn low(stones: Wide) -> bool {
    stones.iter().all(|bit| Spot(bit).row() < 10)
}

fn one(stones: u32, answers: &str) -> Vec<(u32, String)> {
    vec![(stones, answers.into())]
}

#[test]
fn a_triangle_is_answered_in_its_gap() {
    let game = cases('w', ". . . . .\n. b . . .\n. b b . .\n. . . . .");
    assert_eq!(found(&game, PatternKind::Triangle), one(3, "C3"));
}

#[test]
fn a_triangle_that_no_stone_can_fill_is_not_a_gate() {
    let game = cases('w', ". . . . .\n. b . . .\n. b b . .\n. . . . .");
    assert_eq!(found(&game, PatternKind::Gate), []);
    // A stone of the cell itself cannot fill it.
    let game = cases('w', ". . . . .\n. b . b .\n. b b . .\n. . . . .");
    assert_eq!(found(&game, PatternKind::Gate), one(3, "C3"));
    // A jump fills a gap as well.
    let game = cases('w', ". . . . .\n. b . w b\n. b b . .\n. . . . .");
    assert_eq!(found(&game, PatternKind::Gate), one(3, "C3"));
}

#[test]
fn a_trinity_is_answered_beside_its_middle_where_two_triangles_threaten() {
    let game = cases('w', ". . . . . .\n. . . . . .\n. b b b . .\n. . . . . .");
    assert_eq!(found(&game, PatternKind::Trinity), one(3, "C1 C3"));
    let game = cases('w', ". . . . . .\n. w . . . .\n. b b b . .\n. . . . . .");
    assert_eq!(found(&game, PatternKind::Trinity), one(3, "C1"));
    let game = cases('w', ". . . . . .\n. w . . . .\n. b b b . .\n. . . w . .");
    assert_eq!(found(&game, PatternKind::Trinity), []);
}

#[test]
fn a_twain_is_answered_where_a_third_stone_makes_a_line_or_a_triangle() {
    let game = cases('w', ". . . . . .\n. . . . . .\n. . b b . .\n. . . . . .");
    assert_eq!(
        found(&game, PatternKind::Twain),
        one(2, "C1 D1 B2 E2 C3 D3")
    );
    let game = cases('w', ". . . . . .\n. . w . . .\n. w b b . .\n. . . . . .");
    assert_eq!(found(&game, PatternKind::Twain), one(2, "C1 D1 E2"));
    let game = cases('w', ". . . . . .\n. . . . b .\n. . b b . .\n. . . . . .");
    assert_eq!(found(&game, PatternKind::Twain), []);
}

#[test]
fn a_diagonal_with_an_enemy_at_the_right_angle_is_cut_off_on_the_other_corner() {
    let game = cases('w', ". . . . . .\n. . b . . .\n. . w b . .\n. . . . . .");
    assert_eq!(found(&game, PatternKind::Diagonal), one(2, "D3"));
    let game = cases('w', ". . . . . .\n. . b . . .\n. . . b . .\n. . . . . .");
    assert_eq!(found(&game, PatternKind::Diagonal), []);
}

#[test]
fn a_single_dalian_has_seven_stones() {
    let drawing = "
        . . . . . .
        . b b . . .
        . b b . b .
        . . . b b .
        . . . . . .";
    let game = cases('w', drawing);
    assert_eq!(found(&game, PatternKind::SingleDalian), one(7, "D3"));
}

#[test]
fn a_single_dalian_has_eight_stones_when_another_one_can_fill_the_gap_too() {
    let drawing = "
        . . . . . .
        . b b . . .
        . b b . b .
        . . . b b .
        . . . . . .";
    let game = cases('w', &drawing.replacen(". b b . . .", ". b b . b .", 1));
    assert_eq!(found(&game, PatternKind::SingleDalian), one(7, "D3"));
    let drawing = "
        . . . . . .
        . b b b . .
        . b b . b .
        . . . b b .
        . . . . . .";
    let game = cases('w', drawing);
    assert_eq!(found(&game, PatternKind::SingleDalian), one(8, "D3"));
}

#[test]
fn the_runner_may_step_up_and_down_as_well() {
    let drawing = "
        . b b . . .
        . b . . . .
        . . b b . .
        . . b b . .
        . . . . . .";
    // C3 steps to C4: B4 B5 C5 are complete with it; back on C3 it completes C2 D2 D3.
    let game = cases('w', drawing);
    assert_eq!(found(&game, PatternKind::SingleDalian), one(7, "C4"));
}

#[test]
fn two_runners_for_one_gap_make_a_double_dalian_of_ten_stones() {
    let drawing = "
        . . . . . . .
        . b b b . . .
        . b b . b b .
        . . . b b b .
        . . . . . . .";
    let game = cases('w', drawing);
    assert_eq!(found(&game, PatternKind::DoubleDalian), one(10, "D3"));
    assert_eq!(found(&game, PatternKind::SingleDalian), []);
}

#[test]
fn a_step_that_completes_a_square_on_the_way_there_only_is_no_dalian() {
    let drawing = "
        . . . . . .
        . b . . . .
        . b b . b .
        . . . b b .
        . . . . . .";
    let game = cases('w', drawing);
    assert_eq!(found(&game, PatternKind::SingleDalian), []);
}

#[test]
fn in_the_layout_every_triangle_is_a_gate() {
    let text = "5w/4ww/1b1b2/1bw3/bb4/1w4 w layout";
    let game = Jiu::parse(text, &Variant::default()).unwrap();
    let stones = game.patterns(Side::Second);
    let count = |kind| stones.iter().filter(|pattern| pattern.kind == kind).count();
    assert_eq!(
        (count(PatternKind::Triangle), count(PatternKind::Gate)),
        (1, 1)
    );
}

#[test]
fn a_flying_side_fills_any_gap() {
    let game = battle(
        6,
        'w',
        "
        b . . . . w
        . . . . . .
        . b . . . w
        . b b . . .
        . . . . . w
        w w . . . .",
    );
    assert_eq!(found(&game, PatternKind::Gate), one(3, "C4"));
}

/// A drawing turned by a quarter, to the left.
fn turned(rows: &[Vec<char>]) -> Vec<Vec<char>> {
    let width = rows[0].len();
    let column = |column: usize| rows.iter().map(|row| row[column]).collect();
    (0..width).rev().map(column).collect()
}

fn mirrored(rows: &[Vec<char>]) -> Vec<Vec<char>> {
    let reversed = |row: &Vec<char>| row.iter().rev().copied().collect();
    rows.iter().map(reversed).collect()
}

/// The points of a drawing, lying in the lower left corner, that carry a mark.
fn marked(rows: &[Vec<char>], mark: char) -> Wide {
    let mut points = Wide::EMPTY;
    for (row, points_of_row) in (0..).zip(rows.iter().rev()) {
        for (column, &point) in (0..).zip(points_of_row) {
            if point == mark {
                points.insert(Spot::new(column, row).0);
            }
        }
    }
    points
}

/// Checks that a drawing holds exactly one shape of a kind in each of its eight orientations: `b` are its
/// stones, `*` its answers, `o` other stones of Black and `w` White's.
fn drawn(kind: PatternKind, stones: u32, drawing: &str) {
    let row = |row: &str| {
        row.chars()
            .filter(|c| !c.is_whitespace())
            .collect::<Vec<_>>()
    };
    let lines = drawing.lines().filter(|row| !row.trim().is_empty());
    let mut rows: Vec<_> = lines.map(row).collect();
    assert_eq!(marked(&rows, 'b').count(), stones);
    for orientation in 0..8 {
        rows = if orientation == 4 {
            mirrored(&rows)
        } else {
            turned(&rows)
        };
        let text: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
        let text = text.join("\n");
        let game = cases('w', &text.replace('*', ".").replace('o', "b"));
        let patterns = game.patterns(Side::Second);
        let of_kind = patterns.iter().filter(|p| p.kind == kind && low(p.stones));
        let found: Vec<_> = of_kind.map(|p| (p.stones, p.answers)).collect();
        assert_eq!(
            found,
            [(marked(&rows, 'b'), marked(&rows, '*'))],
            "{kind:?}\n{text}"
        );
    }
}

#[test]
fn the_small_shapes_are_found_in_every_orientation() {
    // Figure 3: the gap is filled.
    drawn(
        PatternKind::Triangle,
        3,
        ". . . .\n. b * .\n. b b .\n. . . .",
    );
    drawn(
        PatternKind::Gate,
        3,
        ". . . . .\n. b * o .\n. b b . .\n. . . . .",
    );
    drawn(
        PatternKind::Gate,
        3,
        ". . . . . .\n. b * w o .\n. b b . . .\n. . . . . .",
    );
    // Figure 4: a stone beside the middle would make two triangles.
    drawn(
        PatternKind::Trinity,
        3,
        ". . . . .\n. . * . .\n. b b b .\n. . * . .\n. . . . .",
    );
    // Figure 5: the next stone makes three in a line or a triangle.
    drawn(
        PatternKind::Twain,
        2,
        ". . . . . .\n. . * * . .\n. * b b * .\n. . * * . .\n. . . . . .",
    );
    drawn(
        PatternKind::Diagonal,
        2,
        ". . . .\n. b * .\n. w b .\n. . . .",
    );
}

#[test]
fn the_two_dalians_of_seven_stones_are_found_in_every_orientation() {
    // The runner's two squares lie on different sides of its line, or on the same.
    for drawing in [
        ". . . . . .\n. b b . . .\n. b b * b .\n. . . b b .\n. . . . . .",
        ". . . . . .\n. b b b b .\n. b b * b .\n. . . . . .",
    ] {
        drawn(PatternKind::SingleDalian, 7, drawing);
    }
}

#[test]
fn dalians_of_eight_stones_have_a_second_stone_for_the_gap_in_every_orientation() {
    for drawing in [
        ". . . . . .\n. b b b . .\n. b b * b .\n. . . b b .\n. . . . . .",
        ". . . . . .\n. b b b b .\n. b b * b .\n. . . b . .\n. . . . . .",
    ] {
        drawn(PatternKind::SingleDalian, 8, drawing);
    }
}

#[test]
fn double_dalians_are_found_in_every_orientation() {
    let two_runners = ". . . . . . .\n. b b b . . .\n. b b * b b .\n. . . b b b .\n. . . . . . .";
    drawn(PatternKind::DoubleDalian, 10, two_runners);
    let two_squares = ". . . . . .\n. b b b b .\n. b b * b .\n. b b b b .\n. . . . . .";
    drawn(PatternKind::DoubleDalian, 11, two_squares);
}

/// Whether a stone that left `from` completes a square on `to`, by coordinates alone.
fn completes(own: Wide, from: Spot, to: Spot) -> bool {
    let stands = |column: i16, row: i16| {
        (0..14).contains(&column) && (0..14).contains(&row) && {
            let at = Spot::new(column as u8, row as u8);
            at == to || (at != from && own.has(at.0))
        }
    };
    let (column, row) = (i16::from(to.column()), i16::from(to.row()));
    let corners = [(0, 0), (-1, 0), (0, -1), (-1, -1)];
    corners.into_iter().any(|(left, down)| {
        let cell = [(0, 0), (1, 0), (0, 1), (1, 1)];
        cell.iter()
            .all(|(x, y)| stands(column + left + x, row + down + y))
    })
}

fn beside(a: Spot, b: Spot) -> bool {
    a.column().abs_diff(b.column()) + a.row().abs_diff(b.row()) == 1
}

#[test]
fn a_gap_has_a_dalian_exactly_if_a_stone_beside_it_makes_a_square_there_and_back() {
    let mut found = 0;
    random_games(&Variant::sized(8), &Start::RandomLayout, 6, |game| {
        for side in Side::BOTH {
            let own = game.stones(side);
            let runs = |gap: &u8| {
                let gap = Spot(*gap);
                own.iter().map(Spot).any(|home| {
                    let mut moved = own;
                    moved.remove(home.0);
                    moved.insert(gap.0);
                    beside(home, gap) && completes(own, home, gap) && completes(moved, gap, home)
                })
            };
            let gaps: Wide = game.vacant().iter().filter(runs).collect();
            found += gaps.count();
            assert_eq!(game.threats(side).dalians, gaps, "{}", game.text());
        }
    });
    assert!(found > 50, "{found}");
}

#[test]
fn threats_are_the_answers_of_the_patterns() {
    let mut looked_at = 0;
    random_games(&Variant::sized(8), &Start::Empty, 6, |game| {
        looked_at += 1;
        if looked_at % 3 != 0 || matches!(game.due(), Due::Drop { .. } | Due::Hop { .. }) {
            return;
        }
        for side in Side::BOTH {
            let patterns = game.patterns(side);
            let answers = |kinds: &[PatternKind]| {
                let of_kind = patterns.iter().filter(|p| kinds.contains(&p.kind));
                of_kind.fold(Wide::EMPTY, |all, pattern| all | pattern.answers)
            };
            let threats = game.threats(side);
            assert_eq!(threats.triangles, answers(&[PatternKind::Triangle]));
            assert_eq!(
                threats.double_dalians,
                answers(&[PatternKind::DoubleDalian])
            );
            let dalians = [PatternKind::SingleDalian, PatternKind::DoubleDalian];
            assert_eq!(threats.dalians, answers(&dalians), "{}", game.text());
            let gates = answers(&[PatternKind::Gate]);
            assert_eq!(threats.gates & gates, threats.gates, "{}", game.text());
            if game.phase() == Phase::Layout || game.flies(side) {
                assert_eq!(threats.gates, gates, "{}", game.text());
            }
        }
    });
}
