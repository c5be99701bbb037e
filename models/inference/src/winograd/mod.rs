//! Winograd's minimal filtering for 3×3 convolutions.
//!
//! `F(m×m, 3×3)` computes an m×m tile of outputs from an (m+2)×(m+2) tile of inputs with (m+2)²
//! multiplications a channel pair instead of 9m²: `Y = Aᵀ [ (G g Gᵀ) ⊙ (Bᵀ d B) ] A`
//! (Winograd 1980; Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2016).
//! [`points`] holds the one-dimensional transforms, [`boards`] applies them to boards,
//! [`plan`] chooses m.

pub(crate) mod boards;
pub(crate) mod plan;
pub(crate) mod points;
