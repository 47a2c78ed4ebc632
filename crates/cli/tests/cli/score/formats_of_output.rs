//! `--format`: data on stdout for other programs, with the same numbers in each format.

use crate::support::*;

/// A name that every format must escape.
const NAME: &str = "50%_of, \"noise\" & co";

/// A small run with an undefined score and a placeholder.
fn observations() -> Folder {
    let dir = folder_of(small_dataset);
    write_detections(&dir.join("gt"), "10", &[]);
    dir
}

fn score(dir: &Folder, format: &str) -> Ran {
    let score = format!("score --observations . --out '{NAME}' --set text_encoder=placeholder --preset paper");
    dir.succeed(&format!("{score} --format {format}"))
}

/// The fields of a CSV line.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    for c in line.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            _ => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

#[test]
fn json_and_csv_carry_the_numbers_of_summary_json_in_full() {
    let dir = observations();
    let json: Value = serde_json::from_str(&score(&dir, "json").stdout).unwrap();
    let csv = score(&dir, "csv").stdout;
    let summary = dir.summary(NAME);
    let metrics: Vec<&String> = summary.fields().keys().collect();
    assert_eq!(metrics.len(), 9);

    let estimates = json["rows"][0]["estimates"].list();
    assert_eq!(json["rows"][0]["system"], NAME);
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("system,metric,mean,low,high,level,n,n_undefined,undefined,direction,stand_in"));
    let lines: Vec<Vec<String>> = lines.map(fields).collect();
    assert_eq!((estimates.len(), lines.len()), (9, 9));
    for ((metric, estimate), line) in metrics.into_iter().zip(estimates).zip(&lines) {
        let entry = &summary[metric];
        assert_eq!(estimate["metric"], *metric);
        assert_eq!(line[1], *metric);
        assert_eq!(line.len(), 11);
        for (key, place) in [("value", 2), ("n", 6), ("n_undefined", 7)] {
            assert_eq!(estimate[key], entry[key], "{metric}");
            let written: f64 = line[place].parse().unwrap();
            assert_eq!(Some(written), entry[key].as_f64(), "{metric}");
        }
        for (end, (key, place)) in [("low", 3), ("high", 4)].into_iter().enumerate() {
            assert_eq!(estimate[key], entry["interval"][end], "{metric}");
            let written: f64 = line[place].parse().unwrap();
            assert_eq!(Some(written), entry["interval"][end].as_f64(), "{metric}");
        }
        assert_eq!(line[10], entry["stand_in"].to_string());
    }
    // The stimulus without detections is undefined by the paper's text.
    assert_eq!(summary["object_recall"]["n_undefined"], 1);
}

#[test]
fn markdown_and_latex_escape_names_and_mark_placeholders() {
    let dir = observations();
    let shown = |format: &str| {
        let printed = score(&dir, format).stdout;
        lines_with(&printed, &["50", "F1", "Cap-Sim", "undefined", "placeholder"])
    };
    // More than eight metrics are below each other, so that the table fits a page.
    assert_snapshot!(shown("markdown"), @r#"
    ### 50%\_of, "noise" &amp; co: 3 pairs
    System: 50%\_of, "noise" &amp; co
    | Metric             |  mean | 95% interval    |   n | undefined |
    | Object F1 ↑        | 0.420 | [0.000, 1.000]  |   2 |         1 |
    | Cap-Sim ↑†         | 0.803 | [0.205, 1.000]  |   3 |         0 |
    | SNM ↓              | 0.500 | [0.095, 0.905]  |   2 |         1 |
    | SDM ↓†             | 0.500 | [0.095, 0.905]  |   2 |         1 |
    † rests on a placeholder model: the number shows that the pipeline runs and means nothing else
    Object Recall, Object F1, SNM: 1 pair undefined (no category detected in the stimulus)
    SEED, SDM: 1 pair undefined (object\_f1 is undefined)
    Object Recall, Object F1, SEED and 2 more have only 2 pairs: no test of two systems can reach p &lt; 0.5, and 95% intervals are at least ±12.7 standard errors wide (large n: ±2.0).
    Object Recall, Object Precision, Object F1, Cap-Sim, SNM, SDM: intervals may cover less than 95% below n = 30, since such scores often have a long tail that few of them do not show
    "#);
    assert_snapshot!(shown("latex"), @r"
    \caption{50\%\_of, ''noise'' \& co: 3 pairs. Mean over $n = 2$ to $3$ pairs (up to 1 undefined) with the 95\% interval below. $\uparrow$: higher is better; $\downarrow$: lower is better. $^\dagger$ rests on a placeholder model: the number shows that the pipeline runs and means nothing else. Object Recall, Object F1, SNM: 1 pair undefined (no category detected in the stimulus). SEED, SDM: 1 pair undefined (object\_f1 is undefined). 95\% intervals for new stimuli (studentised bootstrap over pairs, 2000 resamples). Object Recall, Object F1, SEED and 2 more have only 2 pairs: no test of two systems can reach p \textless{} 0.5, and 95\% intervals are at least $\pm$12.7 standard errors wide (large n: $\pm$2.0). Object Recall, Object Precision, Object F1, Cap-Sim, SNM, SDM: intervals may cover less than 95\% below n = 30, since such scores often have a long tail that few of them do not show.}
    Metric & 50\%\_of, ''noise'' \& co \\
    Object F1 $\uparrow$ & 0.420 \\
    Cap-Sim $\uparrow$$^\dagger$ & 0.803 \\
    SNM $\downarrow$ & 0.500 \\
    SDM $\downarrow$$^\dagger$ & 0.500 \\
    ");
}

#[test]
fn stdout_holds_the_data_as_the_files_of_a_run_do_and_stderr_the_rest() {
    let dir = observations();
    let ran = score(&dir, "table");
    ran.says(&["3 pairs scored", "left out"]);
    assert!(!ran.stdout.contains("left out"), "{ran}");
    assert!(ran.stdout.lines().all(|line| line == line.trim_end()));
    for (format, ending) in [("markdown", "md"), ("latex", "tex"), ("csv", "csv")] {
        assert_eq!(score(&dir, format).stdout, dir.read(format!("{NAME}/summary.{ending}")), "{format}");
    }

    // The LaTeX of a finished run is written in another style.
    let file = format!("{NAME}/summary.tex");
    let style = |style: &str| {
        let printed = score(&dir, &format!("latex {style}")).stdout;
        assert_eq!(printed, dir.read(&file));
        printed
    };
    let first = style("");
    // The caption contains its own ±, in the note on few pairs.
    let cells = |text: &str| text.split_once("\\begin{tabular}").unwrap().1.to_owned();
    assert!(cells(&style("--latex-style pm")).contains("\\pm") && !cells(&first).contains("\\pm"));
    let aligned = style("--latex-style none --latex-siunitx");
    assert!(aligned.contains("{siunitx}") && !aligned.contains("\\scriptsize"), "{aligned}");
    let record = dir.json(format!("{NAME}/run.json"));
    assert_eq!(record["outputs"]["summary.tex"], content_hash::of_file(&dir.join(&file)).unwrap());
    assert_eq!(style(""), first);
}
