//! `neurogauge compare`: ranks as constructed, and what it says where runs do not fit together.

use crate::support::observations::write_features;
use crate::support::{arg, folder, picture, refused, succeed, write};
use neurogauge::formats::image_file::write_png;
use serde_json::Value;
use std::path::{Path, PathBuf};

const STEMS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "10"];

/// A run of images of which the reconstructions have this much grain.
fn run(root: &Path, name: &str, grain: f32, stems: &[&str], options: &[&str]) -> PathBuf {
    let [gt, recon, out] = ["gt", "recon", "run"].map(|part| root.join(part).join(name));
    for stem in stems {
        let file = format!("{stem}.png");
        write_png(&gt.join(&file), &picture(stem, 32, 0.0)).unwrap();
        write_png(&recon.join(&file), &picture(stem, 32, grain)).unwrap();
    }
    let inputs = ["score", "--gt", arg(&gt), "--recon", arg(&recon)];
    let small = ["--pixel-size", "32", "--out", arg(&out)];
    succeed(&[&inputs[..], &small, options].concat());
    out
}

fn compare(runs: &[&PathBuf], options: &[&str]) -> String {
    let runs: Vec<&str> = runs.iter().map(|run| arg(run)).collect();
    succeed(&[&["compare"], &runs[..], options].concat()).stdout
}

fn compare_json(runs: &[&PathBuf]) -> Value {
    serde_json::from_str(&compare(runs, &["--format", "json"])).unwrap()
}

fn notes(comparison: &Value) -> String {
    comparison["notes"].to_string()
}

/// Estimates of one metric, one for each system.
fn estimates<'a>(comparison: &'a Value, metric: &str) -> Vec<&'a Value> {
    let rows = comparison["rows"].as_array().unwrap().iter();
    rows.map(|row| {
        let mut estimates = row["estimates"].as_array().unwrap().iter();
        estimates.find(|e| e["metric"] == metric).unwrap()
    })
    .collect()
}

fn differences<'a>(comparison: &'a Value, metric: &str) -> Vec<&'a Value> {
    let differences = comparison["differences"].as_array().unwrap().iter();
    differences.filter(|d| d["metric"] == metric).collect()
}

