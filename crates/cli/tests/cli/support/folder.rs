//! A temporary folder, and commands that are run in it.

use super::*;

/// A temporary folder. Commands run in it, so that paths in arguments and messages are relative to it.
pub(crate) struct Folder(tempfile::TempDir);

/// Makes a new folder.
pub(crate) fn folder() -> Folder {
    Folder(tempfile::tempdir().unwrap())
}

/// Makes a new folder with the files of `write`.
pub(crate) fn folder_of(write: impl FnOnce(&Path)) -> Folder {
    let dir = folder();
    write(dir.path());
    dir
}

/// Makes a new folder with [`image_folders`].
pub(crate) fn images(stems: &[&str]) -> Folder {
    folder_of(|root| drop(image_folders(root, stems)))
}

impl Folder {
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and its folders.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    #[track_caller]
    pub(crate) fn read(&self, name: impl AsRef<Path>) -> String {
        fs::read_to_string(self.join(name)).unwrap()
    }

    #[track_caller]
    pub(crate) fn json(&self, name: impl AsRef<Path>) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// Replaces words in a file, which must contain them.
    #[track_caller]
    pub(crate) fn replace(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{from:?} in {text}");
        self.write(name, text.replace(from, to));
    }

    /// Writes text before a file's contents.
    pub(crate) fn prepend(&self, name: &str, text: &str) {
        self.write(name, format!("{text}{}", self.read(name)));
    }

    /// The names in a folder, sorted.
    pub(crate) fn names(&self, name: impl AsRef<Path>) -> Vec<String> {
        let files = fs::read_dir(self.join(name)).unwrap();
        let mut names: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[track_caller]
    pub(crate) fn bytes(&self, name: impl AsRef<Path>) -> Vec<u8> {
        fs::read(self.join(name)).unwrap()
    }

    pub(crate) fn has(&self, name: impl AsRef<Path>) -> bool {
        self.join(name).exists()
    }

    #[track_caller]
    pub(crate) fn remove(&self, name: impl AsRef<Path>) {
        let path = self.join(name);
        if path.is_dir() {
            fs::remove_dir_all(path)
        } else {
            fs::remove_file(path)
        }
        .unwrap();
    }

    #[track_caller]
    pub(crate) fn copy(&self, from: impl AsRef<Path>, to: impl AsRef<Path>) {
        let to = self.join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(self.join(from), to).unwrap();
    }

    /// Writes [`picture`] of this name.
    pub(crate) fn picture(&self, file: impl AsRef<Path>, name: &str, size_px: usize, grain: f32) {
        write_png(&self.join(file), &picture(name, size_px, grain)).unwrap();
    }

    /// `run.json` of a run.
    #[track_caller]
    pub(crate) fn record(&self, run: impl AsRef<Path>) -> Value {
        self.json(run.as_ref().join("run.json"))
    }

    /// `summary.json` of a run.
    #[track_caller]
    pub(crate) fn summary(&self, run: impl AsRef<Path>) -> Value {
        self.json(run.as_ref().join("summary.json"))
    }

    /// Every score of a run.
    #[track_caller]
    pub(crate) fn scores(&self, run: impl AsRef<Path>) -> ScoreTable {
        scores(&self.join(run))
    }

    /// The scores of the parts of items of a run.
    #[track_caller]
    pub(crate) fn scores_of_parts(&self, run: impl AsRef<Path>) -> ScoreTable {
        scores_parquet::read(&self.join(run).join("scores_of_parts.parquet")).unwrap()
    }

    /// The value of a metric for each pair of a run; every one must have one.
    #[track_caller]
    pub(crate) fn values(&self, run: impl AsRef<Path>, metric: &str) -> Vec<f64> {
        values(&self.join(run), metric)
    }

    /// Runs `neurogauge` with these words; words with spaces are in single quotes.
    #[track_caller]
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.run_with_cache(line, no_cache())
    }

    /// The same with a cache, which may be in the folder.
    #[track_caller]
    pub(crate) fn run_with_cache(&self, line: &str, cache: impl AsRef<Path>) -> Ran {
        Ran::of(&mut self.command(line, cache))
    }

    /// The command, for a test that changes its variables or communicates with the process.
    pub(crate) fn command(&self, line: &str, cache: impl AsRef<Path>) -> Command {
        let mut command = command(&self.join(cache));
        command.args(words(line)).current_dir(self.path());
        command
    }

    /// Runs `neurogauge`, which must succeed.
    #[track_caller]
    pub(crate) fn succeed(&self, line: &str) -> Ran {
        let ran = self.run(line);
        assert_eq!(ran.code, 0, "{line}\n{ran}");
        ran
    }

    /// Each line of the table without indentation completes a command that begins with `start`; the indented lines
    /// below it are its whole output. No command may leave `out` behind.
    #[track_caller]
    pub(crate) fn refuses(&self, start: &str, out: &str, table: &str) {
        let table = table.trim_matches(['\n', ' ']).lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
        let table = table.collect::<Vec<_>>().join("\n");
        let ends: Vec<&str> = table.lines().filter(|line| !line.is_empty() && !line.starts_with(' ')).collect();
        let said = self.refusals(start, &ends, out);
        assert!(said.trim_end() == table, "{start}: expected\n{table}\nand found\n{said}");
    }

    /// What the command prints where `file` has each of these texts in turn. None of them may leave `out` behind.
    #[track_caller]
    pub(crate) fn said_of<T: AsRef<[u8]>>(
        &self,
        file: &str,
        texts: impl IntoIterator<Item = T>,
        line: &str,
        out: &str,
    ) -> String {
        let said = |text: T| {
            self.write(file, text);
            let ran = self.run(line);
            assert!(!self.has(out), "{ran}");
            format!("{ran}\n")
        };
        texts.into_iter().map(said).collect()
    }

    /// The output of such commands, each below its ending, for a snapshot.
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
