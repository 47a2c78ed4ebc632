//! Small inputs of `neurogauge align`, with seeded random numbers.

use super::*;
use std::io::Write as _;

/// Number of latent dimensions behind responses and features.
const LATENTS: usize = 4;
pub(crate) const N_STIMULI: usize = 36;
pub(crate) const N_REPEATS: usize = 2;
pub(crate) const N_VOXELS: usize = 12;

/// A number between -0.5 and 0.5.
pub(crate) fn noise(name: &str, index: usize) -> f64 {
    f64::from(Synthetic::new(name, 7).uniform(index as u64)) - 0.5
}

/// The response of a voxel or a feature to a stimulus, without noise.
pub(crate) fn signal(what: &str, column: usize, stimulus: usize) -> f64 {
    let latents = 0..LATENTS;
    latents
        .map(|l| noise("latents", stimulus * LATENTS + l) * 4.0 * noise(what, column * LATENTS + l))
        .sum()
}

/// Stimulus, session, and the responses.
pub(crate) type Trial = (u64, u64, Vec<f64>);

/// Arrays of two subjects and one source, with their `align.toml`.
pub(crate) struct Arrays {
    pub(crate) dir: Folder,
    /// Trials of subjects `a` and `b`.
    pub(crate) trials: BTreeMap<&'static str, Vec<Trial>>,
    /// The configuration's lines between the targets and the settings.
    pub(crate) sources: String,
    pub(crate) settings: String,
}

/// Few folds, partitions and draws.
pub(crate) const FEW: &str = "outer_folds = 3\ninner_folds = 2\npartitions = 3\nnull = 2\nresamples = 50\n";

impl Arrays {
    /// Writes the features; [`Arrays::write`] writes the others.
    pub(crate) fn new() -> Arrays {
        let trials = ["a", "b"].map(|subject| {
            let rows = (0..N_STIMULI * N_REPEATS).map(|trial| {
                let stimulus = trial % N_STIMULI;
                let voxels = (0..N_VOXELS).map(|voxel| {
                    signal(subject, voxel, stimulus)
                        + 0.3 * noise(&format!("trials {subject}"), trial * N_VOXELS + voxel)
                });
                (10 + stimulus as u64, (trial / N_STIMULI) as u64, voxels.collect())
            });
            (subject, rows.collect())
        });
        let arrays = Arrays {
            dir: folder(),
            trials: BTreeMap::from(trials),
            sources: "[[sources]]\nname = \"model\"\nfeatures = [\"early/early.npy\", \
                      \"late/late.npy\"]\n"
                .to_owned(),
            settings: FEW.to_owned(),
        };
        let ids: Vec<u64> = (10..10 + N_STIMULI as u64).collect();
        arrays.layer("early", 3, &ids);
        arrays.layer("late", 5, &ids);
        arrays
    }

    /// Writes features with rows in the order of these stimuli.
    pub(crate) fn layer(&self, name: &str, n_features: usize, ids: &[u64]) {
        let folder = self.dir.join(name);
        fs::create_dir_all(&folder).unwrap();
        let values: Vec<f32> = ids
            .iter()
            .flat_map(|&id| (0..n_features).map(move |f| signal(name, f, id as usize - 10) as f32))
            .collect();
        write_f32(&folder.join(format!("{name}.npy")), &[ids.len() as u64, n_features as u64], &values).unwrap();
        let ids: Vec<String> = ids.iter().map(u64::to_string).collect();
        fs::write(folder.join("ids.json"), serde_json::to_vec(&ids).unwrap()).unwrap();
    }

    /// All of them, unchanged.
    pub(crate) fn written() -> Folder {
        let arrays = Arrays::new();
        arrays.write();
        arrays.dir
    }

