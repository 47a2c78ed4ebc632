//! What `neurogauge align` refuses, and that unfinished results never look finished, nor finished ones unfinished.

use crate::support::alignments::{ALIGN, Arrays, refused};
use crate::support::*;

/// The messages for arrays that were changed in these ways, one at a time.
#[track_caller]
fn refusals(changes: &[&dyn Fn(&mut Arrays)]) -> String {
    let refused = |change: &&dyn Fn(&mut Arrays)| {
        let mut arrays = Arrays::new();
        change(&mut arrays);
        arrays.refused()
    };
    changes.iter().map(refused).collect()
}

fn without_stimulus(arrays: &mut Arrays, subject: &str, stimulus: u64) {
    arrays.trials.get_mut(subject).unwrap().retain(|trial| trial.0 != stimulus);
}

fn set_voxel(arrays: &mut Arrays, subject: &str, voxel: usize, value: f64) {
    for trial in arrays.trials.get_mut(subject).unwrap() {
        trial.2[voxel] = value;
    }
}

#[test]
fn a_voxel_without_a_response_may_be_allowed() {
    let mut arrays = Arrays::new();
    set_voxel(&mut arrays, "b", 4, f64::NAN);
    arrays.write();
    arrays.dir.prepend("align.toml", "allow_nan_voxels = true\n");
    arrays.dir.succeed(ALIGN);
}

