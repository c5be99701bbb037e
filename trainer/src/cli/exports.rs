//! Nets as files of other programs, and back.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use engine::Encode;
use models::export::Format;
use models::export::certificate::Certified;
use models::frame::write_whole;
use models::{Artifact, DeviceChoice, Origin};
use serde::Serialize;
use serde_json::json;

use super::WrongUse;
use crate::dispatch::GameId;
use crate::with_game;

#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// The net: its file, or the folder that holds it
    net: PathBuf,
    /// The format: safetensors or onnx
    #[arg(long, value_name = "NAME")]
    format: Format,
    /// The file, whose name ends in the format's name
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// What the file says of the terms under which the weights may be used [default: what an exported NET says]
    #[arg(long, value_name = "TEXT")]
    licence: Option<String>,
    /// Also write all compared positions with the net's answers, for scripts/check_export.py
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// The safetensors file
    file: PathBuf,
    /// The net's file, such as net.trb
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn export(args: &ExportArgs) -> anyhow::Result<()> {
    if Format::of(&args.out) != Some(args.format) {
        let (out, format) = (args.out.display(), args.format);
        bail!(WrongUse(format!(
            "--out {out}: its name must end in .{format}"
        )));
    }
    let origin = Artifact::origin(&args.net)?;
    with_game!(game_of(&origin, &args.net)?, G => export_net::<G>(args, &origin))
}

fn export_net<G: Encode>(args: &ExportArgs, origin: &Origin) -> anyhow::Result<()> {
    let certificate = args.out.with_extension("certificate.json");
    different(args, &certificate)?;
    let (mut artifact, variant) = load::<G>(origin, &args.net)?;
    artifact.licence = args.licence.clone().or(artifact.licence);
    let certified = Certified::new::<G>(&artifact, &variant)
        .map_err(|error| anyhow::anyhow!("nothing is exported: {error}"))?;
    let bytes = certified.bytes(args.format);
    if let Some(path) = &args.positions {
        write_json(path, &certified.certificate)?;
    }
    write_json(&certificate, &certified.certificate.shortened())?;
    write(&args.out, bytes)?;
    let compared = certified.certificate.compared();
    if !compared.contains(&args.format) {
        let format = args.format;
        eprintln!(
            "the {format} file has not been run: that needs a build with `--features {format}`, or \
             scripts/check_export.py"
        );
    }
    let compared: Vec<_> = compared.iter().map(|format| format.name()).collect();
    let Artifact { origin, hash, .. } = &artifact;
    let (game, step) = (G::NAME, origin.step);
    if args.json {
        let document = json!({
            "file": args.out, "certificate": certificate, "format": args.format.name(),
            "bytes": bytes.len(), "game": game, "step": step, "hash": hash, "compared": compared,
        });
        println!("{document}");
        return Ok(());
    }
    let (out, certificate) = (args.out.display(), certificate.display());
    println!(
        "{out}: {game} step {step}, weights {hash}, {} bytes",
        bytes.len()
    );
    println!(
        "{certificate}: answers compared, of the net and of {}",
        compared.join(" and ")
    );
    Ok(())
}

/// Refuses two files of one name: one of them would be lost.
fn different(args: &ExportArgs, certificate: &Path) -> anyhow::Result<()> {
    let files = [Some(&*args.net), Some(&*args.out), Some(certificate)];
    let files = files.into_iter().chain([args.positions.as_deref()]);
    // A file that does not exist yet is known by its folder.
    let place = |path: &Path| {
        let known = std::fs::canonicalize(path).or_else(|_| {
            let folder = path.parent().filter(|folder| folder.is_dir());
            let folder = std::fs::canonicalize(folder.unwrap_or(Path::new(".")))?;
            std::io::Result::Ok(folder.join(path.file_name().unwrap_or_default()))
        });
        known.unwrap_or_else(|_| path.to_path_buf())
    };
    let mut places: Vec<_> = files.flatten().map(|path| (place(path), path)).collect();
    places.sort();
    match places.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        None => Ok(()),
        Some(pair) => {
            let twice = pair[0].1.display();
            bail!(WrongUse(format!(
                "{twice} would be two files at once: the net, its export, the certificate and the positions \
                 need names of their own"
            )))
        }
    }
}

pub(super) fn import(args: &ImportArgs) -> anyhow::Result<()> {
    if let Some(format) = Format::of(&args.out) {
        bail!(WrongUse(format!(
            "--out {}: nets of tribord do not end in .{format}; .trb is usual",
            args.out.display()
        )));
    }
    let origin = Artifact::origin(&args.file)?;
    with_game!(game_of(&origin, &args.file)?, G => import_net::<G>(args, &origin))
}

fn import_net<G: Encode>(args: &ImportArgs, origin: &Origin) -> anyhow::Result<()> {
    let (artifact, _) = load::<G>(origin, &args.file)?;
    artifact.save(&args.out)?;
    let Artifact { origin, hash, .. } = &artifact;
    let step = origin.step;
    if args.json {
        let document = json!({"file": args.out, "game": G::NAME, "step": step, "hash": hash});
        println!("{document}");
        return Ok(());
    }
    let out = args.out.display();
    println!("{out}: {} step {step}, weights {hash}", G::NAME);
    Ok(())
}

/// The game of the net in a file.
fn game_of(origin: &Origin, path: &Path) -> anyhow::Result<GameId> {
    origin
        .game
        .parse()
        .map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
}

/// A net of any variant, and the variant it was made for.
fn load<G: Encode>(origin: &Origin, path: &Path) -> anyhow::Result<(Artifact, G::Variant)> {
    let variant = serde_json::from_str(&origin.variant);
    let variant = variant.map_err(|error| {
        anyhow::anyhow!("{}: its variant cannot be read: {error}", path.display())
    })?;
    let device = DeviceChoice::default().open()?;
    Ok((Artifact::load::<G>(path, &variant, &device)?, variant))
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_whole(path, bytes).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
}

/// Writes a document as one line.
fn write_json(path: &Path, document: &impl Serialize) -> anyhow::Result<()> {
    let mut text = serde_json::to_vec(document)?;
    text.push(b'\n');
    write(path, &text)
}
