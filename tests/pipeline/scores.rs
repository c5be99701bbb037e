//! What match results say, and what they do not (E1, E3).

use engine::draws::{Purpose, keyed};
use engine::games::einstein::{Einstein, Rules, Setup};
use engine::games::surakarta::Surakarta;
use engine::{Game, Outcome, Side};
use rand::RngExt;
use trainer::dispatch::Playable;
use trainer::matches::{GameResult, Gate, MatchPlan, PlayerSpec, Score, Seat, play_match};

fn game(pair: u64, a_side: Side, outcome: Outcome, fingerprint: u64) -> GameResult {
    GameResult {
        pair,
        a_side,
        outcome,
        fault: None,
        plies: 20,
        fingerprint,
        opening: String::new(),
    }
}

/// A match in which A scores these points in its games with the first and the second side.
fn played(pairs: &[(f64, f64)]) -> Vec<GameResult> {
    let outcome = |side: Side, points: f64| match points {
        1.0 => Outcome::Win(side),
        0.0 => Outcome::Win(side.other()),
        _ => Outcome::Draw,
    };
    (0..)
        .zip(pairs)
        .flat_map(|(pair, &(first, second))| {
            [
                game(pair, Side::First, outcome(Side::First, first), 2 * pair),
                game(
                    pair,
                    Side::Second,
                    outcome(Side::Second, second),
                    2 * pair + 1,
                ),
            ]
        })
        .collect()
}

#[test]
fn points_belong_to_player_a_whatever_its_side() {
    let score = Score::of(&played(&[(1.0, 1.0), (0.0, 1.0), (0.5, 0.0)]));
    assert_eq!((score.wins, score.draws, score.losses), (3, 1, 2));
    assert!((score.score - 3.5 / 6.0).abs() < 1e-12);
    assert_eq!(score.distinct_games, 6);
}

#[test]
fn the_interval_is_over_pairs() {
    // Each pair is 1-1 because the side decides every game: the score is exactly a half, and pairs
    // without any spread still leave a doubt.
    let sides_decide = Score::of(&played(&[(1.0, 0.0); 100]));
    assert_eq!(sides_decide.score, 0.5);
    assert!(sides_decide.interval[0] < 0.5 && sides_decide.interval[1] > 0.5);
    assert_eq!(sides_decide.verdict(), "not decided");

    // The same games in other pairs spread twice as much: 50 pairs of 2-0, 50 of 0-2.
    let mut pairs = vec![(1.0, 1.0); 50];
    pairs.extend([(0.0, 0.0); 50]);
    let spread = Score::of(&played(&pairs));
    let half = (spread.interval[1] - spread.interval[0]) / 2.0;
    // Pair scores are 0 or 1: a standard deviation of 0.5025 over ten.
    assert!((half - 1.96 * 0.5025 / 10.0).abs() < 1e-3, "{half}");
}

#[test]
fn a_clean_sweep_is_no_certainty() {
    let sweep = Score::of(&played(&[(1.0, 1.0); 10]));
    assert_eq!(sweep.score, 1.0);
    assert!(sweep.interval[0] > 0.5 && sweep.interval[0] < 1.0);
    assert_eq!(sweep.verdict(), "A is stronger");
    assert_eq!(Score::of(&played(&[(1.0, 1.0)])).verdict(), "not decided");
}

#[test]
fn the_interval_holds_the_true_score_as_often_as_it_says() {
    let mut inside = 0;
    const MATCHES: u64 = 2_000;
    for number in 0..MATCHES {
        let mut draws = keyed(5, Purpose::Statistics, number, 0);
        let pairs: Vec<_> = (0..200)
            .map(|_| {
                // Luck that both games share, and a true score of 0.55.
                let luck = 0.2 * (draws.random::<f64>() - 0.5);
                let mut point =
                    |strength: f64| f64::from(u8::from(draws.random::<f64>() < strength));
                (point(0.55 + luck), point(0.55 - luck))
            })
            .collect();
        let score = Score::of(&played(&pairs));
        inside += u64::from(score.interval[0] <= 0.55 && 0.55 <= score.interval[1]);
    }
    let share = inside as f64 / MATCHES as f64;
    assert!((0.93..=0.97).contains(&share), "{share}");
}

