//! The controls of `neurogauge align`.

use crate::support::alignments::{Arrays, N_STIMULI, N_VOXELS, arguments, record, signal, units};
use crate::support::{arg, close, folder, refused, succeed};
use neurogauge::align::Plan;
use neurogauge::alignment::{
    AuxiliaryReadouts, FoldProfile, Matrix, Partitions, PreparedSource, PreparedTarget,
    READOUT_ALPHAS, ReferenceOptions, SubspaceOptions, TargetReference, Trials, Unit,
    cross_validate, directional_prediction, fit, permute_training, read_out, standardise_within,
    target_pca,
};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const TABLES: [&str; 3] = ["controls", "directions", "auxiliary"];

/// A run of these arrays with all controls.
fn run_all(arrays: &Arrays, run: &Path) {
    succeed(&[&arguments(&arrays.write(), run)[..], &["--controls", "all"]].concat());
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

/// The control's fits for one source (none: of the target) in a unit's file.
fn fits<'a>(unit: &'a Value, control: &str, source: Option<&str>) -> &'a [Value] {
    let controls = unit["controls"].as_array().unwrap();
    let own = controls
        .iter()
        .find(|own| own["baseline"] == control && own["source"].as_str() == source);
    let own = own.unwrap_or_else(|| panic!("no {control} of {source:?}"));
    own["fits"].as_array().unwrap()
}

#[track_caller]
fn same_profile(found: &Value, expected: &FoldProfile) {
    let curve: Vec<f64> = found["top_k"]
        .as_array()
        .unwrap()
        .iter()
        .map(number)
        .collect();
    close(&curve, &expected.top_k);
    close(&[number(&found["full"])], &[expected.full]);
}

/// Columns of the numbers, made orthonormal one after the other.
fn orthonormal(columns: &[&[f64]]) -> Matrix {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for column in columns {
        let mut own = column[..N_VOXELS].to_vec();
        for _ in 0..2 {
            for other in &basis {
                let dot: f64 = own.iter().zip(other).map(|(x, y)| x * y).sum();
                own.iter_mut().zip(other).for_each(|(x, y)| *x -= dot * y);
            }
        }
        let length = own.iter().map(|x| x * x).sum::<f64>().sqrt();
        own.iter_mut().for_each(|x| *x /= length);
        basis.push(own);
    }
    Matrix::from_fn(N_VOXELS, basis.len(), |voxel, place| basis[place][voxel])
}

