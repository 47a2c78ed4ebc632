//! `neurogauge compare`: known ranks, and the messages if runs do not fit together.

use crate::support::alignments::Arrays;
use crate::support::*;

const STEMS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "10"];

/// Makes a run, `run/<name>`, whose reconstructions have this much grain.
fn run(dir: &Folder, name: &str, grain: f32, stems: &[&str], options: &str) {
    let [gt, recon] = ["gt", "recon"].map(|part| dir.join(part).join(name));
    write_images(&gt, 0.0, stems);
    write_images(&recon, grain, stems);
    run_again(dir, name, options);
}

fn write_images(folder: &Path, grain: f32, stems: &[&str]) {
    for stem in stems {
        write_png(&folder.join(format!("{stem}.png")), &picture(stem, 32, grain)).unwrap();
    }
}

/// Runs the existing images.
fn run_again(dir: &Folder, name: &str, options: &str) {
    let inputs = format!("--gt gt/{name} --recon recon/{name} --out run/{name}");
    dir.succeed(&format!("score {inputs} --set pixel_size=32 --overwrite {options}"));
}

fn compare(dir: &Folder, line: &str) -> String {
    dir.succeed(&format!("compare {line}")).stdout
}

fn compare_json(dir: &Folder, line: &str) -> Value {
    dir.succeed(&format!("compare {line} --format json")).json()
}

/// The title and notes of a comparison.
fn notes(comparison: &Value) -> String {
    let notes: Vec<&str> = comparison["notes"].list().iter().map(|note| note.text()).collect();
    format!("{}\n{}", comparison["title"].text(), notes.join("\n"))
}

/// Estimates for one metric, one for each system.
fn estimates<'a>(comparison: &'a Value, metric: &str) -> Vec<&'a Value> {
    let rows = comparison["rows"].list().iter();
    rows.map(|row| {
        let mut estimates = row["estimates"].list().iter();
        estimates.find(|e| e["metric"] == metric).unwrap()
    })
    .collect()
}

fn differences<'a>(comparison: &'a Value, metric: &str) -> Vec<&'a Value> {
    comparison["differences"].list().iter().filter(|d| d["metric"] == metric).collect()
}

