//! What became of the words of commands that are called otherwise now.

use crate::score_kinds_command::ScoreKind;
use clap::Subcommand;
use clap::error::{ContextKind, ContextValue};
use std::ffi::OsString;
use std::path::Path;

/// The words of a command, and those that replace them.
const MOVED: &[(&str, &str)] = &[
    ("metrics", "list metrics"),
    ("presets", "list presets"),
    ("protocols", "list protocols"),
    ("prompts", "list prompts"),
    ("models list", "list models"),
    ("plan", "cluster plan"),
    ("work", "cluster work"),
    ("finish", "cluster finish"),
    ("caption", "score captions GT RECON"),
    ("ground", "score boxes GT RECON"),
    ("coco", "score masks GT RECON"),
    ("shapes", "score shapes GT RECON"),
    ("retrieve", "score embeddings GT RECON"),
    ("completions", "help --completions SHELL"),
    ("man", "help --man"),
];

/// The message for an unknown command that has another name now.
pub(crate) fn now(error: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let unknown = error.get(ContextKind::InvalidSubcommand)?.to_string();
    let words: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let is_given = |old: &str| words.windows(old.split(' ').count()).any(|given| given.join(" ") == old);
    let (old, new) = MOVED.iter().find(|(old, _)| old.rsplit(' ').next() == Some(&*unknown) && is_given(old))?;
    Some(format!("`{old}` is now `neurogauge {new}`\n"))
}

/// Where a folder has the name of a kind, such as `captions`, an error says how to score its images.
pub(crate) fn with_tip(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let mut words = arguments.iter().skip_while(|word| *word != "score").skip(1);
    let is_kind = |word: &&OsString| ScoreKind::has_subcommand(&word.to_string_lossy()) && Path::new(word).exists();
    if let Some(word) = words.next().filter(is_kind) {
        let word = word.to_string_lossy();
        let tip = format!("`score {word}` is a command; the folder called {word} is ./{word}");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::MOVED;
    use clap::error::ErrorKind;

    #[test]
    fn new_words_are_commands_and_old_words_are_not() {
        let kind = |words: &'static str| {
            let is_word = |word: &&str| word.chars().all(char::is_lowercase);
            let line = ["neurogauge"].into_iter().chain(words.split(' ').take_while(is_word)).chain(["--help"]);
            crate::command().try_get_matches_from(line).unwrap_err().kind()
        };
        for (old, new) in MOVED {
            assert_eq!((kind(old), kind(new)), (ErrorKind::InvalidSubcommand, ErrorKind::DisplayHelp), "{old}: {new}");
        }
    }
}
