//! The suite that every game passes: random games on which each promise of the contract is checked.

use std::collections::{HashMap, HashSet};

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::draws::{self, Purpose};
use crate::encode::{Encode, Shape, Symmetry};
use crate::game::{Outcome, Roll, Side, Status};
use crate::keys::Key;

/// A promise that a game broke, with the position where it did.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{game}: {promise}, in {position}")]
pub struct Broken {
    /// The game's name.
    pub game: &'static str,
    /// What should have held.
    pub promise: String,
    /// The position as text.
    pub position: String,
}

/// What a run of the suite went through.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Covered {
    /// Games played to their end.
    pub games: u64,
    /// Positions looked at, chance nodes included.
    pub positions: u64,
    /// Legal plies listed.
    pub moves: u64,
}

/// Plays `games` random games and checks the contract at every position.
///
/// `most_plies` bounds a game: one that is longer breaks the promise to end.
///
/// # Errors
/// The first promise found broken.
pub fn check<G: Encode>(
    variant: &G::Variant,
    start: &G::Start,
    seed: u64,
    games: u64,
    most_plies: u64,
) -> Result<Covered, Broken> {
    served_alike::<G>(variant)?;
    let mut covered = Covered::default();
    let mut seen = SeenPlanes::default();
    for number in 0..games {
        let first = G::start(
            variant,
            start,
            &mut draws::keyed(seed, Purpose::Start, number, 0),
        )
        .map_err(|error| Broken {
            game: G::NAME,
            promise: format!("the start can be made ({error})"),
            position: String::new(),
        })?;
        let mut game = first.clone();
        let mut record = Vec::new();
        let mut draws = draws::keyed(seed, Purpose::Choice, number, 0);
        loop {
            covered.positions += 1;
            text_and_key_agree(&game)?;
            let Some(step) = random_step(&game, &mut draws, &mut covered, &mut seen)? else {
                break;
            };
            step.apply(&mut game);
            record.push(step);
            holds(&game, record.len() as u64 <= most_plies, || {
                format!("a game ends within {most_plies} plies")
            })?;
        }
        let mut replayed = first;
        for step in record {
            step.apply(&mut replayed);
        }
        holds(&game, replayed == game, || {
            "replaying the record gives the same end".into()
        })?;
        covered.games += 1;
    }
    Ok(covered)
}

/// One network serves all the variants that the game says it does, this one among them.
fn served_alike<G: Encode>(variant: &G::Variant) -> Result<(), Broken> {
    let served: Vec<_> = G::served(variant).iter().map(G::shape).collect();
    let shape = G::shape(variant);
    let alike = |other: &Shape| (other.planes, other.head) == (shape.planes, shape.head);
    let several = shape.head.serves_every_size() || served.len() == 1;
    match served.contains(&shape) && served.iter().all(alike) && several {
        true => Ok(()),
        false => Err(Broken {
            game: G::NAME,
            promise: "one network serves the variants that are said to share it".into(),
            position: String::new(),
        }),
    }
}

/// One entry of a random game's record.
#[derive(Clone, Copy)]
enum Step<M> {
    Roll(Roll),
    Move(M),
}

impl<M: Copy> Step<M> {
    fn apply<G: Encode<Move = M>>(self, game: &mut G) {
        match self {
            Step::Roll(roll) => game.settle(roll),
            Step::Move(mv) => game.play(mv),
        }
    }
}

fn holds<G: Encode>(
    game: &G,
    promise_kept: bool,
    promise: impl FnOnce() -> String,
) -> Result<(), Broken> {
    if promise_kept {
        return Ok(());
    }
    Err(Broken {
        game: G::NAME,
        promise: promise(),
        position: game.text(),
    })
}

