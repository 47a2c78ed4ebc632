//! The paper's numbers are printed beside equal quantities if the configuration declares them to be equal.

use super::tables::lines;
use crate::support::study_data::{SYSTEMS, StudyData};
use crate::support::*;

#[test]
fn published_values_stand_beside_the_same_quantities() {
    let StudyData { dir, stems } = StudyData::new(6);
    let mut text = dir.read("study.toml");
    // Without the combinations of components, which other tests cover.
    text.truncate(text.find("[[choices").unwrap());
    let mut put = |behind: &str, more: &str| {
        assert!(text.contains(behind), "{behind}");
        text = text.replacen(behind, &format!("{behind}\n{more}"), 1);
    };
    put("name = \"middle one\"", "published = \"MindEye2\"");
    put(
        "[[ratings]]\nsystem = \"middle one\"",
        "published = \"seed-nsd\"\nclasses = [\"logits/gt/features/effnet.npy\", \"logits/recon/features/effnet.npy\"]",
    );
    // Every stimulus is a goldfish, and every second reconstruction a crane.
    for (side, other) in [("gt", 1), ("recon", 134)] {
        let classes = (0..stems.len()).map(|place| if place % 2 == 0 { 1 } else { other });
        let logits = classes.flat_map(|class| (0..1000).map(move |k| f32::from(u8::from(k == class))));
        let features = Features::new(stems.clone(), 1000, logits.collect()).unwrap();
        features::write(&dir.join("logits").join(side).join("features"), "effnet", &features).unwrap();
    }
    // Categories named by a model: all for the stimuli, every second one for the reconstructions.
    let named = |system: &str, side: &str, step: usize| {
        let names = stems.iter().enumerate().map(|(place, stem)| {
            let name = if place % step == 0 { "dog" } else { "cat" };
            format!("\"{stem}\": \"{name}, sky\"")
        });
        let names: Vec<String> = names.collect();
        dir.write(&format!("{system}/observations/{side}/vlm_categories.json"), format!("{{{}}}", names.join(", ")));
    };
    for (system, _) in SYSTEMS {
        named(system, "gt", 1);
        named(system, "recon", 2);
    }
    let text = text.replacen("\"seed\"", "\"seed\", \"object_f1_vlm\"", 1);
    assert!(text.contains("object_f1_vlm"), "{text}");
    dir.write("study.toml", &text);
    let study = "study --config study.toml --out out";
    dir.succeed(&format!("{study} --figure-format pdf,svg --latex-style pm"));
    styled_as_asked(&dir);

    let tables = dir.join("out/tables");
    let printed = |table: &str, first: &str, name: &str| -> [String; 3] {
        let lines = lines(&tables.join(table));
        let of = |line: &&HashMap<String, String>| line[first].trim_end_matches(" ↑") == name;
        let line = lines.iter().find(of).unwrap_or_else(|| panic!("{name} in {lines:?}"));
        ["Pairwise acc.", "Kendall τ-b", "Pearson"].map(|statistic| line[&format!("published {statistic}")].clone())
    };
    let agreement = |name: &str| printed("table1_agreement_middle_one.csv", "Metric", name);
    assert_eq!(agreement("Object F1"), ["0.758", "0.516", "0.708"]);
    assert_eq!(agreement("PixCorr"), ["0.538", "0.075", "0.117"]);
    // A value based on a placeholder is another quantity, as is a value that the paper does not have.
    assert_eq!(agreement("Cap-Sim†"), ["", "", ""]);
    assert_eq!(agreement("VQAScore"), ["", "", ""]);
    let named = |name: &str| printed("table3_named_categories_middle_one.csv", "Metric", name);
    assert_eq!(named("Object F1 (VLM)"), ["0.737", "0.473", "0.658"]);
    let variant = |name: &str| printed("table4_object_variants_middle_one.csv", "What counts", name);
    assert_eq!(variant("existence + location"), ["0.759", "0.517", "0.71"]);
    let means = lines(&tables.join("table6_published.csv"));
    let object_f1 = means.iter().find(|line| line["Metric"] == "Object F1 ↑").unwrap_or_else(|| panic!("{means:?}"));
    assert_eq!(object_f1["published"], "0.517");
    assert!(object_f1["mean"].parse::<f64>().unwrap() > 0.0);
    assert!(means.iter().all(|line| !line["Metric"].contains("SEED")));
    let beside_basic = lines(&tables.join("table_basic_published.csv"));
    let printed = |metric: &str| {
        let line = beside_basic.iter().find(|line| line["Metric"] == metric);
        line.unwrap_or_else(|| panic!("{metric} in {beside_basic:?}"))["published"].clone()
    };
    assert_eq!(printed("PixCorr ↑"), "0.322");
    let classes = lines(&tables.join("table_classes_middle_one.csv"));
    assert_eq!(classes.iter().map(|line| line["n"].as_str()).collect::<Vec<_>>(), ["3", "3"]);
    // The mean of people's z-scores is 0, and equally many pairs are on either side.
    let people: Vec<f64> = classes.iter().map(|line| line["people z"].parse().unwrap()).collect();
    assert!((people[0] + people[1]).abs() < 1e-12, "{people:?}");
    let mut is_same = true;
    for pair in lines(&tables.join("table_class_pairs_middle_one.csv")) {
        is_same &= pair["Class"] != "different";
        assert_eq!(pair["stimulus"], "goldfish (1)");
        assert_eq!(pair["reconstruction"], ["crane (134)", "goldfish (1)"][usize::from(is_same)], "{pair:?}");
    }
    let page = dir.read("out/study.md");
    let source = "Published: Park et al. (2026), SEED, ICLR, Table 1 (MindEye2's reconstructions of NSD, 1000 pairs, 22 raters).";
    assert!(page.contains(source), "{page}");

    let with = |known: &str, unknown: &str| {
        dir.write("study.toml", text.replacen(known, unknown, 1));
        dir.run(study)
    };
    assert_snapshot!(with("MindEye2", "mindeye"), @r#"exit 2, stderr: error: study.toml: [[systems]]: published: "mindeye" is none of the systems in SEED's or BASIC's tables (MindEye2, NeuroPictor, MindBridge, UniBrain, BrainGuard, MindEye2, reproduced, MindEye2, reproduced with hinge loss, MindBridge, reproduced, MindBridge, reproduced with hinge loss, UniBrain, reproduced, UniBrain, reproduced with hinge loss, SDRecon, BrainDiffuser, MindEye, DREAM, UMBRAE, NeuroVLA, SepBrain, STTM, MindTuner, ATM, CognitionCapturer, MinD-Video, NeuroClips, DecoFuse, EEG2Video, MinD-3D, MinD-3D++, Neuro-3D)"#);
    assert_snapshot!(with("seed-nsd", "seed"), @r#"exit 2, stderr: error: study.toml: [[ratings]]: published: "seed" is none of the surveys whose values are printed (seed-nsd, seed-god)"#);
}

/// Figures as PDF and SVG, and tables in LaTeX with ±, for the study and for the agreement with people.
fn styled_as_asked(dir: &Folder) {
    let (out, record) = (dir.join("out"), dir.json("out/study.json"));
    let files = record["exhibits"].list().iter().flat_map(|item| item["files"].list());
    let files: Vec<&str> = files.map(|file| file.text()).collect();
    assert!(files.iter().all(|file| out.join(file).is_file()), "{files:?}");
    let has = |ending: &str| files.contains(&&*format!("figures/figure8_averages_middle_one.{ending}"));
    assert!(has("pdf") && !has("png"), "{files:?}");
    let meta = out.join("meta/middle_one");
    for folder in [out.join("figures"), meta.join("figures")] {
        let files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
        let drawn: Vec<&PathBuf> = files.iter().filter(|file| file.extension() == Some("svg".as_ref())).collect();
        assert!(!drawn.is_empty(), "{}", folder.display());
        for figure in drawn {
            assert!(files.contains(&figure.with_extension("pdf")), "{figure:?}");
        }
    }
    contains(&dir.read("out/study.md"), &["](figures/figure8_averages_middle_one.svg)"]);
    for table in ["tables/table1_agreement_middle_one.tex", "meta/middle_one/meta.tex"] {
        assert!(dir.read(out.join(table)).contains("$\\pm$"), "{table}");
    }
}
