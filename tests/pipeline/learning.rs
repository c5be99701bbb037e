//! What is learned, at which rate, from which positions.

use std::ops::ControlFlow;

use burn::tensor::Device;
use engine::games::einstein::{Einstein, Rules};
use trainer::config::{Config, LearningSection};
use trainer::learning::{Learner, Losses, Window, rate, target_size};
use trainer::record::{End, GameRecord, Ply, SearchNote, Step};

use crate::support::{tiny, tiny_einstein};
use crate::toy::{self, Toy};

/// A game of one searched ply for the toy game whose mover and result are given.
fn one_move_game(mover: &str, result: i32) -> (Config<Toy>, GameRecord) {
    let mut config = tiny::<Toy>();
    config.game.variant = toy::Rules {
        tree: format!(
            "start: {mover} one two\none: = {result}\ntwo: = {}",
            -result
        ),
    };
    let game = GameRecord {
        number: 0,
        start: "start".into(),
        steps: vec![Step::Ply(Ply {
            index: 0,
            search: Some(SearchNote {
                value: 0.25,
                full: true,
                net_step: 0,
                policy: vec![(0, 65_535)],
            }),
        })],
        end: Some(if result > 0 { End::First } else { End::Second }),
    };
    (config, game)
}

#[test]
fn value_targets_are_in_the_view_of_the_mover() {
    // C1: four one-move endings.
    for (mover, result, expected) in [
        ("A", 1, 1.0),
        ("A", -1, -1.0),
        ("B", -1, 1.0),
        ("B", 1, -1.0),
    ] {
        let (config, game) = one_move_game(mover, result);
        let mut window = Window::<Toy>::new();
        assert_eq!(
            window.take_in(&[game], &config.game.variant, 10).unwrap(),
            1
        );
        let sample = window.get(0);
        assert_eq!(sample.result, expected, "{mover} to move, result {result}");
        assert_eq!(sample.value, if mover == "A" { 0.25 } else { -0.25 });
    }
}

#[test]
fn a_game_that_was_cut_short_teaches_the_search_value() {
    let (config, mut game) = one_move_game("B", 1);
    game.end = None;
    game.steps.clear();
    let mut window = Window::<Toy>::new();
    assert_eq!(
        window
            .take_in(&[game.clone()], &config.game.variant, 10)
            .unwrap(),
        0
    );
    assert_eq!(End::Truncated.value(), None);
}

fn one_step(learner: &mut Learner<Toy>, window: &Window<Toy>) -> Losses {
    let mut found = Losses::default();
    let last = learner.step() + 1;
    let note = |_, losses| {
        found = losses;
        ControlFlow::Continue(())
    };
    learner.learn(window, last, note).unwrap();
    found
}

#[test]
fn a_learner_fits_what_it_is_shown() {
    let (mut config, game) = one_move_game("A", 1);
    config.learning.search_value_share = 0.0;
    config.learning.rate = 0.01;
    config.run.rounds = 50;
    let mut window = Window::<Toy>::new();
    window.take_in(&[game], &config.game.variant, 10).unwrap();
    let mut learner = Learner::new(&config, &Device::flex());
    let first = one_step(&mut learner, &window);
    let mut last = first;
    for _ in 0..20 {
        last = one_step(&mut learner, &window);
    }
    assert!(last.policy < 0.3 * first.policy, "{first:?} to {last:?}");
    assert!(last.value < 0.3 * first.value, "{first:?} to {last:?}");
}

