//! Controls of simulated recordings with known truth.

use crate::support::*;

/// The mean of a quantity of a control, over the sources with this name or for the target alone.
fn mean(record: &Value, control: &str, sources: Option<&str>, quantity: &str) -> f64 {
    let controls = record["controls"].list();
    let own = controls.iter().find(|own: &&Value| own["control"] == control && own["sources"].as_str() == sources);
    own.unwrap_or_else(|| panic!("{control} {sources:?}"))[quantity]["mean"].number()
}

#[test]
fn controls_of_recordings_with_a_known_truth() {
    let dir = folder();
    let ran =
        dir.succeed("align --simulate small --null 0 --controls all --format markdown --figure-format svg --out run");
    let record = dir.json("run/align.json");
    let (trained, untrained) = (Some("pretrained models"), Some("untrained models"));
    let of = |control: &str, sources, quantity: &str| mean(&record, control, sources, quantity);

    // Sources that span all that subjects share recover more than those of two dimensions.
    let sources = record["sources"].list();
    let of_ten = |name: &str| {
        let means = sources.iter().find(|source| source["source"] == name).unwrap()["profile_means"].list();
        means.iter().find(|mean| mean[0] == 10).unwrap()[1]["mean"].number()
    };
    for (trained, untrained) in [("A trained", "A untrained 42"), ("B trained", "B untrained 0")] {
        assert!(of_ten(trained) > of_ten(untrained) + 0.05, "{} {}", of_ten(trained), of_ten(untrained));
    }
    assert_eq!(sources[0]["source"], "other subjects");

    // Random directions recover as much as their share of the dimensions, of 60 and 45 voxels.
    let chance = of("random-directions", None, "rank") * (1.0 / 60.0 + 1.0 / 45.0) / 2.0;
    let random = of("random-directions", None, "full_ref_cov");
    assert!((random - chance).abs() < 0.03, "{random} {chance}");
    // The strongest reproducible dimensions are among the target's largest; more of these recover more.
    let pca = ["target-pca-1", "target-pca-2", "target-pca-matched"].map(|control| of(control, None, "full_ref_cov"));
    assert!(pca[0] < pca[1] && pca[1] < pca[2], "{pca:?}");
    assert!(pca[2] > 0.6, "{pca:?}");
    // A fit to another order predicts nothing, within the noise of one order with few test stimuli.
    for sources in [Some("other subjects"), trained, untrained] {
        let accuracy = of("response-permutation", sources, "accuracy");
        assert!(accuracy.abs() < 0.25, "{sources:?}: {accuracy}");
        assert!(of("selected", sources, "accuracy") > 0.5, "{sources:?}");
        let recovered = of("response-permutation", sources, "full_ref_cov");
        assert!(recovered < of("selected", sources, "full_ref_cov") - 0.1, "{sources:?}");
        // Views that are balanced over sessions cause small changes.
        let shift = of("balanced-partitions", sources, "profile_mean") - of("selected", sources, "profile_mean");
        assert!(shift.abs() < 0.05, "{sources:?}: {shift}");
    }
    assert!(record["balanced"]["soft"]["mean"].number() > 0.9);
    // Two dimensions are fewer than the trained model spans, and all that the untrained one does.
    for (rule, rank) in [("fixed-rank-2", 2.0), ("fixed-rank-3", 3.0)] {
        assert_eq!(of(rule, trained, "rank"), rank);
    }
    assert!(of("fixed-rank-2", trained, "full_ref_cov") < of("selected", trained, "full_ref_cov") - 0.02);
    let own = sources.iter().filter(|source| source["state"] == "pretrained");
    let ranks: Vec<f64> = own.map(|source| source["selected_rank"]["mean"].number()).collect();
    let rank = ranks.iter().sum::<f64>() / ranks.len() as f64;
    close(&[of("selected", trained, "rank")], &[rank]);

    // A subspace predicts as well as all features; as many of the source's own components do not predict better.
    let auxiliary = record["auxiliary"].list();
    let own = auxiliary.iter().find(|own| own["sources"] == "pretrained models").unwrap();
    assert!(own["retained"]["mean"].number() > 0.9, "{own}");
    // Covered directions are also predicted.
    let directions = record["directions"].list();
    for group in &directions[..3] {
        assert!(group["pearson"]["value"].number() > 0.3, "{group}");
        assert!(group["high_less_low"].number() > 0.1, "{group}");
    }
    contains(&ran.stdout, &["Controls", "Summary of models", "random initialization, seed 42"]);
    for figure in ["controls", "rank_rules", "readouts", "directions"] {
        assert!(dir.has(format!("run/figures/{figure}.svg")), "{figure}");
    }
    for id in ["controls", "balance", "directions", "auxiliary"] {
        assert!(record["conventions"].list().contains(&Value::from(format!("recovery-{id}"))));
    }
}
