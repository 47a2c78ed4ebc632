//! Settings and plans that do not fit the controls.

use super::run_all;
use crate::support::alignments::{Arrays, arguments};
use crate::support::{folder, refused, succeed};
use serde_json::Value;

#[test]
fn settings_that_make_no_sense() {
    let with = |settings: &str, parts: &[&str]| {
        let root = folder();
        let mut arrays = Arrays::new(root.path());
        arrays.settings += settings;
        let run = root.path().join("run");
        refused(&arguments(&arrays.write(), &run), 2, parts);
        assert!(!run.join("align.json").exists());
    };
    with(
        "controls = [\"target-pc\"]\n",
        &["align.toml:", "target-pc"],
    );
    let twice = "controls = [\"target-pca\", \"target-pca\"]\n";
    with(twice, &["controls names target-pca twice"]);
    with(
        "fixed_ranks = [0, 2]\n",
        &["fixed_ranks is [0, 2]", "at least 1"],
    );
    with("fixed_ranks = [3, 2]\n", &["ascending"]);
    with(
        "random_draws = 0\n",
        &["random_draws is 0", "random-directions"],
    );
    let none = "controls = [\"response-permutation\"]\nresponse_draws = 0\n";
    with(none, &["response_draws is 0", "response-permutation"]);
    with("reference_rank = 0\n", &["reference_rank is 0"]);
    // The arrays have sessions, and no runs.
    let runs = "balance = \"sessions-and-runs\"\n";
    with(runs, &["a lh V1", "runs", "[[targets]]"]);

    let root = folder();
    let config = Arrays::new(root.path()).write();
    let run = root.path().join("run");
    let base = arguments(&config, &run);
    refused(
        &[&base[..], &["--controls", "all,target-pca"]].concat(),
        2,
        &["`all`"],
    );
    refused(
        &[&base[..], &["--controls", "everything"]].concat(),
        2,
        &["target-pca"],
    );
}

#[test]
fn plans_that_do_not_fit_their_controls() {
    let root = folder();
    let arrays = Arrays::new(root.path());
    let (config, run) = (arrays.write(), root.path().join("run"));
    run_all(&arrays, &run);
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("plan = \"plan.json\"\n{text}")).unwrap();
    let whole: Value =
        serde_json::from_slice(&std::fs::read(run.join("plan.json")).unwrap()).unwrap();
    let second = root.path().join("second");
    let args = [&arguments(&config, &second)[..], &["--controls", "all"]].concat();
    let write = |plan: &Value| {
        std::fs::write(root.path().join("plan.json"), plan.to_string()).unwrap();
    };
    let refuses = |change: &dyn Fn(&mut Value), parts: &[&str]| {
        let mut plan = whole.clone();
        change(&mut plan["controls"]);
        write(&plan);
        refused(&args, 1, &[&["plan.json"], parts].concat());
    };
    refuses(
        &|controls| {
            controls["response_orders"][1][0][0] = controls["response_orders"][1][0][1].clone();
        },
        &["response_orders, fold 1"],
    );
    let short = |controls: &mut Value| {
        controls["random_directions"][2][0][0]
            .as_array_mut()
            .unwrap()
            .truncate(5);
    };
    refuses(&short, &["random_directions, fold 2", "12 numbers"]);
    let missing = |controls: &mut Value| {
        controls["balanced_partitions"]
            .as_object_mut()
            .unwrap()
            .remove("b lh V1");
    };
    refuses(&missing, &["balanced_partitions of b lh V1"]);
    let one_fold = |controls: &mut Value| {
        controls["response_orders"]
            .as_array_mut()
            .unwrap()
            .truncate(1);
    };
    refuses(&one_fold, &["controls.response_orders", "expected 3"]);

    // Draws that a plan lacks come from the run's seed.
    let mut plan = whole.clone();
    plan.as_object_mut().unwrap().remove("controls");
    write(&plan);
    succeed(&args);
    let drawn: Value =
        serde_json::from_slice(&std::fs::read(second.join("plan.json")).unwrap()).unwrap();
    assert_eq!(drawn, whole);
}
