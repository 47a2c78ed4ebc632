//! The page of a study: its contents, and the notes on missing ones.

use super::tables::{json, lines};
use crate::support::study_data::{StudyData, files};
use crate::support::{arg, folder, succeed};
use std::fs;

#[test]
fn the_page_shows_what_there_is_and_says_what_is_not() {
    let dir = folder();
    let data = StudyData::new(dir.path(), 12);
    let (config, out) = (data.config(""), dir.path().join("out"));
    succeed(&data.args(&config, &out));
    let record = json(&out.join("study.json"));
    let page = fs::read_to_string(out.join("study.md")).unwrap();
    let exhibits = record["exhibits"].as_array().unwrap();
    let papers: Vec<&str> = exhibits
        .iter()
        .map(|e| e["paper"].as_str().unwrap())
        .collect();
    for paper in [
        "Table 1", "Table 4", "Table 5", "Table 6", "Figure 3", "Figure 4", "Figure 5", "Figure 8",
        "Figure 9",
    ] {
        assert!(papers.contains(&paper), "{paper} among {papers:?}");
        let is_heading =
            |line: &str| line.starts_with("## ") && line.ends_with(&format!(" (SEED {paper})"));
        assert!(page.lines().any(is_heading), "{paper} in\n{page}");
    }
    assert!(
        page.contains("\n## Agreement with people: middle one (SEED Table 1)\n\n| Metric"),
        "{page}"
    );
    assert!(
        !page.contains("\n### Agreement"),
        "no heading stands twice\n{page}"
    );
    for exhibit in exhibits {
        for file in exhibit["files"].as_array().unwrap() {
            let file = file.as_str().unwrap();
            assert!(fs::metadata(out.join(file)).unwrap().len() > 0, "{file}");
            assert!(page.contains(file), "{file} in\n{page}");
        }
    }
    // Object F1 from the counts on the page equals the score.
    let line = |table: &str, first: &str, name: &str| {
        let lines = lines(&out.join("tables").join(table));
        let found = lines.into_iter().find(|line| line[first] == name);
        found.unwrap_or_else(|| panic!("{name} in {table}"))
    };
    let variant = |name: &str| line("table4_object_variants_middle_one.csv", "What counts", name);
    let scored = line("table1_agreement_middle_one.csv", "Metric", "Object F1 ↑");
    let (existence, size) = (variant("existence"), variant("existence + size"));
    let statistics: Vec<&String> = existence
        .keys()
        .filter(|name| *name != "What counts")
        .collect();
    assert!(
        statistics
            .iter()
            .all(|name| existence[*name] == scored[*name]),
        "{existence:?} {scored:?}"
    );
    assert!(
        statistics
            .iter()
            .any(|name| existence[*name] != size[*name]),
        "{size:?}"
    );
    // Both metrics of a group rank such a pair on the same side of people.
    let mut group = String::new();
    for case in lines(&out.join("tables/figure9_group_worst_cases_middle_one.csv")) {
        if !case["Group"].is_empty() {
            group.clone_from(&case["Group"]);
        }
        let members = match group.as_str() {
            "low-level metrics" => ["by PixCorr", "by SSIM"],
            "distances of features" => ["by EffNet†", "by SwAV†"],
            other => panic!("{other}"),
        };
        let rank = |name: &str| case[name].parse::<f64>().unwrap();
        for metric in members {
            let is_too_high = rank(metric) < rank("by people");
            assert_eq!(is_too_high, case["ranked"] == "too high", "{case:?}");
        }
        assert!(
            !case["by SEED†"].is_empty(),
            "every metric's rank is there: {case:?}"
        );
    }
    let absent = record["absent"].as_array().unwrap();
    assert!(absent.iter().any(|a| a["paper"] == "Table 2"), "{absent:?}");
    let fig8 = fs::read_to_string(out.join("figures/figure8_averages_middle_one.svg")).unwrap();
    assert!(fig8.contains("metrics in use before"));
    assert!(!fig8.contains(">SEED<"), "an average is not averaged");

    // The same on one page that loads nothing, with the systems under their names.
    let html = fs::read_to_string(out.join("study.html")).unwrap();
    let (_, section) = html.split_once("<section id=\"study\"").unwrap();
    let (section, _) = section.split_once("</section>").unwrap();
    assert!(section.contains("<h3>Agreement with people: middle one (SEED Table 1)</h3>"));
    let n_figures = exhibits
        .iter()
        .filter(|e| e["files"].as_array().unwrap().len() > 3)
        .count();
    assert_eq!(section.matches("<img src=\"data:image/").count(), n_figures);
    assert!(
        section.contains("<li>agreement with people for a second system (SEED Table 2) needs ")
    );
    // Emphasis is markup, also in a part of a cell; stars are nowhere.
    let means = section.split("<h3>Systems by metrics").nth(1).unwrap();
    assert!(
        means.contains("</b> [") && means.contains("</u> ["),
        "{means}"
    );
    assert!(
        !section.contains("**") && !section.contains("&lt;u&gt;"),
        "{section}"
    );
    assert_eq!(html.matches("<script").count(), 3);
    assert!(!html.contains("src=\"http") && !html.contains("href=\"http"));
    assert!(html.contains("\"systems\":[\"near\",\"middle one\",\"far\"]"));
    assert!(html.contains("\"name\":\"study.json\""));
    assert!(html.contains("<section id=\"meta\"") && html.contains("neurogauge study --config "));

    // Without ratings there is no table on agreement, and the page says what is needed for it.
    let gt = dir.path().join("gt");
    let named = ["near", "far"]
        .map(|name| format!("{name}={}", dir.path().join(name).join("images").display()));
    let near = format!("near={}", dir.path().join("near/observations").display());
    let run = format!("before={}", out.join("runs/near").display());
    let unrated = dir.path().join("unrated");
    let mut args = vec![
        "study",
        "--gt",
        arg(&gt),
        "--recon",
        &named[0],
        "--recon",
        &named[1],
    ];
    args.extend([
        "--observations",
        &near,
        "--run",
        &run,
        "--metrics",
        "pixcorr",
        "--out",
        arg(&unrated),
    ]);
    let ran = succeed(&args);
    assert!(
        ran.stdout
            .contains("not here: agreement with people (SEED Table 1), "),
        "{}",
        ran.stdout
    );
    let lacking_ratings = |line: &&str| line.contains(" need human ratings of a system's");
    assert_eq!(
        ran.stdout.lines().filter(lacking_ratings).count(),
        1,
        "{}",
        ran.stdout
    );
    let record = json(&unrated.join("study.json"));
    assert_eq!(
        record["exhibits"].as_array().unwrap().len(),
        2,
        "{:?}",
        record["exhibits"]
    );
    assert_eq!(record["systems"][2]["name"], "before");
    let table = lines(&unrated.join("tables/table6_systems.csv"));
    let value = |system: &str| {
        let found = table.iter().find(|line| line["system"] == system);
        found.unwrap()["mean"].clone()
    };
    assert_eq!(value("near"), value("before"));
    assert_ne!(value("near"), value("far"));

    // Files that a study of fewer systems no longer shows are removed.
    let mut fewer = vec![
        "study",
        "--gt",
        arg(&gt),
        "--recon",
        &named[0],
        "--metrics",
        "pixcorr",
    ];
    fewer.extend(["--overwrite", "--out", arg(&out)]);
    succeed(&fewer);
    let left: Vec<String> = files(&out.join("figures"))
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn one_system_may_be_scored_by_more_than_the_paper_shows() {
    let dir = folder();
    let _ = StudyData::new(dir.path(), 3);
    let (gt, out) = (dir.path().join("gt"), dir.path().join("out"));
    let near = |part: &str| format!("near={}", dir.path().join("near").join(part).display());
    let (recon, observations) = (near("images"), near("observations"));
    let mut args = vec!["study", "--gt", arg(&gt), "--recon", &recon];
    args.extend(["--observations", &observations, "--out", arg(&out)]);
    args.extend(["--image-models", "stand-in", "--text-encoder", "stand-in"]);
    succeed(&args);
    let table = lines(&out.join("tables/table6_systems.csv"));
    let metrics: Vec<&str> = table.iter().map(|line| line["metric"].as_str()).collect();
    assert!(
        metrics.contains(&"snm") && !metrics.contains(&"psnr"),
        "{metrics:?}"
    );
    // The page, the Markdown and the terminal have the same metrics.
    let html = fs::read_to_string(out.join("study.html")).unwrap();
    let (_, overview) = html.split_once("<section id=\"overview\"").unwrap();
    let (overview, _) = overview.split_once("</section>").unwrap();
    let rows = overview.split("metric=").skip(1);
    let mut on_page: Vec<&str> = rows.map(|row| row.split('"').next().unwrap()).collect();
    let mut in_tables = metrics.clone();
    on_page.sort_unstable();
    in_tables.sort_unstable();
    in_tables.dedup();
    assert_eq!(on_page, in_tables);
    let run = json(&out.join("runs/near/run.json"));
    assert!(run["metrics"].as_array().unwrap().len() > in_tables.len());
}
