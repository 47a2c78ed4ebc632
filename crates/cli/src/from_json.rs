//! Arguments of a command as JSON: the names of its options, with `_` for `-`, and their values.

use clap::{Arg, Args};
use neurogauge::Error;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Reads the arguments of a command. What is not given, or null, has its default.
///
/// # Errors
/// [`Error::Usage`] for an option that does not exist, a value that makes no sense, or options that exclude each other.
pub(crate) fn read<A: Args + DeserializeOwned>(json: &str) -> Result<A, Error> {
    let refused = |reason: String| Error::Usage(reason);
    let mut options: Map<String, Value> =
        serde_json::from_str(json).map_err(|error| refused(error.to_string()))?;
    options.retain(|_, value| !value.is_null());
    let known = A::augment_args(clap::Command::new("options"));
    for (name, value) in &options {
        let find = |name: &str| known.get_arguments().find(|arg| name_of(arg) == *name);
        let arg = find(name).ok_or_else(|| refused(format!("no option is called {name}")))?;
        let is_given = |name: &str| {
            options
                .get(name)
                .is_some_and(|value| *value != Value::Bool(false))
        };
        let excluded = known.get_arg_conflicts_with(arg).into_iter();
        let excluded = excluded.map(name_of).find(|other| is_given(other));
        if let Some(other) = excluded.filter(|_| is_given(name)) {
            return Err(refused(format!("{name} and {other} exclude each other")));
        }
        // One at a time, so that a message can name it.
        let alone = Map::from_iter([(name.clone(), value.clone())]);
        if let Err(error) = serde_json::from_value::<A>(alone.into()) {
            return Err(refused(format!("{name} is {value}: {error}")));
        }
    }
    serde_json::from_value(options.into()).map_err(|error| refused(error.to_string()))
}

/// The name of an option in JSON.
fn name_of(arg: &Arg) -> String {
    arg.get_id().as_str().replace('-', "_")
}

/// Name, values and nature of each option, as JSON.
pub(crate) fn options<A: Args>() -> String {
    let known = A::augment_args(clap::Command::new("options"));
    let options = known.get_arguments().map(|arg| {
        let values = arg.get_possible_values();
        json!({
            "name": name_of(arg),
            "values": values.iter().map(|value| value.get_name()).collect::<Vec<_>>(),
            "is_flag": !arg.get_action().takes_values(),
        })
    });
    Value::from_iter(options).to_string()
}

/// Several values, or one, or the words of the command line with commas between them.
pub(crate) fn list<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    let values = match Value::deserialize(deserializer)? {
        Value::Array(values) => values,
        Value::String(text) => text.split(',').map(Value::from).collect(),
        one => vec![one],
    };
    let values = values.into_iter().map(serde_json::from_value);
    values.collect::<Result<_, _>>().map_err(D::Error::custom)
}

/// One path or several.
pub(crate) fn paths<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(path) => Ok(vec![path.into()]),
        several => serde_json::from_value(several).map_err(D::Error::custom),
    }
}

/// Files by name.
pub(crate) fn named_paths<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, PathBuf)>, D::Error> {
    BTreeMap::deserialize(deserializer).map(|map| map.into_iter().collect())
}
