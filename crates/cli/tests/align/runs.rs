//! `neurogauge align` on simulated recordings and on arrays.

use crate::support;
use crate::support::alignments::{Arrays, arguments, record, same_numbers, units};
use crate::support::{arg, folder, neurogauge, succeed};
use neurogauge::formats::npy::write_f64;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const TABLES: [&str; 4] = ["profiles", "references", "fits", "block_use"];

/// The simulated study, with two draws of the null so that it is quick.
fn simulate(run: &Path, more: &[&str]) {
    let mut args = vec!["align", "--simulate", "--null", "2", "--out", arg(run)];
    args.extend(more);
    succeed(&args);
}

/// Everything that must be equal in two equal runs.
fn files(run: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = TABLES.map(|table| format!("{table}.parquet"));
    let names = names
        .into_iter()
        .chain(["align.json", "align.md", "plan.json"].map(str::to_owned));
    names
        .map(|name| (name.clone(), std::fs::read(run.join(name)).unwrap()))
        .collect()
}

fn unit_files(run: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for folder in std::fs::read_dir(run.join("units")).unwrap() {
        let files = std::fs::read_dir(folder.unwrap().path()).unwrap();
        paths.extend(files.map(|file| file.unwrap().path()));
    }
    paths.sort();
    paths
}

#[track_caller]
fn same_files(one: &BTreeMap<String, Vec<u8>>, run: &Path) {
    for (name, bytes) in files(run) {
        assert!(one[&name] == bytes, "{name} differs");
    }
}

#[test]
fn an_interrupted_run_and_one_of_other_threads_end_with_the_same_bytes() {
    let root = folder();
    let (first, second) = (root.path().join("first"), root.path().join("second"));
    simulate(&first, &[]);
    let whole = files(&first);

    for threads in ["1", "4"] {
        let other = Command::new(env!("CARGO_BIN_EXE_neurogauge"))
            .args(["align", "--simulate", "--null", "2", "--threads", threads])
            .args(["--out", arg(&second)])
            .output()
            .unwrap();
        assert!(other.status.success());
        same_files(&whole, &second);
        std::fs::remove_dir_all(&second).unwrap();
    }

    let kept = unit_files(&first);
    assert_eq!(kept.len(), 8);
    for path in kept.iter().step_by(2) {
        std::fs::remove_file(path).unwrap();
    }
    let bytes = std::fs::read(&kept[1]).unwrap();
    std::fs::write(&kept[1], &bytes[..bytes.len() / 2]).unwrap();
    for name in whole.keys() {
        std::fs::remove_file(first.join(name)).unwrap();
    }
    simulate(&first, &[]);
    same_files(&whole, &first);
    assert!(
        std::fs::read(&kept[1]).unwrap() == bytes,
        "the damaged unit was computed again"
    );

    // Sources that span all that subjects share recover more than those that span two dimensions.
    let record = record(&first);
    let sources = record["sources"].as_array().unwrap();
    let mean = |name: &str| {
        let source = sources
            .iter()
            .find(|source| source["source"] == name)
            .unwrap();
        let means = source["profile_means"].as_array().unwrap();
        means.iter().find(|mean| mean[0] == 10).unwrap()[1]["mean"]
            .as_f64()
            .unwrap()
    };
    for (trained, untrained) in [
        ("A trained", "A untrained 42"),
        ("B trained", "B untrained 0"),
    ] {
        assert!(
            mean(trained) > mean(untrained) + 0.05,
            "{} {}",
            mean(trained),
            mean(untrained)
        );
    }
    let position = |name: &str| sources.iter().position(|source| source["source"] == name);
    assert_eq!(position("other subjects"), Some(0));
}

#[test]
fn another_seed_is_another_study() {
    let root = folder();
    let small = "null = 0\nouter_folds = 3\ninner_folds = 2\npartitions = 2\nresamples = 20\n";
    let fingerprint = |seed: u64| {
        let mut arrays = Arrays::new(root.path());
        arrays.settings = format!("{small}seed = {seed}\n");
        let run = root.path().join(seed.to_string());
        succeed(&arguments(&arrays.write(), &run));
        record(&run)["fingerprint"].as_str().unwrap().to_owned()
    };
    assert_ne!(fingerprint(1), fingerprint(2));
}