#[test]
fn the_less_noisy_system_ranks_higher_in_every_metric() {
    let dir = folder();
    let middle = run(dir.path(), "middle", 80.0, &STEMS, &[]);
    let best = run(dir.path(), "best", 20.0, &STEMS, &[]);
    let worst = run(dir.path(), "worst", 240.0, &STEMS, &[]);
    let runs = [&middle, &best, &worst];
    let comparison = compare_json(&runs);
    assert_eq!(comparison["title"], "3 systems on 8 shared pairs");
    let said = notes(&comparison);
    for part in [
        "95% intervals for new stimuli (studentised bootstrap over pairs, 2000 resamples)",
        "Only 8 pairs: no test of two systems can reach p < 0.0078",
        "at least ±2.4 standard errors wide",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let systems: Vec<&Value> = comparison["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["system"])
        .collect();
    assert_eq!(
        systems,
        ["best", "middle", "worst"],
        "in the order of their ranks"
    );
    for metric in ["pixcorr", "ssim", "psnr"] {
        let estimates = estimates(&comparison, metric);
        let ranks: Vec<&Value> = estimates.iter().map(|e| &e["rank"]["rank"]).collect();
        assert_eq!(ranks, [1.0, 2.0, 3.0], "{metric}");
        // Every pair of images agrees, and 3 x 0.0078 is below 0.05.
        for estimate in estimates {
            assert_eq!(estimate["rank"]["low"], estimate["rank"]["high"]);
        }
        let differences = differences(&comparison, metric);
        assert_eq!(differences.len(), 3);
        for difference in differences {
            let better = |name: &str| ["best", "middle", "worst"].iter().position(|n| *n == name);
            let [minuend, subtrahend] =
                ["minuend", "subtrahend"].map(|side| better(difference[side].as_str().unwrap()));
            let value = difference["difference"].as_f64().unwrap();
            assert_eq!(value > 0.0, minuend < subtrahend, "{difference}");
            let ends = difference["interval"].as_array().unwrap();
            assert_eq!(ends[0].as_f64() > Some(0.0), value > 0.0, "{difference}");
            // Eight pairs that all say the same: two of the 256 ways to put their signs.
            assert_eq!(difference["p_value"], 2.0 / 256.0);
            assert_eq!(difference["p_holm"], 3.0 * 2.0 / 256.0);
            assert_eq!(difference["smallest_p"], 2.0 / 256.0);
            assert_eq!(difference["verdict"], "different");
        }
    }
    // Over all metrics there are nine differences; by one metric, three.
    let all: Value =
        serde_json::from_str(&compare(&runs, &["--format", "json", "--holm", "all"])).unwrap();
    for difference in all["differences"].as_array().unwrap() {
        assert_eq!(difference["p_holm"], 9.0 * 2.0 / 256.0);
        // However far apart they are: eight pairs cannot do better.
        assert_eq!(difference["verdict"], "not_decidable");
    }
    let all = compare(&runs, &["--holm", "all"]);
    for part in [
        "0.0703 ‡",
        "‡ not decidable here: 8 pairs and 9 differences cannot give p (Holm) ≤ 0.05, however large the difference; \
         9 pairs or 6 differences could",
    ] {
        assert!(words(&all).contains(part), "{part}\n{all}");
    }
    let one = compare(&runs, &["--format", "json", "--metrics", "ssim"]);
    let one: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(one["columns"].as_array().unwrap().len(), 1);
    assert_eq!(differences(&one, "ssim"), differences(&comparison, "ssim"));
    // Each system's mean is the one of its own run.
    for (run, estimate) in [&best, &middle, &worst]
        .into_iter()
        .zip(estimates(&comparison, "ssim"))
    {
        let own = &crate::support::summary(run)["ssim"];
        assert_eq!(
            (&estimate["mean"], &estimate["n"]),
            (&own["mean"], &own["n"])
        );
    }
}

/// A text without its line breaks.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn pairs_too_few_for_any_test_leave_systems_undecided_and_not_tied() {
    let dir = folder();
    let stems = &STEMS[..5];
    let good = run(dir.path(), "good", 20.0, stems, &[]);
    let bad = run(dir.path(), "bad", 240.0, stems, &[]);
    let found = compare_json(&[&good, &bad]);
    for difference in differences(&found, "ssim") {
        assert_eq!(difference["p_value"], 2.0 / 32.0);
        assert_eq!(difference["verdict"], "not_decidable");
        assert_eq!(
            difference["interval"],
            Value::Null,
            "no difference is ruled out"
        );
    }
    let said = notes(&found);
    let part = "PixCorr, SSIM, PSNR: ranks are not decidable here, so every rank stays possible, which does not make systems equal: 5 \
                pairs cannot give p ≤ 0.05, however large the difference; 6 pairs could";
    assert!(said.contains(part), "{said}");
    // The studentised test knows no such bound, but Student's quantile is wide.
    let options = ["--test", "studentized", "--format", "json"];
    let found: Value = serde_json::from_str(&compare(&[&good, &bad], &options)).unwrap();
    assert_eq!(found["request"]["test"], "studentized");
    for difference in differences(&found, "ssim") {
        let (low, high) = (&difference["interval"][0], &difference["interval"][1]);
        let holds = low.as_f64() <= Some(0.0) && high.as_f64() >= Some(0.0);
        assert_eq!(
            holds,
            difference["p_value"].as_f64() > Some(0.05),
            "{difference}"
        );
        assert_ne!(difference["verdict"], "not_decidable");
    }
    let table = compare(&[&good, &bad], &["--test", "studentized"]);
    assert!(
        table.contains("p and interval: studentised bootstrap test"),
        "{table}"
    );
}

/// Two runs of given features, with a metric that is reported along with the one that is asked for.
fn runs_of_features(root: &Path, options: &[&str]) -> [PathBuf; 2] {
    ["one", "other"].map(|name| {
        let dir = root.join(name);
        let rows = |side: &str| {
            let of = |(place, stem): (usize, &&'static str)| {
                let value =
                    |shift: usize| ((7 * place + shift + side.len() * name.len()) % 11) as f32;
                (*stem, [value(0), value(1), value(3)])
            };
            STEMS.iter().enumerate().map(of).collect::<Vec<_>>()
        };
        for side in ["gt", "recon"] {
            write_features(&dir.join("observations").join(side), "clip", &rows(side));
        }
        let observations = dir.join("observations");
        let out = dir.join("run");
        let score = [
            "score",
            "--observations",
            arg(&observations),
            "--out",
            arg(&out),
        ];
        succeed(&[&score[..], options].concat());
        out
    })
}

#[test]
fn what_nobody_asked_for_is_shown_and_not_tested() {
    let dir = folder();
    let [one, other] = runs_of_features(dir.path(), &["--metrics", "clip"]);
    let found = compare_json(&[&one, &other]);
    assert!(differences(&found, "clip")[0]["p_holm"].is_number());
    let twin = differences(&found, "clip_correlation")[0];
    assert!(twin["difference"].is_number() && twin["p_value"].is_null());
    let table = compare(&[&one, &other], &[]);
    assert!(table.contains("not tested: clip_correlation"), "{table}");
    // Asked for, it is tested.
    let asked = compare(
        &[&one, &other],
        &["--metrics", "clip,clip_correlation", "--format", "json"],
    );
    let asked: Value = serde_json::from_str(&asked).unwrap();
    assert!(differences(&asked, "clip_correlation")[0]["p_holm"].is_number());
}

#[test]
fn a_metric_to_compare_that_a_run_lacks_is_named_with_the_run() {
    let dir = folder();
    let both = run(dir.path(), "both", 20.0, &STEMS, &[]);
    let less = run(dir.path(), "less", 50.0, &STEMS, &["--metrics", "ssim"]);
    let args = ["compare", arg(&both), arg(&less), "--metrics", "ssim,psnr"];
    refused(&args, 2, &["psnr is not scored for less"]);
    refused(
        &["compare", arg(&both), arg(&less), "--metrics", "ssmi"],
        2,
        &["ssmi", "ssim"],
    );
}

#[test]
fn every_format_shows_the_same_systems() {
    let dir = folder();
    let good = run(dir.path(), "good", 20.0, &STEMS, &[]);
    let bad = run(dir.path(), "bad", 200.0, &STEMS, &[]);
    let runs = [&good, &bad];
    let table = compare(&runs, &[]);
    for part in [
        "rank, 1 is best",
        "* best, + second",
        "Differences on the shared pairs",
        "p (Holm)",
        "]  0.0078    0.0078\n",
        "uncorrected",
    ] {
        assert!(table.contains(part), "{part}\n{table}");
    }
    let csv = compare(&runs, &["--format", "csv"]);
    let (csv, differences) = csv.split_once("\n\n").unwrap();
    assert!(differences.starts_with(
        "metric,minuend,subtrahend,difference,low,high,p_value,p_holm,verdict\npixcorr,good,bad,0."
    ));
    assert_eq!(differences.lines().count(), 1 + 3);
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 1 + 2 * 3);
    assert!(lines.iter().all(|line| line.len() == lines[0].len()));
    assert_eq!(lines[0][..3], ["system", "metric", "mean"]);
    let means = |metric: &str| -> Vec<f64> {
        let rows = lines.iter().filter(|line| line[1] == metric);
        rows.map(|line| line[2].parse().unwrap()).collect()
    };
    let json = compare_json(&runs);
    for (mean, estimate) in means("psnr").iter().zip(estimates(&json, "psnr")) {
        assert_eq!(estimate["mean"], *mean);
    }
    let markdown = compare(&runs, &["--format", "markdown"]);
    assert!(markdown.contains("| good"), "{markdown}");
    assert!(markdown.contains("**"), "the best is set off\n{markdown}");
    assert!(
        markdown.contains("| pixcorr | good   | bad   |"),
        "{markdown}"
    );
    let latex = compare(&runs, &["--format", "latex"]);
    assert_eq!(
        latex.matches("\\begin{tabular}").count(),
        3,
        "means, ranks, differences"
    );
    assert_eq!(latex.matches("\\end{tabular}").count(), 3);
}

