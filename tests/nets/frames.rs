//! Every damaged or foreign file gets one ordinary error that names it (A12, A14).

use std::fs;

use models::frame::{Frame, write_whole};

const LIST: Frame = Frame::new(b"list    ", "a list", 3);

fn error_of(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.trb");
    fs::write(&path, bytes).unwrap();
    let error = LIST
        .read::<Vec<u64>>(&path)
        .expect_err("a damaged file")
        .to_string();
    assert!(error.contains("file.trb"), "{error}");
    error
}

#[test]
fn a_file_round_trips() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.trb");
    let list: Vec<u64> = (0..1000).collect();
    LIST.write(&path, &list).unwrap();
    assert_eq!(LIST.read::<Vec<u64>>(&path).unwrap(), list);
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        1,
        "no temporary file stays"
    );
}

#[test]
fn a_flipped_bit_anywhere_is_damage() {
    let good = LIST.encode(&vec![7_u64; 40]).unwrap();
    for at in 8..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        let error = error_of(&bad);
        assert!(error.contains("damaged"), "byte {at}: {error}");
    }
    for at in 0..8 {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        assert!(error_of(&bad).contains("not a tribord file"));
    }
}

#[test]
fn a_cut_or_prolonged_file_says_both_sizes() {
    let good = LIST.encode(&vec![7_u64; 40]).unwrap();
    for length in [9, 31, good.len() / 2, good.len() - 1] {
        assert!(error_of(&good[..length]).contains("cut short"), "{length}");
    }
    let mut long = good.clone();
    long.extend([0; 16]);
    let error = error_of(&long);
    assert!(
        error.contains(&good.len().to_string()) && error.contains(&long.len().to_string()),
        "{error}"
    );
}

#[test]
fn foreign_files_are_named_for_what_they_look_like() {
    assert!(error_of(&[]).contains("empty"));
    assert!(error_of(&[0xFF; 64]).contains("foreign"));
    assert!(error_of(b"\x1f\x8b\x08\0rest of it").contains("gzip"));
    assert!(error_of(b"\x89PNG\r\n\x1a\n....").contains("PNG"));
    assert!(error_of(b"\x08\x08\x12\x07tribord").contains("ONNX"));
}

#[test]
fn another_kind_and_a_newer_format_are_told_apart() {
    let other = Frame::new(b"net     ", "a net", 3).encode(&1_u8).unwrap();
    assert!(error_of(&other).contains("of kind 'net' where a list is needed"));
    let newer = Frame::new(b"list    ", "a list", 4).encode(&1_u8).unwrap();
    let error = error_of(&newer);
    assert!(
        error.contains("format 4") && error.contains("reads format 3"),
        "{error}"
    );
}

#[test]
fn a_length_inside_a_whole_file_never_makes_a_huge_allocation() {
    // The checksum holds, the content claims 2^63 entries.
    #[derive(serde::Serialize)]
    struct Claim(u64);
    let bytes = LIST.encode(&Claim(1 << 63)).unwrap();
    assert!(error_of(&bytes).contains("not readable"));
}

#[test]
fn a_failed_write_leaves_the_old_file_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept.trb");
    write_whole(&path, b"old").unwrap();
    // A folder stands where the temporary file would go.
    fs::create_dir(folder.path().join("kept.trb.tmp")).unwrap();
    assert!(write_whole(&path, b"new").is_err());
    assert_eq!(fs::read(&path).unwrap(), b"old");
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_only_regular_files_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let [real, link, there] =
        ["real.trb", "link.trb", "there"].map(|name| folder.path().join(name));
    write_whole(&real, b"old").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    write_whole(&link, b"new").unwrap();
    assert_eq!(fs::read(&real).unwrap(), b"new");
    assert!(link.is_symlink());
    // A folder stands for devices and pipes.
    fs::create_dir(&there).unwrap();
    let error = write_whole(&there, b"new").unwrap_err().to_string();
    assert!(error.contains("no regular file"), "{error}");
    assert!(!folder.path().join("there.tmp").exists());
}

#[test]
fn files_of_every_size_read_back() {
    // Small numbers take one byte in the file and eight in memory.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.trb");
    for length in [
        0, 1_000, 8_100, 8_300, 60_000, 130_000, 140_000, 900_000, 2_100_000,
    ] {
        let list = vec![7_u64; length];
        LIST.write(&path, &list).unwrap();
        assert_eq!(LIST.read::<Vec<u64>>(&path).unwrap().len(), length);
    }
}

const RAW: Frame = Frame::new(b"raw     ", "a row of bytes", 1);

#[test]
fn a_payload_in_pieces_is_mapped_back_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("raw.tbl");
    let pieces = [vec![1, 2, 3], vec![], vec![4; 100_000]];
    RAW.write_pieces(&path, pieces.clone().into_iter()).unwrap();
    let mapping = RAW.map(&path).unwrap();
    assert_eq!(mapping.as_ref(), pieces.concat());
    // A new file under the same name leaves the mapping of the old one as it is.
    RAW.write_pieces(&path, [vec![9; 10]].into_iter()).unwrap();
    assert_eq!(mapping.as_ref(), pieces.concat());
    assert_eq!(RAW.map(&path).unwrap().as_ref(), [9; 10]);
}

#[test]
fn a_mapping_is_checked_when_it_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("raw.tbl");
    RAW.write_pieces(&path, [vec![7; 5_000]].into_iter())
        .unwrap();
    let good = fs::read(&path).unwrap();
    let error_of = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        RAW.map(&path).unwrap_err().to_string()
    };
    let mut flipped = good.clone();
    flipped[4_000] ^= 1;
    assert!(error_of(&flipped).contains("checksum"));
    assert!(error_of(&good[..4_000]).contains("cut short"));
    assert!(error_of(&[]).contains("empty"));
    let other = LIST.encode(&vec![7_u64; 40]).unwrap();
    assert!(error_of(&other).contains("where a row of bytes is needed"));
    fs::remove_file(&path).unwrap();
    assert!(RAW.map(&path).unwrap_err().to_string().contains("raw.tbl"));
}
