//! The games of a run depend on its seed and its nets, on nothing else.

use std::fs;
use std::path::Path;

use engine::Game;
use engine::games::einstein::Einstein;
use engine::games::jiu::{Jiu, Phase, Start, Variant};
use engine::games::surakarta::Surakarta;
use trainer::config::{Beginning, Config};
use trainer::dispatch::Playable;
use trainer::record::{End, RecordFile, Step};

use crate::support::{open, tiny, tiny_einstein, tiny_toy};
use crate::toy::Toy;

fn records(seed: u64, threads: usize, folder: &Path) -> Vec<u8> {
    records_of(&tiny_einstein(), seed, threads, folder)
}

fn records_of<G: Playable>(
    config: &Config<G>,
    seed: u64,
    threads: usize,
    folder: &Path,
) -> Vec<u8> {
    let mut config = config.clone();
    config.run.seed = seed;
    open(&config, folder, threads).selfplay().unwrap();
    fs::read(folder.join("games/000000.rec")).unwrap()
}

fn threads_change_nothing<G: Playable>(config: &Config<G>) {
    let folders: Vec<_> = (0..4).map(|_| tempfile::tempdir().unwrap()).collect();
    let one = records_of(config, 1, 1, folders[0].path());
    assert_eq!(one, records_of(config, 1, 2, folders[1].path()));
    assert_eq!(one, records_of(config, 1, 5, folders[2].path()));
    assert_ne!(one, records_of(config, 2, 2, folders[3].path()));
}

#[test]
fn the_same_seed_gives_the_same_bytes_with_any_number_of_threads() {
    threads_change_nothing(&tiny_einstein());
    let mut surakarta = tiny::<Surakarta>();
    surakarta.selfplay.opening_plies = 6;
    threads_change_nothing(&surakarta);
    threads_change_nothing(&mixed_jiu());
}

/// Three groups: 6×6 from the empty board, 6×6 from a random layout, 8×8 from one position.
fn mixed_jiu() -> Config<Jiu> {
    let mut config = tiny::<Jiu>();
    config.game.variant = Variant::sized(6);
    let beginning = |start, positions: &[&str], variant| Beginning {
        share: 1.0,
        start,
        positions: positions.iter().map(|text| text.to_string()).collect(),
        variant,
    };
    config.game.mixture = vec![
        beginning(Start::Empty, &[], None),
        beginning(Start::RandomLayout, &[], None),
        beginning(Start::Empty, &[EIGHT], Some(Variant::sized(8))),
    ];
    config.selfplay.phase_effort = vec![0.5, 1.0];
    config
}

/// A battle on 8×8 that is soon over.
const EIGHT: &str = "8/8/2www3/2w5/8/3b4/2bb4/1b6 b battle";

#[test]
fn groups_begin_as_the_mixture_says() {
    let folder = tempfile::tempdir().unwrap();
    let config = mixed_jiu();
    let mut training = open(&config, folder.path(), 2);
    training.selfplay().unwrap();
    let (file, variant) = RecordFile::read::<Jiu>(&folder.path().join("games/000000.rec")).unwrap();
    assert!(file.games.len() > 5);
    for game in &file.games {
        let group = game.number as usize / config.selfplay.slots % config.selfplay.groups;
        let first = Jiu::parse(&game.start, &variant).unwrap();
        let (size, phase) = [(6, Phase::Layout), (6, Phase::Battle), (8, Phase::Battle)][group];
        assert_eq!((first.variant().size, first.phase()), (size, phase));
        assert!(
            group < 2 || game.start.starts_with("8/8/2www3"),
            "{}",
            game.start
        );
    }
    // Batches of either size are learned from.
    training.learn().unwrap();
}

#[test]
fn recorded_games_play_through_and_numbers_are_unique() {
    let folder = tempfile::tempdir().unwrap();
    records(4, 2, folder.path());
    let (file, rules) =
        RecordFile::read::<Einstein>(&folder.path().join("games/000000.rec")).unwrap();
    assert!(file.games.len() > 5);
    let mut numbers: Vec<_> = file.games.iter().map(|game| game.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), file.games.len());
    for game in &file.games {
        let mut shares_seen = 0;
        game.replay::<Einstein>(&rules, |position, _, ply| {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            assert_eq!(
                ply.search.is_none(),
                moves.len() == 1,
                "forced plies alone go unsearched"
            );
            if let Some(note) = &ply.search {
                let total: u32 = note.policy.iter().map(|&(_, share)| u32::from(share)).sum();
                assert!(total.abs_diff(65_535) < 10);
                assert!(note.value.abs() <= 1.0);
                shares_seen += 1;
            }
        })
        .unwrap();
        assert!(shares_seen > 0);
    }
}

