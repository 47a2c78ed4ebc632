//! Every number of a study equals that of `score`, `compare` or `meta` alone.

use crate::support::study_data::{METRICS, SYSTEMS};
use crate::support::*;

/// Rows of a CSV table, with cells by heading.
pub(crate) fn lines(path: &Path) -> Vec<HashMap<String, String>> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let headings: Vec<&str> = lines.next().unwrap().split(',').collect();
    let cells = |line: &str| -> HashMap<String, String> {
        headings.iter().zip(line.split(',')).map(|(h, c)| ((*h).to_owned(), c.to_owned())).collect()
    };
    lines.map(cells).collect()
}

/// Statistics of a metric in `meta.json`: accuracy, tau-b, Pearson.
fn statistics(meta: &Value, metric: &str) -> Vec<f64> {
    let found = meta["result"]["metrics"].list().iter().find(|m| m["name"] == metric).unwrap();
    of_paper(&found["statistics"])
}

fn of_paper(statistics: &Value) -> Vec<f64> {
    let all = statistics.list();
    let value = |id: &str| all.iter().find(|s| s["statistic"] == id).unwrap()["value"].as_f64();
    ["calibrated_accuracy", "kendall_tau_b", "pearson"].map(|id| value(id).unwrap()).to_vec()
}

/// Compares the numbers of the study in `out`, with those of the single commands.
pub(super) fn are_of_the_single_commands(dir: &Folder) {
    contains(&dir.read("out/study.md"), &["\n## Systems by metrics: ", "(SEED Table 6)\n"]);
    let out = dir.join("out");
    let record = dir.json("out/study.json");

    // Table 6 equals `compare`.
    let runs = SYSTEMS.map(|(name, _)| format!("out/runs/{}", name.replace(' ', "_")));
    let compared = dir.succeed(&format!("compare {} --resamples 50 --format csv", runs.join(" "))).stdout;
    let table = dir.read("out/tables/table6_systems.csv");
    let wanted = "pixcorr ssim effnet effnet_official swav object_f1 cap_sim seed snm sdm";
    let mut n_same = 0;
    for line in compared.lines().filter(|line| !line.starts_with("system")) {
        let line = line.replace("middle_one,", "middle one,");
        if wanted.split(' ').any(|id| line.contains(&format!(",{id},"))) {
            assert!(table.contains(&line), "{line}\n{table}");
            n_same += 1;
        }
    }
    // SEED's parts are included; other metrics of the runs are not.
    assert_eq!((n_same, table.lines().count()), (30, 1 + 30), "{table}");

    // A run equals that of `score`.
    let models = "--set text_encoder=placeholder --set image_models=placeholder";
    let score = format!("score gt 'middle one/images' --overwrite {models}");
    let metrics = METRICS.replace(['[', ']', '"', ' '], "");
    dir.succeed(&format!(
        "{score} --observations 'middle one/observations' --metrics {metrics} --resamples 50 --out alone"
    ));
    let file = |run: &str| fs::read(dir.join(run).join("scores.parquet")).unwrap();
    assert_eq!(file("alone"), file(&runs[1]));
    assert_eq!(record["systems"][1]["metrics"], dir.json("alone/summary.json"));

    // Tables 1 and 5 equal `meta`.
    let meta = "meta --human ratings.csv --resamples 50 --permutations 20 --out meta --overwrite";
    dir.succeed(&format!(
        "{meta} --metrics alone vqa.csv --only object_f1,cap_sim,effnet,effnet_official,seed,vqa_score,pixcorr,ssim,swav \
         --no-figures --combinations --higher-is-better vqa_score"
    ));
    let found = dir.json("meta/meta.json");
    let statistics_of = |line: &HashMap<String, String>| -> Vec<f64> {
        let cells = ["Pairwise acc.", "Kendall τ-b", "Pearson"]
            .map(|heading| line.iter().find(|(name, _)| name.starts_with(heading)).unwrap().1.parse().unwrap());
        cells.to_vec()
    };
    let table = lines(&out.join("tables/table1_agreement_middle_one.csv"));
    let of = |table: &[HashMap<String, String>], metric: &str| {
        let found = table.iter().find(|line| line["Metric"].starts_with(metric));
        statistics_of(found.unwrap_or_else(|| panic!("{metric}")))
    };
    for (label, id) in [("SEED", "seed"), ("EffNet", "effnet"), ("VQAScore", "vqa_score")] {
        assert_eq!(of(&table, label), statistics(&found, id), "{label}");
    }
    let table = lines(&out.join("tables/table5_parts_middle_one.csv"));
    let names: Vec<&str> = table.iter().map(|line| line["Metric"].as_str()).collect();
    let expected = [
        "Object F1",
        "Cap-Sim†",
        "EffNet (SEED)†",
        "Object F1 + Cap-Sim†",
        "Object F1 + EffNet (SEED)†",
        "Cap-Sim† + EffNet (SEED)†",
        "VQAScore",
        "SEED†",
    ];
    assert_eq!(names, expected);
    let cells = &found["combinations"]["averages"]["cells"];
    let is_both = |cell: &&Value| {
        let names = [&cell["first"], &cell["second"]];
        ["object_f1", "effnet_official"].iter().all(|part| names.iter().any(|name| *name == part))
    };
    let both = cells.list().iter().find(is_both).unwrap();
    assert_eq!(of(&table, "Object F1 + EffNet (SEED)"), of_paper(&both["statistics"]));
    assert_eq!(of(&table, "SEED"), statistics(&found, "seed"));

    // A combination of components equals `score` with other files, and `meta`.
    let component = &record["components"][6];
    assert_eq!(component["label"], "detector B + captioner B + encoder A");
    dir.succeed(&format!(
        "{score} --gt detections=other/gt/detections --recon detections=other/recon/detections --gt \
         captions=other/gt/captions.json --recon captions=other/recon/captions.json --metrics seed --out component"
    ));
    dir.succeed(&format!("{meta} --metrics component --only seed"));
    let single = statistics(&dir.json("meta/meta.json"), "seed");
    assert_eq!(of_paper(&component["statistics"]), single);
    assert_ne!(of_paper(&record["components"][0]["statistics"]), single);
}
