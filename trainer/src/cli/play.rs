//! `play`: a game against a player in the terminal.

use std::io::{Write, stdin, stdout};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use engine::draws::{self, Purpose, keyed};
use engine::{Outcome, Side, Status};
use models::{Artifact, ArtifactError, Kernel, bundled};

use super::inspect::variant;
use super::{OUTPUT, PlayArgs};
use crate::dispatch::Playable;
use crate::lines::lines;
use crate::matches::{Course, CourseStep, PlayerSpec, Seat, Thought};
use crate::{with_game, workers};

pub(super) fn play(args: PlayArgs) -> anyhow::Result<()> {
    with_game!(args.game.game, G => play_game::<G>(&args))
}

fn play_game<G: Playable>(args: &PlayArgs) -> anyhow::Result<()> {
    let machine = args.machine.open(Kernel::default())?;
    let variant = variant::<G>(&args.game)?;
    let opponent = match &args.opponent {
        Some(spec) => spec.clone(),
        None => usual_opponent::<G>(&variant)?,
    };
    let seat = Seat::load::<G>(&opponent, &variant, &machine)?;
    let mut player = seat.player::<G>();
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(1, |time| time.as_nanos() as u64);
    let seed = args.seed.unwrap_or(now);
    let human = if args.second {
        Side::Second
    } else {
        Side::First
    };
    let mut game = G::start(
        &variant,
        &G::Start::default(),
        &mut keyed(seed, Purpose::Start, 0, 0),
    )?;
    let mut course = Course::from(&game, seed);
    println!(
        "You play {} against {opponent}. Type a move, `moves`, `board` or `quit`.",
        name(human)
    );
    print!("{}", game.draw());
    for step in 0.. {
        match game.status() {
            Status::Over(outcome) => {
                println!("{}", ending(outcome, human));
                return Ok(());
            }
            Status::Rolling => {
                let roll = draws::roll(&game, &mut keyed(seed, Purpose::Roll, 0, step));
                game.settle(roll);
                course.steps.push(CourseStep::Roll(roll));
                println!("The die shows {}.", roll.0 + 1);
            }
            Status::ToMove(side) if side == human => {
                let Some(mv) = ask(&game)? else {
                    println!("Game left.");
                    return Ok(());
                };
                println!("You play {}", game.describe_move(mv));
                game.play(mv);
                course.steps.push(CourseStep::Ply(mv));
                print!("{}", game.draw());
            }
            Status::ToMove(_) => {
                let draws = keyed(seed, Purpose::Choice, 0, step);
                let found = workers::alone(|| player.verdict(&game, &course, draws));
                let best = found
                    .map_err(|fault| anyhow::anyhow!("{opponent} {fault}"))?
                    .best;
                println!("{opponent} plays {}", game.describe_move(best));
                game.play(best);
                course.steps.push(CourseStep::Ply(best));
                print!("{}", game.draw());
            }
        }
    }
    Ok(())
}

/// The opponent where none is named: the bundled net, or the pattern player where it knows the game and
/// the net has not learned on the board.
fn usual_opponent<G: Playable>(variant: &G::Variant) -> Result<PlayerSpec, ArtifactError> {
    let path = PathBuf::from(bundled::PATH);
    let origin = Artifact::origin_for::<G>(&path)?;
    if !origin.learned_on::<G>(variant) && PlayerSpec::Pattern.knows::<G>().is_ok() {
        return Ok(PlayerSpec::Pattern);
    }
    Ok(PlayerSpec::Net {
        path,
        thought: Thought::Simulations(256),
        evaluator: None,
    })
}

/// Asks until a legal move comes; `None` means that the user leaves.
fn ask<G: Playable>(game: &G) -> anyhow::Result<Option<G::Move>> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    loop {
        print!("> ");
        stdout().flush().context(OUTPUT)?;
        let Some(line) = lines(stdin().lock()).next() else {
            return Ok(None);
        };
        match line?.trim() {
            "" => {}
            "quit" | "exit" => return Ok(None),
            "board" => print!("{}", game.draw()),
            "moves" => {
                let texts: Vec<_> = moves.iter().map(|&mv| game.move_text(mv)).collect();
                println!("{}", texts.join(" "));
            }
            text => match game.parse_move(text) {
                Ok(mv) if moves.contains(&mv) => return Ok(Some(mv)),
                Ok(_) => println!("{text} is not legal here; `moves` lists what is."),
                Err(error) => println!("{}; `moves` lists what is legal.", error.message),
            },
        }
    }
}

fn name(side: Side) -> &'static str {
    match side {
        Side::First => "the first side",
        Side::Second => "the second side",
    }
}

fn ending(outcome: Outcome, human: Side) -> &'static str {
    match outcome {
        Outcome::Win(side) if side == human => "You have won.",
        Outcome::Win(_) => "You have lost.",
        Outcome::Draw => "A draw.",
        Outcome::Truncated => "The game was cut short by its cap on plies.",
    }
}
