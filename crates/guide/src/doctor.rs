//! Checks everything that commands may need, and says how to fix what is missing or broken.

use neurogauge::core::byte_size;
use neurogauge::formats::video::{self, Installed};
use neurogauge::models::registry::DownloadSize;
use neurogauge::models::weights::is_here;
use neurogauge::models::{DeviceChoice, ModelEntry, WeightOptions};
use neurogauge::{Error, ObservationCache, Provenance, WORDNET_VARIABLE, installed_wordnet, models_of};
use serde::Serialize;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

/// The state of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Present, or in order.
    Fine,
    /// Missing; some commands need it.
    Missing,
    /// Almost nothing works until it is fixed.
    Broken,
}

/// One line of the check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub about: String,
    pub state: State,
    /// What was found, in words.
    pub found: String,
    /// What to do, if anything.
    pub mend: Option<String>,
}

/// The variables that affect commands, and whether their values are secrets.
const VARIABLES: [(&str, bool); 14] = [
    ("NEUROGAUGE_CACHE", false),
    ("NEUROGAUGE_WEIGHTS", false),
    ("NEUROGAUGE_ALLOW_HTTP", false),
    ("HF_HOME", false),
    ("HF_HUB_CACHE", false),
    ("HF_HUB_OFFLINE", false),
    // An address may contain a password.
    ("HF_ENDPOINT", true),
    ("HF_TOKEN", true),
    ("TORCH_HOME", false),
    ("XDG_CACHE_HOME", false),
    (WORDNET_VARIABLE, false),
    ("RAYON_NUM_THREADS", false),
    ("SLURM_CPUS_PER_TASK", false),
    ("NO_COLOR", false),
];

/// The sets of metrics whose models are checked.
const SETS: [&str; 3] = ["nsd8", "seed", "basic"];

/// Checks the program, this machine, the caches, the weights of usual metrics, WordNet, ffmpeg and the environment.
/// Nothing is downloaded, and no weights are hashed.
///
/// # Errors
/// Existing weights cannot be read.
pub fn examine(options: &WeightOptions) -> Result<Vec<Finding>, Error> {
    let mut findings = program();
    findings.extend(devices());
    findings.extend(folders(options));
    for set in SETS {
        findings.push(weights(set, options)?);
    }
    findings.push(match installed_wordnet() {
        Ok(folder) => fine("WordNet", folder.display().to_string()),
        Err(mend) => finding("WordNet", State::Missing, "not found; BASIC-H looks words up in it", Some(mend)),
    });
    findings.extend(video::PROGRAMS.map(decoder));
    findings.push(fine("environment", environment(&|name| std::env::var(name).ok())));
    Ok(findings)
}

fn fine(about: &str, found: impl Into<String>) -> Finding {
    finding(about, State::Fine, found, None)
}

fn finding(about: &str, state: State, found: impl Into<String>, mend: Option<String>) -> Finding {
    Finding {
        about: about.to_owned(),
        state,
        found: found.into(),
        mend,
    }
}

fn program() -> Vec<Finding> {
    let versions = Provenance::versions();
    let versions: Vec<String> = versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let built = [
        ("cuda", cfg!(feature = "cuda")),
        ("metal", cfg!(feature = "metal")),
        ("hdf5", cfg!(feature = "hdf5")),
    ];
    let built: Vec<&str> = built.iter().filter(|(_, is_in)| *is_in).map(|(name, _)| *name).collect();
    let features = match built[..] {
        [] => "no optional features".to_owned(),
        _ => format!("features {}", built.join(", ")),
    };
    let (arch, system) = (std::env::consts::ARCH, std::env::consts::OS);
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let n_threads = rayon::current_num_threads();
    vec![
        fine("version", versions.join(", ")),
        fine("build", format!("{arch}, {system}, {features}")),
        fine("threads", format!("{n_threads} of {n_cores} that this machine runs at once")),
    ]
}

fn devices() -> Vec<Finding> {
    let device = |choice: DeviceChoice, feature: &str| match choice.check() {
        Ok(()) => fine(&choice.to_string(), "can be used"),
        Err(error) => {
            let mend = format!("build with --features {feature} on a machine that has one; cpu needs nothing");
            finding(&choice.to_string(), State::Missing, error.to_string(), Some(mend))
        }
    };
    let system = match cfg!(target_os = "macos") {
        true => device(DeviceChoice::Metal(0), "metal"),
        false => device(DeviceChoice::Cuda(0), "cuda"),
    };
    vec![fine("cpu", "can be used"), system]
}

fn folders(options: &WeightOptions) -> Vec<Finding> {
    let mut findings = Vec::new();
    match &options.cache {
        None => {
            let mend = "set NEUROGAUGE_CACHE to a folder".to_owned();
            findings.push(finding("cache", State::Broken, "there is none: no home folder is set", Some(mend)));
        }
        Some(cache) => {
            let mend = "set NEUROGAUGE_CACHE to a folder that you can write to";
            findings.push(written_to("cache", cache, State::Broken, mend));
            let observed = ObservationCache::open().and_then(|cache| cache.parts());
            let of = |is_run: bool| -> u64 {
                observed.iter().flatten().filter(|part| part.is_last_run() == is_run).map(|part| part.bytes).sum()
            };
            let (observations, run) = (of(false), of(true));
            let stored = size_below(&cache.join("models"));
            let words = format!(
                "{} in all: {} of observations, {} of weights, {} of the last run",
                size(observations + stored + run),
                size(observations),
                size(stored),
                size(run)
            );
            findings.push(fine("in the cache", words));
        }
    }
    let others = options.hugging_face_cache.iter().chain(&options.file_caches);
    let others: Vec<String> =
        others.filter(|folder| folder.is_dir()).map(|folder| folder.display().to_string()).collect();
    let others = match others[..] {
        [] => "none here".to_owned(),
        _ => others.join(", "),
    };
    findings.push(fine("caches of others", others));
    let here = std::env::current_dir().unwrap_or_default();
    let mend = "go to another folder, or name one with --out";
    findings.push(written_to("working folder", &here, State::Missing, mend));
    findings
}