#[test]
fn batches_drawn_ahead_are_those_of_their_steps() {
    let (config, game) = one_move_game("A", 1);
    // The position has another value in each game, so that batches differ.
    let mut games = vec![game; 20];
    for (number, game) in games.iter_mut().enumerate() {
        let Step::Ply(Ply {
            search: Some(note), ..
        }) = &mut game.steps[0]
        else {
            unreachable!("the game has one searched ply")
        };
        note.value = number as f32 / 20.0;
    }
    let mut window = Window::<Toy>::new();
    window.take_in(&games, &config.game.variant, 20).unwrap();
    let learner = || Learner::<Toy>::new(&config, &Device::flex());
    let (mut singly, mut at_once, mut stopped) = (learner(), learner(), learner());
    let losses: Vec<_> = (0..6).map(|_| one_step(&mut singly, &window)).collect();

    let mut found = Vec::new();
    let note = |step, losses| {
        found.push(losses);
        assert_eq!(step, found.len() as u64);
        ControlFlow::Continue(())
    };
    at_once.learn(&window, 6, note).unwrap();
    assert_eq!(found, losses);
    let weights = |learner: &Learner<Toy>| models::net::flat_parameters(&learner.average());
    assert!(weights(&at_once) == weights(&singly));

    // A stop leaves no step behind, and what was drawn ahead is forgotten.
    let until_two = |step, _| match step {
        2 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    stopped.learn(&window, 6, until_two).unwrap();
    assert_eq!(stopped.step(), 2);
    let more: Vec<_> = (0..4).map(|_| one_step(&mut stopped, &window)).collect();
    assert_eq!(more, losses[2..]);
}

#[test]
fn illegal_moves_get_no_gradient() {
    // The toy game has eight policy indices, of which two are legal: the biases of the others stay.
    let (mut config, game) = one_move_game("A", 1);
    config.learning.weight_decay = 0.0;
    let mut window = Window::<Toy>::new();
    window.take_in(&[game], &config.game.variant, 10).unwrap();
    let mut learner = Learner::new(&config, &Device::flex());
    let biases = |learner: &Learner<Toy>| {
        let parameters = models::net::flat_parameters(&learner.average());
        let found: Vec<_> = parameters
            .into_iter()
            .filter(|values| values.len() == toy::MOST_MOVES)
            .collect();
        found.last().unwrap().clone()
    };
    let before = biases(&learner);
    one_step(&mut learner, &window);
    let after = biases(&learner);
    for index in 0..toy::MOST_MOVES {
        assert_eq!(before[index] != after[index], index < 2, "index {index}");
    }
}

#[test]
fn the_rate_warms_up_falls_and_does_not_jump_at_a_resume() {
    // A10: the rate depends on the step alone.
    let learning = LearningSection {
        rate: 0.01,
        warmup_steps: 100,
        final_rate_share: 0.1,
        ..LearningSection::default()
    };
    let at = |step| rate(&learning, step, 1000);
    assert_eq!(at(0), 0.0001);
    assert_eq!(at(99), 0.01);
    assert!((at(550) - (0.001 + 0.009 * 0.5)).abs() < 1e-12);
    assert!((at(1000) - 0.001).abs() < 1e-12);
    for step in 100..1000 {
        assert!(at(step + 1) < at(step));
    }
}

#[test]
fn a_resumed_learner_takes_the_same_step_as_an_unbroken_one() {
    // A6: moments, averages and step survive; the switch forgets the moments on purpose.
    let (mut config, game) = one_move_game("A", 1);
    config.run.rounds = 50;
    let mut window = Window::<Toy>::new();
    window.take_in(&[game], &config.game.variant, 10).unwrap();
    let mut straight = Learner::new(&config, &Device::flex());
    for _ in 0..10 {
        one_step(&mut straight, &window);
    }
    let resume = || Learner::restore(&config, straight.state().unwrap(), &Device::flex()).unwrap();
    let (mut resumed, mut afresh) = (resume(), resume().with_fresh_optimiser());
    let weights = |learner: &Learner<Toy>| models::net::flat_parameters(&learner.average());
    assert_eq!(weights(&straight), weights(&resumed));
    assert_eq!(straight.rate(), resumed.rate());
    for learner in [&mut straight, &mut resumed, &mut afresh] {
        one_step(learner, &window);
    }
    assert_eq!(weights(&straight), weights(&resumed));
    assert_ne!(weights(&straight), weights(&afresh));
}

#[test]
fn the_window_grows_with_the_positions_up_to_its_limit() {
    let learning = LearningSection {
        window: 100,
        window_growth: 0.5,
        window_limit: 500,
        ..LearningSection::default()
    };
    let sizes = [0, 100, 400, 2_500, 1_000_000].map(|positions| target_size(&learning, positions));
    assert_eq!(sizes, [100, 100, 200, 500, 500]);
}

#[test]
fn the_window_forgets_the_oldest_positions_first() {
    let (config, game) = one_move_game("A", 1);
    let mut window = Window::<Toy>::new();
    let mut games = vec![game; 7];
    for (number, game) in games.iter_mut().enumerate() {
        if let Step::Ply(Ply {
            search: Some(note), ..
        }) = &mut game.steps[0]
        {
            note.value = number as f32 / 10.0;
        }
    }
    window.take_in(&games, &config.game.variant, 3).unwrap();
    let values: Vec<_> = (0..window.len())
        .map(|index| window.get(index).value)
        .collect();
    assert_eq!(values, [0.4, 0.5, 0.6]);
}

#[test]
fn steps_of_a_round_follow_from_the_reuse() {
    let mut config = tiny_einstein();
    config.selfplay.positions = 1000;
    config.learning.batch = 100;
    config.learning.reuse = 2.5;
    assert_eq!(config.steps_per_round(), 25);
    let _: &Rules = &config.game.variant;
    let _: Config<Einstein> = config;
}