#[test]
fn controls_are_those_of_the_library_for_what_the_plan_draws() {
    let root = folder();
    let arrays = Arrays::new(root.path());
    let run = root.path().join("run");
    run_all(&arrays, &run);
    let plan: Plan =
        serde_json::from_slice(&std::fs::read(run.join("plan.json")).unwrap()).unwrap();
    let found = &units(&run)["a.lh.V1.json"];

    let trials = &arrays.trials["a"];
    let shown: Vec<usize> = trials.iter().map(|trial| trial.0 as usize - 10).collect();
    let sessions: Vec<u32> = trials.iter().map(|trial| trial.1 as u32).collect();
    let values: Vec<f64> = trials.iter().flat_map(|trial| trial.2.clone()).collect();
    let responses = Matrix::from_rows(trials.len(), N_VOXELS, &values).unwrap();
    let responses = standardise_within(&responses, &sessions);
    let unit = Unit::new("a", "lh", "V1");
    let trials = Trials::new(&unit, responses, &shown, N_STIMULI).unwrap();
    let labels = |texts: &[String]| {
        let labels = texts
            .iter()
            .map(|text| text.bytes().map(|b| b - b'0').collect());
        Partitions::new(labels.collect(), &trials).unwrap()
    };
    let name = unit.to_string();
    let partitions = labels(&plan.partitions[&name]);
    let balanced = labels(&plan.controls.balanced_partitions[&name]);
    let features = Matrix::from_fn(N_STIMULI, 8, |stimulus, feature| {
        let value = match feature {
            0..3 => signal("early", feature, stimulus),
            _ => signal("late", feature - 3, stimulus),
        };
        f64::from(value as f32)
    });
    let means = trials.means();
    let options = SubspaceOptions::default();
    for (fold, outer) in plan.folds.folds.iter().enumerate() {
        let reference = |partitions: &Partitions| {
            let options = ReferenceOptions::default();
            TargetReference::new(&trials, &outer.test, partitions, &options).unwrap()
        };
        let own = reference(&partitions);
        let n = 12;
        let profile = |basis: &Matrix| FoldProfile::new(&own, basis, n).unwrap().unwrap();
        let target = PreparedTarget::new(&unit, &means, &plan.folds, fold).unwrap();
        let at = |control: &str, source: Option<&str>| &fits(found, control, source)[fold];
        let consensus = own.consensus().unwrap().rank;
        for (control, rank) in [
            ("target-pca-1", 1),
            ("target-pca-2", 2),
            ("target-pca-matched", consensus),
        ] {
            let expected = profile(&target_pca(&target, rank).unwrap());
            same_profile(&at(control, None)["profile"]["Ok"], &expected);
        }
        let numbers = &plan.controls.random_directions[fold][0][..consensus];
        let numbers: Vec<&[f64]> = numbers.iter().map(Vec::as_slice).collect();
        let expected = profile(&orthonormal(&numbers));
        same_profile(&at("random-directions", None)["profile"]["Ok"], &expected);

        let source = PreparedSource::new("model", &features, &plan.folds, fold).unwrap();
        let scores = cross_validate(&source, &target, &options).unwrap();
        for rank in [2, 3] {
            let fixed = fit(&source, &target, &scores.select_alpha(rank).unwrap()).unwrap();
            let readout = read_out(&source, &target, &fixed, &READOUT_ALPHAS).unwrap();
            let found = at(&format!("fixed-rank-{rank}"), Some("model"));
            same_profile(&found["profile"]["Ok"], &profile(&fixed.basis));
            close(&[number(&found["accuracy"])], &[readout.accuracy]);
            assert_eq!(found["rank"], rank);
        }
        let order = &plan.controls.response_orders[fold][0];
        let permuted = permute_training(&means, &outer.training, order).unwrap();
        let permuted = PreparedTarget::new(&unit, &permuted, &plan.folds, fold).unwrap();
        let selection = cross_validate(&source, &permuted, &options)
            .unwrap()
            .select()
            .unwrap();
        let subspace = fit(&source, &permuted, &selection).unwrap();
        let readout = read_out(&source, &permuted, &subspace, &READOUT_ALPHAS).unwrap();
        let control = at("response-permutation", Some("model"));
        same_profile(&control["profile"]["Ok"], &profile(&subspace.basis));
        close(&[number(&control["accuracy"])], &[readout.accuracy]);

        let subspace = fit(&source, &target, &scores.select().unwrap()).unwrap();
        let readout = read_out(&source, &target, &subspace, &READOUT_ALPHAS).unwrap();
        let other = reference(&balanced);
        let expected = FoldProfile::new(&other, &subspace.basis, n)
            .unwrap()
            .unwrap();
        let control = at("balanced-partitions", Some("model"));
        same_profile(&control["profile"]["Ok"], &expected);
        let similarity = own.similarity(&other).unwrap();
        let of_fold = &found["references"][fold]["balanced"];
        close(
            &[number(&of_fold["soft"]), number(&of_fold["hard"])],
            &[similarity.soft, similarity.hard],
        );

        let sources = found["sources"].as_array().unwrap();
        let model = sources.iter().find(|own| own["source"] == "model").unwrap();
        let along =
            directional_prediction(&source, &target, &subspace, &readout, &own, 20).unwrap();
        let predicted = model["fits"][fold]["prediction"].as_array().unwrap();
        close(&predicted.iter().map(number).collect::<Vec<_>>(), &along);
        let auxiliary = AuxiliaryReadouts::options();
        let expected = AuxiliaryReadouts::new(&source, &target, &auxiliary, &READOUT_ALPHAS);
        let (expected, own) = (expected.unwrap(), &model["fits"][fold]["auxiliary"]);
        close(
            &["full", "subspace", "source_pca"].map(|from| number(&own[from]["test"])),
            &[&expected.full, &expected.subspace, &expected.source_pca].map(|own| own.test),
        );
    }
}

/// The mean of a quantity of a control, over the sources of this name or of the target alone.
fn mean(record: &Value, control: &str, sources: Option<&str>, quantity: &str) -> f64 {
    let controls = record["controls"].as_array().unwrap();
    let is_it = |own: &&Value| own["control"] == control && own["sources"].as_str() == sources;
    let own = controls.iter().find(is_it);
    number(&own.unwrap_or_else(|| panic!("{control} {sources:?}"))[quantity]["mean"])
}

