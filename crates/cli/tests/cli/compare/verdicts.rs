//! Known ranks and differences, and what the tests cannot decide.

use super::*;

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
