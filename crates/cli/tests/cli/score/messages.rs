//! Messages on stderr: how many, how progress is shown, and in which colours.

use crate::support::{arg, folder, image_folders, succeed};
use std::process::Command;

/// A command's messages on stderr, with these variables.
fn said(args: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_neurogauge"));
    command
        .args(args)
        .env("NEUROGAUGE_CACHE", "/dev/null/cache");
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"] {
        command.env_remove(name);
    }
    let output = command.envs(variables.iter().copied()).output().unwrap();
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn quiet_says_nothing_but_the_table_and_verbose_says_what_is_read() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "3"]);
    let run = dir.path().join("run");
    let captions = dir.path().join("captions.json");
    crate::support::write(&captions, r#"{"1": "a boat", "2": "a dog", "3": "a cat"}"#);
    let args = [
        "score",
        arg(&gt),
        arg(&recon),
        "--gt-captions",
        arg(&captions),
        "--recon-captions",
        arg(&captions),
        "--text-encoder",
        "stand-in",
        "--overwrite",
        "--out",
        arg(&run),
    ];
    let usual = succeed(&args);
    usual.says(&["note: left out", "3 pairs"]);
    assert!(!usual.stderr.contains("gt/images"), "{}", usual.stderr);
    std::fs::remove_dir_all(&run).unwrap();
    let quiet = succeed(&[&args[..], &["-q"]].concat());
    assert_eq!(quiet.stderr, "");
    assert_eq!(quiet.stdout, usual.stdout);
    std::fs::remove_dir_all(&run).unwrap();
    let verbose = succeed(&[&["-v"], &args[..]].concat());
    assert_eq!(verbose.stdout, usual.stdout);
    verbose.says(&[
        &format!("gt/images: 3 items of {}", arg(&gt)),
        "recon/captions: 1 item of ",
        "placeholder, without weights",
        " of 3 in ",
    ]);
    // Errors are always shown.
    let missing = dir.path().join("nowhere");
    let missing = [
        "-q",
        "score",
        arg(&missing),
        arg(&recon),
        "--out",
        arg(&run),
    ];
    assert!(
        said(&missing, &[]).starts_with("error: "),
        "{}",
        said(&missing, &[])
    );
}

#[test]
fn progress_says_nothing_of_what_takes_less_than_a_second() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "3", "4", "5"]);
    let run = dir.path().join("run");
    let args = [
        "score",
        arg(&gt),
        arg(&recon),
        "--metrics",
        "ssim",
        "--overwrite",
        "--out",
        arg(&run),
    ];
    for how in [
        &["--progress", "plain"][..],
        &["--progress", "none"],
        &[],
        &["--progress", "plain", "-q"],
    ] {
        let ran = succeed(&[&args[..], how].concat());
        assert!(!ran.stderr.contains('%'), "{how:?}: {}", ran.stderr);
        std::fs::remove_dir_all(&run).unwrap();
    }
    // With -v each stage reports its duration.
    succeed(&[&args[..], &["-v"]].concat()).says(&["5 of 5 in"]);
}

#[test]
fn colours_are_for_terminals_and_for_whoever_forces_them() {
    let refused = [
        "score",
        "/nonexistent/a",
        "/nonexistent/b",
        "--out",
        "/nonexistent/c",
    ];
    assert!(said(&refused, &[]).starts_with("error: "));
    let forced = [("CLICOLOR_FORCE", "1")];
    let coloured = said(&refused, &forced);
    assert!(
        coloured.starts_with("\u{1b}[") && coloured.contains("31m"),
        "{coloured:?}"
    );
    let neither = [("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")];
    // As clap has it for its own messages.
    let of_clap = said(&["score", "--nonsense"], &neither);
    assert_eq!(
        said(&refused, &neither).contains('\u{1b}'),
        of_clap.contains('\u{1b}')
    );
    let no_colour = [("NO_COLOR", "1")];
    assert!(!said(&refused, &no_colour).contains('\u{1b}'));
}
