//! Several subjects of a system, and several pairs of a stimulus: statistics over stimuli.

use crate::support::*;

const STEMS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "8"];

/// Makes a run of reconstructions with this much grain, for the same stimuli.
fn run(dir: &Folder, name: &str, grain: f32) {
    for stem in STEMS {
        dir.picture(format!("gt/{stem}.png"), stem, 16, 0.0);
        dir.picture(format!("recon/{name}/{stem}.png"), stem, 16, grain);
    }
    dir.succeed(&format!("score gt recon/{name} --metrics pixcorr,ssim --set pixel_size=16 --out runs/{name}"));
}

/// Two systems of `n_subjects` subjects: their folder, and the paths of the runs.
fn runs(n_subjects: usize) -> (Folder, Vec<String>) {
    let dir = folder();
    let runs = (1..=n_subjects).flat_map(|s| [("fine", s, 40.0), ("coarse", s, 120.0)]).map(|(system, s, grain)| {
        let name = format!("{system}_s{s}");
        run(&dir, &name, grain + 40.0 * s as f32);
        format!("runs/{name}")
    });
    let runs = runs.collect();
    (dir, runs)
}

const PATTERN: &str = "--subjects {system}_s{subject}";

fn compare(dir: &Folder, runs: &[String], options: &str) -> String {
    dir.succeed(&format!("compare -v {} {options}", runs.join(" "))).stdout
}

fn compare_json(dir: &Folder, runs: &[String], options: &str) -> Value {
    dir.succeed(&format!("compare {} --format json {PATTERN} {options}", runs.join(" "))).json()
}

fn pixcorr<'a>(row: &'a Value, end: &str) -> &'a Value {
    &row["estimates"][0][end]
}

#[test]
fn systems_are_compared_by_the_mean_over_their_subjects() {
    let (dir, mut runs) = runs(4);
    // Subjects are matched by name, in any order of the runs.
    runs.swap(1, 7);
    let found = compare_json(&dir, &runs, "");
    assert_eq!(found["title"], "2 systems on 8 shared pairs");
    let rows = found["rows"].list();
    let names: Vec<String> = (rows.iter())
        .map(|row| format!("{} {} {}", row["system"], row["subject"], row["n_subjects"]))
        .collect();
    let fine = [1, 2, 3, 4].map(|s| format!("\"fine\" \"{s}\" null"));
    assert_eq!(names[..4], fine);
    assert_eq!([&names[4], &names[9]], ["\"fine\" null 4", "\"coarse\" null 4"]);
    assert_eq!(found["subjects"][1]["system"], "coarse");

    // Each subject has the values of its own run, and the last row their mean.
    let alone = dir.summary("runs/fine_s2");
    for (end, place) in [("low", 0), ("high", 1)] {
        assert!((pixcorr(&rows[1], end).number() - alone["pixcorr"]["interval"][place].number()).abs() < 1e-12);
    }
    let mean = rows[..4].iter().map(|row| pixcorr(row, "value").number()).sum::<f64>() / 4.0;
    assert!((pixcorr(&rows[4], "value").number() - mean).abs() < 1e-12);
    assert_eq!(pixcorr(&rows[4], "n"), 8);
    assert_eq!(pixcorr(&rows[0], "rank"), &Value::Null);
    assert_eq!(pixcorr(&rows[4], "rank")["rank"], 1.0);

    // One difference for each metric, over eight stimuli with the same sign: two of 256 sign assignments.
    let differences = found["differences"].list();
    assert_eq!(differences.len(), 2);
    assert_eq!(differences[0]["n"], 8);
    assert_eq!(differences[0]["p_value"].number(), 2.0 / 256.0);
    // All four subjects agree, each with the difference of its own runs.
    let own = differences[0]["subjects"].list().iter().zip(&rows[..4]).zip(&rows[5..9]);
    for ((found, fine), coarse) in own {
        assert_eq!(found["subject"], fine["subject"]);
        let expected = pixcorr(fine, "value").number() - pixcorr(coarse, "value").number();
        assert!((found["difference"].number() - expected).abs() < 1e-12);
        assert!(found["interval"].is_array() && found["p_value"].is_number());
    }
    assert_eq!(differences[0]["same_direction"], serde_json::json!({ "n": 4, "of": 4, "p_value": 0.125 }));
    let said = found["notes"].to_string();
    let what = "95% intervals for new stimuli, these subjects (studentised bootstrap over stimuli, averaged over subjects first, 2000 resamples)";
    assert!(said.contains(what), "{said}");

    // Every format contains the subjects.
    let text = compare(&dir, &runs, PATTERN);
    assert!(text.contains("fine, subject 1 "), "{text}");
    assert!(text.contains("fine, mean of 4 subjects "), "{text}");
    assert!(text.contains("* best, + second, where"), "{text}");
    assert!(text.contains("pixcorr  fine    coarse"), "{text}");
    assert!(text.contains("4 of 4          0.1250"), "{text}");
    let ranks = text.split("rank, 1 is best").nth(1).unwrap().split("\n\n").nth(1).unwrap();
    assert!(!ranks.contains("subject 1"), "{ranks}");
    let csv = compare(&dir, &runs, &format!("{PATTERN} --format csv"));
    contains(&csv, &["stand_in,subject\nfine,pixcorr,", ",false,mean\n"]);
    let shown = compare(&dir, &runs, &format!("{PATTERN} --format latex"));
    assert!(shown.contains("fine, mean of 4 subjects & \\textbf{"), "{shown}");
    dir.succeed(&format!("report {} {} --no-images {PATTERN} --out page.html", runs[0], runs[2]));
    let page = dir.read("page.html");
    contains(&page, &["Means over subjects", "fine, mean of 2 subjects", "--subjects '{system}_s{subject}'"]);
}