    /// Writes responses and configuration.
    pub(crate) fn write(&self) {
        let mut toml = String::new();
        for (subject, trials) in &self.trials {
            let n = trials.len() as u64;
            let values: Vec<f64> = trials.iter().flat_map(|trial| trial.2.clone()).collect();
            let stimuli: Vec<f64> = trials.iter().map(|trial| trial.0 as f64).collect();
            let sessions: Vec<f64> = trials.iter().map(|trial| trial.1 as f64).collect();
            let at = |what: &str| self.dir.join(format!("{subject}_{what}.npy"));
            write_f64(&at("trials"), &[n, N_VOXELS as u64], &values).unwrap();
            write_f64(&at("stimuli"), &[n], &stimuli).unwrap();
            write_f64(&at("sessions"), &[n], &sessions).unwrap();
            toml += &format!(
                "[[targets]]\nsubject = \"{subject}\"\nhemisphere = \"lh\"\nroi = \"V1\"\n\
                 trials = \"{subject}_trials.npy\"\nstimuli = \"{subject}_stimuli.npy\"\n\
                 sessions = \"{subject}_sessions.npy\"\n"
            );
        }
        toml += &format!("{}[settings]\n{}", self.sources, self.settings);
        self.dir.write("align.toml", toml);
    }

    /// Writes all and aligns into this folder, replacing an earlier run.
    #[track_caller]
    pub(crate) fn align(&self, run: &str, options: &str) -> Ran {
        self.write();
        align(&self.dir, run, options)
    }

    /// Writes all and returns the message of a refusal.
    #[track_caller]
    pub(crate) fn refused(&self) -> String {
        self.write();
        refused(&self.dir)
    }
}

/// Aligns and draws the configuration of a folder, replacing an earlier run.
pub(crate) const DRAW: &str = "align --config align.toml --out run --overwrite";
/// The same without figures, which take longer than the alignment.
pub(crate) const ALIGN: &str = "align --config align.toml --out run --overwrite --no-figures";

/// The same into another folder.
#[track_caller]
pub(crate) fn align(dir: &Folder, run: &str, options: &str) -> Ran {
    dir.succeed(&format!("align --config align.toml --overwrite --no-figures --out {run} {options}"))
}

/// The message of a refusal of the folder's configuration.
#[track_caller]
pub(crate) fn refused(dir: &Folder) -> String {
    let ran = dir.run(ALIGN);
    assert_ne!(ran.code, 0);
    assert!(!dir.join("run/align.json").exists(), "{ran}");
    format!("{ran}\n")
}

/// The messages for configurations with replaced words, one at a time.
#[track_caller]
pub(crate) fn refusals_of_words(dir: &Folder, changes: &[(&str, &str)]) -> String {
    let text = dir.read("align.toml");
    let mut said = String::new();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        dir.write("align.toml", text.replace(from, to));
        said += &refused(dir);
    }
    dir.write("align.toml", text);
    said
}

/// The results of a run's units, by file name.
pub(crate) fn units(dir: &Folder, run: &str) -> BTreeMap<String, Value> {
    let mut units = BTreeMap::new();
    for of_fingerprint in fs::read_dir(dir.join(run).join("units")).unwrap() {
        for file in fs::read_dir(of_fingerprint.unwrap().path()).unwrap() {
            let file = file.unwrap();
            units.insert(file.file_name().into_string().unwrap(), dir.json(file.path()));
        }
    }
    units
}

/// Puts `.npy` files into an archive with these names.
pub(crate) fn archive(path: &Path, members: &[(&Path, &str)]) {
    let mut zip = zip::ZipWriter::new(fs::File::create(path).unwrap());
    for (file, name) in members {
        zip.start_file(format!("{name}.npy"), zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(&fs::read(file).unwrap()).unwrap();
    }
    zip.finish().unwrap();
}

/// Asserts equality except for the last bits of numbers.
#[track_caller]
pub(crate) fn same_numbers(one: &Value, other: &Value) {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
            assert!((one - other).abs() < 1e-9, "{one} {other}");
        }
        (Value::Array(one), Value::Array(other)) => {
            assert_eq!(one.len(), other.len());
            for (one, other) in one.iter().zip(other) {
                same_numbers(one, other);
            }
        }
        (Value::Object(one), Value::Object(other)) => {
            assert!(one.keys().eq(other.keys()));
            for (key, one) in one {
                same_numbers(one, &other[key]);
            }
        }
        _ => assert_eq!(one, other),
    }
}