/// Whether a folder can be written to; if not, its state and what to do.
fn written_to(about: &str, folder: &Path, state: State, mend: &str) -> Finding {
    let path = folder.display();
    match refuses(folder) {
        None => fine(about, format!("{path}, can be written to")),
        Some(reason) => finding(about, state, format!("{path}: {reason}"), Some(mend.to_owned())),
    }
}

/// Checks one of the programs that decode video files.
fn decoder(program: &'static str) -> Finding {
    let found = match video::installed(program) {
        Some(Installed {
            path,
            version: Some(version),
        }) => return fine(program, format!("{}, version {version}", path.display())),
        Some(Installed { path, .. }) => format!("{} does not name its version", path.display()),
        None => "not on the PATH".to_owned(),
    };
    let found = format!("{found}; clips in video files (mp4, mkv, ...) are decoded by it");
    let mend = format!("{}, or write the frames of each clip into a folder", video::INSTALL);
    finding(program, State::Missing, found, Some(mend))
}

/// The reason why nothing can be written into a folder. A missing folder is created for the check and removed again.
fn refuses(folder: &Path) -> Option<String> {
    let made: Vec<PathBuf> = folder
        .ancestors()
        .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
        .map(Path::to_owned)
        .collect();
    let name = format!(".neurogauge-doctor-{}", std::process::id());
    let probe = folder.join(name);
    let tried = fs::create_dir_all(folder)
        .and_then(|()| OpenOptions::new().write(true).create_new(true).open(&probe))
        .and_then(|_| fs::remove_file(&probe));
    for folder in made {
        // A folder that another process has begun to use stays.
        let _ = fs::remove_dir(folder);
    }
    tried.err().map(|error| format!("it cannot be written to ({error})"))
}

/// Bytes of all files below a folder.
fn size_below(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => size_below(&entry.path()),
        _ => entry.metadata().map_or(0, |metadata| metadata.len()),
    });
    sizes.sum()
}

/// A size in words.
fn size(bytes: u64) -> String {
    match bytes {
        0 => "nothing".to_owned(),
        _ => byte_size(bytes),
    }
}

/// The size of all downloads.
fn download(models: &[&ModelEntry]) -> String {
    let all: DownloadSize = models.iter().map(|model| model.size()).sum();
    format!("{all} to download")
}

/// Checks the models of a set, and says which are not on this machine.
fn weights(set: &str, options: &WeightOptions) -> Result<Finding, Error> {
    let models = models_of(&[set.to_owned()])?;
    let about = format!("weights of {set}");
    let with_size = |entry: &&ModelEntry| format!("{} ({})", entry.id, entry.size());
    let (mut here, mut missing) = (Vec::new(), Vec::new());
    for entry in &models {
        match is_here(entry, options)? {
            true => here.push(with_size(entry)),
            false => missing.push(*entry),
        }
    }
    if missing.is_empty() {
        return Ok(fine(&about, format!("all here: {}", here.join(", "))));
    }
    let here = match here[..] {
        [] => String::new(),
        _ => format!("; here: {}", here.join(", ")),
    };
    let named: Vec<String> = missing.iter().map(with_size).collect();
    let found = format!("missing: {}, {}{here}", named.join(", "), download(&missing));
    Ok(finding(&about, State::Missing, found, Some(format!("neurogauge models fetch {set}"))))
}

/// The variables that are set; the values of secrets are not shown.
fn environment(variable: &dyn Fn(&str) -> Option<String>) -> String {
    let set = VARIABLES.iter().filter_map(|(name, is_secret)| {
        let value = variable(name).filter(|value| !value.is_empty())?;
        Some(match is_secret {
            true => format!("{name} is set"),
            false => format!("{name}={value}"),
        })
    });
    match set.collect::<Vec<String>>()[..] {
        [] => "no variable that matters is set".to_owned(),
        ref set => set.join(", "),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_named_and_not_shown() {
        let words = environment(&|name| Some(format!("value of {name}")));
        assert!(words.contains("HF_TOKEN is set, "), "{words}");
        assert!(words.contains("HF_ENDPOINT is set, "), "{words}");
        assert!(!words.contains("value of HF_TOKEN") && !words.contains("value of HF_ENDPOINT"));
        assert!(words.contains("HF_HOME=value of HF_HOME"), "{words}");
        assert_eq!(environment(&|_| None), "no variable that matters is set");
    }

    #[test]
    fn looking_leaves_nothing_behind() {
        let dir = std::env::temp_dir().join(format!("neurogauge-doctor-test-{}", std::process::id()));
        assert_eq!(refuses(&dir.join("a/b")), None);
        assert!(!dir.exists());
        let file = std::env::current_exe().unwrap();
        assert!(refuses(&file.join("cache")).unwrap().contains("cannot be written to"));
    }
}