#[test]
fn a_new_game_carries_nothing_over_from_the_last() {
    let folder = tempfile::tempdir().unwrap();
    records(4, 1, folder.path());
    let (file, rules) =
        RecordFile::read::<Einstein>(&folder.path().join("games/000000.rec")).unwrap();
    let starts: Vec<_> = file.games.iter().map(|game| game.start.clone()).collect();
    for start in &starts {
        let position = Einstein::parse(start, &rules).unwrap();
        assert_eq!(position.text().split(' ').nth(1), Some("r"), "Red begins");
        let cubes = start
            .chars()
            .filter(|letter| letter.is_ascii_alphabetic())
            .count();
        assert_eq!(cubes, 12 + 1, "all cubes and the side: {start}");
    }
    let distinct: std::collections::HashSet<_> = starts.iter().collect();
    assert!(distinct.len() > starts.len() / 2);
}

#[test]
fn a_record_that_was_tampered_with_is_refused_with_game_and_step() {
    let folder = tempfile::tempdir().unwrap();
    records(4, 1, folder.path());
    let (file, rules) =
        RecordFile::read::<Einstein>(&folder.path().join("games/000000.rec")).unwrap();
    let replay = |game: &trainer::record::GameRecord| {
        game.replay::<Einstein>(&rules, |_, _, _| {}).map(|_| ())
    };
    let good = &file.games[0];
    replay(good).unwrap();

    let mut wrong_end = good.clone();
    wrong_end.end = Some(if good.end == Some(End::First) {
        End::Second
    } else {
        End::First
    });
    assert!(
        replay(&wrong_end)
            .unwrap_err()
            .to_string()
            .contains("the rules")
    );

    let mut wrong_move = good.clone();
    let place = wrong_move
        .steps
        .iter()
        .position(|step| matches!(step, Step::Ply(_)))
        .unwrap();
    if let Step::Ply(ply) = &mut wrong_move.steps[place] {
        ply.index = 23;
    }
    let error = replay(&wrong_move).unwrap_err().to_string();
    assert!(
        error.contains(&format!("game {}, step {}", good.number, place + 1)),
        "{error}"
    );

    let mut wrong_roll = good.clone();
    wrong_roll.steps[0] = Step::Roll(6);
    assert!(
        replay(&wrong_roll)
            .unwrap_err()
            .to_string()
            .contains("no roll")
    );
}

#[test]
fn resignations_end_games_and_are_measured_where_games_are_played_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = tiny_einstein();
    config.selfplay.resign_below = -0.3;
    config.selfplay.resign_check_share = 0.0;
    open(&config, folder.path(), 2).selfplay().unwrap();
    let (file, rules) =
        RecordFile::read::<Einstein>(&folder.path().join("games/000000.rec")).unwrap();
    let resigned = |game: &&trainer::record::GameRecord| {
        matches!(game.end, Some(End::FirstResigned | End::SecondResigned))
    };
    assert!(file.games.iter().filter(resigned).count() > 0);
    for game in &file.games {
        game.replay::<Einstein>(&rules, |_, _, _| {}).unwrap();
    }

    let folder = tempfile::tempdir().unwrap();
    config.selfplay.resign_check_share = 1.0;
    let mut training = open(&config, folder.path(), 2);
    training.selfplay().unwrap();
    training.learn().unwrap();
    let (file, _) = RecordFile::read::<Einstein>(&folder.path().join("games/000000.rec")).unwrap();
    assert_eq!(
        file.games.iter().filter(resigned).count(),
        0,
        "all games are played on"
    );
    let line = fs::read_to_string(folder.path().join("metrics.jsonl")).unwrap();
    assert!(line.contains("selfplay/false_resignations"), "{line}");
}

#[test]
fn the_toy_game_goes_through_the_whole_pipeline() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = tiny_toy();
    config.run.rounds = 6;
    config.learning.reuse = 4.0;
    config.learning.rate = 0.01;
    open(&config, folder.path(), 2).run().unwrap();
    let (file, rules) = RecordFile::read::<Toy>(&folder.path().join("games/000005.rec")).unwrap();
    let mut good = 0;
    for game in &file.games {
        game.replay::<Toy>(&rules, |position, mv, ply| {
            if position.text() == "start" {
                good += usize::from(mv == 1);
                let note = ply.search.as_ref().unwrap();
                assert!(
                    note.value > 0.9,
                    "the first side wins and values are absolute"
                );
            }
        })
        .unwrap();
    }
    assert!(
        good * 10 > file.games.len() * 9,
        "{good} of {} games begin with the win",
        file.games.len()
    );
}
