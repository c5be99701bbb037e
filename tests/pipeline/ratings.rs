//! Ratings do not overclaim: intervals hold what they say, and where nothing is known nothing is said.

use engine::draws::{Purpose, keyed};
use rand::RngExt;
use trainer::ladder::{Plan, rate};
use trainer::rating::{Bearing, ELO, Game, Result, Standings};

fn names(count: usize) -> Vec<String> {
    (0..count).map(|player| format!("p{player}")).collect()
}

fn game(first: usize, second: usize, result: Result, pair: u64) -> Game {
    Game {
        first,
        second,
        result,
        pair: Some(pair),
        fingerprint: None,
        fault: false,
    }
}

/// What the two games of a pair have in common.
#[derive(Clone, Copy, Debug)]
enum Luck {
    /// Nothing.
    None,
    /// The luck of who moves first, as from the same dice: pairs spread less than games that stand alone.
    OfTheSide,
    /// The luck of one player in both games: pairs spread more.
    OfThePlayer,
}

/// A game between known strengths by the model of Davidson and Beaver, as luck from 0 to 1 has it.
fn drawn(difference: f64, draws: f64, luck: f64) -> Result {
    let weights = [(difference / 2.0).exp(), draws, (-difference / 2.0).exp()];
    let at = luck * weights.iter().sum::<f64>();
    match at {
        _ if at < weights[0] => Result::First,
        _ if at < weights[0] + weights[1] => Result::Level,
        _ => Result::Second,
    }
}

/// Pairs of games between every two players; the first move is worth 40 Elo.
fn simulated(strengths: &[f64], pairs: u64, seed: u64, luck: Luck) -> Vec<Game> {
    let mut rng = keyed(seed, Purpose::Statistics, 0, 0);
    let first = 40.0 / ELO;
    let mut games = Vec::new();
    for a in 0..strengths.len() {
        for b in a + 1..strengths.len() {
            for pair in 0..pairs {
                let difference = strengths[a] - strengths[b];
                let one = rng.random::<f64>();
                let other = match luck {
                    Luck::None => rng.random::<f64>(),
                    Luck::OfTheSide => one,
                    Luck::OfThePlayer => 1.0 - one,
                };
                games.push(game(a, b, drawn(difference + first, 0.3, one), pair));
                games.push(game(b, a, drawn(first - difference, 0.3, other), pair));
            }
        }
    }
    games
}

/// How often the true ratings lie inside the intervals.
fn coverage(repetitions: u64, pairs: u64, luck: Luck) -> f64 {
    let elo: Vec<_> = (0..10).map(|player| 45.0 * f64::from(player)).collect();
    let strengths: Vec<_> = elo.iter().map(|elo| elo / ELO).collect();
    let (mut inside, mut all) = (0.0, 0.0);
    for seed in 0..repetitions {
        let games = simulated(&strengths, pairs, seed, luck);
        let standings = Standings::of(&names(10), &games, Some(0));
        for line in standings
            .players
            .iter()
            .filter(|line| line.bearing == Bearing::Rated)
        {
            let player: usize = line.player[1..].parse().unwrap();
            let [low, high] = line.interval.map(Option::unwrap);
            inside += f64::from(u8::from(low <= elo[player] && elo[player] <= high));
            all += 1.0;
        }
    }
    assert_eq!(all, 9.0 * repetitions as f64);
    inside / all
}

#[test]
fn true_ratings_lie_inside_the_intervals_as_often_as_stated_whatever_pairs_share() {
    for luck in [Luck::None, Luck::OfTheSide, Luck::OfThePlayer] {
        let share = coverage(60, 80, luck);
        assert!((0.92..=0.98).contains(&share), "{luck:?}: {share}");
    }
}

#[test]
#[ignore = "20,000 games a thousand times take a minute or two"]
fn true_ratings_lie_inside_the_intervals_over_a_thousand_repetitions() {
    // 45 couples with 222 pairs each: 19,980 games.
    let share = coverage(1_000, 222, Luck::None);
    println!(
        "true ratings inside the 95 % intervals: {:.2} %",
        100.0 * share
    );
    assert!((0.93..=0.97).contains(&share), "{share}");
}

#[test]
fn a_player_that_wins_everything_has_a_lower_bound_and_no_rating() {
    let games: Vec<_> = (0..10)
        .flat_map(|pair| {
            [
                game(0, 1, Result::First, pair),
                game(1, 0, Result::Second, pair),
            ]
        })
        .collect();
    let standings = Standings::of(&names(2), &games, Some(1));
    let [winner, loser] = &standings.players[..] else {
        panic!("two players")
    };
    assert_eq!(
        (winner.bearing, loser.bearing),
        (Bearing::AtLeast, Bearing::Anchor)
    );
    assert_eq!((winner.rating, winner.interval[1]), (None, None));
    // Ten pairs without a loss are less likely than 5 % where a game is won with less than 0.05^(1/10).
    let least = 0.05_f64.powf(0.1);
    let elo = ELO * (least / (1.0 - least)).ln();
    assert!(
        (winner.interval[0].unwrap() - elo).abs() < 1.0,
        "{:?} {elo}",
        winner.interval
    );
}

