//! A temporary folder, and commands that are run in it.

use super::{Ran, command, no_cache};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A temporary folder. Commands are run in it, so that paths in arguments and in messages are relative to it.
pub(crate) struct Folder(tempfile::TempDir);

/// A new one.
pub(crate) fn folder() -> Folder {
    Folder(tempfile::tempdir().unwrap())
}

impl Folder {
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and the folders that it is in.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    #[track_caller]
    pub(crate) fn read(&self, name: impl AsRef<Path>) -> String {
        std::fs::read_to_string(self.join(name)).unwrap()
    }

    #[track_caller]
    pub(crate) fn json(&self, name: impl AsRef<Path>) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// Runs `neurogauge` with these words; one that has spaces is in single quotes.
    #[track_caller]
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.run_with_cache(line, no_cache())
    }

    /// The same with a cache, which may be in the folder.
    #[track_caller]
    pub(crate) fn run_with_cache(&self, line: &str, cache: impl AsRef<Path>) -> Ran {
        Ran::of(&mut self.command(line, cache))
    }

    /// What is run, for a test that changes its variables or speaks with the process.
    pub(crate) fn command(&self, line: &str, cache: impl AsRef<Path>) -> Command {
        let mut command = command(&self.join(cache));
        command.args(words(line)).current_dir(self.path());
        command
    }

    /// The same, and it must succeed.
    #[track_caller]
    pub(crate) fn succeed(&self, line: &str) -> Ran {
        let ran = self.run(line);
        assert_eq!(ran.code, 0, "{line}\n{ran}");
        ran
    }

    /// What is printed by the commands that begin with `start`, each below its ending, for a snapshot. `out` is what
    /// they would write, none of which may be there in the end.
    #[track_caller]
    pub(crate) fn refusals(&self, start: &str, ends: &[&str], out: &str) -> String {
        let mut text = String::new();
        for end in ends {
            let ran = self.run(&format!("{start} {end}"));
            assert!(!self.join(out).exists(), "{end}: nothing is begun");
            text += &format!("{end}\n{}", ran.indented());
        }
        text
    }
}

fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (place, part) in line.split('\'').enumerate() {
        match place % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}
