//! Matrices and folds from the recipes of the goldens.

use super::{integer_lists, integers};
use crate::prelude::*;

pub(crate) fn unit() -> Unit {
    Unit::new("golden", "lh", "V1v")
}

/// The recipes' u("name", shape): uniform values minus a half, row-major.
fn centred(name: &str, recipe: &Value, n_columns: usize) -> impl Fn(usize, usize) -> f64 + use<> {
    let values = Synthetic::new(name, recipe["seed"].as_u64().unwrap());
    move |row, column| f64::from(values.uniform((row * n_columns + column) as u64)) - 0.5
}

pub(crate) fn rows(value: &Value) -> Matrix {
    let rows: Vec<Vec<f64>> = serde_json::from_value(value.clone()).unwrap();
    Matrix::from_rows(rows.len(), rows[0].len(), &rows.concat()).unwrap()
}

pub(crate) fn matrix(recipe: &Value) -> Matrix {
    if let Some(values) = recipe.get("values") {
        return rows(values);
    }
    let name = recipe["name"].as_str().unwrap();
    let n_columns = count(&recipe["n_columns"]);
    let gains = numbers(&recipe["gains"]);
    let latent = centred("latent", recipe, gains.len());
    let mixing = centred(&format!("mixing/{name}"), recipe, n_columns);
    let noise = centred(&format!("noise/{name}"), recipe, n_columns);
    let noise_gain = number(&recipe["noise_gain"]);
    let (stimuli, sessions) = match recipe.get("stimuli") {
        Some(stimuli) => (integers(stimuli), integers(&recipe["sessions"])),
        None => {
            let n = count(&recipe["n_stimuli"]);
            ((0..n).collect(), vec![0; n])
        }
    };
    let cells = |key: &str| recipe.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let (constant, nan) = (cells("constant"), cells("nan"));
    Matrix::from_fn(stimuli.len(), n_columns, |row, column| {
        if nan.iter().any(|cell| integers(cell) == [row, column]) {
            return f64::NAN;
        }
        if let Some(cell) = constant.iter().find(|cell| number(&cell[0]) == column as f64) {
            return number(&cell[1]);
        }
        let signal: f64 =
            gains.iter().enumerate().map(|(l, gain)| gain * latent(stimuli[row], l) * mixing(l, column)).sum();
        let session = sessions[row] as f64;
        (signal + noise_gain * noise(row, column)) * (1.0 + session) + session
    })
}

/// Trials, z-scored within their sessions.
pub(crate) fn trials(recipe: &Value) -> Trials {
    let sessions: Vec<u32> = integers(&recipe["sessions"]).iter().map(|&s| s as u32).collect();
    let z = standardise_within(&matrix(recipe), &sessions);
    let n_stimuli = count(&recipe["n_stimuli"]);
    Trials::new(&unit(), z, &integers(&recipe["stimuli"]), n_stimuli).unwrap()
}

/// A plan of one fold with a golden's training, reserved and test images.
pub(crate) fn single_fold(golden: &Value) -> FoldPlan {
    let test = integers(&golden["test"]);
    let halves = vec![(0..test.len() / 2).collect(), (test.len() / 2..test.len()).collect()];
    let fold = OuterFold {
        training: Pool::new(integers(&golden["training"]), integer_lists(&golden["inner_folds"])).unwrap(),
        reserved: integers(&golden["reserved"]),
        test: Pool::new(test, halves).unwrap(),
    };
    FoldPlan {
        n_stimuli: matrix(&golden["source_recipe"]).n_rows(),
        folds: vec![fold],
    }
}

pub(crate) fn labels(value: &Value) -> Vec<Vec<u8>> {
    serde_json::from_value(value.clone()).unwrap()
}
