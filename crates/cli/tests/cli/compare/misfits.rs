//! Runs that do not fit together, and runs that cannot be compared.

use super::*;
use crate::support::alignments::Arrays;

#[test]
fn runs_that_differ_in_more_than_the_system_are_compared_with_a_note() {
    let dir = folder();
    run(&dir, "whole", 50.0, &STEMS, "");
    run(&dir, "part", 90.0, &STEMS[..5], "");
    run(&dir, "metric", 50.0, &STEMS, "--metrics ssim");
    run(&dir, "antialias", 50.0, &STEMS, "--set antialias=on");
    run(&dir, "size", 50.0, &STEMS, "--set image_size=9x9");
    run(&dir, "changed", 50.0, &STEMS, "");
    write_png(&dir.join("gt/changed/1.png"), &picture("another", 32, 0.0)).unwrap();
    run_again(&dir, "changed", "");
    let mut said = String::new();
    for name in ["part", "metric", "antialias", "size", "changed"] {
        let comparison = compare_json(&dir, &format!("run/whole run/{name}"));
        let about = ["differ:", "not compared", "the same scores", "skewed"];
        said += &format!("{name}: {}\n", lines_with(&notes(&comparison), &about));
        let n_pairs = if name == "part" { 5 } else { 8 };
        for estimate in estimates(&comparison, "ssim") {
            assert_eq!(estimate["n"], n_pairs);
        }
        assert_eq!(comparison["columns"].list().len(), if name == "metric" { 1 } else { 3 });
    }
    assert_snapshot!(said, @"
    part: pairs differ: whole has 8 pairs; 3 of them are not in every run (for example 6); only the 5 shared pairs are compared
    metric: PixCorr is not compared: not scored for metric
    PSNR is not compared: not scored for metric
    antialias: options differ: antialias was scored with other options, labels or models than whole (see their run.json); the figures are not comparable as they stand
    whole and antialias have the same scores throughout, so they may be one run under two names
    size: options differ: size was scored with other options, labels or models than whole (see their run.json); the figures are not comparable as they stand
    whole and size have the same scores throughout, so they may be one run under two names
    changed: stimuli differ: 1 gt/images of changed are not those of whole with the same stem
    strongly skewed scores (skewness): PixCorr (-2.3), PSNR (-2.3); intervals of such means miss the true mean more often than they say, nearly always on the side of the long tail
    ");
}

#[test]
fn what_is_not_a_finished_run_or_has_nothing_in_common_is_refused() {
    let dir = folder();
    run(&dir, "one", 50.0, &STEMS[..3], "");
    run(&dir, "other", 50.0, &STEMS[3..], "");
    run(&dir, "ssim", 50.0, &STEMS[..3], "--metrics ssim");
    run(&dir, "psnr", 50.0, &STEMS[..3], "--metrics psnr");
    let table = r#"
    run/one run/other
      exit 2, stderr: error: the runs share no pair (one has "1", other has "4")
    run/one nowhere
      exit 1, stderr: error: nowhere/run.json: not found; expected a run folder with a run.json (written by `neurogauge score`)
    run/one .
      exit 1, stderr: error: ./run.json: not found; expected a run folder with a run.json (written by `neurogauge score`)
    run/ssim run/psnr
      exit 2, stderr: error: the runs share no metric (ssim has ssim; psnr has psnr)
    run/one run/ssim --metrics ssim,psnr
      exit 2, stderr: error: psnr is not scored for ssim; score it there too, or leave it out of --metrics
    run/one run/ssim --metrics ssmi
      exit 2, stderr: error: --metrics: no metric is called "ssmi" (did you mean "ssim"?); `neurogauge list metrics` lists all
    "#;
    dir.refuses("compare", "out", table);

    let record = dir.read("run/other/run.json");
    let unfinished = record.replace("\"complete\": true", "\"complete\": false");
    let with = |file: &str, text: &str| {
        dir.write("run/other/run.json", &record);
        dir.write(&format!("run/other/{file}"), text);
        dir.run("compare run/one run/other")
    };
    assert_snapshot!(with("run.json", &unfinished), @"exit 1, stderr: error: run/other: the run is not finished; repeat its score command to resume it");
    assert_snapshot!(with("run.json", &record[..200]), @"exit 1, stderr: error: run/other/run.json:11:35: the file ends within a text; expected a record of neurogauge");
    assert_snapshot!(with("scores.parquet", "PAR1"), @"exit 1, stderr: error: run/other/scores.parquet: its SHA-256 is [HASH], and its record has [HASH]: the file was changed or damaged, or is another's; restore it, or compute the result again with --overwrite");
}

/// Any changed bit of any page, another system's file, and impossible scores.
#[test]
fn scores_that_the_run_did_not_write_are_refused() {
    let dir = folder();
    run(&dir, "good", 20.0, &STEMS, "");
    run(&dir, "bad", 200.0, &STEMS, "");
    let file = dir.join("run/bad/scores.parquet");
    let whole = fs::read(&file).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        contains(&dir.run("compare run/good run/bad").to_string(), &["run/bad/scores.parquet: its SHA-256 is"]);
    };
    for at in (0..whole.len()).step_by(whole.len() / 40) {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (at % 8);
        refused(&flipped);
    }
    refused(&dir.bytes("run/good/scores.parquet"));
    fs::write(&file, &whole).unwrap();
    dir.succeed("compare run/good run/bad");

    let id = dir.scores("run/bad").columns[0].0.clone();
    for value in [-5.0, 1e308] {
        let mut table = dir.scores("run/good");
        table.columns[0].1[0] = Ok(value);
        scores_parquet::write(&file, &table).unwrap();
        let mut record = dir.json("run/bad/run.json");
        record["outputs"] = serde_json::json!({});
        dir.write("run/bad/run.json", record.to_string());
        let ran = dir.run("compare run/good run/bad").to_string();
        assert!(ran.contains(&format!("{id} of pair")) && ran.contains("the range of the metric"), "{ran}");
    }
}

#[test]
fn options_of_scores_are_refused_for_alignments() {
    let dir = Arrays::written();
    for (name, seed) in [("one", 1), ("two", 2)] {
        dir.succeed(&format!("align --config align.toml --no-figures --seed {seed} --out {name}"));
    }
    let table = "
    --subjects '{system}_s{subject}'
      exit 2, stderr: error: --subjects is about runs of `neurogauge score`; the means of `neurogauge align` are over subjects anyway
    --metrics nonsense
      exit 2, stderr: error: --metrics is about runs of `neurogauge score`; these are of `neurogauge align`, so leave it out
    --holm metric
      exit 2, stderr: error: --holm is about runs of `neurogauge score`; these are of `neurogauge align`, so leave it out
    --test studentized
      exit 2, stderr: error: --test is about runs of `neurogauge score`; these are of `neurogauge align`, so leave it out
    --equivalence 0.02
      exit 2, stderr: error: --equivalence is about runs of `neurogauge score`; these are of `neurogauge align`, so leave it out
    --mixed
      exit 2, stderr: error: --mixed is about runs of `neurogauge score`; these are of `neurogauge align`, so leave it out
    --by-dimension
      exit 2, stderr: error: --by-dimension is about runs of `neurogauge score`; these are of `neurogauge align`, so leave it out
    --interval bca
      exit 2, stderr: error: --interval is about runs of `neurogauge score`; these are of `neurogauge align`, so leave it out
    ";
    dir.refuses("compare one two --out out", "out", table);
    dir.succeed("compare one two --resamples 50 --level 0.9 --seed 3 --out out");
}
