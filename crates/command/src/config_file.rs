//! Options of `neurogauge score` from a TOML file, for options that rarely change.

use crate::args::{PromptArg, ServerArg, SideInput};
use crate::from_json::{Options, below_command_line, check, is_on, is_typed, name_of};
use crate::score_command::ScoreArgs;
use clap::{Arg, ArgMatches};
use neurogauge::core::LabelList;
use neurogauge::models::registry::did_you_mean;
use neurogauge::{Error, Input, Setting, TomlEntry, conventions, find_convention, toml_entries, toml_settings};
use serde_json::{Map, Value};
use std::any::TypeId;
use std::path::{Path, PathBuf};

/// The table of conventions.
const SET: &str = "set";

/// The arguments, completed by the options of the `--config` file, if any. Options on the command line override the
/// file.
///
/// # Errors
/// [`Error::Usage`] with the line of an option that does not exist, has an invalid value, occurs twice, or conflicts
/// with another.
pub(crate) fn with_file(args: ScoreArgs, matches: &ArgMatches) -> Result<ScoreArgs, Error> {
    let Some(path) = &args.config else {
        return Ok(args);
    };
    let known = Options::of::<ScoreArgs>();
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut settings = Vec::new();
    let mut options = Map::new();
    let mut lines = Vec::new();
    for TomlEntry { name, line, value } in toml_entries(path)? {
        let refused = |reason: String| Err(Error::Usage(format!("{}:{line}: {reason}", path.display())));
        let key = name.replace('-', "_");
        if let Some(convention) = find_convention(&key).filter(|_| known.find(&key).is_none()) {
            return refused(format!("{name} is a convention; write `{} = {value}` under [set]", convention.id));
        }
        let Some(arg) = known.find(&key).filter(|arg| arg.get_id() != "config") else {
            let ids = conventions().map(|convention| convention.id.to_owned());
            let inputs = Input::all().map(|input| input.to_string());
            let names = known.all().map(name_of).filter(|name| name != "config").chain(inputs).chain(ids);
            let names: Vec<String> = names.collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            return refused(format!(
                "`neurogauge score` has no option {name:?}{}; its --help all lists them",
                did_you_mean(&key, &names)
            ));
        };
        if options.contains_key(&key) {
            return refused(format!("{name} is given twice"));
        }
        if key == SET {
            settings = settings_of(path, folder)?;
        } else if let Err(reason) = check::<ScoreArgs>(&key, &value) {
            return refused(format!("{name} is {value}; {}", fault(arg, &reason)));
        }
        options.insert(key.clone(), value);
        lines.push((key, line));
    }
    // An option on the command line replaces only the same option of the file, and a convention the same convention.
    let is_kept = |name: &str| name == SET || Input::named(name).is_some();
    options.retain(|name, _| {
        is_kept(name) || known.find(name).is_none_or(|arg| !is_typed(matches, arg.get_id().as_str()))
    });
    let typed = |name: &str| {
        let arg = known.find(name);
        arg.is_some_and(|arg| is_typed(matches, arg.get_id().as_str()))
    };
    let is_given = |name: &str| options.get(name).is_some_and(is_on) || typed(name);
    for arg in known.all().filter(|arg| is_given(&name_of(arg))) {
        let Some(other) = known.excluded(arg, is_given) else {
            continue;
        };
        // If both were typed, clap has already refused the command line.
        let name = name_of(arg);
        let of_file = |(of, _): &&(String, usize)| *of == name || *of == other;
        if let Some((_, line)) = lines.iter().find(of_file) {
            return Err(Error::Usage(format!("{}:{line}: {name} and {other} exclude each other", path.display())));
        }
    }
    for (name, value) in &mut options {
        if let Some(arg) = known.find(name) {
            relative_to(folder, arg, value);
        }
    }
    options.remove(SET);
    let mut completed: ScoreArgs = below_command_line(options, matches)?;
    settings.retain(|setting| !completed.set.is_set(setting.id));
    completed.set.set.extend(settings);
    Ok(completed)
}

/// The conventions of a file.
fn settings_of(path: &Path, folder: &Path) -> Result<Vec<Setting>, Error> {
    let entries = toml_settings(path)?.into_iter();
    let mut known = Vec::new();
    let read = entries.map(|TomlEntry { name, line, value }| {
        let refused = |reason: String| Err(Error::Usage(format!("{}:{line}: {reason}", path.display())));
        let setting = match Setting::in_folder(folder, &name, &value) {
            Ok(setting) => setting,
            Err(reason) => return refused(reason),
        };
        if known.contains(&setting.id) {
            return refused(format!("{name} is given twice"));
        }
        known.push(setting.id);
        Ok(setting)
    });
    read.collect()
}

/// Makes the paths among the values of an option relative to a folder.
fn relative_to(folder: &Path, arg: &Arg, value: &mut Value) {
    let kind = arg.get_value_parser().type_id();
    let paths = [TypeId::of::<PathBuf>(), TypeId::of::<(String, PathBuf)>(), TypeId::of::<SideInput>()];
    match value {
        Value::String(path) => {
            let is_list = arg.get_id() == "labels" && LabelList::builtin(path).is_none();
            if kind == TypeId::of::<PromptArg>() {
                *path = PromptArg::relative_to(folder, path);
            } else if is_list || paths.iter().any(|path| kind == *path) {
                *path = folder.join(&*path).display().to_string();
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| relative_to(folder, arg, value)),
        // The prompts of a server may be files.
        Value::Object(values) if kind == TypeId::of::<ServerArg>() => {
            for prompt in values.get_mut("prompt").into_iter().flat_map(each_of) {
                *prompt = PromptArg::relative_to(folder, prompt);
            }
        }
        Value::Object(values) => values.values_mut().for_each(|value| relative_to(folder, arg, value)),
        _ => {}
    }
}

/// The texts of a value that is a single text or a list.
fn each_of(value: &mut Value) -> Vec<&mut String> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(values) => values.iter_mut().flat_map(each_of).collect(),
        _ => Vec::new(),
    }
}

/// The values that an option accepts, in words; `reason` says why it refused the given value.
fn fault(arg: &Arg, reason: &str) -> String {
    let words = arg.get_possible_values();
    if !arg.get_action().takes_values() {
        return "expected true or false".to_owned();
    }
    if !words.is_empty() {
        let words: Vec<String> = words.iter().map(|word| format!("{:?}", word.get_name())).collect();
        return format!("expected {}", words.join(" or "));
    }
    let Some((_, expected)) = reason.split_once("expected ") else {
        return reason.to_owned();
    };
    let expected = match expected {
        "path string" | "a text" => "words in quotes",
        "an object" => "a table of names and files, such as { resnet50 = \"robust.pth\" }",
        other => other,
    };
    format!("expected {expected}")
}