#[test]
fn controls_of_recordings_with_a_known_truth() {
    let root = folder();
    let run = root.path().join("run");
    let all = ["align", "--simulate", "--null", "0", "--controls", "all"];
    let ran = succeed(&[&all[..], &["--format", "markdown", "--out", arg(&run)]].concat());
    let record = record(&run);
    let (trained, untrained) = (Some("pretrained models"), Some("untrained models"));
    let of = |control: &str, sources, quantity: &str| mean(&record, control, sources, quantity);

    // Random directions: as much as their share of the dimensions, of 60 and 45 voxels.
    let chance = of("random-directions", None, "rank") * (1.0 / 60.0 + 1.0 / 45.0) / 2.0;
    let random = of("random-directions", None, "full_ref_cov");
    assert!((random - chance).abs() < 0.03, "{random} {chance}");
    // The strongest reproducible dimensions are among the target's largest; the more of them, the more recovered.
    let pca = ["target-pca-1", "target-pca-2", "target-pca-matched"];
    let pca = pca.map(|control| of(control, None, "full_ref_cov"));
    assert!(pca[0] < pca[1] && pca[1] < pca[2], "{pca:?}");
    assert!(pca[2] > 0.6, "{pca:?}");
    // What is fitted to another order predicts nothing, within what one order of few test stimuli gives.
    let sources = [Some("other subjects"), trained, untrained];
    for sources in sources {
        let accuracy = of("response-permutation", sources, "accuracy");
        assert!(accuracy.abs() < 0.25, "{sources:?}: {accuracy}");
        assert!(of("selected", sources, "accuracy") > 0.5, "{sources:?}");
        let recovered = of("response-permutation", sources, "full_ref_cov");
        assert!(
            recovered < of("selected", sources, "full_ref_cov") - 0.1,
            "{sources:?}"
        );
        // Views that are balanced over sessions change little.
        let shift = of("balanced-partitions", sources, "profile_mean")
            - of("selected", sources, "profile_mean");
        assert!(shift.abs() < 0.05, "{sources:?}: {shift}");
    }
    assert!(number(&record["balanced"]["soft"]["mean"]) > 0.9);
    // Two dimensions are fewer than the trained span, and all that the untrained do.
    for (rule, rank) in [("fixed-rank-2", 2.0), ("fixed-rank-3", 3.0)] {
        assert_eq!(of(rule, trained, "rank"), rank);
    }
    assert!(
        of("fixed-rank-2", trained, "full_ref_cov")
            < of("selected", trained, "full_ref_cov") - 0.02
    );
    let own = record["sources"].as_array().unwrap().iter();
    let own = own.filter(|source| source["state"] == "pretrained");
    let ranks: Vec<f64> = own
        .map(|source| number(&source["selected_rank"]["mean"]))
        .collect();
    let rank = ranks.iter().sum::<f64>() / ranks.len() as f64;
    close(&[of("selected", trained, "rank")], &[rank]);

    // A subspace keeps what all features predict; as many of the source's own components keep no more.
    let auxiliary = record["auxiliary"].as_array().unwrap();
    let own = auxiliary
        .iter()
        .find(|own| own["sources"] == "pretrained models")
        .unwrap();
    assert!(number(&own["retained"]["mean"]) > 0.9, "{own}");
    // Covered directions are predicted, too.
    let directions = record["directions"].as_array().unwrap();
    for group in &directions[..3] {
        assert!(number(&group["pearson"]["Ok"]) > 0.3, "{group}");
        assert!(number(&group["high_less_low"]) > 0.1, "{group}");
    }
    for words in [
        "Controls",
        "Summary of models",
        "random initialization, seed 42",
    ] {
        assert!(ran.stdout.contains(words), "{words} in\n{}", ran.stdout);
    }
    for figure in ["controls", "rank_rules", "readouts", "directions"] {
        assert!(
            run.join(format!("figures/{figure}.svg")).exists(),
            "{figure}"
        );
    }
    for id in ["controls", "balance", "directions", "auxiliary"] {
        let id = Value::from(format!("recovery-{id}"));
        assert!(record["conventions"].as_array().unwrap().contains(&id));
    }
}

