//! `neurogauge doctor`.

use crate::support::*;

#[test]
fn what_is_missing_comes_with_what_mends_it() {
    let dir = folder();
    let ran = dir.run_with_cache(&format!("doctor --weights {}", arg(&weights())), "cache").done();
    contains(
        &ran.stdout,
        &[
            "version",
            "can be written to",
            "mend: neurogauge models fetch nsd8",
            "mend: neurogauge models fetch basic",
            "here: all-MiniLM-L6-v2 (91 MB)",
            "alexnet (244 MB)",
            "HF_HUB_OFFLINE=1",
            "nothing in all: ",
            "about 1.4 GB to download",
            "which only some commands need; nothing is broken.\n",
        ],
    );
    let totals = ran.stdout.lines().last().unwrap();
    let count = |state: &str| ran.stdout.lines().filter(|line| line.starts_with(state)).count();
    let (n_fine, n_missing) = (count("ok "), count("missing "));
    let (all, missing) = (n_fine + n_missing, format!("{n_missing} are missing"));
    assert!(totals.starts_with(&format!("Of {all} checks {n_fine} are ok; {missing}")), "{totals}");
    assert!(!dir.has("cache"), "looking leaves nothing behind");

    let findings = dir.run_with_cache("doctor --format json", "cache").json();
    let of = |about: &str| findings.list().iter().find(|finding| finding["about"] == about).unwrap();
    assert_eq!(of("weights of nsd8")["state"], "missing");
    assert_eq!(of("weights of nsd8")["mend"], "neurogauge models fetch nsd8");
    assert_eq!(of("cache")["state"], "fine");
}

#[test]
fn a_cache_that_cannot_be_written_to_is_broken() {
    let ran = folder().run("doctor").exits(1);
    contains(&ran.stdout, &["BROKEN   cache", "; 1 is BROKEN and must be mended first.\n"]);
    ran.says(&["must be mended"]);
}

/// What `doctor` reports about the programs for videos if the `PATH` has only these.
#[cfg(unix)]
fn of_programs(dir: &Folder, programs: &[(&str, &str, u32)]) -> String {
    use std::os::unix::fs::PermissionsExt;
    let bin = dir.join("bin");
    let _ = fs::remove_dir_all(&bin);
    fs::create_dir(&bin).unwrap();
    for (program, said, mode) in programs {
        dir.write(&format!("bin/{program}"), format!("#!/bin/sh\n{said}\n"));
        fs::set_permissions(bin.join(program), fs::Permissions::from_mode(*mode)).unwrap();
    }
    let mut ran = Ran::of(dir.command("doctor", "cache").env("PATH", &bin));
    let mut lines = ran.stdout.lines().skip_while(|line| !line.contains("  ffmpeg "));
    let lines = lines.by_ref().take_while(|line| !line.contains("  environment "));
    ran.stdout = lines.map(|line| format!("{line}\n")).collect();
    ran.to_string()
}

#[cfg(unix)]
#[test]
fn the_programs_for_videos_are_named_with_their_versions() {
    let dir = folder();
    let version = "echo 'ffmpeg version 6.1-small Copyright'";
    assert_snapshot!(of_programs(&dir, &[("ffmpeg", version, 0o755), ("ffprobe", "exit 1", 0o755)]), @"
    exit 0, stdout:
    ok       ffmpeg            [DIR]/bin/ffmpeg, version 6.1-small
    missing  ffprobe           [DIR]/bin/ffprobe does not name its version; clips in video files (mp4, mkv, ...) are decoded by it
                               mend: install ffmpeg (Debian: apt install ffmpeg; macOS: brew install ffmpeg; conda: conda install -c conda-forge ffmpeg), or write the frames of each clip into a folder
    ");
    assert_snapshot!(of_programs(&dir, &[("ffmpeg", version, 0o644)]), @"
    exit 0, stdout:
    missing  ffmpeg            not on the PATH; clips in video files (mp4, mkv, ...) are decoded by it
                               mend: install ffmpeg (Debian: apt install ffmpeg; macOS: brew install ffmpeg; conda: conda install -c conda-forge ffmpeg), or write the frames of each clip into a folder
    missing  ffprobe           not on the PATH; clips in video files (mp4, mkv, ...) are decoded by it
                               mend: install ffmpeg (Debian: apt install ffmpeg; macOS: brew install ffmpeg; conda: conda install -c conda-forge ffmpeg), or write the frames of each clip into a folder
    ");
}
