//! The encoding of a game for networks: planes in, one policy index a legal move out.

use crate::game::Game;
use crate::keys::Key;

/// Sizes of the encoding of one variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Input planes.
    pub planes: usize,
    /// Rows of a plane; the first is the top row of the board as the encoding shows it.
    pub rows: usize,
    /// Columns of a plane.
    pub columns: usize,
    /// Number of policy indices.
    pub policy: usize,
    /// What the policy indices stand for, from which a network takes the form of its heads.
    pub head: Head,
}

/// The form of the policy indices. Points count from the top row, each row from the left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Head {
    /// Indices without a form of their own.
    Dense,
    /// `from * points + to` for two points.
    Pairs,
    /// `plane * points + point` for `count` planes, then indices that belong to no point. The board may
    /// have any size.
    Planes {
        /// Number of planes.
        count: usize,
    },
}

impl Head {
    /// Whether one network serves every board size.
    pub const fn serves_every_size(self) -> bool {
        matches!(self, Head::Planes { .. })
    }
}

impl Shape {
    /// Numbers in the input of one position, `planes * rows * columns`.
    pub const fn input(self) -> usize {
        self.planes * self.rows * self.columns
    }
}

/// A symmetry of a game, by number; 0 is the identity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symmetry(pub u8);

impl Symmetry {
    /// The symmetry that changes nothing.
    pub const IDENTITY: Symmetry = Symmetry(0);
}

/// A game that networks can learn.
///
/// The planes hold all that the rules look at: no two positions that differ in mover, roll, phase,
/// owed moves or legal moves share them. The policy index is injective over the legal moves.
pub trait Encode: Game {
    /// What the planes show, in few words: the same where the planes are the same, another where they
    /// differ. The order has no meaning of its own.
    type Picture: Copy + Ord + Into<Key>;

    /// Version of the encoding, stored in every record and artifact.
    const ENCODING: u16;

    /// The encoding's sizes under a variant.
    fn shape(variant: &Self::Variant) -> Shape;

    /// The variants, one a board size, that a network made for this variant serves.
    fn served(variant: &Self::Variant) -> Vec<Self::Variant> {
        vec![variant.clone()]
    }

    /// Writes the planes, `[planes][rows][columns]`, over all of `out`, whose length is
    /// [`Shape::input`]. The status must be `ToMove`.
    fn planes(&self, out: &mut [f32]);

    /// The policy index of a legal move.
    fn index(&self, mv: Self::Move) -> usize;

    /// The symmetries that hold in this position, the identity first.
    fn symmetries(&self) -> &'static [Symmetry];

    /// Whether a symmetry exchanges the sides, so that values change their sign.
    fn swaps_sides(symmetry: Symmetry) -> bool;

    /// The symmetry that undoes this one.
    fn inverse(symmetry: Symmetry) -> Symmetry;

    /// The position as seen through a symmetry.
    fn map(&self, symmetry: Symmetry) -> Self;

    /// For each of the position's symmetries what [`Encode::planes`] would show after it.
    fn pictures(&self) -> impl Fn(Symmetry) -> Self::Picture;

    /// The symmetry with the smallest picture, and the key of that picture. Positions that symmetries
    /// join agree on it.
    fn canonical(&self) -> (Symmetry, Key) {
        let picture = self.pictures();
        let pictures = self
            .symmetries()
            .iter()
            .map(|&symmetry| (picture(symmetry), symmetry));
        let (picture, symmetry) = pictures.min().expect("the identity is a symmetry");
        (symmetry, picture.into())
    }

    /// The move of the mapped position that corresponds to `mv` here.
    fn map_move(&self, symmetry: Symmetry, mv: Self::Move) -> Self::Move;

    /// The legal move with a policy index, or `None` if no legal move has it.
    /// `moves` is the list of legal moves of this position.
    fn with_index(&self, moves: &[Self::Move], index: usize) -> Option<Self::Move> {
        moves.iter().copied().find(|&mv| self.index(mv) == index)
    }
}
