//! What `neurogauge align` refuses, and that nothing unfinished looks finished.

use crate::support::alignments::{Arrays, arguments};
use crate::support::{folder, refused, succeed};
use std::path::Path;

/// The configuration as `change` leaves it is refused with this exit code and these words.
#[track_caller]
fn refuses(code: i32, parts: &[&str], change: impl FnOnce(&mut Arrays)) {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    change(&mut arrays);
    let config = arrays.write();
    refuses_file(&config, code, parts);
}

#[track_caller]
fn refuses_file(config: &Path, code: i32, parts: &[&str]) {
    let run = config.parent().unwrap().join("run");
    refused(&arguments(config, &run), code, parts);
    assert!(!run.join("align.json").exists());
}

/// The text of the configuration as `change` leaves it.
#[track_caller]
fn refuses_text(code: i32, parts: &[&str], change: impl FnOnce(String) -> String) {
    let root = folder();
    let config = Arrays::new(root.path()).write();
    let text = change(std::fs::read_to_string(&config).unwrap());
    std::fs::write(&config, text).unwrap();
    refuses_file(&config, code, parts);
}

#[test]
fn a_stimulus_seen_once() {
    let parts = ["a_stimuli.npy", "stimulus 10", "a lh V1", "1 repeat"];
    refuses(1, &parts, |arrays| {
        arrays.trials.get_mut("a").unwrap().remove(0);
    });
}

#[test]
fn subjects_with_different_stimuli() {
    let parts = ["b_stimuli.npy", "stimulus 10", "b lh V1"];
    refuses(1, &parts, |arrays| {
        arrays
            .trials
            .get_mut("b")
            .unwrap()
            .retain(|trial| trial.0 != 10);
    });
    let parts = ["b_stimuli.npy", "stimulus 10", "targets before do not"];
    refuses(1, &parts, |arrays| {
        arrays
            .trials
            .get_mut("a")
            .unwrap()
            .retain(|trial| trial.0 != 10);
    });
}

#[test]
fn a_voxel_without_a_response() {
    let nan = |arrays: &mut Arrays| {
        for trial in arrays.trials.get_mut("b").unwrap() {
            trial.2[4] = f64::NAN;
        }
    };
    let how = "`allow_nan_voxels = true` at the top of the configuration";
    refuses(1, &["b_trials.npy", "b lh V1", "voxel 4", how], nan);
    refuses(1, &["a_trials.npy", "a lh V1", "voxel 7"], |arrays| {
        for trial in arrays.trials.get_mut("a").unwrap() {
            trial.2[7] = 0.0;
        }
    });
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    nan(&mut arrays);
    let config = arrays.write();
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("allow_nan_voxels = true\n{text}")).unwrap();
    succeed(&arguments(&config, &root.path().join("run")));
}

#[test]
fn fewer_stimuli_than_folds() {
    let few = |arrays: &mut Arrays| arrays.settings = "outer_folds = 40\n".to_owned();
    refuses(1, &["36 stimuli", "40 outer folds"], few);
    let few = |arrays: &mut Arrays| arrays.settings = "inner_folds = 9\n".to_owned();
    refuses(1, &["stimuli", "9 inner folds"], few);
}

#[test]
fn keys_that_nobody_knows_and_settings_without_sense() {
    refuses_text(2, &["align.toml:2", "sessoins"], |text| {
        text.replacen("subject", "sessoins", 1)
    });
    refuses(2, &["partitions is 0"], |arrays| {
        arrays.settings = "partitions = 0\n".to_owned();
    });
}

#[test]
fn responses_of_no_kind_or_of_both() {
    let parts = ["align.toml", "[[targets]]", "[nsd]"];
    refuses_text(2, &parts, |_| "[settings]\nnull = 0\n".to_owned());
    refuses_text(2, &parts, |text| format!("{text}[nsd]\nfolder = \"nsd\"\n"));
    refuses_text(2, &["`stimuli`", "`repeats`"], |_| {
        "stimuli = \"kept.npy\"\n[nsd]\nfolder = \"nsd\"\n".to_owned()
    });
}

#[test]
fn one_name_for_two() {
    refuses(2, &["two sources", "model"], |arrays| {
        arrays.sources = arrays.sources.repeat(2);
    });
    refuses_text(2, &["a lh V1", "twice"], |text| {
        text.replace("subject = \"b\"", "subject = \"a\"")
    });
}

#[test]
fn sources_without_a_row_or_a_number() {
    let parts = ["late.npy", "stimulus 45"];
    refuses(1, &parts, |arrays| {
        let ids: Vec<u64> = (10..45).collect();
        arrays.layer("late", 5, &ids);
    });
    refuses(1, &["late.npy", "35 rows", "36"], |arrays| {
        let ids: Vec<u64> = (10..45).collect();
        arrays.layer("late", 5, &ids);
        std::fs::remove_file(arrays.folder.join("late/ids.json")).unwrap();
    });
    refuses(1, &["late.npy", "row"], |arrays| {
        let mut values = vec![0.5; 36 * 5];
        values[7] = f32::NAN;
        let path = arrays.folder.join("late/late.npy");
        neurogauge::formats::npy::write_f32(&path, &[36, 5], &values).unwrap();
    });
    refuses(1, &["nowhere.npy"], |arrays| {
        arrays.sources = arrays.sources.replace("late/late.npy", "nowhere.npy");
    });
}

#[test]
fn arrays_that_do_not_fit_together() {
    let root = folder();
    let config = Arrays::new(root.path()).write();
    let path = root.path().join("a_sessions.npy");
    neurogauge::formats::npy::write_f64(&path, &[71], &[0.0; 71]).unwrap();
    refuses_file(&config, 1, &["a lh V1", "71 session numbers", "72 trials"]);
}

#[test]
fn a_plan_of_another_study() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    let run = root.path().join("first");
    succeed(&arguments(&arrays.write(), &run));
    let plan: serde_json::Value =
        serde_json::from_slice(&std::fs::read(run.join("plan.json")).unwrap()).unwrap();
    let refuses_plan = |config: &Path, plan: &serde_json::Value, parts: &[&str]| {
        std::fs::write(root.path().join("plan.json"), plan.to_string()).unwrap();
        let text = std::fs::read_to_string(config).unwrap();
        if !text.starts_with("plan") {
            std::fs::write(config, format!("plan = \"plan.json\"\n{text}")).unwrap();
        }
        refuses_file(config, 1, &[&["plan.json"], parts].concat());
    };
    let config = arrays.write();
    let mut changed = plan.clone();
    changed["null_orders"][1][0].as_array_mut().unwrap().pop();
    refuses_plan(&config, &changed, &["fold 1", "draw 0"]);
    let mut changed = plan.clone();
    changed["partitions"]
        .as_object_mut()
        .unwrap()
        .remove("b lh V1");
    refuses_plan(&config, &changed, &["b lh V1"]);
    let mut changed = plan.clone();
    changed["folds"]["folds"][0]["training"]["stimuli"][0] = 400.into();
    refuses_plan(&config, &changed, &["outer fold 0"]);
    for trials in arrays.trials.values_mut() {
        trials.retain(|trial| trial.0 != 45);
    }
    refuses_plan(&arrays.write(), &plan, &["36 stimuli", "35"]);
}

#[test]
fn a_finished_run_is_not_left_beside_a_failed_one() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    let run = root.path().join("run");
    succeed(&arguments(&arrays.write(), &run));
    assert!(run.join("align.json").exists());
    arrays.trials.get_mut("a").unwrap().remove(0);
    refuses_file(&arrays.write(), 1, &["a lh V1"]);
}