#[test]
fn new_subjects_take_five() {
    let (dir, five) = runs(5);
    let four = compare_json(&dir, &five[..8], "--new-subjects");
    let mean = &four["rows"][4];
    assert_eq!(mean["n_subjects"], 4);
    assert_eq!(pixcorr(mean, "low"), &Value::Null);
    assert!(pixcorr(&four["rows"][0], "low").is_number());
    assert_eq!(four["differences"][0]["p_value"], Value::Null);
    contains(&four["notes"].to_string(), &["no interval or test for new subjects: fine has 4 subjects"]);

    let these = compare_json(&dir, &five, "");
    let new = compare_json(&dir, &five, "--new-subjects");
    let width = |found: &Value| {
        let mean = &found["rows"][5];
        assert_eq!(mean["n_subjects"], 5);
        pixcorr(mean, "high").number() - pixcorr(mean, "low").number()
    };
    assert!(width(&new) > width(&these));
    assert_eq!(new["request"]["population"], "new");
    contains(&new["notes"].to_string(), &["95% intervals for new subjects and new stimuli"]);
    assert!(new["differences"][0]["p_value"].is_number());
    let said = compare(&dir, &five, &format!("{PATTERN} --new-subjects"));
    assert!(said.contains("p and interval: Student's t over subjects and stimuli of the"), "{said}");
}

#[test]
fn a_pattern_that_does_not_fit_the_runs_is_refused() {
    let (dir, _) = runs(1);
    let table = r#"
    {system}-{subject}
      exit 2, stderr: error: the run "fine_s1" is not called as --subjects '{system}-{subject}' says; expected a pattern that all runs follow, with {system} and {subject} where these are named
    {system}_s{subject}
      exit 2, stderr: error: "fine" has one subject by --subjects '{system}_s{subject}'; expected two or more of every system
    {system}
      exit 2, stderr: error: invalid value '{system}' for '--subjects <PATTERN>': "{system}": expected what runs are called, with {system} and {subject} in it once each and at most one *, none side by side, such as {system}_s{subject}
    "#;
    dir.refuses("compare runs/fine_s1 runs/coarse_s1 --subjects", "none", table);
}

/// Writes features of four samples of each of three stimuli.
fn samples(dir: &Folder, name: &str, noise: f32) {
    let stems: Vec<String> = (0..12).map(|pair| format!("{}_{}", pair / 4, pair % 4)).collect();
    let row = |pair: usize, noise: f32| {
        let angle = (pair / 4) as f32 * 2.1 + noise * (pair as f32 * 1.7).sin();
        [angle.cos(), (angle + 2.1).cos(), (angle + 4.2).cos()]
    };
    let rows = |noise: f32| -> Vec<(&str, [f32; 3])> {
        (stems.iter().enumerate()).map(|(pair, stem)| (stem.as_str(), row(pair, noise))).collect()
    };
    // No two rows are equal, so only the pattern shows that they belong to the same stimulus.
    write_features(&dir.join(name).join("gt"), "clip", &rows(0.01));
    write_features(&dir.join(name).join("recon"), "clip", &rows(noise));
}