fn random_step<G: Encode>(
    game: &G,
    draws: &mut ChaCha8Rng,
    covered: &mut Covered,
    seen: &mut SeenPlanes,
) -> Result<Option<Step<G::Move>>, Broken> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    match game.status() {
        Status::Over(outcome) => {
            holds(game, moves.is_empty(), || {
                "a finished game lists no move".into()
            })?;
            holds(game, G::DRAWS || outcome != Outcome::Draw, || {
                "a game without draws is never drawn".into()
            })?;
            Ok(None)
        }
        Status::Rolling => {
            holds(game, moves.is_empty(), || {
                "no move is listed before the roll".into()
            })?;
            let rolls = game.rolls();
            let total: f64 = rolls.iter().map(|&(_, probability)| probability).sum();
            holds(game, (total - 1.0).abs() < 1e-12, || {
                "the rolls' probabilities sum to 1".into()
            })?;
            for &(roll, _) in rolls {
                let mut rolled = game.clone();
                rolled.settle(roll);
                holds(game, rolled.status() != Status::Rolling, || {
                    "a roll is settled once".into()
                })?;
            }
            Ok(Some(Step::Roll(draws::roll(game, draws))))
        }
        Status::ToMove(side) => {
            covered.moves += moves.len() as u64;
            holds(game, !moves.is_empty(), || {
                "a side to move has a legal move".into()
            })?;
            moves_are_playable(game, &moves)?;
            indices_fit(game, &moves)?;
            seen.check(game, side, &moves)?;
            symmetries_hold(game, side, &moves)?;
            Ok(Some(Step::Move(moves[draws.random_range(0..moves.len())])))
        }
    }
}

fn moves_are_playable<G: Encode>(game: &G, moves: &[G::Move]) -> Result<(), Broken> {
    let distinct: HashSet<_> = moves.iter().collect();
    holds(game, distinct.len() == moves.len(), || {
        "no move is listed twice".into()
    })?;
    let texts: HashSet<_> = moves.iter().map(|&mv| game.move_text(mv)).collect();
    holds(game, texts.len() == moves.len(), || {
        "no two moves share a text".into()
    })?;
    for &mv in moves {
        let text = game.move_text(mv);
        let read = game.parse_move(&text);
        holds(game, read == Ok(mv), || {
            format!("the move text {text} reads back ({read:?})")
        })?;
        let mut next = game.clone();
        holds(game, next.try_play(mv).is_ok(), || {
            format!("the listed move {text} can be played")
        })?;
        let mut again = game.clone();
        again.play(mv);
        holds(game, again == next, || {
            format!("play and try_play agree on {text}")
        })?;
    }
    Ok(())
}

fn indices_fit<G: Encode>(game: &G, moves: &[G::Move]) -> Result<(), Broken> {
    let policy = G::shape(game.variant()).policy;
    let mut owner = HashMap::new();
    for &mv in moves {
        let index = game.index(mv);
        let text = game.move_text(mv);
        holds(game, index < policy, || {
            format!("the index {index} of {text} is below {policy}")
        })?;
        let other = owner.insert(index, mv);
        holds(game, other.is_none(), || {
            format!("{text} has an index of its own, not {index}")
        })?;
        holds(game, game.with_index(moves, index) == Some(mv), || {
            format!("the index {index} leads back to {text}")
        })?;
    }
    Ok(())
}

fn text_and_key_agree<G: Encode>(game: &G) -> Result<(), Broken> {
    let text = game.text();
    let read = G::parse(&text, game.variant());
    match read {
        Err(error) => holds(game, false, || format!("its own text reads back ({error})")),
        Ok(read) => {
            holds(game, read.text() == text, || {
                format!("the text comes back unchanged, not as {}", read.text())
            })?;
            holds(game, read.key() == game.key(), || {
                "the key equals the key computed afresh from the text".into()
            })
        }
    }
}