#[test]
fn repeated_games_count_once_and_a_match_of_them_is_not_counted() {
    // E1: 40 games are 2 games played 20 times.
    let mut results = Vec::new();
    for pair in 0..20 {
        results.push(game(pair, Side::First, Outcome::Win(Side::First), 1));
        results.push(game(pair, Side::Second, Outcome::Win(Side::First), 2));
    }
    let score = Score::of(&results);
    assert_eq!((score.games(), score.distinct_games), (40, 2));
    assert!(!score.counted);
    assert_eq!(score.interval, [0.0, 1.0], "one pair says nothing");
    assert!(score.verdict().contains("not counted"));
}

fn plan<G: Playable>(pairs: u64, seed: u64, threads: usize) -> MatchPlan<G> {
    MatchPlan {
        opening_plies: 0,
        variant: G::Variant::default(),
        start: G::Start::default(),
        pairs,
        seed,
        threads,
    }
}

fn seat<G: Playable>(spec: &str) -> Seat {
    let spec: PlayerSpec = spec.parse().unwrap();
    Seat::load::<G>(&spec, &G::Variant::default(), &crate::support::machine(1)).unwrap()
}

#[test]
fn a_match_does_not_depend_on_the_threads() {
    let play = |seed, threads| {
        let (a, b) = (
            seat::<Einstein>("rollout:sims=20"),
            seat::<Einstein>("random"),
        );
        play_match(&a, &b, &plan::<Einstein>(24, seed, threads))
            .unwrap()
            .unwrap()
    };
    assert_eq!(play(1, 1), play(1, 8));
    assert_ne!(play(1, 2), play(2, 2));
    let results = play(1, 2);
    let pairs: Vec<_> = results
        .iter()
        .map(|game| (game.pair, game.a_side))
        .collect();
    let expected: Vec<_> = (0..24)
        .flat_map(|pair| [(pair, Side::First), (pair, Side::Second)])
        .collect();
    assert_eq!(pairs, expected, "in scheduled order, each game once");
}

#[test]
fn both_games_of_a_pair_have_the_same_start_and_dice() {
    // Against itself a player that ignores its own randomness scores exactly a half in every pair.
    let rollout = seat::<Einstein>("rollout:sims=200");
    let results = play_match(&rollout, &rollout, &plan::<Einstein>(8, 3, 2))
        .unwrap()
        .unwrap();
    assert_eq!(results.len(), 16);
    let start = |pair: u64| {
        let mut draws = keyed(3, Purpose::Start, pair, 0);
        Einstein::start(&Rules {}, &Setup::Random, &mut draws)
            .unwrap()
            .text()
    };
    assert_ne!(start(0), start(1));
}

#[test]
fn random_players_are_level_and_search_beats_them() {
    let (a, b) = (seat::<Einstein>("random"), seat::<Einstein>("random"));
    let level = Score::of(
        &play_match(&a, &b, &plan::<Einstein>(300, 1, 2))
            .unwrap()
            .unwrap(),
    );
    assert_eq!(level.verdict(), "not decided");
    let rollout = seat::<Einstein>("rollout:sims=50");
    let better = Score::of(
        &play_match(&rollout, &b, &plan::<Einstein>(100, 1, 2))
            .unwrap()
            .unwrap(),
    );
    assert_eq!(better.verdict(), "A is stronger");
    let worse = Score::of(
        &play_match(&b, &rollout, &plan::<Einstein>(100, 1, 2))
            .unwrap()
            .unwrap(),
    );
    assert_eq!(worse.verdict(), "B is stronger");
}

