//! Arguments of the commands that many tests run.

use super::arg;
use std::path::Path;

/// `neurogauge score` of two folders, or stacks, of images; a run that is there is replaced.
pub(crate) fn score_images<'a>(
    gt: &'a Path,
    recon: &'a Path,
    out: &'a Path,
    options: &[&'a str],
) -> Vec<&'a str> {
    let inputs = ["score", "--gt", arg(gt), "--recon", arg(recon)];
    [&inputs[..], &["--out", arg(out), "--overwrite"], options].concat()
}

/// `neurogauge score` of a folder of observations, likewise.
pub(crate) fn score_observations<'a>(
    observations: &'a Path,
    out: &'a Path,
    options: &[&'a str],
) -> Vec<&'a str> {
    let inputs = ["score", "--observations", arg(observations)];
    [&inputs[..], &["--out", arg(out), "--overwrite"], options].concat()
}

/// `neurogauge score` as a `run.json` says.
pub(crate) fn score_again<'a>(
    run_json: &'a Path,
    out: &'a Path,
    options: &[&'a str],
) -> Vec<&'a str> {
    let inputs = ["score", "--from-run", arg(run_json)];
    [&inputs[..], &["--out", arg(out)], options].concat()
}
