//! File systems without locks, other users' files in the cache, full disks, and clocks that run backwards.

use crate::support::*;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;

const SCORE: &str = "score --gt gt --recon recon --metrics ssim --out run";
const ALL: &str = "score --gt gt --recon recon --metrics effnet,object_f1,cap_sim --set image_models=placeholder --detector placeholder-detector \
                   --captioner placeholder-captioner --set text_encoder=placeholder --quiet --out";
const PERCEIVE: &str = "perceive --images gt --with placeholder,placeholder-captioner,placeholder-detector --out seen";

/// Two image folders, and `faults.c` compiled.
fn with_faults() -> Folder {
    let dir = images(&["1", "2", "3"]);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/bad_input/faults.c");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"])
        .args([dir.join("faults.so"), source])
        .status();
    assert!(compiled.unwrap().success());
    dir
}

/// Runs with some of these faults, each `NAME=VALUE`.
fn run_with(dir: &Folder, faults: &[&str], line: &str) -> Ran {
    let mut command = dir.command(line, "cache");
    command.env("LD_PRELOAD", dir.join("faults.so"));
    command.envs(faults.iter().map(|fault| fault.split_once('=').unwrap()));
    Ran::of(&mut command)
}

/// ENOLCK, as on NFS without its lock service.
const NO_LOCKS: &str = "FAULT_FLOCK=37";

#[test]
fn a_folder_that_cannot_be_locked_is_named_once() {
    let dir = with_faults();
    assert_snapshot!(run_with(&dir, &[NO_LOCKS], SCORE).messages(), @"
    warning: run: the file system cannot lock this folder (flock: No locks available); the command goes on, but do not let two commands write in one folder there at once, from this machine or another
    run: 3 pairs scored
    ");
    let not_supported = "FAULT_FLOCK=95";
    assert_snapshot!(run_with(&dir, &[not_supported], &format!("{SCORE} --overwrite --set pixel_size=40")).messages(), @"
    warning: run: the file system cannot lock this folder (flock: Operation not supported); the command goes on, but do not let two commands write in one folder there at once, from this machine or another
    run: 3 pairs scored
    ");
    assert_snapshot!(run_with(&dir, &[NO_LOCKS], PERCEIVE).messages(), @"
    warning: seen: the file system cannot lock this folder (flock: No locks available); the command goes on, but do not let two commands write in one folder there at once, from this machine or another
    note: images: 3 images, files
    mean-colours.grid4: 3 images, 3 of them seen by the model now (a placeholder: its numbers mean nothing)
    colour-words: 3 of 3 images described, 3 of them seen by the model now (a placeholder: its captions mean nothing)
    colour-boxes: objects looked for in 3 of 3 images, 3 of them seen by the model now (a placeholder: what it finds means nothing)
    ");
    let study = "study --gt gt --recon near=recon --recon far=gt --metrics ssim --out study";
    assert_snapshot!(run_with(&dir, &[NO_LOCKS], study).messages(), @"
    note: system 1 of 2: near
    warning: study/runs/near: the file system cannot lock this folder (flock: No locks available); the command goes on, but do not let two commands write in one folder there at once, from this machine or another
    note: system 2 of 2: far
    warning: gt and recon: both sides are read from one place, so every image is compared with itself; give the path of the reconstructions on their side
    study: 2 systems, 0 of them rated; 1 tables and figures in study.md
    ");
    for out in ["run", "seen", "study"] {
        assert!(!dir.join(out).join(".lock").exists(), "{out}");
    }
}

#[test]
fn a_process_elsewhere_that_writes_is_waited_for_with_locks_and_without() {
    let dir = with_faults();
    dir.write("run/.lock", "process 7 (neurogauge) on elsewhere\n");
    let held = "FAULT_FLOCK=11";
    assert_snapshot!(run_with(&dir, &[held], SCORE), @"exit 1, stderr: error: run: another command is writing there (process 7 (neurogauge) on elsewhere); wait for it, or choose another --out");
    assert_snapshot!(run_with(&dir, &[NO_LOCKS], SCORE), @"exit 1, stderr: error: run: the file system cannot lock this folder (flock: No locks available), and by run/.lock process 7 (neurogauge) on elsewhere writes there; wait for it, or choose another --out; if it has ended, remove that file");
    dir.write("run/.lock", "");
    assert_snapshot!(run_with(&dir, &[held], SCORE), @"exit 1, stderr: error: run: another command is writing there; wait for it, or choose another --out");
    // No process has an id above 2^22.
    let machine = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    dir.write("run/.lock", format!("process 4194305 (neurogauge) on {machine}"));
    assert_eq!(run_with(&dir, &[NO_LOCKS], SCORE).code, 0);
}

/// Runs with the cache `cache` as a user to whom file permissions apply. They do not apply to root, so root becomes
/// another user.
fn run_as_other(dir: &Folder, line: &str) -> Ran {
    const NOBODY: u32 = 65534;
    let mut command = dir.command(line, "cache");
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        command.uid(NOBODY).gid(NOBODY);
    }
    Ran::of(&mut command)
}

fn set_rights(path: &Path, rights: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(rights)).unwrap();
}

/// Sets the permissions of all folders and files below a folder.
fn set_rights_below(root: &Path, of_folders: u32, of_files: u32) {
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => {
                set_rights_below(&path, of_folders, of_files);
                set_rights(&path, of_folders);
            }
            false => set_rights(&path, of_files),
        }
    }
}

