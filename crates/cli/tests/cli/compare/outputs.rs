//! Tables, files and figures.

use super::*;

/// A regression snapshot of the numbers; the tests of the JSON check their values.
#[test]
fn the_table_has_ranks_and_differences_and_says_what_cannot_be_decided() {
    let dir = folder();
    run(&dir, "good", 20.0, &STEMS, "");
    run(&dir, "bad", 200.0, &STEMS, "");
    let shown = dir.succeed("compare run/good run/bad --metrics ssim").stdout;
    let last = "1 more table with -v, or in compare.md with --out DIR";
    assert!(shown.starts_with("good is better than bad by 1 of 1 metric (p ≤ 0.05 "), "{shown}");
    assert!(shown.lines().last() == Some(last) && !shown.contains("Differences on"), "{shown}");
    assert_snapshot!(compare(&dir, "run/good run/bad --metrics ssim"), @"
    good is better than bad by 1 of 1 metric (p ≤ 0.05 after Holm's correction for the only difference).

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
    good is better than bad by 1 of 1 metric (p ≤ 0.05 after Holm's correction for the only difference).
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
