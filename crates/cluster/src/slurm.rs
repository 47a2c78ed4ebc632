//! The scripts for SLURM: an array of jobs with one shard each, and a job that finishes the run after them.

use crate::done::missing;
use crate::shard::{folder, plan_of};
use neurogauge::Error;
use neurogauge::core::option_words::option;
use neurogauge::formats::{IoResult, Problem, atomic_file, json, regular_file};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Seconds before the end of its time limit at which a shard is told to stop.
const NOTICE_S: u32 = 120;

/// The variables with the paths of weights and observations; jobs get their values from the process that writes the
/// scripts.
const VARIABLES: [&str; 4] = ["NEUROGAUGE_CACHE", "NEUROGAUGE_WEIGHTS", "HF_HOME", "TORCH_HOME"];

/// The request to SLURM.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// The number of shards of the run.
    pub shards: NonZeroUsize,
    /// The most shards that run at the same time; `None` leaves it to SLURM.
    pub max_at_once: Option<NonZeroUsize>,
    /// Options of `sbatch` for every job, such as `--gpus=1`.
    pub sbatch: Vec<String>,
    /// A file with shell lines at the start of every job, such as `module load cuda`.
    pub setup: Option<PathBuf>,
}

/// The scripts of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scripts {
    /// The array of shards; `None` if none is missing.
    pub work: Option<PathBuf>,
    /// The job that finishes the run.
    pub finish: PathBuf,
    /// The positions of the missing shards.
    pub missing: Vec<usize>,
}

fn options_file(run: &Path) -> PathBuf {
    run.join("cluster").join("slurm.json")
}

/// The number of shards in the scripts of a run's folder.
pub(crate) fn shards_of(run: &Path) -> Option<NonZeroUsize> {
    let options: Options = json::read(&options_file(run)).ok()?;
    Some(options.shards)
}

/// The lines of a setup file, each with its line end.
fn setup_lines(path: &Path) -> Result<String, Error> {
    let text = regular_file::read_to_string(path).when("reading", path)?;
    let mut lines = text.lines().zip(1..);
    if let Some((line, number)) = lines.find(|(line, _)| line.starts_with("#SBATCH")) {
        return Err(Error::Usage(format!(
            "{}, line {number}: {line:?} would not be read by SLURM here; give such options with {}",
            path.display(),
            option("sbatch", "OPTION")
        )));
    }
    Ok(text.lines().map(|line| format!("{line}\n")).collect())
}

/// Writes `cluster/work.sh` and `cluster/finish.sh` into the folder of a planned run, for shards that are not done.
///
/// # Errors
/// The folder has no plan, or cannot be written to; an option is not a single line; the setup file cannot be read.
pub fn write(run: &Path, options: &Options) -> Result<Scripts, Error> {
    let own = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("neurogauge"));
    write_for(run, options, &program(&own))
}

/// The command line that starts this program in another process. `own` is the running program: the command itself, or
/// Python.
fn program(own: &Path) -> Vec<String> {
    let name = own.file_name().unwrap_or_default().to_string_lossy();
    let own = own.display().to_string();
    match name.starts_with("python") || name.starts_with("pypy") {
        true => vec![own, "-m".to_owned(), "neurogauge._command".to_owned()],
        false => vec![own],
    }
}