#[test]
fn the_order_of_trials_and_rows_and_other_columns_change_nothing() {
    let root = folder();
    let arrays = Arrays::new(root.path());
    let first = root.path().join("first");
    succeed(&arguments(&arrays.write(), &first));

    let elsewhere = root.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let mut other = Arrays::new(&elsewhere);
    for trials in other.trials.values_mut() {
        // Repeats keep their order among themselves: partitions are drawn over them.
        trials.sort_by_key(|trial| (trial.0 * 7 % 46, trial.0));
    }
    let ids: Vec<u64> = (10..46).rev().collect();
    other.layer("early", 3, &ids);
    other.layer("late", 5, &ids);
    let second = root.path().join("second");
    succeed(&arguments(&other.write(), &second));

    let (one, other) = (units(&first), units(&second));
    assert_eq!(one.len(), 2);
    assert!(one.keys().eq(other.keys()));
    for (name, unit) in &one {
        same_numbers(unit, &other[name]);
        let model = unit["sources"].as_array().unwrap().last().unwrap();
        assert_eq!(model["source"], "model");
        for fit in model["fits"].as_array().unwrap() {
            let shares = fit["block_use"].as_array().unwrap();
            assert_eq!(shares.len(), 2, "one for each layer");
            let sum: f64 = shares.iter().map(|share| share.as_f64().unwrap()).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        }
    }
}

#[test]
fn columns_outside_the_region_and_stimuli_outside_the_list_are_left_out() {
    let root = folder();
    let arrays = Arrays::new(root.path());
    let config = arrays.write();
    let text = std::fs::read_to_string(&config).unwrap();
    let voxels = [1.0, 3.0, 5.0, 7.0, 9.0];
    write_f64(&root.path().join("voxels.npy"), &[5], &voxels).unwrap();
    let stimuli: Vec<f64> = (12..40).map(f64::from).collect();
    write_f64(&root.path().join("kept.npy"), &[28], &stimuli).unwrap();
    let text = text.replace("hemisphere", "voxels = \"voxels.npy\"\nhemisphere");
    std::fs::write(&config, format!("stimuli = \"kept.npy\"\n{text}")).unwrap();
    let run = root.path().join("run");
    succeed(&arguments(&config, &run));
    let record = record(&run);
    assert_eq!(record["units"][0][1], 5);
    assert_eq!(record["stimuli"].as_array().unwrap().len(), 28);
}

#[test]
fn the_plan_of_a_run_repeats_it() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    let (first, second) = (root.path().join("first"), root.path().join("second"));
    succeed(&arguments(&arrays.write(), &first));
    arrays.settings += "seed = 5\n";
    let config = arrays.write();
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("plan = \"first/plan.json\"\n{text}")).unwrap();
    succeed(&arguments(&config, &second));
    assert!(units(&first) == units(&second));
    let plans = [&first, &second].map(|run| std::fs::read(run.join("plan.json")).unwrap());
    assert!(plans[0] == plans[1]);
}

/// The inner fold of each position, in rows of one length.
fn labels(pools: &[&serde_json::Value]) -> (usize, Vec<f64>) {
    let sizes = pools
        .iter()
        .map(|pool| pool["stimuli"].as_array().unwrap().len());
    let width = sizes.max().unwrap();
    let mut rows = vec![-1.0; pools.len() * width];
    for (row, pool) in rows.chunks_mut(width).zip(pools) {
        for (label, fold) in pool["inner"].as_array().unwrap().iter().enumerate() {
            for position in fold.as_array().unwrap() {
                row[position.as_u64().unwrap() as usize] = label as f64;
            }
        }
    }
    (width, rows)
}