#[test]
fn a_system_is_no_better_than_itself() {
    let dir = folder();
    let one = run(dir.path(), "one", 50.0, &STEMS, &[]);
    let same = run(dir.path(), "same", 50.0, &STEMS, &[]);
    for runs in [[&one, &same], [&one, &one]] {
        let comparison = compare_json(&runs);
        for metric in ["pixcorr", "ssim", "psnr"] {
            for estimate in estimates(&comparison, metric) {
                assert_eq!(estimate["rank"]["rank"], 1.5, "a shared rank");
            }
            let difference = differences(&comparison, metric)[0];
            assert_eq!(difference["difference"], 0.0);
            assert_eq!(difference["interval"], Value::Null, "nothing varies");
            assert_eq!(difference["p_value"], 1.0);
        }
    }
}

#[test]
fn runs_that_differ_in_more_than_the_system_are_compared_with_a_note() {
    let dir = folder();
    let whole = run(dir.path(), "whole", 50.0, &STEMS, &[]);
    let part = run(dir.path(), "part", 90.0, &STEMS[..5], &[]);
    let comparison = compare_json(&[&whole, &part]);
    assert_eq!(comparison["title"], "2 systems on 5 shared pairs");
    let said = notes(&comparison);
    for part in [
        "pairs differ",
        "whole has 8 pairs, 3 of which",
        "example 6",
        "only the 5 shared",
    ] {
        assert!(said.contains(part), "{said}");
    }
    assert!(!said.contains("part has"), "{said}");
    for estimate in estimates(&comparison, "ssim") {
        assert_eq!(estimate["n"], 5);
    }

    for option in [["--antialias", "on"], ["--image-size", "9x9"]] {
        let options = [option[0], option[1], "--overwrite"];
        let other = run(dir.path(), "other", 50.0, &STEMS, &options);
        let said = notes(&compare_json(&[&whole, &other]));
        assert!(said.contains("options differ: other"), "{said}");
    }

    let metric = run(dir.path(), "metric", 50.0, &STEMS, &["--metrics", "ssim"]);
    let comparison = compare_json(&[&whole, &metric]);
    let said = notes(&comparison);
    assert!(
        said.contains("PixCorr is not compared: not scored for metric"),
        "{said}"
    );
    assert_eq!(comparison["columns"].as_array().unwrap().len(), 1);

    let options = ["--metrics", "psnr"];
    let psnr = run(dir.path(), "psnr", 50.0, &STEMS, &options);
    let runs = ["compare", arg(&metric), arg(&psnr)];
    refused(
        &runs,
        2,
        &["share no metric", "metric has ssim", "psnr has psnr"],
    );

    let changed = dir.path().join("gt/other/1.png");
    write_png(&changed, &picture("another", 32, 0.0)).unwrap();
    let other = run_again(dir.path(), "other");
    let said = notes(&compare_json(&[&whole, &other]));
    assert!(
        said.contains("stimuli differ: 1 gt/images of other"),
        "{said}"
    );
}

