//! `neurogauge score GT RECON`: images by path, and runs without an output folder.

use crate::support::*;

/// A run without `--out`, with its own cache; returns the table and messages.
fn scratch(dir: &Folder, options: &str) -> (String, String) {
    let ran = dir.run_with_cache(&format!("score gt recon {options}"), "cache").done();
    (ran.stdout, ran.stderr)
}

#[test]
fn images_by_place_are_those_by_name_and_one_way_is_enough() {
    let dir = images(&["1", "2", "3"]);
    let placed = dir.succeed("score gt recon --metrics pixcorr,ssim --out place/run");
    let named = dir.succeed("score --gt gt --recon recon --metrics pixcorr,ssim --out name/run");
    assert_eq!(placed.stdout, named.stdout);
    assert_eq!(dir.record("place/run")["request"], dir.record("name/run")["request"]);
    assert_eq!(dir.scores("place/run"), dir.scores("name/run"));
    assert_snapshot!(dir.refusals("score", &["gt", "gt recon --gt gt"], "run"), @"
    gt
      exit 2, stderr:
      error: 2 values required for '[GT] [RECON]' but 1 was provided

      Usage: neurogauge score [OPTIONS] [GT] [RECON]
             neurogauge score <COMMAND>
    gt recon --gt gt
      exit 2, stderr: error: the argument '[GT] [RECON]' cannot be used with '--gt <PATH>'
    ");
}

#[test]
fn without_out_a_run_is_kept_until_the_next() {
    let dir = images(&["1", "2", "3"]);
    let (table, said) = scratch(&dir, "--metrics ssim");
    let run = dir.join("cache/last-run");
    assert!(table.contains("SSIM"), "{table}");
    contains(&said, &["cache/last-run", "--out RUN"]);
    let of_ssim = dir.summary(&run);
    // The same command gives the same run.
    let (_, said) = scratch(&dir, "--metrics ssim");
    assert!(said.contains("nothing was computed"), "{said}");
    // Another run replaces it with all its files, without asking.
    fs::write(run.join("notes.txt"), "of the run before").unwrap();
    let (table, _) = scratch(&dir, "--metrics pixcorr");
    assert!(table.contains("PixCorr"), "{table}");
    assert!(!table.contains("SSIM"), "{table}");
    assert_ne!(dir.summary(&run), of_ssim);
    assert!(!run.join("notes.txt").exists(), "nothing of the other run is left");
    let journal = dir.read("cache/last-run/journal.jsonl");
    assert_eq!(journal.lines().count(), 3, "{journal}");
    // It is a run like any other.
    dir.succeed("score --from-run cache/last-run/run.json --out kept");
    assert_eq!(dir.scores("kept"), dir.scores(&run));
}

#[test]
fn the_last_run_is_counted_and_goes_only_by_its_name() {
    let dir = images(&["1", "2", "3"]);
    let ask = |line: &str| dir.run_with_cache(&format!("cache {line}"), "cache");
    let none = ask("prune last-run --yes");
    assert_eq!(none.code, 2, "there is none yet");
    let first = scratch(&dir, "--metrics pixcorr").0;
    let run = dir.join("cache/last-run");
    let n_files = fs::read_dir(&run).unwrap().count();
    let row = format!("{n_files} files  last-run");
    let size = ask("size").stdout;
    let removes = " of the last run (`neurogauge cache prune last-run` removes it)";
    contains(&size, &[&row, &format!("{n_files} files  in all"), removes]);
    // If the user empties the cache of observations, the run remains.
    assert_snapshot!(ask("prune --yes"), @"exit 0, stderr: the cache holds nothing but the last run; `neurogauge cache prune last-run` removes it");
    assert_eq!(ask("size").stdout, size);
    let ran = ask("prune last-run");
    assert_eq!(ran.code, 2);
    ran.says(&["would be removed", &row, "--yes"]);
    // But not while somebody writes it.
    let lock = neurogauge::formats::folder_lock::FolderLock::exclusive(&run).unwrap();
    assert_eq!(ask("prune last-run --yes").code, 1);
    drop(lock);
    assert_eq!(ask("prune last-run --yes").code, 0);
    assert!(ask("size").stdout.contains("0 files  in all"));
    // The next run can use its place.
    assert_eq!(scratch(&dir, "--metrics pixcorr").0, first);
}

#[test]
fn without_a_cache_a_run_has_to_be_told_where_to_go() {
    let dir = images(&["1", "2", "3"]);
    assert_snapshot!(dir.run("score gt recon"), @"exit 2, stderr: error: say where the run goes with --out RUN; without it, it would go into the cache, and there: [CACHE]/last-run: creating failed: Not a directory");
    // Nothing is written, so there is no message about it.
    dir.succeed("score gt recon --dry-run");
    assert_snapshot!(dir.run("cluster plan score gt recon"), @"exit 2, stderr: error: what is planned needs a folder of its own, which all its processes see; say where with --out RUN");
}

/// Missing paths are reported first, without a note on omitted metrics or a search for weights.
#[test]
fn what_does_not_exist_is_all_that_is_said() {
    let dir = images(&["1", "2", "3"]);
    let table = r#"
    nowhere gt
      exit 1, stderr: error: [DIR]/nowhere: not found; expected a folder of images, a .npy, .npz, .pt, .mat or .hdf5 file
    gt nowhere
      exit 1, stderr: error: [DIR]/nowhere: not found; expected a folder of images, a .npy, .npz, .pt, .mat or .hdf5 file
    gt gt --gt captions=nowhere
      exit 1, stderr: error: [DIR]/nowhere: not found; expected captions as JSON, a table, or SEED's .npy
    gt gt --recon detections=nowhere
      exit 1, stderr: error: [DIR]/nowhere: not found; expected a folder of detections (<stem>.json) or one file of boxes
    gt gt --gt masks=nowhere
      exit 1, stderr: error: [DIR]/nowhere: not found; expected a folder of masks (<stem>.json, or <stem>.png and labels.json) or COCO's JSON of instances
    gt gt --recon scene-graphs=nowhere
      exit 1, stderr: error: [DIR]/nowhere: not found; expected scene graphs as JSON or text (.txt)
    gt gt --gt features=nowhere
      exit 1, stderr: error: [DIR]/nowhere: not found; expected a folder of feature matrices (<model>.npy and ids.json)
    gt gt --gt vlm-categories=nowhere
      exit 1, stderr: error: [DIR]/nowhere: not found; expected JSON of the categories of each stem
    gt gt --recon categories=nowhere
      exit 1, stderr: error: [DIR]/nowhere: not found; expected a folder of <stem>.json, or one JSON of all stems
    gt gt --metrics pixcorr,clp
      exit 2, stderr: error: --metrics: no metric is called "clp" (did you mean "clip"?); `neurogauge list metrics` lists all
    gt gt --set text_encoder=MiniLM
      exit 2, stderr: error: no model is called "MiniLM"; did you mean "all-MiniLM-L6-v2"? `neurogauge list models` lists all
    gt gt --checkpoint alexnt=a.pth
      exit 2, stderr: error: no model is called "alexnt"; did you mean "alexnet"? `neurogauge list models` lists all
    "#;
    dir.refuses("score --out run", "run", table);
    // A space beside a comma does not belong to a name.
    dir.run("score gt gt --metrics 'pixcorr, clp' --out run")
        .says(&["no metric is called \"clp\" (did"]);
}

#[test]
fn inputs_in_the_folder_of_the_last_run_are_not_removed_with_it() {
    let dir = images(&["1", "2", "3"]);
    scratch(&dir, "--detector placeholder-detector --metrics object_f1");
    let last = dir.read("cache/last-run/run.json");
    let score = |out: &str| {
        let inputs = "--observations cache/last-run/observations --metrics object_f1";
        dir.run_with_cache(&format!("score gt recon {inputs} {out}"), "cache")
    };
    assert_snapshot!(score(""), @"exit 1, stderr: error: --observations: [DIR]/cache/last-run/observations is in [DIR]/cache/last-run, whose files this run would replace, so nothing was done; copy it to another folder, or give one of the two runs a folder of its own with --out");
    assert_eq!(dir.read("cache/last-run/run.json"), last);
    score("--out own").done();
    let columns = |run: &str| dir.scores(run).columns;
    assert_eq!(columns("own"), columns("cache/last-run"));
}