#[test]
fn arrays_of_folds_partitions_and_orders_repeat_a_run() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    arrays.settings += "controls = []\n";
    let (first, second) = (root.path().join("first"), root.path().join("second"));
    succeed(&arguments(&arrays.write(), &first));
    let plan: serde_json::Value =
        serde_json::from_slice(&std::fs::read(first.join("plan.json")).unwrap()).unwrap();

    let folds = plan["folds"]["folds"].as_array().unwrap();
    let mut outer = vec![0.0; plan["folds"]["n_stimuli"].as_u64().unwrap() as usize];
    for (label, fold) in folds.iter().enumerate() {
        for stimulus in fold["test"]["stimuli"].as_array().unwrap() {
            outer[stimulus.as_u64().unwrap() as usize] = label as f64;
        }
    }
    let path = |name: &str| root.path().join(name);
    write_f64(&path("outer.npy"), &[outer.len() as u64], &outer).unwrap();
    for (name, pool) in [("inner.npy", "training"), ("reference.npy", "test")] {
        let pools: Vec<&serde_json::Value> = folds.iter().map(|fold| &fold[pool]).collect();
        let (width, rows) = labels(&pools);
        write_f64(&path(name), &[folds.len() as u64, width as u64], &rows).unwrap();
    }
    let orders: Vec<Vec<Vec<f64>>> = serde_json::from_value(plan["null_orders"].clone()).unwrap();
    let width = orders.iter().map(|fold| fold[0].len()).max().unwrap();
    let filled = |order: &Vec<f64>| [order.clone(), vec![-1.0; width - order.len()]].concat();
    let values: Vec<f64> = orders.iter().flatten().flat_map(filled).collect();
    let shape = [orders.len(), orders[0].len(), width].map(|n| n as u64);
    write_f64(&path("orders.npy"), &shape, &values).unwrap();
    let mut given = "outer_folds = \"outer.npy\"\ninner_folds = \"inner.npy\"\n\
                     reference_inner_folds = \"reference.npy\"\nnull_orders = \"orders.npy\"\n\
                     [given.trial_splits]\n"
        .to_owned();
    for (index, (unit, texts)) in plan["partitions"].as_object().unwrap().iter().enumerate() {
        let texts: Vec<String> = serde_json::from_value(texts.clone()).unwrap();
        let digits = texts
            .concat()
            .bytes()
            .map(|b| f64::from(b - b'0'))
            .collect::<Vec<_>>();
        let file = format!("splits{index}.npy");
        write_f64(
            &path(&file),
            &[texts.len() as u64, texts[0].len() as u64],
            &digits,
        )
        .unwrap();
        given += &format!("{unit:?} = {file:?}\n");
    }

    arrays.settings += "seed = 5\n";
    let config = arrays.write();
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{text}\n[given]\n{given}")).unwrap();
    succeed(&arguments(&config, &second));
    assert!(units(&first) == units(&second));

    outer[3] = 0.5;
    write_f64(&path("outer.npy"), &[outer.len() as u64], &outer).unwrap();
    let third = root.path().join("third");
    let ran = neurogauge(&arguments(&config, &third));
    let message = ran.stderr;
    assert_eq!(ran.code, 1, "{message}");
    for part in ["outer.npy", "entry 3", "0.5", "whole number"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn layers_divided_elsewhere_are_not_taken_from_an_earlier_run() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    let run = root.path().join("run");
    succeed(&arguments(&arrays.write(), &run));
    let before = record(&run)["fingerprint"].clone();
    let ids: Vec<u64> = (10..46).collect();
    // The same eight columns: three and five, or all in one.
    let both: Vec<f32> = ids
        .iter()
        .flat_map(|&id| {
            let of = move |name: &'static str, n: usize| {
                (0..n).map(move |f| support::alignments::signal(name, f, id as usize - 10) as f32)
            };
            of("early", 3).chain(of("late", 5))
        })
        .collect();
    let path = root.path().join("whole.npy");
    neurogauge::formats::npy::write_f32(&path, &[36, 8], &both).unwrap();
    arrays.sources = "[[sources]]\nname = \"model\"\nfeatures = [\"whole.npy\"]\n".to_owned();
    succeed(&arguments(&arrays.write(), &run));
    assert_ne!(before, record(&run)["fingerprint"]);
}