/// The run again, of images that were changed since.
fn run_again(root: &Path, name: &str) -> PathBuf {
    let [gt, recon, out] = ["gt", "recon", "run"].map(|part| root.join(part).join(name));
    let inputs = ["score", "--gt", arg(&gt), "--recon", arg(&recon)];
    let small = ["--pixel-size", "32", "--out", arg(&out), "--overwrite"];
    succeed(&[&inputs[..], &small].concat());
    out
}

#[test]
fn what_is_not_a_finished_run_or_has_nothing_in_common_is_refused() {
    let dir = folder();
    let one = run(dir.path(), "one", 50.0, &STEMS[..3], &[]);
    let other = run(dir.path(), "other", 50.0, &STEMS[3..], &[]);
    let with = |path: &Path, code: i32, parts: &[&str]| {
        refused(&["compare", arg(&one), arg(path)], code, parts);
    };
    with(&other, 2, &["share no pair", "one has", "\"1\"", "\"4\""]);
    with(
        &dir.path().join("nowhere"),
        1,
        &["nowhere", "not found", "neurogauge score"],
    );
    with(dir.path(), 1, &["run.json: not found", "neurogauge score"]);

    let record = other.join("run.json");
    let text = std::fs::read_to_string(&record).unwrap();
    write(
        &record,
        &text.replace("\"complete\": true", "\"complete\": false"),
    );
    with(&other, 1, &["run/other", "not finished", "resume"]);
    write(&record, &text[..text.len() / 2]);
    with(&other, 1, &["other/run.json:"]);
    write(&record, &text);
    write(&other.join("scores.parquet"), "PAR1");
    with(&other, 1, &["other/scores.parquet"]);

    refused(&["compare", arg(&one)], 2, &["2 values required"]);
    let level = ["compare", arg(&one), arg(&one), "--level", "2"];
    refused(&level, 2, &["--level", "between 0 and 1"]);
}

