//! The nets that the program carries, one for a game.

use std::path::Path;

use crate::export::Format;

/// The path that stands for the bundled net of the game that is played.
pub const PATH: &str = "bundled";

/// What their files are.
pub(crate) const FORMAT: Option<Format> = Some(Format::Safetensors);

/// The files by game.
static NETS: [(&str, &[u8]); 3] = [
    (
        "einstein",
        include_bytes!("../nets/einstein/net.safetensors"),
    ),
    (
        "surakarta",
        include_bytes!("../nets/surakarta/net.safetensors"),
    ),
    ("jiu", include_bytes!("../nets/jiu/net.safetensors")),
];

/// The file that a path stands for in a game, if it is the path of the bundled net and there is one.
pub(crate) fn at(path: &Path, game: &str) -> Option<&'static [u8]> {
    if path != Path::new(PATH) {
        return None;
    }
    let found = NETS.iter().find(|(name, _)| *name == game);
    found.map(|&(_, bytes)| bytes)
}