#[test]
fn short_prefixes_have_a_profile_mean() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    arrays.settings += "prefixes = 3\n";
    let run = root.path().join("run");
    let ran = neurogauge(&arguments(&arrays.write(), &run));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let means = &record(&run)["sources"][0]["profile_means"];
    assert_eq!(means[0][0], 3, "{means}");
}

/// What the aggregates must be, computed from the units' files.
#[test]
fn aggregates_are_means_over_folds_then_units() {
    let root = folder();
    let run = root.path().join("run");
    succeed(&arguments(&Arrays::new(root.path()).write(), &run));
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    // For each unit: accuracy and ProfileMean(10) of the donor and of the model, and the next fold's.
    let mut expected = [
        [Vec::new(), Vec::new()],
        [Vec::new(), Vec::new()],
        [Vec::new(), Vec::new()],
    ];
    for unit in units(&run).values() {
        for source in unit["sources"].as_array().unwrap() {
            let place = usize::from(source["donor"] == false);
            let fits = source["fits"].as_array().unwrap();
            let over_folds = |value: &dyn Fn(&serde_json::Value) -> f64| {
                mean(&fits.iter().map(value).collect::<Vec<_>>())
            };
            let first_ten = |curve: &serde_json::Value| {
                let curve = curve.as_array().unwrap().iter().take(10);
                mean(
                    &curve
                        .map(|value| value.as_f64().unwrap())
                        .collect::<Vec<_>>(),
                )
            };
            let accuracy = over_folds(&|fit| fit["accuracy"].as_f64().unwrap());
            let profile = over_folds(&|fit| first_ten(&fit["profile"]["Ok"]["top_k"]));
            let next = over_folds(&|fit| first_ten(&fit["next_fold"]["Ok"]));
            for (quantity, value) in expected.iter_mut().zip([accuracy, profile, next]) {
                quantity[place].push(value);
            }
        }
    }
    let record = record(&run);
    let found =
        |place: usize, quantity: &str| record["sources"][place][quantity]["mean"].as_f64().unwrap();
    let [accuracy, profile, next] = &expected;
    for place in 0..2 {
        let means = record["sources"][place]["profile_means"]
            .as_array()
            .unwrap();
        let at_ten = means.iter().find(|mean| mean[0] == 10).unwrap();
        let of_profile = at_ten[1]["mean"].as_f64().unwrap();
        support::close(
            &[
                found(place, "accuracy"),
                of_profile,
                found(place, "next_fold"),
            ],
            &[
                mean(&accuracy[place]),
                mean(&profile[place]),
                mean(&next[place]),
            ],
        );
    }
    // The only donor of a unit is its own median; a model is held against it.
    let shares: Vec<f64> = profile[1]
        .iter()
        .zip(&profile[0])
        .map(|(m, d)| m / d)
        .collect();
    support::close(
        &[
            found(0, "brain_ref_score"),
            found(1, "brain_ref_score"),
            found(0, "shape_distance"),
        ],
        &[1.0, mean(&shares), 0.0],
    );
}

#[test]
fn a_reselected_null_is_another_null() {
    let root = folder();
    let config = Arrays::new(root.path()).write();
    let (kept, anew) = (root.path().join("kept"), root.path().join("anew"));
    succeed(&arguments(&config, &kept));
    succeed(&[&arguments(&config, &anew)[..], &["--null-select"]].concat());
    let [kept, anew] = [&kept, &anew].map(|run| record(run));
    assert_ne!(kept["fingerprint"], anew["fingerprint"]);
    assert_eq!(
        kept["sources"][1]["profile_means"],
        anew["sources"][1]["profile_means"]
    );
    assert_eq!(anew["config"]["settings"]["null_select"], true);
}
