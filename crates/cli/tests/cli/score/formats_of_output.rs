//! `--format`: data on stdout that other programs read, the same numbers in each.

use crate::support;
use crate::support::observations::small_dataset;
use crate::support::{Ran, arg, folder, summary};
use neurogauge::formats::content_hash;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A small run with an undefined score and a stand-in, and a name that every format must escape.
fn run(root: &Path) -> PathBuf {
    small_dataset(root);
    support::observations::write_detections(&root.join("gt"), "10", &[]);
    root.join("50%_of, \"noise\" & co")
}

fn score(root: &Path, run: &Path, format: &str) -> Ran {
    styled(root, run, format, &[])
}

fn styled(root: &Path, run: &Path, format: &str, style: &[&str]) -> Ran {
    let inputs = ["score", "--observations", arg(root), "--out", arg(run)];
    let encoder = ["--text-encoder", "stand-in", "--preset", "paper"];
    support::succeed(&[&inputs[..], &encoder, &["--format", format], style].concat())
}

/// Fields of a line of CSV.
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
    let dir = folder();
    let run = run(dir.path());
    let json: Value = serde_json::from_str(&score(dir.path(), &run, "json").stdout).unwrap();
    let csv = score(dir.path(), &run, "csv").stdout;
    let summary = summary(&run);
    let metrics: Vec<&String> = summary.as_object().unwrap().keys().collect();
    assert_eq!(metrics.len(), 9);

    let estimates = json["rows"][0]["estimates"].as_array().unwrap();
    assert_eq!(json["rows"][0]["system"], "50%_of, \"noise\" & co");
    let mut lines = csv.lines();
    let header = "system,metric,mean,low,high,level,n,n_undefined,undefined,direction,stand_in";
    assert_eq!(lines.next(), Some(header));
    let lines: Vec<Vec<String>> = lines.map(fields).collect();
    assert_eq!((estimates.len(), lines.len()), (9, 9));
    for ((metric, estimate), line) in metrics.into_iter().zip(estimates).zip(&lines) {
        let entry = &summary[metric];
        assert_eq!(estimate["metric"], *metric);
        assert_eq!(line[1], *metric);
        assert_eq!(line.len(), 11);
        for (key, place) in [("mean", 2), ("n", 6), ("n_undefined", 7)] {
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
    // The stimulus without detections: undefined by the paper's text.
    assert_eq!(summary["object_recall"]["n_undefined"], 1);
}

#[test]
fn markdown_and_latex_are_tables_with_every_metric() {
    let dir = folder();
    let run = run(dir.path());
    let markdown = score(dir.path(), &run, "markdown").stdout;
    let rows: Vec<&str> = markdown.lines().filter(|l| l.starts_with('|')).collect();
    let bars = |row: &str| row.matches('|').count() - row.matches("\\|").count();
    assert!(rows.iter().all(|row| bars(row) == 6), "{markdown}");
    let latex = score(dir.path(), &run, "latex").stdout;
    for label in [
        "EffNet",
        "SwAV",
        "Object Recall",
        "Object F1",
        "Cap-Sim",
        "SEED",
        "SNM",
        "SDM",
    ] {
        assert!(rows.iter().any(|row| row.contains(label)), "{label}");
        assert!(latex.contains(label), "{label}");
    }
    for part in [
        "\\begin{table}",
        "\\toprule",
        "50\\%\\_of",
        "\\& co",
        "\\end{table}",
    ] {
        assert!(latex.contains(part), "{part}\n{latex}");
    }
    // More than eight metrics are written below each other, so that the table fits a page.
    let head = latex.lines().find(|line| line.starts_with("Metric &"));
    assert_eq!(head.unwrap().matches(" & ").count(), 1, "{latex}");
    for label in ["EffNet", "SwAV", "Object F1", "Cap-Sim", "SEED"] {
        let is_row = |line: &str| line.starts_with(&format!("{label} $")) && line.ends_with("\\\\");
        assert_eq!(
            latex.lines().filter(|line| is_row(line)).count(),
            1,
            "{label}\n{latex}"
        );
    }
}

#[test]
fn the_files_of_a_run_are_what_the_command_prints() {
    let dir = folder();
    let run = run(dir.path());
    for (format, file) in [
        ("markdown", "summary.md"),
        ("latex", "summary.tex"),
        ("csv", "summary.csv"),
    ] {
        let printed = score(dir.path(), &run, format).stdout;
        let written = std::fs::read_to_string(run.join(file)).unwrap();
        assert_eq!(printed, written, "{file}");
    }
}

#[test]
fn a_finished_run_gets_its_latex_in_another_style() {
    let dir = folder();
    let run = run(dir.path());
    let file = run.join("summary.tex");
    let read = || std::fs::read_to_string(&file).unwrap();
    let style = |style: &[&str]| styled(dir.path(), &run, "latex", style).stdout;
    let first = style(&[]);
    let (pm, aligned) = (style(&["--latex-style", "pm"]), read());
    // The caption has a ± of its own, in the note on few pairs.
    let cells = |text: &str| text.split_once("\\begin{tabular}").unwrap().1.to_owned();
    assert!(pm == aligned && cells(&pm).contains("\\pm") && !cells(&first).contains("\\pm"));
    let aligned = style(&["--latex-style", "none", "--latex-siunitx"]);
    assert!(
        aligned.contains("{siunitx}") && !aligned.contains("\\scriptsize"),
        "{aligned}"
    );
    assert_eq!(read(), aligned);
    let record: Value =
        serde_json::from_str(&std::fs::read_to_string(run.join("run.json")).unwrap()).unwrap();
    let sha256 = content_hash::of_file(&file).unwrap();
    assert_eq!(record["outputs"]["summary.tex"], sha256);
    assert_eq!(style(&[]), first);
    assert_eq!(read(), first);
}

#[test]
fn stdout_holds_the_data_and_stderr_the_rest() {
    let dir = folder();
    let run = run(dir.path());
    let ran = score(dir.path(), &run, "table");
    ran.says(&["3 pairs scored", "left out"]);
    assert!(!ran.stdout.contains("left out"), "{}", ran.stdout);
    assert!(!ran.stdout.contains('\u{1b}'), "no colours into a pipe");
    assert!(ran.stdout.lines().all(|line| line == line.trim_end()));
}