fn symmetries_hold<G: Encode>(game: &G, side: Side, moves: &[G::Move]) -> Result<(), Broken> {
    let symmetries = game.symmetries();
    holds(
        game,
        symmetries.first() == Some(&Symmetry::IDENTITY),
        || "the identity is the first symmetry".into(),
    )?;
    holds(game, game.map(Symmetry::IDENTITY) == *game, || {
        "the identity changes nothing".into()
    })?;
    let mut listed = Vec::new();
    for &symmetry in symmetries {
        let swaps = G::swaps_sides(symmetry);
        let seen_side = |side: Side| if swaps { side.other() } else { side };
        let mapped = game.map(symmetry);
        let name = symmetry.0;
        holds(
            game,
            game.pictures()(symmetry) == mapped.pictures()(Symmetry::IDENTITY),
            || format!("the picture of symmetry {name} is that of the mapped position"),
        )?;
        holds(game, mapped.canonical().1 == game.canonical().1, || {
            format!("symmetry {name} keeps the smallest picture")
        })?;
        holds(game, mapped.map(G::inverse(symmetry)) == *game, || {
            format!("symmetry {name} there and back changes nothing")
        })?;
        holds(
            game,
            mapped.status() == Status::ToMove(seen_side(side)),
            || format!("symmetry {name} keeps the mover, or swaps it with the sides"),
        )?;
        mapped.moves(&mut listed);
        let listed: HashSet<_> = listed.iter().copied().collect();
        let expected: HashSet<_> = moves
            .iter()
            .map(|&mv| game.map_move(symmetry, mv))
            .collect();
        holds(game, listed == expected, || {
            format!("symmetry {name} maps the legal moves onto the legal moves")
        })?;
        for &mv in moves {
            let mut played = game.clone();
            played.play(mv);
            let mut mapped_played = mapped.clone();
            mapped_played.play(game.map_move(symmetry, mv));
            let expected = match played.status() {
                Status::ToMove(side) => Status::ToMove(seen_side(side)),
                Status::Over(Outcome::Win(side)) => Status::Over(Outcome::Win(seen_side(side))),
                other => other,
            };
            holds(game, mapped_played.status() == expected, || {
                format!(
                    "after {} symmetry {name} leads to the mirrored status",
                    game.move_text(mv)
                )
            })?;
        }
    }
    Ok(())
}

/// What is told apart by the planes seen so far: planes → (side, legal indices, key, text of the
/// fields), and the keys.
#[derive(Default)]
struct SeenPlanes {
    known: HashMap<Vec<u32>, (Side, Vec<usize>, Key, String)>,
    keys: HashSet<Key>,
}

impl SeenPlanes {
    /// Planes must determine the mover and the legal moves: memory is bounded by forgetting all at a limit.
    fn check<G: Encode>(&mut self, game: &G, side: Side, moves: &[G::Move]) -> Result<(), Broken> {
        const MOST_NUMBERS: usize = 20_000_000;
        let mut planes = vec![f32::NAN; G::shape(game.variant()).input()];
        game.planes(&mut planes);
        holds(game, planes.iter().all(|number| number.is_finite()), || {
            "every number of the planes is written and finite".into()
        })?;
        if self.known.len() * planes.len() > MOST_NUMBERS {
            self.known.clear();
            self.keys.clear();
        }
        let mut indices: Vec<_> = moves.iter().map(|&mv| game.index(mv)).collect();
        indices.sort_unstable();
        let bits = planes.iter().map(|number| number.to_bits()).collect();
        let key = game.pictures()(Symmetry::IDENTITY).into();
        if let Some((known_side, known_indices, known_key, known_text)) = self.known.get(&bits) {
            holds(
                game,
                *known_side == side && *known_indices == indices,
                || format!("planes tell it apart from {known_text}"),
            )?;
            return holds(game, *known_key == key, || {
                format!("it has the key of {known_text}, whose planes are the same")
            });
        }
        self.known.insert(bits, (side, indices, key, game.text()));
        holds(game, self.keys.insert(key), || {
            "it has a key of its own, like its planes".into()
        })
    }
}