#[test]
fn the_less_noisy_system_ranks_higher_in_every_metric() {
    let dir = folder();
    run(&dir, "middle", 80.0, &STEMS, "");
    run(&dir, "best", 20.0, &STEMS, "");
    run(&dir, "worst", 240.0, &STEMS, "");
    let runs = "run/middle run/best run/worst";
    let comparison = compare_json(&dir, &format!("{runs} --holm metric"));
    assert_snapshot!(notes(&comparison), @"
    3 systems on 8 shared pairs
    95% intervals for new stimuli (studentised bootstrap over pairs, 2000 resamples)
    Only 8 pairs: no test of two systems can reach p < 0.0078, and 95% intervals are at least ±2.4 standard errors wide (large n: ±2.0).
    PixCorr, SSIM: intervals may cover less than 95% below n = 30, since such scores often have a long tail that few of them do not show
    ");
    let systems: Vec<&Value> = comparison["rows"].list().iter().map(|row| &row["system"]).collect();
    let by_rank = ["best", "middle", "worst"];
    assert_eq!(systems, by_rank, "in the order of their ranks");
    for metric in ["pixcorr", "ssim", "psnr"] {
        let estimates = estimates(&comparison, metric);
        assert_eq!(estimates.iter().map(|e| &e["rank"]["rank"]).collect::<Vec<_>>(), [1.0, 2.0, 3.0], "{metric}");
        // All pairs of images agree, and 3 x 0.0078 is below 0.05.
        for estimate in estimates {
            assert_eq!(estimate["rank"]["low"], estimate["rank"]["high"]);
        }
        let differences = differences(&comparison, metric);
        assert_eq!(differences.len(), 3);
        for difference in differences {
            let better = |name: &str| by_rank.iter().position(|n| *n == name);
            let [minuend, subtrahend] = ["minuend", "subtrahend"].map(|side| better(difference[side].text()));
            let value = difference["difference"].number();
            assert_eq!(value > 0.0, minuend < subtrahend, "{difference}");
            let ends = difference["interval"].list();
            assert_eq!(ends[0].as_f64() > Some(0.0), value > 0.0, "{difference}");
            // Eight differences with the same sign: two of the 256 sign assignments.
            assert_eq!(difference["p_value"], 2.0 / 256.0);
            assert_eq!(difference["p_holm"], 3.0 * 2.0 / 256.0);
            assert_eq!(difference["smallest_p"], 2.0 / 256.0);
            assert_eq!(difference["verdict"], "different");
        }
    }
    // Over all metrics, which is the default, there are nine differences; for one metric, three.
    let all = compare_json(&dir, runs);
    assert_eq!(all["request"]["holm"], "all");
    for difference in all["differences"].list() {
        assert_eq!(difference["p_holm"], 9.0 * 2.0 / 256.0);
        // Eight pairs cannot do better, however large the differences are.
        assert_eq!(difference["verdict"], "not_decidable");
        assert_eq!(difference["detectable"], Value::Null);
    }
    // Ranks and marks follow from the same tests.
    for estimate in ["pixcorr", "ssim", "psnr"].map(|metric| estimates(&all, metric)).concat() {
        assert_eq!([&estimate["rank"]["low"], &estimate["rank"]["high"]], [1.0, 3.0]);
    }
    let table = compare(&dir, runs);
    assert!(!table.contains('*') && table.contains("for all 9 differences of this table"), "{table}");
    let one = compare_json(&dir, &format!("{runs} --metrics ssim"));
    assert_eq!(one["columns"].list().len(), 1);
    assert_eq!(differences(&one, "ssim"), differences(&comparison, "ssim"));
    // Each system's mean equals that of its own run.
    for (name, estimate) in by_rank.iter().zip(estimates(&comparison, "ssim")) {
        let own = &summary(&dir.join("run").join(name))["ssim"];
        assert_eq!(estimate["value"], own["value"]);
        assert_eq!(estimate["n"], own["n"]);
    }
}

/// A regression snapshot of the numbers; the tests of the JSON check their values.
#[test]
fn the_table_has_ranks_and_differences_and_says_what_cannot_be_decided() {
    let dir = folder();
    run(&dir, "good", 20.0, &STEMS, "");
    run(&dir, "bad", 200.0, &STEMS, "");
    assert_snapshot!(compare(&dir, "run/good run/bad --metrics ssim"), @"
    2 systems on 8 shared pairs
    mean [95% interval] over n = 8 pairs

            Low-Level
    System  SSIM ↑
    good    0.886* [0.863, 0.910]
    bad     0.085+ [0.067, 0.103]
    * best, + second, where the tests leave no other rank

    rank, 1 is best [95% interval]

            Low-Level
    System  SSIM ↑
    good    1 [1, 1]
    bad     2 [2, 2]

    95% intervals for new stimuli (studentised bootstrap over pairs, 2000 resamples)
    Only 8 pairs: no test of two systems can reach p < 0.0078, and 95% intervals are at least ±2.4 standard errors wide (large n: ±2.0).
    SSIM: intervals may cover less than 95% below n = 30, since such scores often have a long tail that few of them do not show

    Differences on the shared pairs

    metric  system  minus         difference [95%]       p  p (Holm)    d_z  n
    ssim    good    bad    0.8014 [0.7945, 0.8083]  0.0078    0.0078  95.61  8

    p and interval: sign-flip test of the pairs' differences, uncorrected; p (Holm): corrected for the only difference of this table
    d_z: the difference / the standard deviation of the pairs' differences; differences.csv (or --format csv) also has the share of pairs at which the first is better, and the smallest difference that so many pairs show with a power of 80%
    ");
    let strict = compare(&dir, "run/good run/bad --holm all --metrics ssim,psnr,pixcorr --level 0.99");
    assert_snapshot!(lines_with(&strict, &["99% interval]", "[1, 2]", "‡", "not decidable"]), @"
    mean [99% interval] over n = 8 pairs
    rank, 1 is best [99% interval]
    good    1 [1, 2]   1 [1, 2]   1 [1, 2]
    bad     2 [1, 2]   2 [1, 2]   2 [1, 2]
    PixCorr, SSIM, PSNR: ranks are not decidable here, so every rank stays possible, which does not make systems equal: 8 pairs and 3 differences cannot give p (Holm) ≤ 0.01, however large the difference; 10 pairs or a single difference could
    pixcorr  good    bad       0.3823 [0.3520, 0.4326]  0.0078  0.0234 ‡   14.07  8
    ssim     good    bad       0.8014 [0.7869, 0.8125]  0.0078  0.0234 ‡   95.61  8
    psnr     good    bad    19.6513 [19.5747, 19.7317]  0.0078  0.0234 ‡  366.47  8
    ‡ not decidable here: 8 pairs and 3 differences cannot give p (Holm) ≤ 0.01, however large the difference; 10 pairs or a single difference could
    ");

    // Every format has the same systems.
    let runs = "run/good run/bad";
    let csv = compare(&dir, &format!("{runs} --format csv"));
    let (csv, differences) = csv.split_once("\n\n").unwrap();
    assert!(differences.starts_with(
        "metric,minuend,subtrahend,difference,low,high,p_value,p_holm,verdict,stand_in,n,test,d_z,share_better,detectable\npixcorr,good,bad,0."
    ));
    assert_eq!(differences.lines().count(), 1 + 3);
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 1 + 2 * 3);
    assert!(lines.iter().all(|line| line.len() == lines[0].len()));
    assert_eq!(lines[0][..3], ["system", "metric", "mean"]);
    let psnr = lines.iter().filter(|line| line[1] == "psnr");
    let means: Vec<f64> = psnr.map(|line| line[2].parse().unwrap()).collect();
    for (mean, estimate) in means.iter().zip(estimates(&compare_json(&dir, runs), "psnr")) {
        assert_eq!(estimate["value"], *mean);
    }
    let markdown = compare(&dir, &format!("{runs} --format markdown --metrics ssim"));
    assert_snapshot!(lines_with(&markdown, &["good ", "bad ", "Bold"]), @r"
    | good   | **0.886** [0.863, 0.910]    |
    | bad    | <u>0.085</u> [0.067, 0.103] |
    Bold: best, underlined: second, where the tests leave no other rank
    | good   | 1 [1, 1] |
    | bad    | 2 [2, 2] |
    | ssim   | good   | bad   | 0.8014 \[0.7945, 0.8083\] | 0.0078 |   0.0078 | 95.61 |   8 |
    ");
    let latex = compare(&dir, &format!("{runs} --format latex"));
    assert_eq!(latex.matches("\\begin{tabular}").count(), 1, "the means");

    // A comparison is written completely, and only replaced on request.
    let into = "run/good run/bad --out out";
    let record = compare_json(&dir, into);
    let written = dir.json("out/compare.json");
    let latex = dir.read("out/compare.tex");
    assert_eq!(latex.matches("\\begin{tabular}").count(), 3, "means, ranks, differences");
    assert_eq!(latex.matches("\\end{tabular}").count(), 3);
    let mut printed = record.clone();
    printed["outputs"] = written["outputs"].clone();
    assert_eq!(written, printed);
    assert!(written["outputs"]["differences.csv"].is_string());
    assert_eq!(record["inputs"][1]["role"], "scores/bad");
    // The outcomes of the runs and their comparison.
    assert!(check_outcomes(dir.path()) > 10);
    assert_eq!(record["seed"], 42);
    assert_eq!(record["request"]["bootstrap"]["interval"], "studentized");
    for name in ["compare.md", "compare.tex", "compare.csv", "differences.csv"] {
        assert!(dir.read(format!("out/{name}")).contains("good"), "{name}");
    }
    let run = |options: &str| dir.run(&format!("compare {into} {options}"));
    assert_snapshot!(run("--seed 7").differs("out"), @"options.bootstrap.seed: 42 then, 7 now");
    assert_snapshot!(run("--interval percentile").differs("out"), @"options.bootstrap.interval: studentized then, percentile now");
    assert_snapshot!(run("--interval t"), @"
    exit 2, stderr:
    error: invalid value 't' for '--interval <WAY>'
      [possible values: studentized, bca, percentile]
    ");
    assert_eq!(dir.json("out/compare.json"), written);
    assert_eq!(run("--interval percentile --overwrite").code, 0);
    assert!(dir.read("out/compare.md").contains("95% intervals for new stimuli (percentile bootstrap"));
    assert_eq!(run("--seed 7 --overwrite").code, 0);
    assert_ne!(dir.json("out/compare.json")["request"], record["request"]);
}

#[test]
fn pairs_too_few_for_any_test_leave_systems_undecided_and_not_tied() {
    let dir = folder();
    run(&dir, "good", 20.0, &STEMS[..5], "");
    run(&dir, "bad", 240.0, &STEMS[..5], "");
    let found = compare_json(&dir, "run/good run/bad");
    for difference in differences(&found, "ssim") {
        assert_eq!(difference["p_value"], 2.0 / 32.0);
        assert_eq!(difference["verdict"], "not_decidable");
        let interval = &difference["interval"];
        assert_eq!(*interval, Value::Null, "no difference is ruled out");
    }
    assert_snapshot!(notes(&found), @"
    2 systems on 5 shared pairs
    95% intervals for new stimuli (studentised bootstrap over pairs, 2000 resamples)
    Only 5 pairs: no test of two systems can reach p < 0.062, and 95% intervals are at least ±2.8 standard errors wide (large n: ±2.0).
    PixCorr, SSIM: intervals may cover less than 95% below n = 30, since such scores often have a long tail that few of them do not show
    PixCorr, SSIM, PSNR: ranks are not decidable here, so every rank stays possible, which does not make systems equal: 5 pairs and 3 differences cannot give p (Holm) ≤ 0.05, however large the difference; 7 pairs could
    ");
    // The studentised test has no such bound, but Student's quantile is large.
    let found = compare_json(&dir, "run/good run/bad --test studentized");
    assert_eq!(found["request"]["test"], "studentized");
    for difference in differences(&found, "ssim") {
        let (low, high) = (&difference["interval"][0], &difference["interval"][1]);
        let holds = low.as_f64() <= Some(0.0) && high.as_f64() >= Some(0.0);
        assert_eq!(holds, difference["p_value"].as_f64() > Some(0.05), "{difference}");
        assert_ne!(difference["verdict"], "not_decidable");
    }
    let said = compare(&dir, "run/good run/bad --test studentized");
    assert!(said.contains("p and interval: studentised bootstrap test"), "{said}");
}

#[test]
fn what_nobody_asked_for_is_shown_and_not_tested() {
    let dir = folder();
    // All that features allow, which are two metrics of one claim.
    for name in ["one", "other"] {
        for side in ["gt", "recon"] {
            let of = |(place, stem): (usize, &&'static str)| {
                let value = |shift: usize| ((7 * place + shift + side.len() * name.len()) % 11) as f32;
                (*stem, [value(0), value(1), value(3)])
            };
            let rows: Vec<_> = STEMS.iter().enumerate().map(of).collect();
            write_features(&dir.join(name).join(side), "clip", &rows);
        }
        dir.succeed(&format!("score --observations {name} --out run/{name}"));
    }
    let found = compare_json(&dir, "run/one run/other");
    assert!(differences(&found, "clip")[0]["p_holm"].is_number());
    let twin = differences(&found, "clip_correlation")[0];
    assert!(twin["difference"].is_number() && twin["p_value"].is_null());
    contains(&compare(&dir, "run/one run/other"), &["not tested: clip_correlation"]);
    // On request, it is tested.
    let asked = compare_json(&dir, "run/one run/other --metrics clip,clip_correlation");
    assert!(differences(&asked, "clip_correlation")[0]["p_holm"].is_number());
}

#[test]
fn a_system_is_no_better_than_itself() {
    let dir = folder();
    run(&dir, "one", 50.0, &STEMS, "");
    run(&dir, "same", 50.0, &STEMS, "");
    run(&dir, "other", 90.0, &STEMS, "");
    for (runs, n_systems) in [("run/one run/same", 2), ("run/one run/same run/other", 3)] {
        let comparison = compare_json(&dir, runs);
        assert!(notes(&comparison).contains("one and same have the same scores throughout"));
        for metric in ["pixcorr", "ssim", "psnr"] {
            for estimate in &estimates(&comparison, metric)[..2] {
                assert_eq!(estimate["rank"]["rank"], 1.5, "a shared rank");
                assert_eq!(estimate["rank"]["low"], 1.0);
            }
            let difference = differences(&comparison, metric)[0];
            assert_eq!(difference["difference"], 0.0);
            assert_eq!(difference["interval"], Value::Null, "nothing varies");
            for no_test in ["p_value", "p_holm", "verdict", "d_z", "detectable"] {
                assert_eq!(difference[no_test], Value::Null, "nothing to test");
            }
            assert_eq!(difference["share_better"], 0.5);
        }
        // Untested differences do not count.
        let tested = differences(&comparison, "ssim").into_iter().filter(|found| found["p_value"].is_number());
        assert_eq!(tested.count(), 2 * (n_systems - 2));
    }
    for runs in ["run/one run/one", "run/one run/same/../one"] {
        let ran = dir.run(&format!("compare {runs}"));
        ran.says(&["is given twice, and a run cannot be compared with itself"]);
    }
}

#[test]
fn equivalence_is_two_one_sided_tests_of_the_same_differences() {
    let dir = folder();
    run(&dir, "one", 50.0, &STEMS, "");
    run(&dir, "other", 55.0, &STEMS, "");
    let runs = "run/one run/other --metrics ssim";
    let difference = |options: &str| differences(&compare_json(&dir, &format!("{runs} {options}")), "ssim")[0].clone();
    let at_90 = difference("--level 0.9")["interval"].clone();
    let ends = [0, 1].map(|end| at_90[end].number().abs());
    let reach = ends[0].max(ends[1]);
    for (bound, is_shown) in [(1.01 * reach, true), (0.99 * reach, false)] {
        let found = &difference(&format!("--equivalence {bound}"))["equivalence"];
        assert_eq!(found["interval"], at_90);
        assert!((found["level"].number() - 0.9).abs() < 1e-12);
        assert_eq!((&found["bound"], &found["is_shown"]), (&bound.into(), &is_shown.into()));
        let table = compare(&dir, &format!("{runs} --equivalence {bound}"));
        assert!(table.contains(if is_shown { " equivalent\n" } else { " not shown\n" }), "{table}");
    }
    // Each of three tests has a third of the level.
    let three = compare_json(&dir, "run/one run/other --equivalence 0.5");
    let level = differences(&three, "ssim")[0]["equivalence"]["level"].number();
    assert!((level - (1.0 - 0.1 / 3.0)).abs() < 1e-12);
    assert_snapshot!(dir.run(&format!("compare {runs} --equivalence 0")), @"exit 2, stderr: error: --equivalence 0: expected a number above 0 in the unit of the metric, such as 0.02");
}

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
    assert_snapshot!(with("run.json", &record[..200]), @"exit 1, stderr: error: run/other/run.json:11:35: EOF while parsing a string");
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
fn figures_of_the_fields_metrics_are_drawn_in_the_formats_that_are_asked_for() {
    let dir = folder();
    run(&dir, "good", 20.0, &STEMS, "--metrics pixcorr,ssim");
    run(&dir, "bad", 240.0, &STEMS, "--metrics pixcorr,ssim");
    let drawn = |options: &str| {
        compare(&dir, &format!("run/good run/bad --figures figures {options}"));
        dir.names("figures").join(" ")
    };
    assert_eq!(
        drawn(""),
        "differences.png differences.svg estimates.png estimates.svg pairs.png pairs.svg ranks.png ranks.svg"
    );
    let svg = dir.read("figures/pairs.svg");
    assert!(svg.contains("PixCorr ↑") && svg.contains("SSIM ↑"), "{svg}");
    // Two metrics of two systems: eight pairs and their mean.
    assert_eq!(svg.matches("<circle").count(), 2 * 2 * (8 + 1));
    let differences = dir.read("figures/differences.svg");
    assert!(differences.contains("good − bad") && differences.contains("no difference"));

    // Figures of an earlier command are removed; other files remain.
    dir.write("figures/mine.pdf", "mine");
    let styled = "--figure-format pdf --figure-width single --figure-font-size 7 --figure-caption off";
    assert_eq!(drawn(styled), "differences.pdf estimates.pdf mine.pdf pairs.pdf ranks.pdf");
    assert_snapshot!(dir.run("compare run/good run/bad --figure-width 89"), @"exit 2, stderr: error: invalid value '89' for '--figure-width <WIDTH>': expected a width from 20 mm to 1000 mm, such as 89mm or 3.5in, or single (89 mm) or double (183 mm)");
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

/// A system fails for some stimuli in one of several ways, and equals another system for the others.
#[test]
fn a_system_that_failed_is_not_the_best_and_both_means_are_printed() {
    for form in ["black", "unreadable"] {
        let stems = ["0", "1", "2", "3", "4", "5", "6", "7"];
        let dir = images(&stems);
        fs::rename(dir.join("recon"), dir.join("a")).unwrap();
        for (place, stem) in stems.iter().enumerate() {
            let (from, to) = (format!("a/{stem}.png"), format!("d/{stem}.png"));
            match (place % 3, form) {
                (0, "black") => write_png(&dir.join(to), &Image::new(48, 48, vec![0; 48 * 48 * 3]).unwrap()).unwrap(),
                (0, _) => dir.write(&to, "no picture"),
                _ => dir.copy(from, to),
            }
        }
        for system in ["a", "d"] {
            dir.run(&format!("score gt {system} --metrics pixcorr --set pixel_size=own --out run_{system}"));
        }
        let summary = dir.json("run_d/summary.json")["pixcorr"].clone();
        let (mean, n) = (summary["value"].number(), summary["n"].number());
        // Failures count 0, which means no correlation.
        let with = mean * n / stems.len() as f64;
        assert!((summary["failed"]["mean"].number() - with).abs() < 1e-12, "{form}");
        assert_eq!(summary["failed"]["n"], 3, "{form}");
        assert!(dir.json("run_a/summary.json")["pixcorr"].get("failed").is_none());
        let compared = dir.succeed("compare run_a run_d --format markdown").stdout.replace("\\_", "_");
        let rows: Vec<&str> = compared.lines().filter(|line| line.contains("run_")).collect();
        let is_best = |run: &str| rows.iter().any(|row| row.starts_with(&format!("| {run}")) && row.contains("**"));
        // They are equal for pairs with values in both, so no difference is shown.
        assert_eq!((is_best("run_a"), is_best("run_d")), (false, false), "{compared}");
        let reason = match form {
            "black" => "run_d 3 (constant reconstruction)",
            _ => "run_d 3 (the reconstruction cannot be read)",
        };
        contains(&compared, &[reason, &format!("run_d {with:.3}")]);
    }
}