#[test]
fn two_players_are_as_far_apart_as_the_logistic_curve_has_it() {
    // 150 pairs won twice and 50 lost twice: 75 %, and 400·log10(3) Elo.
    let games: Vec<_> = (0..200)
        .flat_map(|pair| {
            let (first, second) = match pair % 4 {
                0 => (Result::Second, Result::First),
                _ => (Result::First, Result::Second),
            };
            [game(0, 1, first, pair), game(1, 0, second, pair)]
        })
        .collect();
    let standings = Standings::of(&names(2), &games, Some(1));
    let line = &standings.players[0];
    assert!((line.rating.unwrap() - 400.0 * 3.0_f64.log10()).abs() < 0.01);
    // The spread of the pairs: each of 200 has variance 3/16. The three pairs held to be unseen count as
    // games that stand alone, and the slope of the curve turns shares into Elo.
    let share: f64 = 0.75 * 0.25;
    let pairs = 200.0 * share * 4.0 + 3.0 * share * 2.0;
    let half = 1.96 * ELO * pairs.sqrt() / (400.0 * share);
    let [low, high] = line.interval.map(Option::unwrap);
    assert!((high - low - 2.0 * half).abs() < 0.1, "{low} {high} {half}");
    // The sides are even: the first move is worth nothing, and nothing is decided about it.
    let first = standings.first_move.unwrap();
    assert!(first.elo.abs() < 0.01 && first.verdict == "not decided");
}

#[test]
fn an_adaptive_plan_plays_what_is_known_least() {
    let plan = Plan::Adaptive {
        players: 4,
        pairs: 1_000,
    };
    let count = |wave: &[([usize; 2], u64)], player: usize| {
        let with = |(couple, _): &&([usize; 2], u64)| couple.contains(&player);
        wave.iter().filter(with).count()
    };
    let known = simulated(&[0.0; 3], 200, 1, Luck::None);
    let wave = plan.wave(&[([0, 1], 0)], &known);
    assert_eq!(wave.len(), 32);
    assert_eq!(count(&wave, 3), 32, "{wave:?}");
    // Two camps whose own games are many: what is known least is how far apart the camps are.
    let camps = simulated(&[0.0, 0.0, 1.0, 1.0], 100, 1, Luck::None);
    let inside = |couple: [usize; 2]| couple[0] / 2 == couple[1] / 2;
    let camps: Vec<_> = camps
        .into_iter()
        .filter(|game| inside([game.first, game.second]))
        .collect();
    let wave = plan.wave(&[([0, 1], 0)], &camps);
    assert!(wave.iter().all(|&(couple, _)| !inside(couple)), "{wave:?}");
}

#[test]
fn players_without_a_common_opponent_get_no_common_anchor() {
    let mut games = simulated(&[0.0, 0.0], 20, 1, Luck::None);
    let others = simulated(&[0.0, 0.0], 20, 2, Luck::None);
    games.extend(others.into_iter().map(|game| Game {
        first: game.first + 2,
        second: game.second + 2,
        ..game
    }));
    let standings = Standings::of(&names(4), &games, Some(0));
    let anchor = |name: &str| {
        let line = standings.players.iter().find(|line| line.player == name);
        line.unwrap().anchor.clone()
    };
    assert_eq!((anchor("p0"), anchor("p1")), ("p0".into(), "p0".into()));
    assert_eq!((anchor("p2"), anchor("p3")), ("p2".into(), "p2".into()));
}

#[test]
fn rock_paper_scissors_is_a_cycle_and_no_rise() {
    // leela-zero #1123: each beats the next one 9 to 1.
    let mut games = Vec::new();
    for (winner, loser) in [(0, 1), (1, 2), (2, 0)] {
        for pair in 0..100 {
            let lost = pair % 10 == 0;
            let (first, second) = if lost {
                (Result::Second, Result::First)
            } else {
                (Result::First, Result::Second)
            };
            games.extend([
                game(winner, loser, first, pair),
                game(loser, winner, second, pair),
            ]);
        }
    }
    let standings = Standings::of(&names(3), &games, None);
    assert_eq!(standings.cycles, [["p0", "p1", "p2"]]);
    assert!(
        standings
            .players
            .iter()
            .all(|line| line.rating.unwrap().abs() < 1.0)
    );
    assert_eq!(standings.players[0].against_next, Some("not decided"));
}

#[test]
fn games_that_repeat_are_counted_once() {
    // E1: 40 games are 2 games played 20 times.
    let repeated = |first, second, result, pair, print| Game {
        fingerprint: Some(print),
        ..game(first, second, result, pair)
    };
    let games: Vec<_> = (0..20)
        .flat_map(|pair| {
            [
                repeated(0, 1, Result::First, pair, 1),
                repeated(1, 0, Result::First, pair, 2),
            ]
        })
        .collect();
    let standings = Standings::of(&names(2), &games, None);
    assert_eq!((standings.games, standings.distinct_games), (40, 2));
    assert!(standings.couples[0].verdict.starts_with("not counted"));
}

#[test]
fn lines_of_other_weights_or_rules_and_duplicates_are_left_out_and_listed() {
    let line = |id: u64, hash: &str, rules: u64| {
        format!(
            "{{\"game\":\"einstein\",\"rules\":{rules},\"id\":{id},\"first\":{{\"name\":\"a\",\"hash\":\"{hash}\"}},\
             \"second\":{{\"name\":\"b\"}},\"result\":\"first\"}}"
        )
    };
    let text = [
        line(1, "x", 1),
        line(1, "x", 1),
        line(2, "y", 1),
        line(3, "x", 2),
        "{".into(),
        line(4, "x", 1),
    ];
    let (collection, standings) = rate(&text.join("\n"), None);
    assert_eq!(standings.games, 2);
    let why: Vec<_> = collection
        .left_out
        .iter()
        .map(|left| (left.line, left.why.as_str()))
        .collect();
    for ((line, why), (number, part)) in why.iter().zip([
        (2, "duplicate"),
        (3, "other weights of a"),
        (4, "other rules"),
        (5, "not a result line"),
    ]) {
        assert!(*line == number && why.contains(part), "{line}: {why}");
    }
    assert_eq!(why.len(), 4);
}
