//! `engine`: a player of tribord for other programs, over the text protocol of docs/formats.md.

use std::io::{Write, stdin, stdout};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use engine::draws::{Purpose, keyed};
use engine::{Game, Status};
use models::Kernel;

use super::{MachineArgs, OUTPUT};
use crate::dispatch::{GameId, Playable};
use crate::lines::lines;
use crate::matches::{Course, CourseStep, PROTOCOL, PlayerSpec, Seat, Thought};
use crate::{with_game, workers};

#[derive(Debug, Args)]
pub(super) struct EngineArgs {
    /// The player
    #[arg(long, value_name = "SPEC", default_value = "rollout:sims=1000")]
    player: PlayerSpec,
    #[command(flatten)]
    machine: MachineArgs,
}

pub(super) fn engine(args: &EngineArgs) -> anyhow::Result<()> {
    let machine = args.machine.open(Kernel::default())?;
    let mut lines = lines(stdin().lock());
    let mut game = None;
    for line in lines.by_ref() {
        let line = line?;
        match line.split_once(' ').unwrap_or((line.as_str(), "")) {
            ("tribord", version) if version == PROTOCOL.to_string() => {}
            ("tribord", version) => bail!("protocol {version}, and this build speaks {PROTOCOL}"),
            ("game", rest) => {
                game = Some(rest.to_string());
                break;
            }
            ("", _) => {}
            (word, _) => bail!("'{word}' before a game is named"),
        }
    }
    let Some(game) = game else { return Ok(()) };
    let (name, variant) = game.split_once(' ').unwrap_or((&game, "{}"));
    let id: GameId = name.parse().map_err(anyhow::Error::msg)?;
    with_game!(id, G => {
        let variant: <G as Game>::Variant = serde_json::from_str(variant).context("the variant")?;
        let seat = Seat::load::<G>(&args.player, &variant, &machine)?;
        say(&format!("ready tribord {} {}", env!("CARGO_PKG_VERSION"), args.player))?;
        answer::<G>(lines, &variant, &seat)
    })
}

fn say(line: &str) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    let written = writeln!(out, "{line}").and_then(|()| out.flush());
    written.context(OUTPUT)
}

fn answer<G: Playable>(
    lines: impl Iterator<Item = std::io::Result<String>>,
    variant: &G::Variant,
    seat: &Seat,
) -> anyhow::Result<()> {
    let mut number = 0;
    let mut course: Option<Course<G>> = None;
    let mut position: Option<G> = None;
    for line in lines {
        let line = line?;
        let (word, rest) = line
            .trim_end()
            .split_once(' ')
            .unwrap_or((line.trim_end(), ""));
        match word {
            "new" => {
                number = rest.parse().unwrap_or_default();
                (course, position) = (None, None);
            }
            "history" => match history::<G>(rest, variant, number) {
                Ok((told, reached)) => (course, position) = (Some(told), Some(reached)),
                Err(error) => say(&format!("error {error}"))?,
            },
            "position" => match G::parse(rest, variant) {
                // The history knows more than the text of the position that it leads to.
                Ok(told)
                    if position
                        .as_ref()
                        .is_none_or(|known| known.text() != told.text()) =>
                {
                    (course, position) = (None, Some(told));
                }
                Ok(_) => {}
                Err(error) => say(&format!("error {error}"))?,
            },
            "go" => match go(rest, seat, position.as_ref(), course.as_ref(), number) {
                Ok(mv) => say(&format!("move {mv}"))?,
                Err(error) => say(&format!("error {error}"))?,
            },
            "quit" => break,
            "" => {}
            _ => say(&format!("error '{word}' is no word of protocol {PROTOCOL}"))?,
        }
    }
    Ok(())
}

/// Reads `POSITION [moves STEP…]`; a step of digits is a roll, counted from 1.
fn history<G: Game>(
    text: &str,
    variant: &G::Variant,
    number: u64,
) -> anyhow::Result<(Course<G>, G)> {
    let (start, steps) = text.split_once(" moves ").unwrap_or((text, ""));
    let mut position = G::parse(start, variant)?;
    let mut course = Course::from(&position, number);
    for word in steps.split_whitespace() {
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            let face: u8 = word.parse()?;
            let roll = position.rolls().iter().map(|&(roll, _)| roll);
            let roll = roll
                .into_iter()
                .find(|roll| Some(roll.0) == face.checked_sub(1));
            let roll = roll.with_context(|| format!("no roll {word} in {}", position.text()))?;
            position.settle(roll);
            course.steps.push(CourseStep::Roll(roll));
        } else {
            let mv = position.parse_move(word)?;
            position.try_play(mv)?;
            course.steps.push(CourseStep::Ply(mv));
        }
    }
    Ok((course, position))
}

fn go<G: Playable>(
    budget: &str,
    seat: &Seat,
    position: Option<&G>,
    course: Option<&Course<G>>,
    number: u64,
) -> anyhow::Result<String> {
    let position = position.context("no position is set")?;
    if !matches!(position.status(), Status::ToMove(_)) {
        bail!("no side is to move in {}", position.text());
    }
    let thought = match budget.split_once(' ') {
        Some(("sims", count)) => Some(Thought::Simulations(count.parse::<u32>()?.max(1))),
        Some(("ms", time)) => Some(Thought::Time(Duration::from_millis(time.parse()?))),
        None if budget.is_empty() => None,
        _ => bail!("go, go sims N or go ms T, not go {budget}"),
    };
    let seat = thought.map_or_else(|| seat.clone(), |thought| seat.with_thought(thought));
    let alone = Course::from(position, number);
    let course = course.unwrap_or(&alone);
    let draws = keyed(number, Purpose::Choice, 0, course.steps.len() as u64);
    let found = workers::alone(|| seat.player::<G>().verdict(position, course, draws));
    let verdict = found.map_err(|fault| anyhow::anyhow!("{fault}"))?;
    Ok(position.move_text(verdict.best))
}
