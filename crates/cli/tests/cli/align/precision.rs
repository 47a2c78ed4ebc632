//! Features and responses keep the precision of their files: the results equal those of the reference in NumPy, which
//! computes in double precision (`reference/golden/recovery/study.json`).

use crate::support::alignments::units;
use crate::support::*;

fn of<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

/// The matrix of a recipe of the goldens (reference/recovery/inputs.py), in rows.
fn matrix(recipe: &Value) -> (usize, Vec<f64>) {
    let (name, gains) = (recipe["name"].text(), of::<Vec<f64>>(&recipe["gains"]));
    let n_columns: usize = of(&recipe["n_columns"]);
    let values = |kind: &str| Synthetic::new(kind, of(&recipe["seed"]));
    let (latent, mixing) = (values("latent"), values(&format!("mixing/{name}")));
    let (noise, gain) = (values(&format!("noise/{name}")), of::<f64>(&recipe["noise_gain"]));
    let at = |values: &Synthetic, place: usize| f64::from(values.uniform(place as u64)) - 0.5;
    let n: usize = of(&recipe["n_stimuli"]);
    let stimuli: Vec<usize> = recipe.get("stimuli").map_or((0..n).collect(), of);
    let sessions: Vec<f64> = recipe.get("sessions").map_or(vec![0.0; n], of);
    let constant: Vec<(usize, f64)> = recipe.get("constant").map_or(Vec::new(), of);
    let mut matrix = Vec::new();
    for (row, (&stimulus, session)) in stimuli.iter().zip(sessions).enumerate() {
        for column in 0..n_columns {
            let latents = gains.iter().enumerate();
            let signal: f64 = latents
                .map(|(l, gain)| gain * at(&latent, stimulus * gains.len() + l) * at(&mixing, l * n_columns + column))
                .sum();
            let value = signal + gain * at(&noise, row * n_columns + column);
            let fixed = constant.iter().find(|(fixed, _)| *fixed == column);
            matrix.push(fixed.map_or(value * (1.0 + session) + session, |(_, value)| *value));
        }
    }
    (n_columns, matrix)
}

/// The inner fold of each position.
fn labels(folds: &Value) -> Vec<f64> {
    let folds: Vec<Vec<usize>> = of(folds);
    let mut labels = vec![0.0; folds.iter().map(Vec::len).sum()];
    for (label, fold) in folds.iter().enumerate() {
        fold.iter().for_each(|&place| labels[place] = label as f64);
    }
    labels
}

/// Writes the study with `offset` added to all features, aligns it, and returns the only unit's result.
fn align(golden: &Value, offset: f64) -> Value {
    let dir = folder();
    let inputs = &golden["inputs"];
    let write = |name: &str, shape: &[usize], values: &[f64]| {
        let shape: Vec<u64> = shape.iter().map(|&n| n as u64).collect();
        write_f64(&dir.join(name), &shape, values).unwrap();
    };
    let (n_voxels, trials) = matrix(&inputs["target"]);
    let n_trials = trials.len() / n_voxels;
    write("trials.npy", &[n_trials, n_voxels], &trials);
    for name in ["stimuli", "sessions"] {
        let numbers: Vec<f64> = of(&inputs["target"][name]);
        write(&format!("{name}.npy"), &[n_trials], &numbers);
    }
    let (n_features, features) = matrix(&inputs["sources"]["model"]);
    for (block, range) in of::<Vec<[usize; 2]>>(&inputs["blocks"]["model"]).iter().enumerate() {
        let rows = features.chunks(n_features);
        let values: Vec<f64> = rows.flat_map(|row| &row[range[0]..range[1]]).map(|value| value + offset).collect();
        write(&format!("block_{block}.npy"), &[75, range[1] - range[0]], &values);
    }
    write("outer.npy", &[75], &labels(&inputs["chunks"]));
    for (name, key, n) in [("inner", "inner_folds", 45), ("reference", "reference_inner_folds", 15)] {
        let folds: Vec<f64> = inputs[key].list().iter().flat_map(labels).collect();
        write(&format!("{name}.npy"), &[5, n], &folds);
    }
    let drawn: Vec<Vec<Vec<f64>>> = of(&inputs["null_permutations"]);
    let orders: Vec<f64> = (0..5).flat_map(|fold| drawn.iter().flat_map(move |draw| draw[fold].clone())).collect();
    write("orders.npy", &[5, drawn.len(), 45], &orders);
    let splits: Vec<Vec<f64>> = of(&inputs["labels"]);
    write("splits.npy", &[splits.len(), n_trials], &splits.concat());
    let toml = "[[targets]]\nsubject = \"s\"\nhemisphere = \"lh\"\nroi = \"V1\"\ntrials = \"trials.npy\"\n\
                stimuli = \"stimuli.npy\"\nsessions = \"sessions.npy\"\n\
                [[sources]]\nname = \"model\"\nfeatures = [\"block_0.npy\", \"block_1.npy\"]\n\
                [given]\nouter_folds = \"outer.npy\"\ninner_folds = \"inner.npy\"\n\
                reference_inner_folds = \"reference.npy\"\nnull_orders = \"orders.npy\"\n\
                trial_splits = { \"s lh V1\" = \"splits.npy\" }\n\
                [settings]\nprefixes = 24\ncontrols = []\nresamples = 10\n";
    dir.write("align.toml", toml);
    dir.succeed("align --config align.toml --out run --no-figures");
    units(&dir, "run").into_values().next().unwrap()
}

#[track_caller]
fn near(what: &str, found: &Value, expected: &Value, tolerance: f64) {
    match (found, expected) {
        (Value::Array(found), Value::Array(expected)) => {
            assert_eq!(found.len(), expected.len(), "{what}");
            for (found, expected) in found.iter().zip(expected) {
                near(what, found, expected, tolerance);
            }
        }
        _ => {
            let (found, expected) = (found.number(), expected.number());
            assert!((found - expected).abs() < tolerance, "{what}: {found}, not {expected}");
        }
    }
}

fn check(golden: &Value, unit: &Value, tolerance: f64) {
    let source = &unit["sources"][0];
    let folds = golden["source_model"]["folds"].list();
    for (fit, expected) in source["fits"].list().iter().zip(folds) {
        assert_eq!(fit["selection"]["rank"], expected["selection"]["k"]);
        let profile = &fit["profile"]["value"];
        for (what, found, key) in [
            ("accuracy", &fit["accuracy"], "accuracy"),
            ("TopKCov", &profile["top_k"], "top_k_cov"),
            ("FullRefCov", &profile["full"], "full_ref_cov"),
            ("BlockUse", &fit["block_use"], "block_use"),
            ("effective rank", &fit["effective_rank"], "effective_rank"),
        ] {
            near(what, found, &expected[key], tolerance);
        }
    }
    // The null with rank and regularisation selected in each draw.
    let nulls: Vec<Vec<Vec<f64>>> = of(&Value::from_iter(source["fits"].list().iter().map(|fit| fit["null"].clone())));
    for (k, expected) in golden["null_select_model"]["curve"].list().iter().enumerate() {
        let mean = nulls.iter().flatten().map(|draw| draw[k]).sum::<f64>() / (nulls.len() * nulls[0].len()) as f64;
        near("null", &mean.into(), &expected["mean"], tolerance);
    }
}

#[test]
fn double_precision_goes_through_and_an_offset_changes_nothing() {
    let golden = golden("recovery/study");
    check(&golden, &align(&golden, 0.0), 1e-11);
    // The precision that doubles keep for features with an offset of 1e5.
    check(&golden, &align(&golden, 1e5), 1e-10);
}
