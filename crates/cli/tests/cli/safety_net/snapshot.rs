//! The output of runs, as hashes.

use crate::support::study_data::files;
use crate::support::*;

/// The hash of each file of each run.
type Hashes = BTreeMap<String, BTreeMap<String, String>>;

pub(crate) struct Snapshot<'a> {
    dir: &'a Folder,
    hashes: Hashes,
}

impl Snapshot<'_> {
    pub(crate) fn new(dir: &Folder) -> Snapshot<'_> {
        let hashes = Hashes::new();
        Snapshot { dir, hashes }
    }

    /// Runs a command with its own cache and output folder.
    #[track_caller]
    pub(crate) fn run(&mut self, name: &str, line: &str) {
        let out = self.dir.join(format!("{name}_run"));
        let line = format!("{line} --out {name}_run");
        let ran = self.dir.run_with_cache(&line, format!("{name}_cache"));
        assert_eq!(ran.code, 0, "{line}\n{ran}");
        let hashes = files(&out).into_iter().filter(|(path, _)| is_kept(path)).map(|(path, bytes)| {
            let hash = if path.ends_with("scores.parquet") {
                // The file itself contains the name of the library that wrote it.
                let table = scores_parquet::read(&out.join(&path)).unwrap();
                content_hash::of_bytes(format!("{:?} {:?}", table.pairs, table.columns).as_bytes())
            } else {
                content_hash::of_bytes(&bytes)
            };
            (path, hash)
        });
        self.hashes.insert(name.to_owned(), hashes.collect());
    }

    /// The hashes must equal those in `hashes.json`.
    #[track_caller]
    pub(crate) fn check(&self) {
        let found = serde_json::to_string_pretty(&self.hashes).unwrap() + "\n";
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("safety_net_hashes.json");
        fs::write(&path, found).unwrap();
        let expected: Hashes = serde_json::from_str(include_str!("hashes.json")).unwrap();
        let lines = |hashes: &Hashes| -> BTreeMap<String, String> {
            let runs = hashes.iter();
            let all = runs
                .flat_map(|(run, files)| files.iter().map(move |(file, hash)| (format!("{run}/{file}"), hash.clone())));
            all.collect()
        };
        let (then, now) = (lines(&expected), lines(&self.hashes));
        let all: BTreeSet<&String> = then.keys().chain(now.keys()).collect();
        let differ: Vec<&&String> = all.iter().filter(|file| then.get(**file) != now.get(**file)).collect();
        assert!(
            differ.is_empty(),
            "these files differ from hashes.json (all that was found: {}):\n{differ:#?}",
            path.display()
        );
    }
}

/// Scores, and observations that users can read, but neither records nor caches.
fn is_kept(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_of = |folder: &str| path.split('/').any(|part| part == folder);
    match name {
        "scores.parquet" | "captions.json" | "scene_graphs.json" | "ids.json" => true,
        _ if is_of("caption_embeddings") => false,
        _ if name.ends_with(".npy") => true,
        _ if name.ends_with(".json") => is_of("detections") || is_of("preds"),
        _ => is_of("vis"),
    }
}