#[test]
fn what_another_user_keeps_in_the_cache_is_made_again_and_said() {
    let dir = images(&["1", "2", "3"]);
    set_rights(dir.path(), 0o777);
    let made = |ran: Ran, out: &str| {
        assert_eq!(ran.code, 0, "{ran}");
        dir.read(format!("{out}/scores.csv"))
    };
    let expected = made(dir.run_with_cache(&format!("{ALL} one"), "cache"), "one");
    let cache = dir.join("cache");
    set_rights(&cache, 0o777);
    let loud = ALL.replace("--quiet ", "");

    // Files that only their owner may read, as with umask 077, in folders that all may use.
    set_rights_below(&cache, 0o777, 0);
    let ran = run_as_other(&dir, &format!("{loud} two"));
    assert_snapshot!(ran.messages(), @"
    warning: [DIR]/cache/captions/colour-words.jsonl: this part of the cache is another user's and cannot be read (Permission denied), so what it holds is observed again; ask its owner for the right, or name another folder in NEUROGAUGE_CACHE
    two: 3 pairs scored
    ");
    assert_eq!(made(ran, "two"), expected);
    // The journal is readable, but not writable.
    set_rights(&cache.join("captions/colour-words.jsonl"), 0o444);
    let ran = run_as_other(&dir, &format!("{loud} three"));
    assert_snapshot!(ran.messages(), @"three: 3 pairs scored");
    assert_eq!(made(ran, "three"), expected);

    // Folders that only their owner may use.
    for kind in ["captions", "detections", "features", "text_embeddings"] {
        set_rights_below(&cache.join(kind), 0o555, 0o444);
    }
    let ran = run_as_other(&dir, &format!("{loud} four"));
    assert_snapshot!(ran.messages(), @"
    warning: [DIR]/cache/detections/colour-boxes: this part of the cache is another user's and cannot be written to (Permission denied), so what belongs there is kept in this run's folder only and other runs observe it again; ask its owner for the right, or name another folder in NEUROGAUGE_CACHE
    warning: [DIR]/cache/features/mean-colours.grid4: this part of the cache is another user's and cannot be written to (Permission denied), so what belongs there is kept in this run's folder only and other runs observe it again; ask its owner for the right, or name another folder in NEUROGAUGE_CACHE
    warning: [DIR]/cache/text_embeddings/hashed-words: this part of the cache is another user's and cannot be written to (Permission denied), so what belongs there is kept in this run's folder only and other runs observe it again; ask its owner for the right, or name another folder in NEUROGAUGE_CACHE
    four: 3 pairs scored
    ");
    assert_eq!(made(ran, "four"), expected);
    set_rights_below(&cache, 0, 0);
    let ran = run_as_other(&dir, &format!("{loud} five"));
    assert_snapshot!(ran.messages(), @"
    warning: [DIR]/cache/captions: this part of the cache is another user's and cannot be written to (Permission denied), so what belongs there is kept in this run's folder only and other runs observe it again; ask its owner for the right, or name another folder in NEUROGAUGE_CACHE
    warning: [DIR]/cache/detections: this part of the cache is another user's and cannot be written to (Permission denied), so what belongs there is kept in this run's folder only and other runs observe it again; ask its owner for the right, or name another folder in NEUROGAUGE_CACHE
    warning: [DIR]/cache/features: this part of the cache is another user's and cannot be written to (Permission denied), so what belongs there is kept in this run's folder only and other runs observe it again; ask its owner for the right, or name another folder in NEUROGAUGE_CACHE
    warning: [DIR]/cache/text_embeddings: this part of the cache is another user's and cannot be written to (Permission denied), so what belongs there is kept in this run's folder only and other runs observe it again; ask its owner for the right, or name another folder in NEUROGAUGE_CACHE
    five: 3 pairs scored
    ");
    assert_eq!(made(ran, "five"), expected);
    run_as_other(&dir, &format!("{ALL} six --dry-run")).done();
    assert_snapshot!(run_as_other(&dir, "cache size"), @"
    exit 0, stdout:
          0 bytes        0 files  features
          0 bytes        0 files  detections
          0 bytes        0 files  captions
          0 bytes        0 files  text_embeddings
          0 bytes        0 files  in all
    not counted: [DIR]/cache/features, another user's, which cannot be read
    not counted: [DIR]/cache/detections, another user's, which cannot be read
    not counted: [DIR]/cache/captions, another user's, which cannot be read
    not counted: [DIR]/cache/text_embeddings, another user's, which cannot be read

    [DIR]/cache holds 0 bytes of observations (`neurogauge cache prune` removes them). Weights are not counted; `neurogauge doctor` counts them.
    ");
    assert_snapshot!(run_as_other(&dir, "cache prune --yes"), @"exit 0, stderr: the cache holds nothing that could be removed");

    set_rights_below(&cache, 0o777, 0o666);
    assert_eq!(made(dir.run_with_cache(&format!("{ALL} seven"), "cache"), "seven"), expected);
}

#[test]
fn a_run_without_a_folder_where_another_user_has_one_is_told_so() {
    let dir = images(&["1", "2"]);
    set_rights(dir.path(), 0o777);
    let line = SCORE.replace(" --out run", "");
    assert_eq!(dir.run_with_cache(&line, "cache").code, 0);
    set_rights(&dir.join("cache/last-run"), 0o555);
    assert_snapshot!(run_as_other(&dir, &line), @"exit 2, stderr: error: say where the run goes with --out RUN; without it, it would go into the cache, and there: [DIR]/cache/last-run: writing to it failed: Permission denied");
    set_rights(&dir.join("cache/last-run"), 0);
    assert_snapshot!(run_as_other(&dir, "cache size"), @"
    exit 0, stdout:
          0 bytes        0 files  last-run
          0 bytes        0 files  in all
    not counted: [DIR]/cache/last-run, another user's, which cannot be read

    [DIR]/cache holds 0 bytes of observations (`neurogauge cache prune` removes them). Weights are not counted; `neurogauge doctor` counts them.
    ");
    assert_snapshot!(run_as_other(&dir, "cache prune last-run --yes"), @"exit 0, stderr: the cache holds nothing that could be removed");
    set_rights(&dir.join("cache/last-run"), 0o777);
}

#[test]
fn a_full_disk_is_named_and_the_next_call_goes_on() {
    let dir = with_faults();
    assert_eq!(dir.run_with_cache(PERCEIVE, "elsewhere").code, 0);
    let sound = |name: &str| dir.bytes(name);
    let names = ["seen/captions.json", "seen/features/mean-colours.grid4.npy", "seen/detections/2.json"];
    let expected = names.map(sound);
    let mut said = Vec::new();
    for n_bytes in [10, 400, 3_000, 40_000, 100_000] {
        let _ = fs::remove_dir_all(dir.join("cache"));
        dir.remove("seen");
        let ran = run_with(&dir, &[&format!("FAULT_FULL={n_bytes}")], &format!("{PERCEIVE} --threads 1")).exits(1);
        said.push(ran.messages());
        let ran = dir.run_with_cache(PERCEIVE, "cache");
        assert_eq!(ran.code, 0, "{n_bytes}: {ran}");
        said.push(ran.messages());
        assert_eq!(names.map(sound), expected, "{n_bytes}");
    }
    assert_snapshot!(said.concat(), @"
    warning: [DIR]/cache: the cache cannot be written to (No space left on device), so what models observe is kept in this run's folder only and other runs observe it again; name another folder in NEUROGAUGE_CACHE
    error: seen/features/ids.json: writing failed: No space left on device; free space there and call again, what is done so far is kept
    note: images: 3 images, files
    mean-colours.grid4: 3 images, 3 of them seen by the model now (a placeholder: its numbers mean nothing)
    colour-words: 3 of 3 images described, 3 of them seen by the model now (a placeholder: its captions mean nothing)
    colour-boxes: objects looked for in 3 of 3 images, 3 of them seen by the model now (a placeholder: what it finds means nothing)
    error: seen/features/mean-colours.grid4.part: writing failed: No space left on device; free space there and call again, what is done so far is kept
    note: images: 3 images, files
    mean-colours.grid4: 3 images, 3 of them seen by the model now (a placeholder: its numbers mean nothing)
    colour-words: 3 of 3 images described, 3 of them seen by the model now (a placeholder: its captions mean nothing)
    colour-boxes: objects looked for in 3 of 3 images, 3 of them seen by the model now (a placeholder: what it finds means nothing)
    error: seen/features/mean-colours.grid4.part: writing failed: No space left on device; free space there and call again, what is done so far is kept
    note: images: 3 images, files
    mean-colours.grid4: 3 images, 3 of them seen by the model now (a placeholder: its numbers mean nothing)
    colour-words: 3 of 3 images described, 3 of them seen by the model now (a placeholder: its captions mean nothing)
    colour-boxes: objects looked for in 3 of 3 images, 3 of them seen by the model now (a placeholder: what it finds means nothing)
    error: [DIR]/cache/detections/colour-boxes/1ceb432a10b2f23999c8b0a5ced4c411.json: writing failed: No space left on device; free space there and call again, what is done so far is kept
    note: images: 3 images, files
    mean-colours.grid4: 3 images, 0 of them seen by the model now (a placeholder: its numbers mean nothing)
    colour-words: 3 of 3 images described, 0 of them seen by the model now (a placeholder: its captions mean nothing)
    colour-boxes: objects looked for in 3 of 3 images, 3 of them seen by the model now (a placeholder: what it finds means nothing)
    error: [DIR]/cache/detections/colour-boxes/9fc210aad90fef01f43a7322a0eda27d.json: writing failed: No space left on device; free space there and call again, what is done so far is kept
    note: images: 3 images, files
    mean-colours.grid4: 3 images, 0 of them seen by the model now (a placeholder: its numbers mean nothing)
    colour-words: 3 of 3 images described, 0 of them seen by the model now (a placeholder: its captions mean nothing)
    colour-boxes: objects looked for in 3 of 3 images, 1 of them seen by the model now (a placeholder: what it finds means nothing)
    ");
}

#[test]
fn a_full_disk_of_the_cache_is_passed_over() {
    let dir = with_faults();
    assert_snapshot!(run_with(&dir, &["FAULT_FULL_IN=/cache/"], PERCEIVE), @"
    exit 0, stdout:
    seen/features/mean-colours.grid4.npy
    seen/captions.json
    seen/detections
    stderr:
    warning: [DIR]/cache: the cache cannot be written to (No space left on device), so what models observe is kept in this run's folder only and other runs observe it again; name another folder in NEUROGAUGE_CACHE
    note: images: 3 images, files
    mean-colours.grid4: 3 images, 3 of them seen by the model now (a placeholder: its numbers mean nothing)
    colour-words: 3 of 3 images described, 3 of them seen by the model now (a placeholder: its captions mean nothing)
    colour-boxes: objects looked for in 3 of 3 images, 3 of them seen by the model now (a placeholder: what it finds means nothing)
    ");
}

/// In the middle of each kind of store.
#[test]
fn a_cache_whose_disk_becomes_full_is_passed_over_with_one_warning() {
    let dir = with_faults();
    assert_eq!(dir.run_with_cache(PERCEIVE, "elsewhere").code, 0);
    let names = ["seen/captions.json", "seen/features/mean-colours.grid4.npy", "seen/detections/2.json"];
    let expected = names.map(|name| dir.bytes(name));
    for n_bytes in [100, 400, 1_000, 3_000, 10_000_000] {
        let _ = fs::remove_dir_all(dir.join("cache"));
        dir.remove("seen");
        let faults = ["FAULT_FULL_IN=/cache/", &format!("FAULT_FULL={n_bytes}")];
        let ran = run_with(&dir, &faults, &format!("{PERCEIVE} --threads 1")).exits(0);
        assert_eq!(names.map(|name| dir.bytes(name)), expected, "{n_bytes}");
        let n_warnings = usize::from(n_bytes < 10_000_000);
        assert_eq!(ran.stderr.matches("warning: ").count(), n_warnings, "{n_bytes}: {ran}");
        assert_eq!(ran.stderr.matches("the cache cannot be written to").count(), n_warnings, "{n_bytes}: {ran}");
    }
}

#[test]
fn a_clock_that_goes_backwards_changes_nothing() {
    let dir = with_faults();
    let backwards = ["FAULT_CLOCK=1"];
    let ran =
        run_with(&dir, &backwards, &format!("{} one --progress plain --verbose", ALL.replace("--quiet ", ""))).done();
    assert!(!ran.stderr.contains(" -"), "{ran}");
    dir.run_with_cache(&format!("{ALL} two"), "elsewhere").done();
    assert_eq!(dir.read("one/scores.csv"), dir.read("two/scores.csv"));
    // Files from the future, one of them incomplete, are still recognised.
    let future = |path: &Path| {
        let file = fs::File::options().append(true).open(path).unwrap();
        let then = std::time::SystemTime::now() + Duration::from_secs(1_000_000_000);
        file.set_modified(then).unwrap();
    };
    dir.write("seen/.Ab12cd.tmp", "half");
    dir.write("cache/captions/.Ab12cd.tmp", "half");
    for name in ["seen/.Ab12cd.tmp", "cache/captions/.Ab12cd.tmp", "cache/captions/colour-words.jsonl"] {
        future(&dir.join(name));
    }
    assert_snapshot!(run_with(&dir, &backwards, PERCEIVE).messages(), @"
    note: images: 3 images, files
    mean-colours.grid4: 3 images, 3 of them seen by the model now (a placeholder: its numbers mean nothing)
    colour-words: 3 of 3 images described, 0 of them seen by the model now (a placeholder: its captions mean nothing)
    colour-boxes: objects looked for in 3 of 3 images, 0 of them seen by the model now (a placeholder: what it finds means nothing)
    ");
    assert!(!dir.has("seen/.Ab12cd.tmp"));
}
