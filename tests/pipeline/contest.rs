//! The contest match of EinStein (E8), and luck taken off scores.

use std::sync::Mutex;
use std::time::Duration;

use engine::games::einstein::wtn::Record;
use engine::games::einstein::{Einstein, Rules, Setup};
use engine::{Game, Outcome, Side, Status};
use trainer::matches::{
    Adjusted, Contest, ContestMatch, Course, CourseStep, GameResult, MatchPlan, Played, PlayerSpec,
    Reason, Score, Seat, play_games, play_match,
};
use trainer::truth::Luck;

use crate::truth::{FOUR_CUBES, truth};

fn seat(spec: &str) -> Seat {
    let spec: PlayerSpec = spec.parse().unwrap();
    Seat::load::<Einstein>(&spec, &Rules {}, &crate::support::machine(1)).unwrap()
}

/// Plays a match under a clock that goes on by a second each time it is looked at.
fn play(a: &str, b: &str, seed: u64, seconds: u64) -> ContestMatch {
    let (a, b) = (seat(a), seat(b));
    let time = Mutex::new(Duration::ZERO);
    let now = || {
        let mut time = time.lock().unwrap();
        *time += Duration::from_secs(1);
        *time
    };
    let contest = Contest {
        seats: [&a, &b],
        seed,
        clock: Duration::from_secs(seconds),
        now: &now,
    };
    contest.play(0)
}

#[test]
fn a_match_ends_with_the_fourth_win_and_follows_the_schedule_of_first_movers() {
    for seed in 0..12 {
        let found = play("static", "random", seed, 10_000);
        let wins = ["a", "b"].map(|name| {
            found
                .games
                .iter()
                .filter(|game| game.winner == name)
                .count()
        });
        assert_eq!(wins, found.score);
        let winner = usize::from(found.winner == "b");
        assert_eq!(found.score[winner], 4);
        assert!(found.score[1 - winner] < 4);
        assert_eq!(found.games.last().unwrap().winner, found.winner);
        let first: Vec<_> = found.games.iter().map(|game| game.first).collect();
        // E8, written out.
        assert_eq!(first, ["a", "b", "b", "a", "a", "b", "b"][..first.len()]);
    }
}

#[test]
fn records_read_back_with_the_winner_and_the_set_up_that_the_player_chose() {
    let found = play("static", "random", 5, 10_000);
    for game in &found.games {
        let record = game
            .record(["static", "a [b]"], "2026.01.01 here", "2026 test")
            .unwrap();
        let read = Record::read(&record.write()).unwrap();
        assert_eq!(read, record);
        assert_eq!(read.plies.len(), game.plies);
        let Status::Over(Outcome::Win(side)) = read.end().status() else {
            panic!("the record ends with the game")
        };
        let of_side = [game.first, if game.first == "a" { "b" } else { "a" }];
        assert_eq!(of_side[side.index()], game.winner);
        assert_eq!(read.header[2], ["先手胜", "后手胜"][side.index()]);
        let wiped_out = read.end().alive(side.other()) == 0;
        assert_eq!(game.reason == Reason::Annihilation, wiped_out);
        assert!(read.header[..2].contains(&"a (b)".to_string()));
        // Player A's own set-up (rule S4), as Red and as Blue.
        let rows = read.start.text();
        let expected = if game.first == "a" { "CAB" } else { "bac " };
        assert!(rows.contains(expected), "{rows}");
    }
}