#[test]
fn stimuli_are_what_the_pattern_says() {
    let dir = folder();
    for (name, noise) in [("near", 0.3), ("far", 1.5)] {
        samples(&dir, name, noise);
    }
    let scored = |name: &str, out: &str, options: &str| {
        let score = format!("score --observations {name} --metrics clip,clip_correlation");
        dir.succeed(&format!("{score} {options} --out {out}")).stdout
    };
    let pattern = "--stimulus-pattern {stimulus}_*";
    let text = scored("near", "a", pattern);
    scored("far", "b", pattern);
    assert_eq!(dir.record("a")["repeated_stimuli"][0], serde_json::json!(["0_0", "0_1", "0_2", "0_3"]));
    assert_eq!(dir.record("a")["request"]["stimulus_pattern"], "{stimulus}_*");
    let clip = &dir.summary("a")["clip"];
    assert_eq!((&clip["pool_size"], &clip["n"]), (&8.into(), &12.into()));
    let what =
        "95% intervals for new stimuli (studentised bootstrap over stimuli, each with all its pairs, 2000 resamples)";
    assert!(text.contains(what), "{text}");
    // Three means of four values: Student's t with two degrees of freedom.
    let correlation = dir.summary("a")["clip_correlation"].clone();
    let values = dir.values("a", "clip_correlation");
    let means: Vec<f64> = values.chunks(4).map(|four| four.iter().sum::<f64>() / 4.0).collect();
    let mean = means.iter().sum::<f64>() / 3.0;
    let variance = means.iter().map(|own| (own - mean).powi(2)).sum::<f64>() / 2.0;
    let reach = 4.302_652_729_911_275 * (variance / 3.0).sqrt();
    let high = correlation["interval"][1].number();
    assert!((high - (mean + reach).min(1.0)).abs() < 1e-9, "{high} {mean} {reach}");

    // Without the pattern, each pair counts as its own stimulus.
    contains(&scored("near", "plain", ""), &["studentised bootstrap over pairs"]);
    assert_eq!(dir.summary("plain")["clip"]["pool_size"], 11);

    // Twelve pairs could decide, but three stimuli cannot.
    let found = dir.succeed("compare a b --format json").json();
    let differences = found["differences"].list();
    for difference in differences.iter().filter(|d| !d["p_value"].is_null()) {
        assert_eq!([&difference["n"], &difference["n_stimuli"]], [12, 3]);
        assert_eq!(difference["smallest_p"], 0.25);
        assert_eq!(difference["verdict"], "not_decidable");
    }
    contains(&found["notes"].to_string(), &["3 stimuli and 2 differences cannot give p (Holm) ≤ 0.05"]);
    assert_snapshot!(dir.run("score --observations near --metrics clip --stimulus-pattern s{stimulus} --out other"), @r#"exit 2, stderr: error: the pair "0_0" is not called as --stimulus-pattern 's{stimulus}' says; expected a pattern that all pairs follow, with {stimulus} where the stimulus is named and * where anything may be"#);
}

#[test]
fn systems_of_a_study_are_subjects_where_it_says_so() {
    let (dir, _) = runs(2);
    let system = |name: &str| format!("[[systems]]\nname = '{name}'\nrun = 'runs/{name}'\n");
    let systems = ["fine_s1", "coarse_s1", "fine_s2", "coarse_s2"].map(system);
    let subjects = "subjects = '{system}_s{subject}'\n".to_owned();
    dir.write("study.toml", subjects + &systems.concat());
    dir.succeed("study --config study.toml --out study");
    let text = dir.read("study/study.md");
    let rows = ["fine, subject 1", "fine, subject 2", "fine, mean of 2 subjects", "coarse, subject 1"];
    assert!(rows.map(|row| text.find(row).expect(row)).is_sorted(), "{text}");
}

#[test]
fn a_page_speaks_of_systems_over_subjects_first() {
    let (dir, runs) = runs(3);
    let line = format!("report {} --no-images --out page.html", runs.join(" "));
    let mut said = String::new();
    for options in ["", PATTERN] {
        let ran = dir.succeed(&format!("{line} --overwrite {options}"));
        let page = dir.read("page.html");
        let lead = lines_with(&page, &["<p class=\"lead\">", "<p class=\"answer\">"]);
        let done = ran.messages().replace(|c: char| c.is_ascii_digit() || c == '.', "#");
        said += &format!("{lead}\n{done}");
    }
    assert_snapshot!(said, @r#"
    <p class="lead">Reconstructions of 8 stimuli by 6 systems, fine_s1, coarse_s1, fine_s2, coarse_s2, fine_s3 and coarse_s3, each compared with its stimulus by 2 metrics.</p>
    <p class="answer">By 2 metrics there are too few pairs to decide which is best.</p>
    page#html: # pairs of # systems, without images, ### MB
    <p class="lead">Reconstructions of 8 stimuli by 2 systems, fine (mean of 3 subjects) and coarse (mean of 3 subjects), each compared with its stimulus by 2 metrics.</p>
    <p class="answer">fine is better than coarse by 2 of 2 metrics (p ≤ 0.05 after Holm's correction for all 2 differences).</p>
    page#html: # pairs of # runs of # systems, without images, ### MB
    "#);
}
