//! What errors say beside clap's words: `--pixel-size 256` is `--set pixel_size=256`, `--gt-captions FILE` is `--gt
//! captions=FILE`, and a folder called `captions` is `./captions`.

use crate::args::{of_kind, settings_of};
use crate::score_kinds_command::ScoreKind;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Command, Subcommand};
use neurogauge::find_convention;
use std::ffi::OsString;
use std::path::Path;

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
    let convention = find_convention(name);
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

/// Where a folder has the name of a kind, such as `captions`, an error says how to score its images.
pub(crate) fn with_tip(mut error: Error, arguments: &[OsString]) -> Error {
    let mut words = arguments.iter().skip_while(|word| *word != "score").skip(1);
    let is_kind = |word: &&OsString| ScoreKind::has_subcommand(&word.to_string_lossy()) && Path::new(word).exists();
    if let Some(word) = words.next().filter(is_kind) {
        let word = word.to_string_lossy();
        let tip = format!("`score {word}` is a command; the folder called {word} is ./{word}");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}
