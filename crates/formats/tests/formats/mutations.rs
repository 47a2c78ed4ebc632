//! Sound files with seeded damage, for every reader: at worst they give an error, soon and without much memory.
//!
//! `NEUROGAUGE_MUTATIONS=N` reads N mutations in each reader instead of the numbers below, and `NEUROGAUGE_LONG=1`
//! twenty times as many (`make test-long`). `make fuzz` finds more.

pub(crate) use crate::damage::{Draws, mutated};
use crate::prelude::*;
use crate::processor_time::processor_time;
use crate::readers::{READERS, Reader, mended};
use std::process::Command;

/// Mutations for each reader in a usual run of the tests.
const N_MUTATIONS: u64 = 5_000;
/// For readers that need more than about 40 microseconds for each.
const N_OF_SLOW: u64 = 1_500;
const SLOW: &str = "npz npz_scores pt checkpoint_zip checkpoint_legacy checkpoint_torchscript safetensors png jpeg \
                    webp gif ratings choices scores scores_parquet class_labels matlab journal";
/// Memory limit of the process, in KiB. A reader's budget for a file of a few kilobytes is 256 MiB.
const MOST_KIB: u64 = 1 << 20;
/// Set in the process with the limit.
const LIMITED: &str = "NEUROGAUGE_MUTATIONS_LIMITED";
/// More processor time than any file of a few kilobytes may take.
const SLOWEST: Duration = Duration::from_secs(10);

/// In memory if the system has such a folder: a mutation takes less time than a disk access.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

fn read_mutations(reader: &Reader, n: u64) {
    let dir = folder();
    let path = dir.path().join(format!("file.{}", reader.ending));
    let seeds = reader.seeds();
    for seed in &seeds {
        std::fs::write(&path, seed).unwrap();
        (reader.read)(&path);
    }
    for number in 0..n {
        let mut draws = Draws(number);
        let seed = &seeds[draws.below(seeds.len())];
        let other = &seeds[draws.below(seeds.len())];
        std::fs::write(&path, mended(mutated(&mut draws, seed, other))).unwrap();
        let start = processor_time();
        let read = std::panic::catch_unwind(|| (reader.read)(&path));
        assert!(read.is_ok(), "{}: mutation {number} panics", reader.name);
        let took = processor_time() - start;
        assert!(took < SLOWEST, "{}: mutation {number} takes {took:?}", reader.name);
    }
}

/// Does the work of a test in a separate process with the memory limit: if a file makes a reader allocate more, the
/// process ends at the reader that it named last. There is no limit with AddressSanitizer, whose shadow memory takes
/// terabytes of addresses.
pub(crate) fn in_a_process_with_little_memory(test: &str, work: impl FnOnce()) {
    let is_set = |name: &str| std::env::var_os(name).is_some();
    let limited = is_set(LIMITED) || is_set("ASAN_OPTIONS");
    if cfg!(target_os = "linux") && !limited {
        let program = std::env::current_exe().unwrap();
        let limit = format!("ulimit -v {MOST_KIB} && exec \"$0\" \"$@\"");
        let output = Command::new("sh")
            .args(["-c", &limit])
            .arg(program)
            .args(["--exact", "--nocapture", "--test-threads=1", test])
            .env(LIMITED, "1")
            .env("RUST_BACKTRACE", "0")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && said.contains("1 passed"),
            "{said}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        return;
    }
    // Panics of a library are caught at its call; an uncaught panic fails the test by name.
    std::panic::set_hook(Box::new(|panic| println!("{panic}")));
    work();
}

fn read_all_mutations(readers: &[&Reader]) {
    let n = std::env::var("NEUROGAUGE_MUTATIONS").ok();
    let n = n.and_then(|n| n.parse().ok());
    let times = std::env::var_os("NEUROGAUGE_LONG").map_or(1, |_| 20);
    for reader in readers {
        println!("{}", reader.name);
        let usual = match SLOW.split(' ').any(|slow| slow == reader.name) {
            true => N_OF_SLOW,
            false => N_MUTATIONS,
        };
        read_mutations(reader, n.unwrap_or(times * usual));
    }
}

#[test]
fn damage_is_an_error_at_worst_in_the_first_readers() {
    let readers: Vec<&Reader> = READERS.iter().step_by(2).collect();
    let test = "mutations::damage_is_an_error_at_worst_in_the_first_readers";
    in_a_process_with_little_memory(test, || read_all_mutations(&readers));
}

#[test]
fn damage_is_an_error_at_worst_in_the_other_readers() {
    let readers: Vec<&Reader> = READERS.iter().skip(1).step_by(2).collect();
    let test = "mutations::damage_is_an_error_at_worst_in_the_other_readers";
    in_a_process_with_little_memory(test, || read_all_mutations(&readers));
}

/// Each of these inputs once caused a panic, the end of the process or an endless loop.
#[test]
fn inputs_that_once_did_harm_are_refused() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/regressions");
    let mut n_read = 0;
    for entry in std::fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let of = |reader: &&Reader| name.starts_with(&format!("{}-", reader.name));
        let reader = READERS.iter().find(of).unwrap_or_else(|| panic!("{name}: of no reader"));
        (reader.read)(&path);
        n_read += 1;
    }
    assert!(n_read >= 5);
}
