//! The page of a study: its contents, and notes on missing parts.

use super::tables::{are_of_the_single_commands, lines};
use crate::support::study_data::{StudyData, files};
use crate::support::*;

#[test]
fn the_page_shows_the_numbers_of_the_single_commands_and_says_what_is_not_there() {
    let data = StudyData::new(12);
    let dir = &data.dir;
    dir.succeed("study --config study.toml --out out");
    are_of_the_single_commands(dir);
    let out = dir.join("out");
    let record = dir.json("out/study.json");
    let page = dir.read("out/study.md");
    let exhibits = record["exhibits"].list();
    let headings: Vec<&str> = page.lines().filter(|line| line.starts_with('#')).collect();
    assert_snapshot!(headings.join("\n"), @"
    # Study
    ### Systems
    ## Agreement with people: middle one (SEED Table 1)
    ## Object F1 with size, location and number, against people: middle one (SEED Table 4)
    ## Parts of SEED and their averages, against people: middle one (SEED Table 5)
    ## Systems by metrics: 3 systems on 12 shared pairs (SEED Table 6)
    ## SEED with other components: middle one (SEED Figure 3)
    ## Worst cases of the parts of SEED: middle one (SEED Figure 4)
    ## Right objects, wrong details: near (SEED Figure 6)
    ## Semantic near misses: middle one (SEED Figure 5)
    ## Right objects, wrong details: middle one (SEED Figure 6)
    ## Semantic near misses: far (SEED Figure 5)
    ## Right objects, wrong details: far (SEED Figure 6)
    ## Kendall τ-b of the average of two metrics: middle one (SEED Figure 8)
    ## Worst cases of groups of metrics: middle one (SEED Figure 9)
    ## Pairs that all parts of SEED misjudge: middle one (SEED Figure 10)
    ## SEED less EffNet, agreement with people: middle one (SEED Section 5.1)
    ## Agreement of raters, ICC(2,k): middle one (SEED Section 4.4)
    ## Not here
    ## Warnings
    ");
    for exhibit in exhibits {
        for file in exhibit["files"].list() {
            let file = file.text();
            assert!(fs::metadata(out.join(file)).unwrap().len() > 0, "{file}");
            assert!(page.contains(file), "{file} in\n{page}");
        }
    }
    // Object F1 computed from the page's counts equals the score.
    let line = |table: &str, first: &str, name: &str| {
        let lines = lines(&out.join("tables").join(table));
        lines.into_iter().find(|line| line[first] == name).unwrap_or_else(|| panic!("{name} in {table}"))
    };
    let variant = |name: &str| line("table4_object_variants_middle_one.csv", "What counts", name);
    let scored = line("table1_agreement_middle_one.csv", "Metric", "Object F1 ↑");
    let (existence, size) = (variant("existence"), variant("existence + size"));
    let is_other = |line: &HashMap<String, String>| {
        let mut statistics = existence.keys().filter(|name| *name != "What counts");
        statistics.any(|name| existence[name] != line[name])
    };
    assert!(!is_other(&scored), "{existence:?} {scored:?}");
    assert!(is_other(&size), "{size:?}");
    // Both metrics of a group rank such a pair on the same side of people's rank.
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
            assert_eq!(rank(metric) < rank("by people"), case["ranked"] == "too high", "{case:?}");
        }
        assert!(!case["by SEED†"].is_empty(), "every metric's rank is there: {case:?}");
    }
    // All parts of SEED are on the same side of people's rank.
    for case in lines(&out.join("tables/figure10_seed_worst_cases_middle_one.csv")) {
        let rank = |name: &str| case[name].parse::<f64>().unwrap();
        for part in ["by Object F1", "by Cap-Sim†", "by EffNet†"] {
            assert_eq!(rank(part) < rank("by people"), case["ranked"] == "too high", "{case:?}");
        }
    }
    let absent = record["absent"].list();
    assert!(absent.iter().any(|a| a["paper"] == "SEED Table 2"), "{absent:?}");
    let fig8 = dir.read("out/figures/figure8_averages_middle_one.svg");
    assert!(fig8.contains("metrics in use before"));
    assert!(!fig8.contains(">SEED<"), "an average is not averaged");

    // The same on one page that loads nothing, with the systems under their names.
    let html = dir.read("out/study.html");
    let section = between(&html, "<section id=\"study\"", "</section>");
    assert!(section.contains("<h3>Agreement with people: middle one (SEED Table 1)</h3>"));
    let n_figures = exhibits.iter().filter(|exhibit: &&Value| exhibit["files"].list().len() > 3).count();
    assert_eq!(section.matches("<img src=\"data:image/").count(), n_figures);
    assert!(section.contains("<li>agreement with people for a second system (SEED Table 2) needs "));
    // Emphasis becomes markup, also in a part of a cell; no asterisks remain.
    let means = section.split("<h3>Systems by metrics").nth(1).unwrap();
    assert!(means.contains("</b> [") && means.contains("</u> ["), "{means}");
    let has_markdown = section.contains("**") || section.contains("&lt;u&gt;");
    assert!(!has_markdown, "{section}");
    assert_eq!(html.matches("<script").count(), 3);
    assert!(!html.contains("src=\"http") && !html.contains("href=\"http"));
    assert!(html.contains("\"systems\":[\"near\",\"middle one\",\"far\"]"));
    assert!(html.contains("\"name\":\"study.json\""));
    assert!(html.contains("<section id=\"meta\"") && html.contains("neurogauge study --config "));

    // Without ratings there is no table on agreement, and the page says which input it needs.
    assert_snapshot!(dir.run(
        "study --gt gt --recon near=near/images --recon far=far/images --observations near=near/observations \
         --run before=out/runs/near --metrics pixcorr --out unrated -q"
    ), @"
    exit 0, stdout:
    Systems by metrics: 3 systems on 12 shared pairs (SEED Table 6)
    mean [95% interval] over n = 12 pairs

            Low-Level
    System  PixCorr ↑
    near    0.796 [0.348, 1.000]
    before  0.796 [0.348, 1.000]
    far     0.448 [0.182, 0.714]

    rank, 1 is best [95% interval]

            Low-Level
    System  PixCorr ↑
    near    1.5 [1, 2]
    before  1.5 [1, 2]
    far     3 [3, 3]

    options differ: before was scored with other options, labels or models than near (see their run.json); the figures are not comparable as they stand
    SSIM is not compared: not scored for near, far
    EffNet is not compared: not scored for near, far
    EffNet (SEED) is not compared: not scored for near, far
    SwAV is not compared: not scored for near, far
    Object F1 is not compared: not scored for near, far
    Cap-Sim is not compared: not scored for near, far
    SEED is not compared: not scored for near, far
    SNM is not compared: not scored for near, far
    SDM is not compared: not scored for near, far
    95% intervals for new stimuli (studentised bootstrap over pairs, 2000 resamples)
    strongly skewed scores (skewness): PixCorr (-2.5); intervals of such means miss the true mean more often than they say, nearly always on the side of the long tail
    PixCorr: intervals may cover less than 95% below n = 30, since such scores often have a long tail that few of them do not show

    1 more table in unrated/study.md (-v prints more)
    ");
    contains(
        &dir.read("unrated/study.md"),
        &[
            "## Right objects, wrong details: before (SEED Figure 6)",
            "| scene-5 |     0.966 |",
            "1 of 12 pairs are detail misses",
            "needs a pair with a near miss; there is none",
            "need detections of both sides (metric snm)",
        ],
    );
    let record = dir.json("unrated/study.json");
    assert_eq!(record["exhibits"].list().len(), 2);
    assert_eq!(record["systems"][2]["name"], "before");
    let table = lines(&dir.join("unrated/tables/table6_systems.csv"));
    let value = |system: &str| table.iter().find(|line| line["system"] == system).unwrap()["mean"].clone();
    assert_eq!(value("near"), value("before"));
    assert_ne!(value("near"), value("far"));

    // Groups of metrics may have names.
    let groups = |metrics: &str| format!("[[metric_groups]]\nname = \"words and things\"\nmetrics = [{metrics}]\n");
    data.config(&groups("\"object_f1\", \"cap_sim\""));
    dir.succeed("study --config study.toml --out out --overwrite --figure-format svg");
    let cases = lines(&dir.join("out/tables/figure9_group_worst_cases_middle_one.csv"));
    assert_eq!(cases[0]["Group"], "words and things");
    for case in &cases {
        let rank = |name: &str| case[name].parse::<f64>().unwrap();
        let signs = ["by Object F1", "by Cap-Sim†"].map(|part| rank(part) < rank("by people"));
        assert_eq!(signs, [case["ranked"] == "too high"; 2], "{case:?}");
    }
    data.config(&groups("\"object_f1\""));
    assert_snapshot!(dir.run("study --config study.toml --out few"), @r#"exit 2, stderr: error: study.toml: [[metric_groups]]: "words and things" has 1 metric; expected two or more"#);

    // Results that a smaller study no longer has are removed.
    dir.succeed("study --gt gt --recon near=near/images --metrics pixcorr --overwrite --out out");
    assert_eq!(files(&out.join("figures")), []);
}

#[test]
fn one_system_may_be_scored_by_more_than_the_paper_shows() {
    let dir = StudyData::new(3).dir;
    let root = dir.path().to_str().unwrap();
    dir.succeed(&format!(
        "study --gt {root}/gt --recon near={root}/near/images --observations near={root}/near/observations \
         --set image_models=placeholder --set text_encoder=placeholder --out {root}/out"
    ));
    // Pages may be passed on.
    for page in ["study.html", "study.md"] {
        let page = dir.read(format!("out/{page}"));
        assert!(!page.contains(root), "{:?}", page.find(root).map(|at| &page[at.saturating_sub(200)..at + 200]));
    }
    let table = lines(&dir.join("out/tables/table6_systems.csv"));
    let metrics: Vec<&str> = table.iter().map(|line| line["metric"].as_str()).collect();
    assert!(metrics.contains(&"snm"), "{metrics:?}");
    assert!(!metrics.contains(&"psnr"), "{metrics:?}");
    // The page, the Markdown and the terminal have the same metrics.
    let html = dir.read("out/study.html");
    let overview = between(&html, "<section id=\"overview\"", "</section>");
    // The figure repeats the metrics whose numbers are meaningful.
    let (_, table) = overview.split_once("<table class=\"numbers\">").unwrap();
    let mut on_page: Vec<&str> = table.split("metric=").skip(1).map(|row| row.split('"').next().unwrap()).collect();
    let mut in_tables = metrics.clone();
    on_page.sort_unstable();
    in_tables.sort_unstable();
    in_tables.dedup();
    assert_eq!(on_page, in_tables);
    assert!(dir.json("out/runs/near/run.json")["metrics"].list().len() > in_tables.len());
}
