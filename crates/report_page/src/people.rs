//! The ratings behind results of `meta`, by system and pair.

use crate::document::Human;
use crate::inputs::{Inputs, System};
use neurogauge::Error;
use neurogauge::core::Finding;
use neurogauge::formats::json;
use neurogauge::formats::ratings::{self, RatingColumns};
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The mean rating of each pair, for the systems whose runs the results compared with people.
pub(crate) fn human(inputs: &Inputs, folders: &[PathBuf], findings: &mut Vec<Finding>) -> Result<Option<Human>, Error> {
    let mut values: Vec<Option<Vec<Option<f64>>>> = inputs.systems.iter().map(|_| None).collect();
    for folder in folders {
        let path = folder.join("meta.json");
        let record: Value = json::read(&path)?;
        let metrics = record["request"]["metrics"].as_array();
        let named: Vec<&str> = (metrics.into_iter().flatten()).filter_map(Value::as_str).collect();
        let about = systems_of(inputs, &named);
        let mut warn = |message: String| {
            let subject = folder.display().to_string();
            findings.push(Finding::warning("ratings_not_shown", subject, message));
        };
        let &[system] = about.as_slice() else {
            warn(format!(
                "its ratings are not shown with the pairs: they are about {} of these runs, and one was expected",
                about.len()
            ));
            continue;
        };
        match means(&record["request"]) {
            Ok(means) => {
                values[system] = Some(inputs.stems.iter().map(|stem| means.get(stem).copied()).collect());
            }
            Err(error) => warn(format!("its ratings are not shown with the pairs: {error}")),
        }
    }
    if values.iter().all(Option::is_none) {
        return Ok(None);
    }
    let none = || vec![None; inputs.stems.len()];
    Ok(Some(Human {
        label: "People's mean rating".to_owned(),
        values: values.into_iter().map(|of| of.unwrap_or_else(none)).collect(),
    }))
}

/// The systems whose runs, or files of scores in them, are among these paths.
pub(crate) fn systems_of(inputs: &Inputs, paths: &[impl AsRef<Path>]) -> Vec<usize> {
    let is_about = |system: &System| paths.iter().any(|path| is_run(path.as_ref(), system));
    (0..inputs.systems.len()).filter(|&place| is_about(&inputs.systems[place])).collect()
}

/// Is this the folder of the system's run, or a file of scores in it?
fn is_run(path: &Path, system: &System) -> bool {
    let absolute = |path: &Path| path.canonicalize().ok();
    let (Some(path), Some(root)) = (absolute(path), absolute(system.run.folder.root())) else {
        return false;
    };
    path.starts_with(root)
}

/// Mean rating of each item, read as in the request of `meta`.
fn means(request: &Value) -> Result<HashMap<String, f64>, Error> {
    let text = |name: &str| request[name].as_str().map(str::to_owned);
    let texts = |name: &str| -> Vec<String> {
        let list = request[name].as_array().into_iter().flatten();
        list.filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let columns = RatingColumns {
        item: text("item_column"),
        rater: text("rater_column"),
        value: text("value_column"),
        raters: texts("rater_columns"),
        groups: texts("group_columns"),
        missing: request["missing"].is_array().then(|| texts("missing")),
        items: text("items").map(PathBuf::from),
        words: texts("scale"),
        keep_emails: false,
    };
    let end = |place: usize| request["scale"][place].as_f64();
    let path = text("human").unwrap_or_default();
    let table = ratings::read(Path::new(&path), &columns, end(0).zip(end(1)))?;
    let n_raters = table.raters.len().max(1);
    let means = table.items.into_iter().zip(table.values.chunks(n_raters)).filter_map(|(item, values)| {
        let given: Vec<f64> = values.iter().flatten().copied().collect();
        let mean = given.iter().sum::<f64>() / given.len() as f64;
        (!given.is_empty()).then_some((item, mean))
    });
    Ok(means.collect())
}
