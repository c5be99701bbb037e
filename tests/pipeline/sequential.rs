//! The sequential test: its errors, its arguments, and the order in which it reads (E5, E7).

use engine::draws::{Purpose, keyed, weighted};
use trainer::ladder::line::ResultLine;
use trainer::ladder::pair_scores;
use trainer::rating::{Sprt, SprtVerdict};

/// Shares of simulated matches in which each hypothesis is accepted; a share of the games is drawn.
fn verdicts(elo: f64, draws: f64, matches: u64) -> [f64; 2] {
    let sprt = Sprt::new(0.0, 40.0, 0.05, 0.05, 16).unwrap();
    let mut accepted = [0.0; 2];
    for number in 0..matches {
        let mut rng = keyed(9, Purpose::Statistics, number, 0);
        // Wins and losses such that the expected score is the one of the strengths.
        let score = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        let weights = [score - draws / 2.0, draws, 1.0 - score - draws / 2.0];
        let pairs = (0..4_000).map(|_| {
            let mut halves = || [2, 1, 0][weighted(&mut rng, weights.into_iter())];
            halves() + halves()
        });
        match sprt.judge(pairs).verdict {
            SprtVerdict::Elo0 => accepted[0] += 1.0,
            SprtVerdict::Elo1 => accepted[1] += 1.0,
            SprtVerdict::NotDecided => {}
        }
    }
    accepted.map(|count| count / matches as f64)
}

#[test]
fn the_sequential_test_errs_no_more_often_than_stated_over_two_thousand_matches() {
    for draws in [0.0, 0.4] {
        let found = [verdicts(0.0, draws, 2_000), verdicts(40.0, draws, 2_000)];
        let errors = [found[0][1], found[1][0]];
        println!("errors with {draws} of the games drawn: {errors:?}");
        assert!(errors.iter().all(|&rate| rate <= 0.05), "{errors:?}");
        // A test that never decides makes no errors either.
        assert!(found[0][0] >= 0.95 && found[1][1] >= 0.95, "{found:?}");
    }
}

#[test]
fn a_sequential_test_of_extremes_answers_and_wrong_arguments_are_refused() {
    // E7: 20 straight losses or wins.
    for (elo0, elo1) in [(0.0, 10.0), (-1500.0, -500.0)] {
        let sprt = Sprt::new(elo0, elo1, 0.05, 0.05, 1).unwrap();
        assert!((sprt.bounds()[0] + 2.944).abs() < 1e-3 && (sprt.bounds()[1] - 2.944).abs() < 1e-3);
        for pentanomial in [[10, 0, 0, 0, 0], [0, 0, 0, 0, 10]] {
            assert!(sprt.llr(pentanomial).is_finite());
        }
        assert!(Sprt::new(elo1, elo0, 0.05, 0.05, 1).is_err());
    }
    assert!(Sprt::new(0.0, 10.0, 0.0, 0.05, 1).is_err());
    assert!(Sprt::new(0.0, f64::NAN, 0.05, 0.05, 1).is_err());
}

#[test]
fn a_verdict_is_frozen_and_never_before_the_minimum() {
    let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05, 30).unwrap();
    let report = sprt.judge(std::iter::repeat_n(4, 200));
    assert_eq!((report.verdict, report.pairs), (SprtVerdict::Elo1, 30));
    let later = std::iter::repeat_n(4, 30).chain(std::iter::repeat_n(0, 500));
    assert_eq!(sprt.judge(later), report);
}

#[test]
fn a_sequential_test_reads_pairs_as_they_were_planned_and_not_as_they_end() {
    // E5: 64 games at once; A wins its short games and B the long ones, which come home last.
    let line = |pair: u64, half: usize| -> ResultLine {
        let a_wins = pair.is_multiple_of(2);
        let (first, second) = if half == 0 { ("a", "b") } else { ("b", "a") };
        let result = if a_wins == (half == 0) {
            "first"
        } else {
            "second"
        };
        let plies = if a_wins { 20 } else { 200 };
        let text = format!(
            "{{\"game\":\"einstein\",\"pair\":{pair},\"plies\":{plies},\"result\":\"{result}\",\
             \"first\":{{\"name\":\"{first}\"}},\"second\":{{\"name\":\"{second}\"}}}}"
        );
        serde_json::from_str(&text).unwrap()
    };
    let planned: Vec<_> = (1..=100)
        .flat_map(|pair| [line(pair, 0), line(pair, 1)])
        .collect();
    let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05, 8).unwrap();
    let verdict = sprt.judge(pair_scores(&planned, "a", "b"));
    assert_ne!(
        verdict.verdict,
        SprtVerdict::Elo1,
        "the true score is one half"
    );
    for at_once in [1, 8, 64] {
        // Each place takes the next game as it becomes free.
        let mut free = vec![0; at_once];
        let mut ended: Vec<_> = planned
            .iter()
            .map(|line| {
                let place = free.iter_mut().min().unwrap();
                *place += line.plies;
                (*place, line.clone())
            })
            .collect();
        ended.sort_by_key(|(end, _)| *end);
        let ended: Vec<_> = ended.into_iter().map(|(_, line)| line).collect();
        assert_eq!(sprt.judge(pair_scores(&ended, "a", "b")), verdict);
        // Halfway there are pairs that later ones have overtaken: what can be read is a beginning.
        let halfway = pair_scores(&ended[..100], "a", "b");
        assert!(pair_scores(&planned, "a", "b").starts_with(&halfway));
    }
    // As they ended, A would have been held to be stronger: the test of this test.
    let hasty = (0..50).map(|_| 4).chain((0..50).map(|_| 0));
    assert_eq!(sprt.judge(hasty).verdict, SprtVerdict::Elo1);
}
