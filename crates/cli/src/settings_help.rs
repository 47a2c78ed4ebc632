//! Answers to options that are conventions: `--pixel-size 256` is `--set pixel_size=256`.

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use neurogauge::find_convention;
use std::ffi::OsString;

/// If an unknown option is a convention that the command takes, the error says how to set it.
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
    let accepts = |id: &str| {
        let set = command.get_arguments().find(|arg| arg.get_id() == "set");
        let known = set.map_or_else(Vec::new, |arg| arg.get_possible_values());
        known.iter().any(|value| value.get_name().split('=').next() == Some(id))
    };
    let name = option.trim_start_matches("--");
    let Some(convention) = find_convention(name).filter(|convention| accepts(convention.id)) else {
        return error;
    };
    let written: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
    let place = written.iter().position(|word| word.split('=').next() == Some(option.as_str()));
    let value = place.and_then(|place| match written[place].split_once('=') {
        Some((_, value)) => Some(value.to_owned()),
        None => written.get(place + 1).filter(|next| !next.starts_with("--")).map(|next| next.to_string()),
    });
    let value = value.unwrap_or_else(|| convention.form().to_owned());
    let message = format!("unexpected argument '{option}': it is a convention; use --set {}={value}\n", convention.id);
    Error::raw(ErrorKind::UnknownArgument, message).with_cmd(top)
}