#[test]
fn an_interrupted_run_and_any_number_of_threads_end_with_the_same_bytes() {
    let root = folder();
    let arrays = Arrays::new(root.path());
    let names = TABLES.map(|table| format!("{table}.parquet"));
    let others = ["fits.parquet", "align.json", "align.md", "plan.json"].map(str::to_owned);
    let names: Vec<String> = names.into_iter().chain(others).collect();
    let files = |run: &Path| -> Vec<Vec<u8>> {
        let read = |name: &String| std::fs::read(run.join(name)).unwrap();
        names.iter().map(read).collect()
    };
    let config = arrays.write();
    let of_threads = |threads: &str| {
        let run = root.path().join(threads);
        let ran = Command::new(env!("CARGO_BIN_EXE_neurogauge"))
            .args(arguments(&config, &run))
            .args(["--controls", "all", "--threads", threads])
            .output()
            .unwrap();
        assert!(
            ran.status.success(),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        run
    };
    let one = of_threads("1");
    let whole = files(&one);
    assert!(whole == files(&of_threads("2")));
    assert!(whole == files(&of_threads("4")));

    let of_fingerprint = std::fs::read_dir(one.join("units"))
        .unwrap()
        .next()
        .unwrap();
    std::fs::remove_file(of_fingerprint.unwrap().path().join("b.lh.V1.json")).unwrap();
    for name in &names {
        std::fs::remove_file(one.join(name)).unwrap();
    }
    of_threads("1");
    assert!(whole == files(&one));
}

#[test]
fn a_run_without_controls_leaves_no_tables_of_an_earlier_one() {
    let root = folder();
    let arrays = Arrays::new(root.path());
    let (config, run) = (arrays.write(), root.path().join("run"));
    let of = |controls: &str| {
        succeed(&[&arguments(&config, &run)[..], &["--controls", controls]].concat());
        record(&run)
    };
    of("all");
    for table in TABLES {
        assert!(run.join(format!("{table}.parquet")).exists(), "{table}");
    }
    let without = of("none");
    for table in TABLES {
        assert!(!run.join(format!("{table}.parquet")).exists(), "{table}");
    }
    assert_eq!(without["controls"], Value::Array(Vec::new()));
    let named = of("auxiliary-readouts,target-pca");
    assert_eq!(
        named["config"]["settings"]["controls"],
        serde_json::json!(["target-pca", "auxiliary-readouts"])
    );
    assert_eq!(
        named["controls"].as_array().unwrap().len(),
        6,
        "two of sources, three of the target"
    );
    assert!(!run.join("directions.parquet").exists());
    // The same sources, whatever they are held against.
    assert_eq!(without["sources"], named["sources"]);
}

#[test]
fn balanced_views_have_as_many_trials_of_a_session() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    arrays.settings += "balance = \"sessions\"\n";
    let run = root.path().join("run");
    succeed(&arguments(&arrays.write(), &run));
    let plan: Plan =
        serde_json::from_slice(&std::fs::read(run.join("plan.json")).unwrap()).unwrap();
    for (unit, partitions) in &plan.partitions {
        for labels in partitions {
            let (first, second) = labels.split_at(N_STIMULI);
            for session in [first, second] {
                let ones = session.bytes().filter(|&label| label == b'1').count();
                assert_eq!(ones, N_STIMULI / 2, "{unit}");
            }
        }
    }
    let conventions = &record(&run)["conventions"];
    assert!(
        conventions
            .as_array()
            .unwrap()
            .contains(&"recovery-balance".into())
    );
}

#[test]
fn weights_and_layers_stand_in_the_summary_of_models() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    let run = root.path().join("run");
    succeed(&arguments(&arrays.write(), &run));
    let markdown = std::fs::read_to_string(run.join("align.md")).unwrap();
    assert!(markdown.contains("early, late"), "{markdown}");
    arrays.sources = arrays.sources.replace(
        "name =",
        "architecture = \"ResNet-18\"\nweights = \"ImageNet-1K V1\"\nlayer_names = \"stages 1 and 2\"\nname =",
    );
    succeed(&arguments(&arrays.write(), &run));
    let markdown = std::fs::read_to_string(run.join("align.md")).unwrap();
    for words in ["ResNet-18", "ImageNet-1K V1", "stages 1 and 2"] {
        assert!(markdown.contains(words), "{words} in\n{markdown}");
    }
}

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

    // What a plan lacks is drawn by the run's seed.
    let mut plan = whole.clone();
    plan.as_object_mut().unwrap().remove("controls");
    write(&plan);
    succeed(&args);
    let drawn: Value =
        serde_json::from_slice(&std::fs::read(second.join("plan.json")).unwrap()).unwrap();
    assert_eq!(drawn, whole);
}