/// Settings out of range and sources with the same name: `own_features` tests them, with the dry run that also refuses
/// them.
#[test]
fn configurations_that_make_no_sense() {
    let refusals = [
        |text: &str| text.replacen("subject", "sessoins", 1),
        |text: &str| text.replace("subject = \"b\"", "subject = \"a\""),
        |_: &str| "[settings]\nnull = 0\n".to_owned(),
        |text: &str| format!("{text}[nsd]\nfolder = \"nsd\"\n"),
        |_: &str| "stimuli = \"kept.npy\"\n[nsd]\nfolder = \"nsd\"\n".to_owned(),
    ]
    .map(|change| {
        let dir = Arrays::written();
        dir.write("align.toml", change(&dir.read("align.toml")));
        refused(&dir)
    });
    assert_snapshot!(refusals.concat(), @r#"
    exit 2, stderr: error: align.toml:2: unknown key `sessoins` (did you mean "sessions"?)
    exit 2, stderr: error: a lh V1 is a target twice; give each subject, hemisphere and region once
    exit 2, stderr: error: align.toml: expected the responses either as [[targets]] or as [nsd], and not both
    exit 2, stderr: error: align.toml: expected the responses either as [[targets]] or as [nsd], and not both
    exit 2, stderr: error: align.toml: `stimuli` and `repeats` at the top select among the stimuli of [[targets]]; with [nsd], its own `repeats` selects
    "#);
}

#[test]
fn arrays_that_do_not_fit_together() {
    let one_less = |arrays: &mut Arrays| arrays.layer("late", 5, &(10..45).collect::<Vec<_>>());
    assert_snapshot!(refusals(&[
        // Stimuli shown once or to one subject only, and voxels without a response.
        &|arrays| drop(arrays.trials.get_mut("a").unwrap().remove(0)),
        &|arrays| without_stimulus(arrays, "b", 10),
        &|arrays| without_stimulus(arrays, "a", 10),
        &|arrays| set_voxel(arrays, "b", 4, f64::NAN),
        &|arrays| set_voxel(arrays, "a", 7, 0.0),
        &one_less,
        &|arrays| {
            one_less(arrays);
            arrays.dir.remove("late/ids.json");
        },
        &|arrays| {
            let mut values = vec![0.5; 36 * 5];
            values[7] = f32::NAN;
            write_f32(&arrays.dir.join("late/late.npy"), &[36, 5], &values).unwrap();
        },
        &|arrays| arrays.sources = arrays.sources.replace("late/late.npy", "nowhere.npy"),
    ]), @"
    exit 1, stderr: error: a_stimuli.npy: stimulus 10: a lh V1: 1 repeat of it; a reference needs at least two of each stimulus, so leave it out for all subjects
    exit 1, stderr: error: b_stimuli.npy: stimulus 10: b lh V1 has no trial of it; name the stimuli that all have in a file as `stimuli`, or set `repeats`
    exit 1, stderr: error: b_stimuli.npy: stimulus 10: b lh V1 has it and the targets before do not; name the stimuli that all have in a file as `stimuli`, or set `repeats`
    exit 1, stderr: error: b_trials.npy: voxel 4: b lh V1: it has no response in any trial; leave it out of the region, or write `allow_nan_voxels = true` at the top of the configuration, before its first [table], with which such voxels count as constant
    exit 1, stderr: error: a_trials.npy: voxel 7: a lh V1: it has no response in any trial; leave it out of the region, or write `allow_nan_voxels = true` at the top of the configuration, before its first [table], with which such voxels count as constant
    exit 1, stderr: error: late/late.npy: stimulus 45: no row has its number or name as id; the ids are 10, 11, 12 and 32 more. If the stimuli have other names, list these as the target's `stimuli`
    exit 1, stderr: error: late/late.npy: holds 35 rows and no ids.json; expected 36, one for each stimulus
    exit 1, stderr: error: late/late.npy: row 1, column 2 is NaN; expected a finite number
    exit 1, stderr: error: nowhere.npy: not found; expected a file, since the configuration names it
    ");
    let dir = Arrays::written();
    write_f64(&dir.join("a_sessions.npy"), &[71], &[0.0; 71]).unwrap();
    assert_snapshot!(refused(&dir), @"exit 1, stderr: error: a_sessions.npy: a lh V1: a list of 71; expected 72, one for each trial");
}

#[test]
fn a_plan_of_another_study() {
    let mut arrays = Arrays::new();
    arrays.align("first", "");
    let plan = arrays.dir.json("first/plan.json");
    let with = |plan: &Value, arrays: &Arrays| {
        arrays.write();
        arrays.dir.write("plan.json", plan.to_string());
        arrays.dir.prepend("align.toml", "plan = \"plan.json\"\n");
        refused(&arrays.dir)
    };
    let changes: [&dyn Fn(&mut Value); 3] = [
        &|plan| drop(plan["null_orders"][1][0].as_array_mut().unwrap().pop()),
        &|plan| drop(plan["partitions"].as_object_mut().unwrap().remove("b lh V1")),
        &|plan| plan["folds"]["folds"][0]["training"]["stimuli"][0] = 400.into(),
    ];
    let mut said = String::new();
    for change in changes {
        let mut changed = plan.clone();
        change(&mut changed);
        said += &with(&changed, &arrays);
    }
    for subject in ["a", "b"] {
        without_stimulus(&mut arrays, subject, 45);
    }
    assert_snapshot!(said + &with(&plan, &arrays), @"
    exit 1, stderr: error: plan.json: null_orders, fold 1, draw 0: has 11 positions; expected each of the 12 training stimuli's once
    exit 1, stderr: error: plan.json: partitions of b lh V1: the plan has no partitions of b lh V1
    exit 1, stderr: error: plan.json: outer fold 0: its training, reserved and test stimuli do not follow from the test stimuli of all folds: the next fold's are reserved, the others train, all ascending
    exit 1, stderr: error: plan.json: folds: is over 36 stimuli and this study has 35; use the plan of a run over the same stimuli
    ");
}

#[test]
fn a_finished_run_stays_if_the_one_that_would_replace_it_cannot_be_done() {
    let mut arrays = Arrays::new();
    arrays.align("run", "");
    let kept = |arrays: &Arrays| ["align.json", "plan.json"].map(|name| arrays.dir.read(format!("run/{name}")));
    let finished = kept(&arrays);
    arrays.trials.get_mut("a").unwrap().remove(0);
    arrays.write();
    for line in [ALIGN.to_owned(), format!("cluster plan {ALIGN}")] {
        arrays.dir.run(&line).exits(1).says(&["stimulus 10: a lh V1: 1 repeat of it"]);
        assert!(kept(&arrays) == finished, "{line}");
    }
}
