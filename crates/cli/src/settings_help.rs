//! Answers to options that are written otherwise now: `--pixel-size 256` is `--set pixel_size=256`, and `--gt-captions
//! FILE` is `--gt captions=FILE`.

use crate::args::{of_kind, settings_of};
use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use neurogauge::find_convention;
use std::ffi::OsString;

/// Options that had another name than the convention has.
const RENAMED: &[(&str, &str)] = &[("ties", "identification_ties"), ("copies", "identification_copies")];

/// If an unknown option is a convention that the command takes, or a file of a kind, the error says how to give it.
pub(crate) fn as_setting(top: &mut Command, error: Error, arguments: &[OsString]) -> Error {
    let Some(ContextValue::String(option)) =
        error.get(ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::UnknownArgument)
    else {
        return error;
    };
    let option = option.clone();
    let command = arguments.iter().skip(1).fold(&*top, |command, word| {
        let below = word.to_str().and_then(|word| command.find_subcommand(word));
        below.unwrap_or(command)
    });
    let written: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
    let place = written.iter().position(|word| word.split('=').next() == Some(option.as_str()));
    let value = place.and_then(|place| match written[place].split_once('=') {
        Some((_, value)) => Some(value.to_owned()),
        None => written.get(place + 1).filter(|next| !next.starts_with("--")).map(|next| next.to_string()),
    });
    let name = option.trim_start_matches("--");
    let renamed = RENAMED.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| *new);
    let convention = find_convention(renamed);
    let convention = convention.filter(|found| settings_of(command).iter().any(|taken| taken.id == found.id));
    let message = match convention {
        Some(convention) => {
            let value = value.unwrap_or_else(|| convention.form.clone());
            format!("unexpected argument '{option}': it is a convention; use --set {}={value}\n", convention.id)
        }
        None => match of_kind(name, &value.unwrap_or_default()) {
            Some(words) => format!("unexpected argument '{option}': use {words}\n"),
            None => return error,
        },
    };
    Error::raw(ErrorKind::UnknownArgument, message).with_cmd(top)
}
