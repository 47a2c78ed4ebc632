//! A user's own features: their names, their records, and the results of aligning them.

use crate::support::alignments::{Arrays, N_STIMULI, arguments, record};
use crate::support::{arg, folder, refused, succeed};
use neurogauge::formats::npy::{write_f32, write_f64};
use std::io::Write;
use std::path::Path;

/// An archive of one array.
fn archive(from: &Path, to: &Path, name: &str) {
    let mut zip = zip::ZipWriter::new(std::fs::File::create(to).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    zip.start_file(format!("{name}.npy"), options).unwrap();
    zip.write_all(&std::fs::read(from).unwrap()).unwrap();
    zip.finish().unwrap();
}

fn paper(run: &Path) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(run.join("paper.json")).unwrap()).unwrap()
}

#[test]
fn layers_whose_arrays_are_called_alike() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    for layer in ["early", "late"] {
        let from = root.path().join(layer).join(format!("{layer}.npy"));
        archive(&from, &root.path().join(format!("{layer}.npz")), "trained");
    }
    arrays.sources = "[[sources]]\nname = \"net\"\neach_layer = true\n\
                      features = [\"early.npz:trained\", \"late.npz:trained\"]\n"
        .to_owned();
    let (config, run) = (arrays.write(), root.path().join("run"));
    let looked = succeed(&[&arguments(&config, &run)[..], &["--dry-run"]].concat());
    assert!(looked.stdout.contains("2 models"), "{}", looked.stdout);
    succeed(&arguments(&config, &run));
    let found = record(&run);
    let names = [1, 2].map(|place| found["sources"][place]["source"].clone());
    assert_eq!(names, ["net early/trained", "net late/trained"]);
    let depth = &paper(&run)["depth"][0];
    assert_eq!(depth["model"], "net");
    assert_eq!(depth["layers"][1]["layer"], "late/trained");
    // The tables for other programs name the layers too.
    let layers = [1, 2].map(|place| found["sources"][place]["layers"].clone());
    assert_eq!(layers, ["early/trained", "late/trained"]);
}

#[test]
fn a_dry_run_refuses_what_the_run_refuses() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    let own = arrays.sources.clone();
    let run = root.path().join("run");
    let mut refuses = |sources: String, settings: &str, code: i32, parts: &[&str]| {
        arrays.sources = sources;
        arrays.settings = settings.to_owned();
        let config = arrays.write();
        let args = arguments(&config, &run);
        refused(&args, code, parts);
        refused(&[&args[..], &["--dry-run"]].concat(), code, parts);
    };
    refuses(own.repeat(2), "", 2, &["two sources", "model"]);
    let layered = own.replace("features", "each_layer = true\nfeatures");
    let twice = layered.replace("late/late", "early/early");
    refuses(twice, "", 2, &["two sources", "model early"]);
    let both = format!("{own}model = \"resnet18-untrained-1\"\n");
    refuses(both, "", 2, &["either `features` or `model`"]);
    let layers = format!("{own}layers = \"layer1\"\n");
    refuses(layers, "", 2, &["`layers`", "`model`", "`features`"]);
    let blind = "[[sources]]\nmodel = \"resnet18-untrained-1\"\n".to_owned();
    refuses(blind, "", 2, &["needs `images`"]);
    let parts = [
        "36 stimuli",
        "40 outer folds",
        "`outer_folds`",
        "at most 36",
    ];
    refuses(own.clone(), "outer_folds = 40\n", 1, &parts);
    let parts = ["9 inner folds", "`inner_folds`"];
    refuses(own.clone(), "inner_folds = 9\n", 1, &parts);
    refuses(own, "partitions = 0\n", 2, &["partitions is 0"]);
}

#[test]
fn a_dry_run_lists_missing_features() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    arrays.sources = arrays.sources.replace("late/late.npy", "nowhere.npz:late");
    let (config, run) = (arrays.write(), root.path().join("run"));
    let looked = succeed(&[&arguments(&config, &run)[..], &["--dry-run"]].concat());
    let missing = "1 files of features are missing";
    assert!(looked.stdout.contains(missing), "{}", looked.stdout);
    assert!(looked.stdout.contains("nowhere.npz"), "{}", looked.stdout);
}

#[test]
fn one_matrix_needs_no_list() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    let fingerprint = |arrays: &Arrays, name: &str| {
        let (config, run) = (arrays.write(), root.path().join(name));
        succeed(&arguments(&config, &run));
        record(&run)["fingerprint"].clone()
    };
    let sources = |features: &str| format!("[[sources]]\nname = \"net\"\nfeatures = {features}\n");
    arrays.sources = sources("[\"early/early.npy\"]");
    let list = fingerprint(&arrays, "list");
    arrays.sources = sources("\"early/early.npy\"");
    assert_eq!(list, fingerprint(&arrays, "text"));
    arrays.sources = sources("3");
    let run = root.path().join("number");
    let parts = ["align.toml:", "a text or a list of texts"];
    refused(&arguments(&arrays.write(), &run), 2, &parts);
}

