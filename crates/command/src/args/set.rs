//! `--set ID=VALUE`: the conventions of the facade's table.

use super::*;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{Error, ErrorKind};
use clap::{Arg, Command};
use neurogauge::{Convention, ScoreRequest, Setting, conventions, find_convention};
use serde_json::Value;
use std::ffi::OsStr;

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct SetArgs {
    /// Decide a convention, such as pixel_size=256; it wins over a preset. `neurogauge list conventions` shows all. May be
    /// repeated
    #[arg(long, value_name = "ID=VALUE", value_parser = SettingParser::ALL, hide_possible_values = true)]
    #[serde(deserialize_with = "settings")]
    pub(crate) set: Vec<Setting>,
}

impl SetArgs {
    pub(crate) fn is_set(&self, id: &str) -> bool {
        self.set.iter().any(|setting| setting.id == id)
    }

    /// A request with these resamples and these conventions.
    pub(crate) fn request_with(&self, bootstrap: &BootstrapArgs) -> Result<ScoreRequest, neurogauge::Error> {
        let mut request = ScoreRequest {
            bootstrap: bootstrap.options(),
            ..ScoreRequest::default()
        };
        request.set(&self.set)?;
        Ok(request)
    }

    /// A request with this pairing and these conventions, for commands that read images and score nothing.
    pub(crate) fn request(&self, pairing: &PairingArgs) -> Result<ScoreRequest, neurogauge::Error> {
        let mut request = ScoreRequest {
            pairing: pairing.into(),
            ..ScoreRequest::default()
        };
        request.set(&self.set)?;
        Ok(request)
    }
}

/// What stored values mean where files leave it open.
pub(crate) const READING: &[&str] = &["values", "alpha"];

/// Also, which images and frames pair up.
pub(crate) const PAIRING: &[&str] = &["values", "alpha", "stack_order", "frames", "on_missing"];

/// Restricts `--set` to the conventions that a command depends on.
pub(crate) fn only(ids: &'static [&'static str]) -> impl FnMut(Arg) -> Arg {
    move |arg| {
        let example = ids.first().and_then(|id| find_convention(id));
        let value = |convention: &Convention| convention.words.first().unwrap_or(&convention.form).clone();
        let example = example.map(|convention| format!("{}={}", convention.id, value(convention)));
        let help = format!(
            "Decide a convention, such as {}: {}. May be repeated",
            example.unwrap_or_default(),
            ids.join(", ")
        );
        arg.value_parser(SettingParser(ids)).help(help)
    }
}

/// The conventions that a command takes.
pub(crate) fn settings_of(command: &Command) -> Vec<&'static Convention> {
    let set = command.get_arguments().find(|arg| arg.get_id() == "set");
    let known = set.map_or_else(Vec::new, Arg::get_possible_values);
    let is_taken = |id: &str| known.iter().any(|value| value.get_name().split('=').next() == Some(id));
    conventions().filter(|convention| is_taken(convention.id)).collect()
}

/// Reads `ID=VALUE`. If the list is not empty, these ids only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SettingParser(&'static [&'static str]);

impl SettingParser {
    pub(crate) const ALL: SettingParser = SettingParser(&[]);

    pub(crate) fn accepts(self, id: &str) -> bool {
        self.0.is_empty() || self.0.contains(&id)
    }

    fn read(self, text: &str) -> Result<Setting, String> {
        let (id, value) = text.split_once('=').ok_or("expected ID=VALUE, for example pixel_size=256")?;
        let setting = Setting::new(id.trim(), value)?;
        match self.accepts(setting.id) {
            true => Ok(setting),
            false => Err(format!("{} decides nothing here; this command takes {}", setting.id, self.0.join(", "))),
        }
    }
}

impl TypedValueParser for SettingParser {
    type Value = Setting;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Setting, Error> {
        let text = value.to_string_lossy();
        self.read(&text).map_err(|reason| {
            let option = arg.map(ToString::to_string).unwrap_or_default();
            let message = format!("invalid value '{text}' for '{option}': {reason}\n");
            Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
        })
    }

    /// For the completion of shells.
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let of = |convention: &'static Convention| {
            let id = convention.id;
            match convention.words.as_slice() {
                [] => vec![format!("{id}=")],
                words => words.iter().map(|word| format!("{id}={word}")).collect(),
            }
        };
        let known = conventions().filter(|convention| self.accepts(convention.id));
        Some(Box::new(known.flat_map(of).map(PossibleValue::new)))
    }
}

/// Settings in a table by id, with numbers, words, lists and switches as JSON and TOML have them.
fn settings<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<Setting>, D::Error> {
    let table = serde_json::Map::<String, Value>::deserialize(deserializer)?.into_iter();
    let given = table.filter(|(_, value)| !value.is_null());
    given.map(|(id, value)| Setting::of_json(&id, &value).map_err(serde::de::Error::custom)).collect()
}
