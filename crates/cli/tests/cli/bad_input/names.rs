//! Names that look the same, have the maximum length, contain line ends or are not text, and links that lead to
//! themselves.

use crate::support::*;

const SCORE: &str = "score --gt gt --recon recon --metrics ssim --out run";

#[test]
fn accents_in_one_and_in_two_characters_are_explained() {
    let dir = images(&["caf\u{e9}"]);
    fs::rename(dir.join("recon/caf\u{e9}.png"), dir.join("recon/cafe\u{301}.png")).unwrap();
    assert_snapshot!(dir.run(SCORE), @r#"exit 1, stderr: error: pairing images: 1 of the gt stems has no partner among the recon stems: café; every stem must be on both sides; the closest are gt "café" and recon "cafe\u{301}" (they look alike and differ in characters: accents are part of the letter on one side (Unicode NFC) and characters of their own on the other (NFD), as macOS writes them: rename the files of one side) (gt: [DIR]/gt, recon: [DIR]/recon)"#);
}

#[test]
fn a_name_with_the_character_0_is_refused() {
    let dir = folder();
    for side in ["gt", "recon"] {
        dir.write(&format!("{side}.json"), r#"{"a\u0000b": "a dog", "c": "a cat"}"#);
    }
    let captions = "score --gt captions=gt.json --recon captions=recon.json --metrics cap_sim --set text_encoder=placeholder --out run";
    assert_snapshot!(dir.run(captions), @r#"exit 1, stderr: error: pairing captions: stem "a\0b" among the gt stems contains the character U+0000; rename it (gt: [DIR]/gt.json, recon: [DIR]/recon.json)"#);
    dir.write("ratings.csv", "item,a,b\n1\0,1,2\n2,3,3\n");
    dir.write("metrics.csv", "item,ssim\n1,0.5\n2,0.25\n");
    assert_snapshot!(dir.run("meta --human ratings.csv --metrics metrics.csv --out meta"), @"exit 1, stderr: error: ratings.csv: line 2: the character U+0000, which no text has; expected ratings, a table (.csv, .tsv, .txt) with a line per rating or per item, or a .npy array of (items, raters)");
}

#[test]
fn names_as_long_as_can_be_and_with_line_ends() {
    let dir = images(&[&"n".repeat(251), "two\nlines", "A", "a"]);
    dir.succeed(SCORE).says(&["4 pairs scored"]);
    assert!(dir.read("run/scores.csv").contains("\n\"two\nlines\","));
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_and_links_to_themselves() {
    use std::os::unix::ffi::OsStrExt;
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    // \u{e9} and \u{e8} in Latin-1: as text, both names would be equal.
    for (side, name) in [(&gt, b"caf\xe9.png"), (&recon, b"caf\xe8.png")] {
        write_png(&side.join(std::ffi::OsStr::from_bytes(name)), &picture("x", 48, 4.0)).unwrap();
    }
    assert_snapshot!(dir.run(SCORE), @"exit 1, stderr: error: [DIR]/gt/caf�.png: file name: not UTF-8; a stem has to be text, so please rename the file");
    for side in [&gt, &recon] {
        let files = fs::read_dir(side).unwrap().map(|entry| entry.unwrap().path());
        let is_text = |path: &PathBuf| path.to_str().is_some();
        files.filter(|path| !is_text(path)).for_each(|path| fs::remove_file(path).unwrap());
    }
    let clip = dir.join("frames").join(std::ffi::OsStr::from_bytes(b"clip\xe9"));
    write_png(&clip.join("1.png"), &picture("x", 48, 4.0)).unwrap();
    assert_snapshot!(dir.run("check frames recon"), @"exit 1, stderr: error: frames/clip�/1.png: file name: not UTF-8; a stem has to be text, so please rename the file");
    // No record could contain these paths.
    let within = dir.join(std::ffi::OsStr::from_bytes(b"d\xe9codage"));
    image_folders(&within, &["1"]);
    let mut command = dir.command(SCORE, no_cache());
    assert_snapshot!(Ran::of(command.current_dir(within)), @"exit 1, stderr: error: [DIR]/d�codage/gt: path: not UTF-8; records of runs name it as text, so please rename the file or folder");
    for folder in [&gt, &recon] {
        std::os::unix::fs::symlink("loop.png", folder.join("loop.png")).unwrap();
        std::os::unix::fs::symlink(folder, folder.join("itself")).unwrap();
    }
    assert_snapshot!(dir.run(SCORE).messages(), @"run: 2 pairs scored");
}
