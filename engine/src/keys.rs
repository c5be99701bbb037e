//! Keys of positions: words folded into numbers that differ where the words do.

/// One round of a 64-bit fold (the finaliser of SplitMix64, Steele et al. 2014).
#[inline]
pub const fn mixed(key: u64, word: u64) -> u64 {
    let mut mixed = (key ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// 128 bits that stand for what a network is shown of a position ([`Encode::Picture`](crate::Encode::Picture)).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key(pub u64, pub u64);

impl<const N: usize> From<[u64; N]> for Key {
    /// The key of some words, by two folds that begin differently. Two lists of words share a key with
    /// a chance of about 2⁻¹²⁸.
    #[inline]
    fn from(words: [u64; N]) -> Key {
        let begin = Key(0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344);
        let both = |Key(a, b), word| Key(mixed(a, word), mixed(b, word));
        words.into_iter().fold(begin, both)
    }
}
