//! Options for models that describe images, and the placeholders of `score`.

use crate::support::*;
use neurogauge::RunRecord;
use neurogauge::formats::json;

/// Folders with `n` pictures of 40 px each.
pub(crate) fn images(n: usize, names: &[&str]) -> Folder {
    let dir = folder();
    for name in names {
        pictures(&dir.join(name), name, n, 40, 60.0);
    }
    dir
}

/// Runs `neurogauge perceive` for the images in `gt` into `out`, with a cache in the folder.
#[track_caller]
pub(crate) fn perceive(dir: &Folder, line: &str) -> Ran {
    perceive_to(dir, "gt", "out", line)
}

/// The same for other images and another output.
#[track_caller]
pub(crate) fn perceive_to(dir: &Folder, images: &str, out: &str, line: &str) -> Ran {
    dir.run_with_cache(&format!("perceive --images {images} --out {out} {line}"), "cache")
}

/// Number of images that the models saw.
#[track_caller]
pub(crate) fn seen(ran: &Ran) -> usize {
    ran.stderr.split(" of them seen").next().unwrap().rsplit(' ').next().unwrap().parse().unwrap()
}

/// Options of runs with placeholders that describe images, and metrics of the descriptions.
pub(crate) const CAPTIONER: &str = "--metrics cap_sim --captioner placeholder-captioner --set text_encoder=placeholder";
pub(crate) const DETECTOR: &str = "--metrics object_f1 --detector placeholder-detector";

/// Runs `neurogauge score` with a cache in the folder; an earlier run is replaced.
#[track_caller]
pub(crate) fn score(dir: &Folder, line: &str) -> Ran {
    dir.run_with_cache(&format!("score --overwrite {line}"), "cache")
}

/// Repeats a run from its `run.json`, with the cache in the folder.
pub(crate) fn repeat(dir: &Folder, run: &str, out: &str) -> Ran {
    dir.run_with_cache(&format!("score --from-run {run}/run.json --out {out}"), "cache")
}

/// `run.json` of a run.
pub(crate) fn run_record(dir: &Folder, run: &str) -> RunRecord {
    json::read(&dir.join(run).join("run.json")).unwrap()
}
