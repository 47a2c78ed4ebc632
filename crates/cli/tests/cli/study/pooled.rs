//! Agreement with people over the pairs of all rated systems.

use super::tables::lines;
use crate::support::study_data::{METRICS, StudyData};
use crate::support::*;

#[test]
fn rated_systems_are_pooled_and_averaged() {
    let dir = StudyData::new(8).dir;
    let mut text = dir.read("study.toml");
    text.truncate(text.find("[[choices").unwrap());
    let text = text.replace(METRICS, "[\"pixcorr\", \"ssim\", \"object_f1\"]");
    let second = "[[ratings]]\nsystem = \"far\"\nfile = \"ratings.csv\"\n[[ratings]]\n";
    let text = text.replacen("[[ratings]]\n", second, 1);
    dir.write("study.toml", text);
    dir.succeed("study --config study.toml --out out --figure-format svg");
    let table = |name: &str| lines(&dir.join("out/tables").join(name));

    let statistic = |name: &str, metric: &str, heading: &str| -> f64 {
        let lines = table(name);
        let line = lines.iter().find(|line| line["Metric"].starts_with(metric));
        let line = line.unwrap_or_else(|| panic!("{metric} in {lines:?}"));
        line.iter().find(|(name, _)| name.starts_with(heading)).unwrap().1.parse().unwrap()
    };
    let pooled = "table_agreement_pooled.csv";
    for metric in ["PixCorr", "SSIM", "Object F1"] {
        let of = |table: &str| statistic(table, metric, "Kendall τ-b [");
        let each = [of("table1_agreement_middle_one.csv"), of("table2_agreement_far.csv")];
        let within = statistic(pooled, metric, "Kendall τ-b within systems");
        close(&[within], &[(each[0] + each[1]) / 2.0]);
        assert_ne!(of(pooled), within, "{metric}");
        close(&[statistic(pooled, metric, "n")], &[16.0]);
    }
    // Metrics that only one system has are not pooled.
    assert_eq!(table(pooled).len(), 3);
    let page = dir.read("out/study.md");
    assert!(page.contains("\n## Agreement with people, pooled over systems: middle one, far\n"));
    let page = page.split_whitespace().collect::<Vec<&str>>().join(" ");
    let drawn = "16 rated pairs of 2 systems and 8 stimuli. Intervals: Student's t, with the jackknife over stimuli.";
    assert!(page.contains(drawn), "{page}");
    let absent = dir.json("out/study.json")["absent"].to_string();
    assert!(!absent.contains("a second system"), "{absent}");

    // Two data sets may have stimuli with the same name.
    let text = dir.read("study.toml");
    dir.write("study.toml", text.replacen("name = \"far\"", "name = \"far\"\ndataset = \"GOD\"", 1));
    dir.succeed("study --config study.toml --out out --overwrite --figure-format svg");
    let page = dir.read("out/study.md").split_whitespace().collect::<Vec<&str>>().join(" ");
    contains(&page, &["16 rated pairs of 2 systems. Intervals: Student's t, with the jackknife over pairs."]);
}