fn write_for(run: &Path, options: &Options, program: &[String]) -> Result<Scripts, Error> {
    let path = run.join("plan.json");
    if plan_of(run)?.is_empty() {
        let expected = "a folder that `neurogauge cluster plan` wrote";
        return Err(Problem::not_found(expected).at(path).into());
    }
    if let Some(option) = options.sbatch.iter().find(|o| o.contains(char::is_control)) {
        return Err(Error::Usage(format!("{option:?}: an option of sbatch is one line")));
    }
    let setup = options.setup.as_deref().map(setup_lines).transpose()?;
    let run = std::path::absolute(run).unwrap_or_else(|_| run.to_owned());
    // A line break would end the directive or the comment that contains it.
    if run.to_string_lossy().contains(char::is_control) {
        let problem =
            "the path has a line break or another control character, which a script cannot hold; rename the folder";
        return Err(Problem::new(problem).at(run).into());
    }
    let missing = missing(&run, options.shards, true)?;
    let at = |name: &str| run.join("cluster").join(name);
    let scripts = Scripts {
        work: (!missing.is_empty()).then(|| at("work.sh")),
        finish: at("finish.sh"),
        missing,
    };
    // SLURM opens logs before anything of ours runs.
    let logs = folder(&run);
    std::fs::create_dir_all(&logs).when("creating", &logs)?;
    json::write(&options_file(&run), options)?;
    let of = options.shards;
    if let Some(path) = &scripts.work {
        let at_once = options.max_at_once.map(|n| format!("%{n}"));
        let array = format!("{}{}", ranges(&scripts.missing), at_once.unwrap_or_default());
        let own = [format!("--array={array}"), "--requeue".to_owned(), format!("--signal=B:TERM@{NOTICE_S}")];
        let log = pattern(&logs).join(format!("%a-of-{of}.log"));
        let shard = format!("\"$SLURM_ARRAY_TASK_ID/{of}\"");
        let words = format!("cluster work {} --shard {shard}", shell_word(&run.to_string_lossy()));
        let text = script(&run, (&own, &options.sbatch), &log, &work_lines(program, &words, setup.as_deref()));
        atomic_file::write(path, text.as_bytes())?;
    }
    let log = pattern(&run.join("cluster")).join("finish.log");
    let words = format!("cluster finish {}", shell_word(&run.to_string_lossy()));
    let text = script(&run, (&[], &options.sbatch), &log, &work_lines(program, &words, setup.as_deref()));
    atomic_file::write(&scripts.finish, text.as_bytes())?;
    Ok(scripts)
}

/// The lines of a script that do the work. The shell is replaced by the command, so that signals reach it. The array
/// `LAUNCH` of a setup file, such as `apptainer exec image.sif`, starts the command.
fn work_lines(program: &[String], words: &str, setup: Option<&str>) -> String {
    let program: Vec<String> = program.iter().map(|word| shell_word(word)).collect();
    let launch = setup.map_or("", |_| "\"${LAUNCH[@]}\" ");
    format!(
        "{}exec {launch}{} {words} --offline --progress plain\n",
        setup.unwrap_or_default(),
        program.join(" ")
    )
}

/// A SLURM script with these lines.
fn script(run: &Path, (own, others): (&[String], &[String]), log: &Path, lines: &str) -> String {
    let name = run.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c)).collect();
    let mut text = format!("#!/bin/bash\n#SBATCH --job-name=neurogauge-{name}\n");
    text += &format!("#SBATCH --output={}\n", in_directive(&log.to_string_lossy()));
    for option in own.iter().chain(others) {
        text += &format!("#SBATCH {}\n", in_directive(option));
    }
    for (name, value) in VARIABLES.iter().filter_map(|name| Some((name, std::env::var(name).ok()?))) {
        text += &format!("export {name}={}\n", shell_word(&value));
    }
    text + lines
}

/// A path in which SLURM replaces nothing.
fn pattern(path: &Path) -> PathBuf {
    PathBuf::from(path.to_string_lossy().replace('%', "%%"))
}

/// A text quoted as one word for a shell.
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// A text quoted as one word in a SLURM directive.
fn in_directive(text: &str) -> String {
    match text.contains(char::is_whitespace) {
        true => format!("\"{}\"", text.replace('"', "\\\"")),
        false => text.to_owned(),
    }
}

/// Positions as ranges, such as `0-3,7` for 0, 1, 2, 3 and 7.
fn ranges(places: &[usize]) -> String {
    let runs = places.chunk_by(|a, b| a + 1 == *b);
    let texts = runs.map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        run => run.iter().map(usize::to_string).collect(),
    });
    texts.collect::<Vec<_>>().join(",")
}

impl fmt::Display for Scripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finish = self.finish.display();
        match &self.work {
            Some(work) => {
                let (n, work) = (self.missing.len(), work.display());
                write!(f, "{work}: an array of {n} shards; {finish}: finishes the run once they have ended")
            }
            None => write!(f, "all shards are done; {finish}: finishes the run"),
        }
    }
}

impl Scripts {
    /// The shell lines that submit the scripts.
    pub fn commands(&self) -> String {
        let finish = shell_word(&self.finish.to_string_lossy());
        match &self.work {
            Some(work) => {
                let work = shell_word(&work.to_string_lossy());
                format!("JOB=$(sbatch --parsable {work}) &&\nsbatch --dependency=afterany:${{JOB%%;*}} {finish}\n")
            }
            None => format!("sbatch {finish}\n"),
        }
    }