#[test]
fn a_comparison_is_written_whole_and_replaced_only_if_asked() {
    let dir = folder();
    let good = run(dir.path(), "good", 20.0, &STEMS, &[]);
    let bad = run(dir.path(), "bad", 200.0, &STEMS, &[]);
    let out = dir.path().join("out");
    let printed = compare(&[&good, &bad], &["--format", "json", "--out", arg(&out)]);
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    assert_eq!(read("compare.json"), printed);
    let record: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(record["inputs"][1]["role"], "scores/bad");
    assert_eq!(record["seed"], 42);
    assert_eq!(record["request"]["bootstrap"]["interval"], "studentized");
    for name in [
        "compare.md",
        "compare.tex",
        "compare.csv",
        "differences.csv",
    ] {
        assert!(read(name).contains("good"), "{name}");
    }
    let other = [
        "compare",
        arg(&good),
        arg(&bad),
        "--out",
        arg(&out),
        "--seed",
        "7",
    ];
    refused(
        &other,
        1,
        &["not replaced", "options.bootstrap.seed: 42 then, 7 now"],
    );
    assert_eq!(read("compare.json"), printed);
    let interval = ["--seed", "42", "--interval", "percentile"];
    let percentile = [&other[..5], &interval].concat();
    let changed = "options.bootstrap.interval: studentized then, percentile now";
    refused(&percentile, 1, &["not replaced", changed]);
    succeed(&[&percentile[..], &["--overwrite"]].concat());
    assert!(read("compare.md").contains("95% intervals for new stimuli (percentile bootstrap"));
    refused(
        &[&other[..5], &["--interval", "t"]].concat(),
        2,
        &["--interval", "studentized"],
    );
    succeed(&[&other[..], &["--overwrite"]].concat());
    assert_ne!(read("compare.json"), printed);
}

