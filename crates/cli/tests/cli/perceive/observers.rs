//! How models are asked to describe images: the arguments of `perceive`, and the stand-ins of `score`.

use crate::support::arguments::{score_again, score_images};
use crate::support::{Ran, arg, neurogauge_with_cache};
use neurogauge::RunRecord;
use neurogauge::formats::json;
use std::path::Path;

/// Arguments of `neurogauge perceive` for a folder of images.
pub(crate) fn perceiving<'a>(
    images: &'a Path,
    out: &'a Path,
    with: &'a str,
    options: &[&'a str],
) -> Vec<&'a str> {
    let args = ["perceive", "--images", arg(images), "--with", with];
    [&args[..], &["--out", arg(out)], options].concat()
}

/// How many images the models saw.
#[track_caller]
pub(crate) fn seen(ran: &Ran) -> usize {
    let said = ran.stderr.split(" of them seen").next().unwrap();
    said.rsplit(' ').next().unwrap().parse().unwrap()
}

/// A stand-in that describes images, and how a run asks for it and scores its descriptions.
pub(crate) struct ObserverCase {
    /// Its name after `--with`.
    pub(crate) name: &'static str,
    asked: &'static [&'static str],
}

pub(crate) const CAPTIONER: ObserverCase = ObserverCase {
    name: "stand-in-captioner",
    asked: &[
        "--metrics",
        "cap_sim",
        "--captioner",
        "stand-in-captioner",
        "--text-encoder",
        "stand-in",
    ],
};

pub(crate) const DETECTOR: ObserverCase = ObserverCase {
    name: "stand-in-detector",
    asked: &["--metrics", "object_f1", "--detector", "stand-in-detector"],
};

impl ObserverCase {
    /// `neurogauge score` of two folders of images; the run and the cache are folders in `root`.
    pub(crate) fn score(
        &self,
        root: &Path,
        (gt, recon): (&Path, &Path),
        run: &str,
        options: &[&str],
    ) -> Ran {
        let out = root.join(run);
        let args = score_images(gt, recon, &out, &[self.asked, options].concat());
        neurogauge_with_cache(&args, &root.join("cache"))
    }
}

/// Repeats a run in `root` from its `run.json`, with the cache there.
pub(crate) fn repeat(root: &Path, run: &str, out: &str) -> Ran {
    let (run_json, out) = (root.join(run).join("run.json"), root.join(out));
    neurogauge_with_cache(&score_again(&run_json, &out, &[]), &root.join("cache"))
}

/// `run.json` of a run in `root`.
pub(crate) fn run_record(root: &Path, run: &str) -> RunRecord {
    json::read(&root.join(run).join("run.json")).unwrap()
}
