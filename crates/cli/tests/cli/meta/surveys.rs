//! `neurogauge meta`: surveys with little or no information, and surveys in groups.

use crate::support::*;

const RATINGS: &str = "item,rater,value\na,x,1\na,y,1\nb,x,2\nb,y,4\nc,x,3\nc,y,3\nd,x,5\nd,y,5\n";
const SCORES: &str = "item,ssim\na,0.1\nb,0.3\nc,0.2\nd,0.4\n";

fn meta(dir: &Folder, ratings: &str, scores: &str, more: &str) -> Ran {
    dir.write("r.csv", ratings);
    dir.write("m.csv", scores);
    let _ = fs::remove_dir_all(dir.join("out"));
    dir.run(&format!("meta --human r.csv --metrics m.csv --out out --no-figures --resamples 50 {more}"))
}

#[test]
fn each_fault_of_a_file_is_an_error_of_its_own() {
    let dir = folder();
    let mut said = String::new();
    for (ratings, scores, more) in [
        ("item,rater,value\na,x,1\na,y,2\n", SCORES, ""),
        ("item,rater,value\na,x,inf\n", SCORES, ""),
        (RATINGS, "item,m\na,1\nb,-inf\n", ""),
        (RATINGS, SCORES, "--group-column system"),
        (RATINGS, SCORES, "--group-column rater"),
    ] {
        said += &format!("{}\n", meta(&dir, ratings, scores, more));
        assert!(!dir.has("out"));
    }
    assert_snapshot!(said, @r#"
    exit 1, stderr: error: r.csv: the survey has 1 item and 2 raters; agreement needs at least two of each
    exit 1, stderr: error: r.csv:2: column "value" holds "inf"; expected a rating, a finite number up to 1e100 (empty, NA or NaN where it is missing; --scale 'WORD,...' for words)
    exit 1, stderr: error: m.csv:3: column "m" holds "-inf"; expected a score, a finite number up to 1e100 (empty, NA or NaN where it is missing)
    exit 1, stderr: error: r.csv: no column "system"; the columns are ["item", "rater", "value"]
    exit 1, stderr: error: r.csv: no column has a usual name for the rater (rater, worker, annotator, participant, subject, workerid) and none was named; the columns are ["item", "rater", "value"]
    "#);
}

#[test]
fn what_has_no_value_says_why_in_the_table() {
    let dir = folder();
    let tied = "item,rater,value\na,x,3\na,y,3\nb,x,3\nb,y,3\nc,x,3\nc,y,3\n";
    let missing = "item,rater,value\na,x,1\na,y,nan\nb,x,2\nb,y,2\nc,x,4\nc,y,5\n";
    let once = format!("{RATINGS}a,z,2\n");
    let constant = "item,ssim\na,1\nb,1\nc,1\nd,1\n";
    for (ratings, scores, words) in [
        (RATINGS, constant, "ssim: constant metric"),
        (RATINGS, "item,ssim\na,1\nb,nan\n", "ssim: fewer than two items to compare"),
        (tied, SCORES, "ssim: all ratings are tied"),
        (tied, SCORES, "Intraclass correlations: all ratings are tied"),
        (missing, SCORES, "(1 rating missing)"),
        (&once, SCORES, "(one rater): without z (fewer than two items to compare)"),
    ] {
        let ran = meta(&dir, ratings, scores, "-v");
        let text: Vec<&str> = ran.stdout.split_whitespace().collect();
        assert!(text.join(" ").contains(words), "{words}: {ran}");
        assert!(dir.has("out/meta.tex"));
    }
}

#[test]
fn statistics_are_repeated_within_groups_that_a_column_names() {
    let dir = folder();
    // Both raters and the metric prefer system b to a for each stimulus; the metric does not depend on the stimulus.
    let mut ratings = String::from("stimulus,system,rater,value\n");
    let mut scores = String::from("stimulus,system,ssim\n");
    for stimulus in 1..=6 {
        for (system, bonus) in [("a", 0), ("b", 1)] {
            for rater in ["x", "y"] {
                let value = 2 * stimulus + bonus;
                ratings.push_str(&format!("{stimulus},{system},{rater},{value}\n"));
            }
            let score = f64::from(bonus) + 0.01 * f64::from((stimulus * 5) % 7);
            scores.push_str(&format!("{stimulus},{system},{score}\n"));
        }
    }
    let names = "--item-column stimulus,system --group-column stimulus";
    let ran = meta(&dir, &ratings, &scores, &format!("{names} --group-column system --format csv"));
    assert_snapshot!(ran.messages(), @r#"
    note: r.csv: items of one stimulus are drawn together; that of "1/a" is taken to be "1" (2 kinds of ids share 6 such parts); --stimulus-pattern names another part, and --stimuli independent draws every item for itself
    out: 1 metric held against 2 raters
    "#);
    let found = dir.json("out/meta.json");
    let grouped = &found["result"]["metrics"][0]["grouped"];
    assert_eq!(grouped[0]["grouping"], "stimulus");
    assert_eq!([0, 1].map(|n| &grouped[n]["n_groups"]), [6, 2]);
    assert_eq!(grouped[0]["statistics"][2]["statistic"], "kendall_tau_b");
    assert_eq!(grouped[0]["statistics"][2]["value"], 1.0);
    assert!(grouped[1]["statistics"][2]["value"].number() < 0.5);
    assert_eq!(found["request"]["group_columns"], serde_json::json!(["stimulus", "system"]));
    let is_it = |line: &&str| line.starts_with("metric,ssim,,kendall_tau_b,stimulus,1");
    let line = ran.stdout.lines().find(is_it).unwrap();
    assert!(line.ends_with(",12,6,0,,false"), "{line}");

    contains(
        &meta(&dir, &ratings, &scores, &format!("{names} --format latex")).stdout,
        &["% Needs \\usepackage{booktabs}.", "within stimulus", "ssim $\\uparrow$ & ", "Kendall $\\tau$-b"],
    );
}
