//! `neurogauge score GT RECON`: images by place, and runs that were not told where to go.

use crate::support::{
    arg, folder, image_folders, neurogauge_with_cache, pictures, record, refused, scores, succeed,
    summary,
};
use std::path::Path;

/// With a separate cache.
fn scratch(args: &[&str], cache: &Path) -> (String, String) {
    let ran = neurogauge_with_cache(&[&["score"], args].concat(), cache);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    (ran.stdout, ran.stderr)
}

#[test]
fn images_by_place_are_those_by_name() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "3"]);
    let (by_place, by_name) = (dir.path().join("place/run"), dir.path().join("name/run"));
    let metrics = ["--metrics", "pixcorr,ssim", "--out"];
    let images = ["score", arg(&gt), arg(&recon)];
    let placed = succeed(&[&images[..], &metrics, &[arg(&by_place)]].concat());
    let images = ["score", "--gt", arg(&gt), "--recon", arg(&recon)];
    let named = succeed(&[&images[..], &metrics, &[arg(&by_name)]].concat());
    assert_eq!(placed.stdout, named.stdout);
    assert_eq!(record(&by_place)["request"], record(&by_name)["request"]);
    assert_eq!(scores(&by_place), scores(&by_name));
}

#[test]
fn one_image_folder_or_both_ways_are_refused() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    refused(
        &["score", arg(&gt)],
        2,
        &["2 values required", "[GT] [RECON]"],
    );
    let both = ["score", arg(&gt), arg(&recon), "--gt", arg(&gt)];
    refused(&both, 2, &["--gt", "cannot be used with"]);
}

#[test]
fn without_out_a_run_is_kept_until_the_next() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "3"]);
    let cache = dir.path().join("cache");
    let images = [arg(&gt), arg(&recon)];
    let ssim = [&images[..], &["--metrics", "ssim"]].concat();
    let (table, said) = scratch(&ssim, &cache);
    let run = cache.join("last-run");
    assert!(table.contains("SSIM"), "{table}");
    assert!(
        said.contains(arg(&run)) && said.contains("--out RUN"),
        "{said}"
    );
    let of_ssim = summary(&run);
    // The same once more is the same run.
    let (_, said) = scratch(&ssim, &cache);
    assert!(said.contains("nothing was computed"), "{said}");
    // Another run replaces it and everything in its folder, without a prompt.
    std::fs::write(run.join("notes.txt"), "of the run before").unwrap();
    let (table, _) = scratch(&[&images[..], &["--metrics", "pixcorr"]].concat(), &cache);
    assert!(
        table.contains("PixCorr") && !table.contains("SSIM"),
        "{table}"
    );
    assert_ne!(summary(&run), of_ssim);
    assert!(
        !run.join("notes.txt").exists(),
        "nothing of the other run is left"
    );
    let journal = std::fs::read_to_string(run.join("journal.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 3, "{journal}");
    // It is a run like any other.
    let kept = dir.path().join("kept");
    let run_json = run.join("run.json");
    succeed(&["score", "--from-run", arg(&run_json), "--out", arg(&kept)]);
    assert_eq!(scores(&kept), scores(&run));
}

#[test]
fn the_last_run_is_counted_and_goes_only_by_its_name() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "3"]);
    let cache = dir.path().join("cache");
    let ask = |args: &[&str]| neurogauge_with_cache(&[&["cache"], args].concat(), &cache);
    assert_eq!(
        ask(&["prune", "last-run", "--yes"]).code,
        2,
        "there is none yet"
    );
    let images = [arg(&gt), arg(&recon), "--metrics", "pixcorr"];
    let first = scratch(&images, &cache).0;
    let run = cache.join("last-run");
    let n_files = std::fs::read_dir(&run).unwrap().count();
    let row = format!("{n_files} files  last-run");
    let size = ask(&["size"]).stdout;
    assert!(size.contains(&row), "{size}");
    assert!(size.contains(&format!("{n_files} files  in all")), "{size}");
    assert!(
        size.contains(" of the last run (`neurogauge cache prune last-run` removes it)"),
        "{size}"
    );
    // Emptying the cache of observations keeps the run.
    let ran = ask(&["prune", "--yes"]);
    assert_eq!(ran.code, 0);
    ran.says(&["nothing but the last run", "prune last-run"]);
    assert_eq!(ask(&["size"]).stdout, size);
    let ran = ask(&["prune", "last-run"]);
    assert_eq!(ran.code, 2);
    ran.says(&["would be removed", &row, "--yes"]);
    // Not while somebody writes it.
    let lock = neurogauge::formats::folder_lock::FolderLock::exclusive(&run).unwrap();
    assert_eq!(ask(&["prune", "last-run", "--yes"]).code, 1);
    drop(lock);
    assert_eq!(ask(&["prune", "last-run", "--yes"]).code, 0);
    assert!(ask(&["size"]).stdout.contains("0 files  in all"));
    // The next run finds its place.
    assert_eq!(scratch(&images, &cache).0, first);
}

#[test]
fn without_a_cache_a_run_has_to_be_told_where_to_go() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    refused(
        &["score", arg(&gt), arg(&recon)],
        2,
        &["--out RUN", "last-run"],
    );
    // Nothing is written, so nothing has to be told.
    succeed(&["score", arg(&gt), arg(&recon), "--dry-run"]);
    let plan = ["plan", "score", arg(&gt), arg(&recon)];
    refused(&plan, 2, &["a folder of its own", "--out RUN"]);
}

/// Missing paths are reported first: no note on omitted metrics, no search for weights.
#[test]
fn what_does_not_exist_is_all_that_is_said() {
    let dir = folder();
    let gt = pictures(&dir.path().join("gt"), "gt", 2, 32, 4.0);
    let missing = dir.path().join("nowhere");
    let run = dir.path().join("run");
    let ask = |options: &[&str], code: i32, parts: &[&str]| {
        let args = [&["score", "--out", arg(&run)], options].concat();
        let ran = refused(&args, code, parts);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
        assert!(!run.exists(), "nothing was begun");
    };
    let not_found = ["nowhere: not found; expected"];
    ask(&[arg(&missing), arg(&gt)], 1, &not_found);
    ask(&[arg(&gt), arg(&missing)], 1, &not_found);
    let images = [arg(&gt), arg(&gt)];
    let with = |options: &[&'static str]| [&images[..], options].concat();
    for option in [
        "--gt-captions",
        "--recon-detections",
        "--gt-masks",
        "--recon-scene-graphs",
        "--gt-features",
        "--gt-vlm-categories",
        "--recon-categories",
    ] {
        ask(
            &[&images[..], &[option, arg(&missing)]].concat(),
            1,
            &not_found,
        );
    }
    ask(
        &with(&["--metrics", "pixcorr,clp"]),
        2,
        &["no metric is called \"clp\" (did you mean \"clip\"?); `neurogauge metrics` lists all\n"],
    );
    ask(
        &with(&["--metrics", "loudness"]),
        2,
        &["no metric is called \"loudness\"; known"],
    );
    ask(
        &with(&["--text-encoder", "MiniLM"]),
        2,
        &["\"MiniLM\"", "did you mean"],
    );
    ask(
        &with(&["--checkpoint", "alexnt=a.pth"]),
        2,
        &["\"alexnt\"", "did you mean \"alexnet\""],
    );
}
