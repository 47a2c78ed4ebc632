//! What became of the words of commands that are called otherwise now.

use clap::error::ContextKind;
use std::ffi::OsString;

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