#[test]
fn figures_of_the_fields_metrics_are_drawn_in_the_formats_that_are_asked_for() {
    let dir = folder();
    let [good, bad] = [("good", 20.0), ("bad", 240.0)].map(|(name, grain)| {
        run(
            dir.path(),
            name,
            grain,
            &STEMS,
            &["--metrics", "pixcorr,ssim"],
        )
    });
    let figures = dir.path().join("figures");
    let names = |folder: &Path| {
        let files = std::fs::read_dir(folder).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    compare(&[&good, &bad], &["--figures", arg(&figures)]);
    let drawn = ["differences", "estimates", "pairs", "ranks"];
    let both = drawn
        .iter()
        .flat_map(|name| ["png", "svg"].map(|e| format!("{name}.{e}")));
    assert_eq!(names(&figures), both.collect::<Vec<_>>());
    let svg = std::fs::read_to_string(figures.join("pairs.svg")).unwrap();
    assert!(svg.contains("PixCorr ↑") && svg.contains("SSIM ↑"), "{svg}");
    // Two metrics of two systems: eight pairs and their mean.
    assert_eq!(svg.matches("<circle").count(), 2 * 2 * (8 + 1));
    let differences = std::fs::read_to_string(figures.join("differences.svg")).unwrap();
    assert!(differences.contains("good − bad") && differences.contains("no difference"));

    // What an earlier command drew is gone; other files stay.
    write(&figures.join("mine.pdf"), "mine");
    let column = [
        "--figures",
        arg(&figures),
        "--figure-format",
        "pdf",
        "--figure-width",
        "single",
        "--figure-font-size",
        "7",
        "--figure-caption",
        "off",
    ];
    compare(&[&good, &bad], &column);
    let mut expected: Vec<String> = drawn.iter().map(|name| format!("{name}.pdf")).collect();
    expected.insert(2, "mine.pdf".to_owned());
    assert_eq!(names(&figures), expected);
    let wrong = ["compare", arg(&good), arg(&bad), "--figure-width", "89"];
    refused(&wrong, 2, &["such as 89mm or 3.5in"]);
}

#[test]
fn a_gallery_shows_the_pairs_that_are_asked_for() {
    let dir = folder();
    let grains = ["1", "2", "3", "4", "5"];
    let [gt, clear, dim] = ["gt", "clear", "dim"].map(|name| dir.path().join(name));
    for (place, stem) in grains.iter().enumerate() {
        let file = format!("{stem}.png");
        write_png(&gt.join(&file), &picture(stem, 32, 0.0)).unwrap();
        let grain = 10.0 + 40.0 * place as f32;
        write_png(&clear.join(&file), &picture(stem, 32, grain)).unwrap();
        // The fourth pair is where the two differ most.
        let worse = if *stem == "4" { 250.0 } else { grain };
        write_png(&dim.join(&file), &picture(stem, 32, worse)).unwrap();
    }
    let (a, b) = (format!("A={}", arg(&clear)), format!("B={}", arg(&dim)));
    let out = dir.path().join("figure.svg");
    let inputs = ["gallery", "--gt", arg(&gt), "--recon", &a, &b];
    let into = ["--out", arg(&out)];
    let picks = [
        "--pick",
        "best,median,worst:1,largest-gain:A-B,2",
        "--by",
        "pixcorr",
        "--by-system",
        "A",
        "--metric",
        "ssim",
    ];
    let args = [&inputs[..], &picks, &into].concat();
    let said = succeed(&args).stderr;
    assert!(
        said.contains("1 (best), 3 (median), 5 (worst), 4 (gain A − B), 2"),
        "{said}"
    );
    assert!(said.contains("PixCorr: computed from the images"), "{said}");
    let svg = std::fs::read_to_string(&out).unwrap();
    assert!(svg.starts_with("<svg width=\"180mm\""), "{svg}");
    assert_eq!(svg.matches("<image").count(), 3 * 5);
    for words in ["stimulus", "A", "B", "best", "median", "worst"] {
        assert!(svg.lines().any(|line| line == words), "{words}");
    }
    // The same again is the same file; another one is not replaced unasked.
    succeed(&args);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), svg);
    let wrong: [(&[&str], &str); 8] = [
        (&["--pick", "3"], "is there already"),
        (
            &["--pick", "7"],
            "no stimulus has the stem \"7\"; there are 1, 2, 3, 4, 5",
        ),
        (&["--pick", "best"], "is there already"),
        (
            &["--pick", "best:6", "--by", "ssim"],
            "6 pairs are asked for, and 5",
        ),
        (
            &["--pick", "largest-gain:A-C", "--by", "ssim"],
            "there are A, B",
        ),
        (
            &["--pick", "best", "--by", "ssim", "--by-system", "C"],
            "\"C\" is no system here",
        ),
        (
            &["--pick", "best", "--by", "seed"],
            "a metric of pixels: pixcorr, ssim",
        ),
        (
            &["--pick", "1", "--figure-width", "600mm"],
            "a page has 240 mm",
        ),
    ];
    for (more, part) in wrong {
        refused(&[&inputs[..], more, &into].concat(), 2, &[part]);
    }
    let jpeg = dir.path().join("figure.jpg");
    let jpeg = [&inputs[..], &["--pick", "1", "--out", arg(&jpeg)]].concat();
    let refusal = refused(
        &jpeg,
        2,
        &["figure.jpg: a figure is written as .svg, .png or .pdf"],
    );
    assert!(!refusal.stderr.contains("internal"), "{}", refusal.stderr);
    let nowhere = format!("A={}", dir.path().join("claer").display());
    let nowhere = [&["gallery", "--recon", &nowhere][..], &into].concat();
    refused(&nowhere, 2, &["A=", "claer: no such folder or file"]);
    let no_stimuli = [&["gallery", "--recon", &a][..], &into].concat();
    refused(&no_stimuli, 2, &["no stimuli", "--gt PATH"]);
}