/// Without the keys there is no table of seeds, and the output names the keys that would give it.
#[test]
fn keys_that_say_what_features_are_give_the_papers_tables() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    let source = |name: &str, keys: &str| {
        format!("[[sources]]\nname = \"{name}\"\nfeatures = \"early/early.npy\"\n{keys}")
    };
    let names = ["trained", "random 0", "random 1"];
    arrays.sources = names.map(|name| source(name, "")).concat();
    let (config, run) = (arrays.write(), root.path().join("without"));
    let said = succeed(&arguments(&config, &run)).stderr;
    for part in [
        "Table 4",
        "`state = \"random\"`",
        "`seed`",
        "Figure 3, Table 3",
        "Figure 10",
        "`each_layer",
    ] {
        assert!(said.contains(part), "{part:?} in\n{said}");
    }
    let tables = std::fs::read_to_string(run.join("paper.md")).unwrap();
    assert!(tables.contains("| Table 4 "), "{tables}");
    assert!(paper(&run)["seeds"].as_array().unwrap().is_empty());

    let random = |seed: u64| format!("architecture = \"net\"\nstate = \"random\"\nseed = {seed}\n");
    arrays.sources = [
        source(names[0], "architecture = \"net\"\n"),
        source(names[1], &random(0)),
        source(names[2], &random(1)),
    ]
    .concat();
    let (config, run) = (arrays.write(), root.path().join("with"));
    let said = succeed(&arguments(&config, &run)).stderr;
    assert!(
        !said.contains("Table 4") && !said.contains("Table 3"),
        "{said}"
    );
    assert!(said.contains("Figure 10"), "{said}");
    assert_eq!(paper(&run)["seeds"][0]["n_seeds"], 2);
}

#[test]
fn few_target_units_have_no_interval_unless_asked_for() {
    let root = folder();
    let arrays = Arrays::new(root.path());
    let (config, run) = (arrays.write(), root.path().join("run"));
    let printed = succeed(&arguments(&config, &run)).stdout;
    assert!(!printed.contains('['), "{printed}");
    let note = "no intervals: there are 2 subjects, fewer than 5 (--interval-units)";
    assert!(printed.contains(note), "{printed}");
    let accuracy = &record(&run)["sources"][0]["accuracy"];
    assert!(accuracy["mean"].is_f64() && accuracy["interval"].is_null());
    let args = [&arguments(&config, &run)[..], &["--interval-units", "2"]].concat();
    let printed = succeed(&args).stdout;
    assert!(printed.contains("2 subjects show little"), "{printed}");
    let sentence = "95% t intervals over 2 subjects: they speak of new subjects, and of these regions and stimuli";
    assert!(printed.replace('\n', " ").contains(sentence), "{printed}");
    let found = record(&run);
    assert!(found["sources"][1]["accuracy"]["interval"][0].is_f64());
    assert_eq!(found["config"]["settings"]["interval_units"], 2);
    assert_eq!(found["config"]["settings"]["interval"], "t");
    // Both subjects have a part in every entry of a donor, so nothing is independent.
    let of_donors = |found: &serde_json::Value| found["sources"][0]["accuracy"].clone();
    assert!(of_donors(&found)["interval"].is_null());
    let args = [&args[..], &["--interval", "percentile"]].concat();
    let printed = succeed(&args).stdout;
    assert!(printed.contains("which are too narrow"), "{printed}");
    let percentile = record(&run);
    assert!(of_donors(&percentile)["interval"][0].is_f64());
    assert_eq!(of_donors(&percentile)["mean"], of_donors(&found)["mean"]);
    assert_eq!(percentile["config"]["settings"]["interval"], "percentile");
}

#[test]
fn the_output_begins_with_which_source_recovers_most() {
    let root = folder();
    let arrays = Arrays::new(root.path());
    let run = root.path().join("run");
    let printed = succeed(&arguments(&arrays.write(), &run)).stdout;
    let found = record(&run);
    let score = found["sources"][1]["brain_ref_score"]["mean"]
        .as_f64()
        .unwrap();
    let first = format!("model recovers {score:.3} of what the median other subject recovers");
    assert!(printed.starts_with(&first), "{printed}");
    for (line, words) in [
        (1, ["ProfileMean:", "FullRefCov:"]),
        (2, ["BrainRefScore:", "ShapeDist:"]),
    ] {
        let line = printed.lines().nth(line).unwrap();
        assert!(words.iter().all(|word| line.contains(word)), "{line}");
    }
    let written = std::fs::read_to_string(run.join("align.md")).unwrap();
    assert!(written.starts_with(&first), "{written}");
}

#[test]
fn a_hemisphere_may_be_left_out() {
    let root = folder();
    let config = Arrays::new(root.path()).write();
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("hemisphere = \"lh\"\n", "")).unwrap();
    let run = root.path().join("run");
    succeed(&arguments(&config, &run));
    let found = record(&run);
    assert_eq!(found["units"][0][0]["hemisphere"], "");
    assert_eq!(found["inputs"][0]["role"], "responses/a V1");
    // Both are donors for each other.
    assert_eq!(found["sources"][0]["source"], "other subjects");
}