    /// Submits the scripts, and returns the numbers of the jobs, one per line.
    ///
    /// # Errors
    /// [`Error::Usage`] with the message of `sbatch`.
    pub fn submit(&self) -> Result<String, Error> {
        let mut jobs = String::new();
        let mut dependency = None;
        if let Some(work) = &self.work {
            let job = sbatch(None, work)?;
            jobs += &format!("{job} shards {}\n", ranges(&self.missing));
            dependency = Some(format!("--dependency=afterany:{job}"));
        }
        let job = sbatch(dependency, &self.finish)?;
        Ok(jobs + &format!("{job} finish\n"))
    }
}

/// Submits a script. Returns the number of its job.
fn sbatch(option: Option<String>, script: &Path) -> Result<String, Error> {
    let mut command = Command::new("sbatch");
    command.arg("--parsable").args(option).arg(script);
    let output = command.output().map_err(|error| {
        let path = script.display();
        Error::Usage(format!("sbatch cannot be run ({error}); where SLURM is, submit {path} there"))
    })?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(Error::Usage(format!("sbatch {}: {}", script.display(), why.trim())));
    }
    // The number; after a semicolon, the cluster.
    Ok(stdout.trim().split(';').next().unwrap_or_default().to_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use neurogauge::Shard;
    use neurogauge::ShardDone;

    #[test]
    fn scripts_have_the_shards_that_are_missing() {
        let dir = tempfile::tempdir().unwrap();
        let run = dir.path().join("a run's 50%");
        let mut options = Options {
            shards: 6.try_into().unwrap(),
            max_at_once: NonZeroUsize::new(4),
            sbatch: vec!["--gpus=1".to_owned(), "--comment=two words".to_owned()],
            setup: None,
        };
        let program = program(Path::new("/opt/my env/python3.12"));
        let error = write_for(&run, &options, &program).unwrap_err();
        assert!(error.to_string().contains("neurogauge cluster plan"), "{error}");
        std::fs::create_dir(&run).unwrap();
        std::fs::write(run.join("plan.json"), "a plan").unwrap();
        let scripts = write_for(&run, &options, &program).unwrap();
        let text = std::fs::read_to_string(scripts.work.as_ref().unwrap()).unwrap();
        for part in [
            "#SBATCH --array=0-5%4\n",
            "#SBATCH --gpus=1\n",
            "#SBATCH \"--comment=two words\"\n",
            "#SBATCH --requeue\n",
            "50%%/shards/%a-of-6.log\"\n",
            "exec '/opt/my env/python3.12' -m neurogauge._command cluster work '",
            "a run'\\''s 50%' --shard \"$SLURM_ARRAY_TASK_ID/6\" --offline --progress plain\n",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(scripts.commands().contains("--dependency=afterany:${JOB%%;*} "));
        let done = |index| {
            let of = options.shards;
            crate::work(&run, Shard { index, of }, || Ok(ShardDone::default())).unwrap();
        };
        [1, 2, 4].into_iter().for_each(done);
        let scripts = write_for(&run, &options, &program).unwrap();
        let text = std::fs::read_to_string(scripts.work.unwrap()).unwrap();
        assert!(text.contains("--array=0,3,5%4\n"), "{text}");
        [0, 3, 5].into_iter().for_each(done);
        let scripts = write_for(&run, &options, &program).unwrap();
        assert_eq!((scripts.work.as_ref(), scripts.missing.len()), (None, 0));
        assert!(scripts.commands().starts_with("sbatch "));
        assert_eq!(shards_of(&run), Some(options.shards));
        options.sbatch.push("--a\n--b".to_owned());
        assert!(write_for(&run, &options, &program).is_err());
        options.sbatch.pop();
        let run = dir.path().join("r\n#SBATCH --mem=1\ntouch PWN\n");
        std::fs::create_dir(&run).unwrap();
        std::fs::write(run.join("plan.json"), "a plan").unwrap();
        let error = write_for(&run, &options, &program).unwrap_err().to_string();
        assert!(error.contains("control character") && !run.join("cluster").exists(), "{error}");
    }

    #[test]
    fn places_are_written_as_ranges() {
        assert_eq!(ranges(&[0, 1, 2, 3, 7, 9, 10]), "0-3,7,9-10");
        assert_eq!(ranges(&[4]), "4");
    }
}