#[test]
fn alpha_beta_beats_random_play_whatever_the_threads() {
    let (a, b) = (
        seat::<Surakarta>("alphabeta:depth=2"),
        seat::<Surakarta>("random"),
    );
    let play = |threads| {
        play_match(&a, &b, &plan::<Surakarta>(18, 1, threads))
            .unwrap()
            .unwrap()
    };
    let results = play(2);
    assert!(Score::of(&results).score > 0.9, "{:?}", Score::of(&results));
    assert_eq!(results, play(1));
}

#[test]
fn a_player_without_an_evaluation_of_the_game_does_not_sit_down() {
    let spec: PlayerSpec = "alphabeta:depth=2".parse().unwrap();
    let seat = Seat::load::<Einstein>(&spec, &Rules {}, &crate::support::machine(1));
    let error = seat.expect_err("einstein has no evaluation").to_string();
    assert!(
        error.contains("alphabeta:depth=2 plays surakarta and jiu only, not einstein"),
        "{error}"
    );
}

#[test]
fn games_with_draws_and_cycles_end() {
    let (a, b) = (
        seat::<Surakarta>("rollout:sims=4"),
        seat::<Surakarta>("random"),
    );
    let results = play_match(&a, &b, &plan::<Surakarta>(4, 1, 2))
        .unwrap()
        .unwrap();
    assert_eq!(results.len(), 8);
}

#[test]
fn the_gate_counts_draws_half_and_says_so() {
    // E3.
    let gate = Gate { threshold: 0.55 };
    let (candidate, acting) = ((7, "cafe0001".to_string()), (3, "cafe0002".to_string()));
    let nets = [&candidate, &acting];
    for (wins, draws, losses, accepted) in [
        (0, 40, 0, false),
        (1, 39, 0, false),
        (21, 0, 19, false),
        (22, 0, 18, true),
    ] {
        let (verdict, line) = gate.judge(nets, wins, draws, losses);
        assert_eq!(verdict, accepted, "{line}");
        assert!(
            line.contains(&format!("{wins}-{draws}-{losses}")) && line.contains("0.5500"),
            "{line}"
        );
        // E19: the line says which nets it is about.
        assert!(
            line.contains("step 7 (weights cafe0001) against step 3 (weights cafe0002)"),
            "{line}"
        );
    }
    assert!(gate.judge(nets, 1, 39, 0).1.contains("0.5125"));
}

#[test]
fn specs_read_back_and_wrong_ones_say_why() {
    for spec in [
        "random",
        "rollout:sims=1000",
        "pattern",
        "alphabeta:depth=4",
        "alphabeta:nodes=100000",
        "net:runs/a,b/nets/1,sims=64",
        "net:runs/a,b/nets/1,sims=64,eval=int8",
    ] {
        assert_eq!(spec.parse::<PlayerSpec>().unwrap().to_string(), spec);
    }
    for (spec, part) in [
        ("rnd", "no such kind"),
        ("rollout", "simulations are missing"),
        ("rollout:sims=0", "from 1"),
        ("rollout:sims=x", "from 1"),
        ("net:", "missing"),
        ("net:x", "simulations are missing"),
        ("net:x,sims=1,eval=fast", "'fast' is not an evaluator"),
        ("net:x,eval=int8,sims=1,eval", "from 1"),
        ("random:1", "no options"),
        ("pattern:1", "no options"),
        ("alphabeta", "depth or the nodes are missing"),
        ("alphabeta:depth=0", "from 1 to 60"),
        ("alphabeta:depth=61", "from 1 to 60"),
        ("alphabeta:nodes=0", "from 1"),
        ("alphabeta:sims=4", "not 'sims'"),
    ] {
        let error = spec.parse::<PlayerSpec>().expect_err(spec).to_string();
        assert!(error.contains(part), "{error}");
    }
}