#[test]
fn a_key_of_no_table_in_a_table() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    arrays.settings.push_str("allow_nan_voxels = true\n");
    let run = root.path().join("run");
    let parts = ["`allow_nan_voxels` belongs to no table", "top of the file"];
    refused(&arguments(&arrays.write(), &run), 2, &parts);
}

/// Twelve stimuli leave two to each inner fold, whose correlations are 1 or -1 with every regularisation.
#[test]
fn a_regularisation_that_the_data_do_not_determine() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    let many = succeed(&arguments(&arrays.write(), &root.path().join("many"))).stdout;
    assert!(!many.contains("do not determine"), "{many}");
    for trials in arrays.trials.values_mut() {
        trials.retain(|trial| trial.0 < 22);
    }
    let run = root.path().join("run");
    let few = succeed(&arguments(&arrays.write(), &run)).stdout;
    let found = &record(&run)["undetermined"];
    let of = |key: &str, place: usize| found[key][place].as_u64().unwrap();
    assert!(
        of("of_sources", 1) > 0 && of("of_references", 1) > 0,
        "{found}"
    );
    let words = format!(
        "In {} of 2 target units all regularisations score the same in validation of some fits ({} of {} of sources, {} of {} \
         behind references)",
        found["n_units"],
        of("of_sources", 1),
        of("of_sources", 0),
        of("of_references", 1),
        of("of_references", 0)
    );
    assert!(few.contains(&words), "{few}");
}

/// The first configuration of the page on recovery profiles, on arrays of the shapes given there.
#[test]
fn the_smallest_configuration_of_the_page_runs() {
    let root = folder();
    let page =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pages/how-to/recovery-profiles.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, after) = page.split_once("```toml\n").unwrap();
    let (toml, _) = after.split_once("```").unwrap();
    let config = root.path().join("align.toml");
    std::fs::write(&config, toml).unwrap();
    let arrays = Arrays::new(root.path());
    // As many stimuli as the default folds need according to the page: each of the 36 twice, as two stimuli.
    let n = 2 * N_STIMULI;
    for (subject, trials) in arrays.trials.values().enumerate() {
        let at = |what: &str| root.path().join(format!("s{}_{what}.npy", subject + 1));
        let twice = || (0..2).flat_map(|half| trials.iter().map(move |trial| (half, trial)));
        let stimuli = twice().map(|(half, trial)| (trial.0 + half * N_STIMULI as u64) as f64);
        let values = twice().flat_map(|(half, trial)| {
            trial.2.iter().enumerate().map(move |(voxel, value)| {
                value + half as f64 * crate::support::alignments::noise("other", voxel)
            })
        });
        let (stimuli, values): (Vec<f64>, Vec<f64>) = (stimuli.collect(), values.collect());
        let n_trials = stimuli.len() as u64;
        let n_voxels = values.len() as u64 / n_trials;
        write_f64(&at("trials"), &[n_trials, n_voxels], &values).unwrap();
        write_f64(&at("stimuli"), &[n_trials], &stimuli).unwrap();
    }
    let features: Vec<f32> = (0..n * 6)
        .map(|place| crate::support::alignments::signal("net", place % 6, place / 6) as f32)
        .collect();
    let path = root.path().join("features.npy");
    write_f32(&path, &[n as u64, 6], &features).unwrap();
    let run = root.path().join("run");
    let printed = succeed(&[
        "align",
        "--config",
        arg(&config),
        "--null",
        "1",
        "--out",
        arg(&run),
    ])
    .stdout;
    assert!(printed.starts_with("my network recovers"), "{printed}");
    assert_eq!(record(&run)["units"].as_array().unwrap().len(), 2);
}

#[test]
fn a_report_of_an_alignment_alone() {
    let root = folder();
    let config = Arrays::new(root.path()).write();
    let run = root.path().join("run");
    succeed(&arguments(&config, &run));
    let page = root.path().join("page.html");
    let said = succeed(&["report", "--align", arg(&run), "--out", arg(&page)]).stderr;
    assert!(said.contains("1 result"), "{said}");
    let html = std::fs::read_to_string(&page).unwrap();
    for part in [
        "Recovery of response dimensions",
        "model recovers",
        "BrainRefScore",
        "data:image/svg+xml;base64,",
        "recovery-profile",
        "responses/a lh V1",
        "neurogauge report --align",
    ] {
        assert!(html.contains(part), "{part}");
    }
    refused(&["report", "--out", arg(&page)], 2, &["RUN"]);
}

#[test]
fn a_simulation_says_before_it_starts_how_long_it_takes() {
    let root = folder();
    let run = root.path().join("run");
    let few = ["--null", "0", "--controls", "none"];
    let args = ["align", "--simulate", "miniature", "-v", "--out", arg(&run)];
    let said = succeed(&[&args[..], &few].concat()).stderr;
    let first = "aligning simulated subjects and models: 3 target units, 4 sources of each; under a second on";
    assert!(said.starts_with(first), "{said}");
    assert!(said.contains("aligning: 3 of 3 in"), "{said}");
}