#[test]
fn a_side_whose_time_runs_out_loses_the_game() {
    // A placement or a choice costs a second. Five placements are asked for, the sixth is forced.
    let found = play("static", "random", 1, 4);
    assert!(found.games.iter().all(|game| game.reason == Reason::Time));
    // Red places first and is out of time first, so each game is lost by who moves first.
    assert!(found.games.iter().all(|game| game.first != game.winner));
    assert!(
        found
            .games
            .iter()
            .all(|game| game.record(["", ""], "", "").is_none())
    );
    let seconds = found.games[0].seconds;
    assert_eq!(seconds, [5.0, 0.0]);
    let found = play("static", "random", 1, 7);
    let timed_out: Vec<_> = found
        .games
        .iter()
        .filter(|game| game.reason == Reason::Time)
        .collect();
    assert!(!timed_out.is_empty());
    for game in timed_out {
        let loser = usize::from(game.winner == "a");
        assert_eq!(game.seconds[loser], 8.0);
        let record = game.record(["", ""], "", "").unwrap();
        assert_eq!(
            Record::read(&record.write()).unwrap().plies.len(),
            game.plies
        );
    }
}

fn plan(pairs: u64) -> MatchPlan<Einstein> {
    MatchPlan {
        opening_plies: 0,
        variant: Rules {},
        start: Setup::Random,
        pairs,
        seed: 7,
        threads: 2,
    }
}

#[test]
fn the_luck_of_a_roll_has_mean_zero_and_belongs_to_the_side_that_rolls() {
    // R1 and R6 live and R1 stands before the goal, as Black's cube does: Red wins at once with 1 to 5
    // (E4) and loses with 6.
    let before = Einstein::parse("1a3/5/1F3/5/3A1 r -", &Rules {}).unwrap();
    let luck = Luck {
        truth: Some(truth()),
        net: None,
    };
    let of = |face: u8, a_side: Side| {
        let mut course = Course::from(&before, 0);
        course.steps.push(CourseStep::Roll(engine::Roll(face)));
        let game = Played {
            result: GameResult {
                pair: 0,
                a_side,
                outcome: Outcome::Win(Side::First),
                fault: None,
                plies: 1,
                fingerprint: 0,
                opening: before.text(),
            },
            course,
        };
        luck.of_games(&[game], 1)[0]
    };
    let faces: Vec<_> = (0..6).map(|face| of(face, Side::First)).collect();
    assert!(faces.iter().sum::<f64>().abs() < 1e-9, "{faces:?}");
    assert!(faces[0] > 0.0 && faces[5] < 0.0, "{faces:?}");
    for (face, &points) in (0..).zip(&faces) {
        assert!((of(face, Side::Second) + points).abs() < 1e-12);
    }
}

#[test]
fn without_luck_the_score_has_the_same_mean_and_less_variance() {
    let luck = Luck {
        truth: Some(truth()),
        net: None,
    };
    // Players of some sense: exact values tell little of the luck of players who make nothing of it.
    let (a, b) = (seat("rollout:sims=40"), seat("rollout:sims=40"));
    let plan = || MatchPlan {
        start: Setup::Fixed(FOUR_CUBES.into()),
        ..plan(600)
    };
    let games = play_games(&a, &b, &plan()).unwrap().unwrap();
    let results: Vec<_> = games.iter().map(|game| game.result.clone()).collect();
    assert_eq!(results, play_match(&a, &b, &plan()).unwrap().unwrap());
    let found = luck.of_games(&games, 2);
    assert_eq!(found, luck.of_games(&games, 1));
    let plain = Score::of(&results);
    let adjusted = Adjusted::of(&results, &found).unwrap();
    // What is taken off has mean 0: within four deviations of its own mean.
    let count = found.len() as f64;
    let mean = found.iter().sum::<f64>() / count;
    let deviation = (found.iter().map(|luck| (luck - mean).powi(2)).sum::<f64>() / count).sqrt();
    assert!(deviation > 0.05, "the dice matter: {deviation}");
    assert!(
        mean.abs() < 4.0 * deviation / count.sqrt(),
        "{mean} {deviation}"
    );
    assert!((adjusted.score - (plain.score - mean)).abs() < 1e-9);
    assert!(adjusted.variance_factor > 1.05, "{adjusted:?}");
    let width = |interval: [f64; 2]| interval[1] - interval[0];
    assert!(width(adjusted.interval) < width(plain.interval));
}