#[test]
fn a_gallery_shows_best_median_and_worst_where_no_pairs_are_named() {
    let dir = folder();
    let [gt, recon, out] = ["gt", "recon", "figure.svg"].map(|name| dir.path().join(name));
    for (place, stem) in ["1", "2", "3", "4", "5"].into_iter().enumerate() {
        let file = format!("{stem}.png");
        write_png(&gt.join(&file), &picture(stem, 32, 0.0)).unwrap();
        let grain = 10.0 + 40.0 * place as f32;
        write_png(&recon.join(&file), &picture(stem, 32, grain)).unwrap();
    }
    let system = format!("A={}", arg(&recon));
    let inputs = ["gallery", "--gt", arg(&gt), "--recon", &system, "--out"];
    let said = succeed(&[&inputs[..], &[arg(&out)]].concat()).stderr;
    for part in ["1 (best), 3 (median), 5 (worst)", "Picked by PixCorr"] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn a_gallery_of_folders_has_captions_of_files() {
    let dir = folder();
    let [gt, recon, out] = ["gt", "recon", "figure.svg"].map(|name| dir.path().join(name));
    for stem in ["1", "2"] {
        write_png(&gt.join(format!("{stem}.png")), &picture(stem, 32, 0.0)).unwrap();
        write_png(
            &recon.join(format!("{stem}_r.png")),
            &picture(stem, 32, 9.0),
        )
        .unwrap();
    }
    let system = format!("mine={}", arg(&recon));
    let inputs = [
        "gallery",
        "--gt",
        arg(&gt),
        "--recon",
        &system,
        "--match",
        "{stem}_r",
    ];
    let shown = ["--pick", "2,1", "--out", arg(&out), "--overwrite"];
    let drawn = |more: &[&str]| {
        succeed(&[&inputs[..], &shown, more].concat());
        std::fs::read_to_string(&out).unwrap()
    };
    std::fs::write(gt.join("captions.json"), r#"{"1": "seen"}"#).unwrap();
    assert!(!drawn(&[]).contains("seen"));
    let beside = drawn(&["--captions"]);
    assert!(beside.lines().any(|line| line == "seen"), "{beside}");
    // By the reconstruction's stem, or by that of its stimulus.
    let file = dir.path().join("words.json");
    std::fs::write(&file, r#"{"1_r": "decoded", "2": "guessed"}"#).unwrap();
    let named = format!("mine={}", arg(&file));
    let svg = drawn(&["--caption-file", &named]);
    for word in ["seen", "decoded", "guessed"] {
        assert_eq!(
            svg.lines().filter(|line| *line == word).count(),
            1,
            "{word}"
        );
    }
    let of_gt = format!("gt={}", arg(&file));
    std::fs::write(&file, r#"{"7": "decoded"}"#).unwrap();
    for (option, said) in [
        (
            named.replace("mine", "yours"),
            "captions of \"yours\": no system is called so; there are mine, and gt",
        ),
        (
            named,
            "words.json: none of its captions (7) is of an image of",
        ),
        (of_gt, "(1, 2)"),
    ] {
        let args = [&inputs[..], &shown, &["--caption-file", &option]].concat();
        refused(&args, 2, &[said]);
    }
}

#[test]
fn a_gallery_of_runs_has_their_scores() {
    let dir = folder();
    let made = run(
        dir.path(),
        "made",
        60.0,
        &["1", "2", "10"],
        &["--metrics", "pixcorr"],
    );
    let system = format!("mind-eye={}", arg(&made));
    let out = dir.path().join("figure.pdf");
    let args = [
        "gallery",
        "--recon",
        &system,
        "--pick",
        "worst:2",
        "--metric",
        "pixcorr",
        "--out",
        arg(&out),
    ];
    let said = succeed(&args).stderr;
    assert!(said.contains("PixCorr: the scores of the runs."), "{said}");
    let pdf = std::fs::read(&out).unwrap();
    assert!(pdf.starts_with(b"%PDF-"));
    let lacking = [&args[..4], &["best", "--by", "clip", "--out", arg(&out)]].concat();
    refused(&lacking, 2, &["the run of mind-eye has no scores of clip"]);

    let options = ["--metrics", "clip", "--image-models", "placeholder"];
    let placeholder = run(dir.path(), "placeholder", 60.0, &["1", "2", "10"], &options);
    let system = format!("none={}", arg(&placeholder));
    let sheet = dir.path().join("figure.png");
    let args = [
        "gallery",
        "--recon",
        &system,
        "--pick",
        "best",
        "--metric",
        "clip",
        "--out",
        arg(&sheet),
    ];
    succeed(&args).says(&["† rests on a placeholder model"]);
}
