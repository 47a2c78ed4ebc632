//! Arguments of a command as JSON: the names of its options, with `_` for `-`, and their values. The Python package
//! sends them in this form, and TOML files (`config_file`) contain them in it.

use clap::{Arg, ArgMatches, Args, Command};
use neurogauge::formats::parser_words::of_json;
use neurogauge::{Error, Input};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Reads the arguments of a command. Missing and null options get their defaults.
///
/// # Errors
/// [`Error::Usage`] for an option that does not exist, an invalid value, or conflicting options.
pub(crate) fn read<A: Args + DeserializeOwned>(json: &str) -> Result<A, Error> {
    let refused = |reason: String| Error::Usage(reason);
    let mut options: Map<String, Value> = serde_json::from_str(json).map_err(|error| refused(of_json(&error)))?;
    options.retain(|_, value| !value.is_null());
    let known = Options::of::<A>();
    let is_given = |name: &str| options.get(name).is_some_and(is_on);
    for (name, value) in &options {
        let arg = known.find(name).ok_or_else(|| refused(unknown(name)))?;
        if let Some(other) = known.excluded(arg, is_given).filter(|_| is_on(value)) {
            return Err(refused(format!("{name} and {other} exclude each other")));
        }
        check::<A>(name, value).map_err(|reason| refused(format!("{name} is {value}: {reason}")))?;
    }
    serde_json::from_value(options.into()).map_err(|error| refused(of_json(&error)))
}

/// An option that does not exist, which may be a convention.
fn unknown(name: &str) -> String {
    match neurogauge::find_convention(name) {
        Some(convention) => {
            format!("no option is called {name}; it is a convention: set={{\"{}\": ...}}", convention.id)
        }
        None => format!("no option is called {name}"),
    }
}

/// Checks the value of a single option, so that a message can name the option; the error is a reason in plain words.
pub(crate) fn check<A: DeserializeOwned>(name: &str, value: &Value) -> Result<(), String> {
    let alone = Map::from_iter([(name.to_owned(), value.clone())]);
    serde_json::from_value::<A>(alone.into()).map(|_| ()).map_err(|error| of_json(&error))
}

/// The arguments of a command: those on the command line, completed by these options, which were [`check`]ed.
///
/// # Errors
/// [`Error::Usage`] for invalid values.
pub(crate) fn below_command_line<A: Args + DeserializeOwned>(
    options: Map<String, Value>,
    matches: &ArgMatches,
) -> Result<A, Error> {
    let mut arguments: A = serde_json::from_value(options.into()).map_err(|error| Error::Usage(of_json(&error)))?;
    let mut typed = matches.clone();
    for arg in A::augment_args(Command::new("options")).get_arguments() {
        let name = arg.get_id().as_str();
        if !is_typed(matches, name) {
            // The command knows all of these arguments, so this cannot fail.
            let _ = typed.try_clear_id(name);
        }
    }
    arguments.update_from_arg_matches_mut(&mut typed).map_err(|error| Error::Usage(error.to_string()))?;
    Ok(arguments)
}

/// Is this argument on the command line?
pub(crate) fn is_typed(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id) == Some(clap::parser::ValueSource::CommandLine)
}

/// A flag that is false counts as not given.
pub(crate) fn is_on(value: &Value) -> bool {
    *value != Value::Bool(false)
}

pub(crate) struct Options(Command);

impl Options {
    pub(crate) fn of<A: Args>() -> Self {
        Options(A::augment_args(Command::new("options")))
    }

    /// The arguments of the options, without unnamed positional arguments.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Arg> {
        self.0.get_arguments().filter(|arg| !arg.is_positional())
    }

    /// The argument for an option. The files of each kind have a name, such as gt_captions, and an argument for all kinds.
    pub(crate) fn find(&self, name: &str) -> Option<&Arg> {
        let name = match Input::named(name) {
            Some(Input::Of(side, _)) => side.folder(),
            _ => name,
        };
        self.all().find(|arg| name_of(arg) == name)
    }

    /// The first given option that conflicts with this one.
    pub(crate) fn excluded(&self, arg: &Arg, is_given: impl Fn(&str) -> bool) -> Option<String> {
        let others = self.0.get_arg_conflicts_with(arg).into_iter().filter(|other| !other.is_positional());
        others.map(name_of).find(|other| is_given(other))
    }
}

/// The name of an option in JSON.
pub(crate) fn name_of(arg: &Arg) -> String {
    arg.get_id().as_str().replace('-', "_")
}

/// Several values, a single one, or comma-separated words as on the command line.
pub(crate) fn list<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let values = match Value::deserialize(deserializer)? {
        Value::Array(values) => values,
        Value::String(text) => text.split(',').map(Value::from).collect(),
        one => vec![one],
    };
    values.into_iter().map(serde_json::from_value).collect::<Result<_, _>>().map_err(D::Error::custom)
}

/// One path or several.
pub(crate) fn paths<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(path) => Ok(vec![path.into()]),
        several => serde_json::from_value(several).map_err(D::Error::custom),
    }
}

/// Files, each with a name.
pub(crate) fn named_paths<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, PathBuf)>, D::Error> {
    BTreeMap::deserialize(deserializer).map(|map| map.into_iter().collect())
}
