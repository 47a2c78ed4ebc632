//! A user's own features: their names, their records, and their results.

use crate::support::alignments::{ALIGN, Arrays, DRAW, N_STIMULI, archive, noise, signal};
use crate::support::*;

#[test]
fn layers_whose_arrays_are_called_alike() {
    let mut arrays = Arrays::new();
    for layer in ["early", "late"] {
        let from = arrays.dir.join(format!("{layer}/{layer}.npy"));
        archive(&arrays.dir.join(format!("{layer}.npz")), &[(&from, "trained")]);
    }
    arrays.sources = "[[sources]]\nname = \"net\"\neach_layer = true\n\
                      features = [\"early.npz:trained\", \"late.npz:trained\"]\n"
        .to_owned();
    arrays.align("run", "");
    contains(&arrays.dir.succeed(&format!("{ALIGN} --dry-run")).stdout, &["2 models"]);
    let dir = &arrays.dir;
    // The tables for other programs also have the names of layers.
    let found = dir.json("run/align.json");
    let names = [1, 2].map(|place| &found["sources"][place]);
    let names = names.map(|own| [own["source"].clone(), own["layers"].clone()]);
    assert_eq!(names, ["early/trained", "late/trained"].map(|own| [format!("net {own}"), own.to_owned()]));
    let layer = &dir.json("run/paper.json")["sources"][1];
    assert_eq!([&layer["model"], &layer["layer"]], ["net", "late/trained"]);
}

#[test]
fn a_dry_run_refuses_what_the_run_refuses() {
    let mut arrays = Arrays::new();
    let own = arrays.sources.clone();
    let mut said = |sources: String, settings: &str| {
        arrays.sources = sources;
        arrays.settings = settings.to_owned();
        let said = arrays.refused();
        assert_eq!(arrays.dir.run(&format!("{ALIGN} --dry-run")).to_string(), said.trim_end());
        said
    };
    let all = [
        said(own.repeat(2), ""),
        said(own.replace("features", "each_layer = true\nfeatures").replace("late/late", "early/early"), ""),
        said(format!("{own}model = \"resnet18-untrained-1\"\n"), ""),
        said(format!("{own}layers = \"layer1\"\n"), ""),
        said("[[sources]]\nmodel = \"resnet18-untrained-1\"\n".to_owned(), ""),
        said(own.clone(), "outer_folds = 40\n"),
        said(own.clone(), "inner_folds = 9\n"),
        said(own.clone(), "partitions = 0\n"),
        said(own.clone(), "allow_nan_voxels = true\n"),
    ];
    assert_snapshot!(all.concat(), @r#"
    exit 2, stderr: error: two sources are called "model"; give each its own name
    exit 2, stderr: error: two sources are called "model early"; give each its own name
    exit 2, stderr: error: source "model": expected either `features` or `model`
    exit 2, stderr: error: source "model": `layers` are those of a `model`; for `features`, name a matrix for each layer there (`file.npz:layer` for one of several in a file), and leave out `layers`
    exit 2, stderr: error: source "resnet18-untrained-1": a model needs `images`: a folder, an .npy stack or a .pt file of the stimuli, called by their numbers or names
    exit 1, stderr: error: 36 stimuli cannot be divided into 40 outer folds; set `outer_folds` to 2 or more and at most 36, or keep more stimuli
    exit 1, stderr: error: 8 stimuli cannot be divided into 9 inner folds; set `inner_folds` to 2 or more and at most 8, or keep more stimuli
    exit 2, stderr: error: partitions is 0; expected from 1 to 100000
    exit 2, stderr: error: align.toml:19: unknown key `allow_nan_voxels`; expected one of `seed`, `outer_folds`, `inner_folds`, `partitions`, `balance`, `reference_rank`, `prefixes`, `null`, `null_p`, `null_select`, `controls`, `fixed_ranks`, `random_draws`, `response_draws`, `subspace`, `donors`, `interval`, `resamples`, `interval_units`; `allow_nan_voxels` belongs to no table: write it at the top of the file, before the first [table]
    "#);
    // The message lists the missing features.
    arrays.sources = own.replace("late/late.npy", "nowhere.npz:late");
    arrays.settings.clear();
    arrays.write();
    let looked = arrays.dir.succeed(&format!("{ALIGN} --dry-run")).stdout;
    let missing: Vec<&str> = looked.lines().skip_while(|line| !line.contains("missing")).take(2).collect();
    assert_snapshot!(missing.join("\n"), @"
    1 files of features are missing:
      nowhere.npz
    ");
}

#[test]
fn one_matrix_needs_no_list() {
    let mut arrays = Arrays::new();
    let of = |features: &str| format!("[[sources]]\nname = \"net\"\nfeatures = {features}\n");
    arrays.sources = of("3");
    assert_snapshot!(arrays.refused(), @"exit 2, stderr: error: align.toml:17: expected a text or a list of texts");
    let [list, text] = ["[\"early/early.npy\"]", "\"early/early.npy\""].map(|features| {
        arrays.sources = of(features);
        arrays.align("run", "");
        arrays.dir.json("run/align.json")["fingerprint"].clone()
    });
    assert_eq!(list, text);
}

/// Without the keys there is no table of seeds, and the output names the keys that it needs.
#[test]
fn keys_that_say_what_features_are_give_the_papers_tables() {
    let mut arrays = Arrays::new();
    let source =
        |name: &str, keys: &str| format!("[[sources]]\nname = \"{name}\"\nfeatures = \"early/early.npy\"\n{keys}");
    let names = ["trained", "random 0", "random 1"];
    arrays.sources = names.map(|name| source(name, "")).concat();
    assert_snapshot!(arrays.align("run", "").messages(), @"
    run: 4 sources aligned with 2 target units
    run/paper.md: 8 tables of the recovery paper, and what 10 others need
    ");
    contains(&arrays.dir.read("run/paper.md"), &["| Table 4 "]);
    assert_eq!(arrays.dir.json("run/paper.json")["seeds"], serde_json::json!([]));

    let random = |seed: u64| format!("architecture = \"net\"\nstate = \"random\"\nseed = {seed}\n");
    arrays.sources = [
        source(names[0], "architecture = \"net\"\n"),
        source(names[1], &random(0)),
        source(names[2], &random(1)),
    ]
    .concat();
    assert_snapshot!(arrays.align("run", "").messages(), @"
    run: 4 sources aligned with 2 target units
    run/paper.md: 10 tables of the recovery paper, and what 7 others need
    ");
    assert_eq!(arrays.dir.json("run/paper.json")["seeds"][0]["n_seeds"], 2);
}

#[test]
fn few_target_units_have_no_interval_unless_asked_for() {
    let dir = Arrays::written();
    let run = |options: &str, part: &str| {
        let printed = dir.succeed(&format!("{ALIGN} {options}")).stdout;
        contains(&printed.split_whitespace().collect::<Vec<_>>().join(" "), &[part]);
        (printed, dir.json("run/align.json"))
    };
    let (printed, found) = run("", "no intervals: there are 2 subjects, fewer than 5 (--interval-units)");
    assert!(!printed.contains('['), "{printed}");
    let accuracy = &found["sources"][0]["accuracy"];
    assert!(accuracy["mean"].is_f64() && accuracy["interval"].is_null());
    let of_new = "95% t intervals over 2 subjects: they speak of new subjects, and of these regions and stimuli";
    let (printed, found) = run("--interval-units 2", of_new);
    contains(&printed, &["2 subjects show little"]);
    assert!(found["sources"][1]["accuracy"]["interval"][0].is_f64());
    let settings = |found: &Value| found["config"]["settings"].clone();
    assert_eq!((&settings(&found)["interval_units"], &settings(&found)["interval"]), (&2.into(), &"t".into()));
    // Every entry of a donor involves both subjects, so no entries are independent.
    let of_donors = |found: &Value| found["sources"][0]["accuracy"].clone();
    assert!(of_donors(&found)["interval"].is_null());
    let (_, percentile) = run("--interval-units 2 --interval percentile", "which are too narrow");
    assert!(of_donors(&percentile)["interval"][0].is_f64());
    assert_eq!(of_donors(&percentile)["mean"], of_donors(&found)["mean"]);
    assert_eq!(settings(&percentile)["interval"], "percentile");

    // A hemisphere may be omitted.
    dir.replace("align.toml", "hemisphere = \"lh\"\n", "");
    dir.succeed(ALIGN);
    let found = dir.json("run/align.json");
    assert_eq!([&found["units"][0][0]["hemisphere"], &found["inputs"][0]["role"]], ["", "responses/a V1"]);
    // Each is a donor for the other.
    assert_eq!(found["sources"][0]["source"], "other subjects");
}

#[test]
fn the_output_and_the_report_begin_with_what_is_not_known_of_chance() {
    let dir = Arrays::written();
    let printed = dir.succeed(DRAW).stdout;
    let found = dir.json("run/align.json");
    // Two draws of the null cannot give a p of 0.05.
    let score = found["sources"][1]["corrected"]["mean"].number();
    let first = format!(
        "Chance is not excluded: p of so few draws of the null (2) cannot be 0.05 or less (`--null 20`). model has corrected ProfileMean \
         {score:.3} over 2 target units.\n"
    );
    assert!(printed.starts_with(&first), "{printed}");
    assert!(dir.read("run/align.md").starts_with(&first[..82]));

    // A report of this alignment only.
    dir.succeed("report --align run --out page.html").says(&["1 result"]);
    let html = dir.read("page.html");
    // Questions come first, then their answers, then the figures with their tables.
    let mut at = 0;
    for part in [
        "<section id=\"recovery\"",
        "How much of a brain's reproducible response does each source recover?</h3>",
        "<p class=\"answer\">Chance is not excluded",
        "<div class=\"lead-part\">",
        "alt=\"Coverage of the first k directions",
        "<h4>Recovery of reproducible response dimensions",
        "<section id=\"accuracy\"",
        "A correlation of accuracy and recovery takes at least five models; here: 1",
        "<section id=\"directions\"",
        "directions carry a target's reproducible response (effective rank)",
        "<h4>Target references</h4>",
        "<section id=\"controls\"",
        "as many dimensions of another origin give: the target's own principal components",
        "<section id=\"paper\"",
        "Tables and figures of the paper that are not here",
        "<section id=\"methods\"",
    ] {
        at += html[at..].find(part).unwrap_or_else(|| panic!("{part} is not there, or earlier"));
    }
    assert_eq!(html.matches("<h4>Target references</h4>").count(), 1);
    contains(
        &html,
        &[
            "model has corrected ProfileMean",
            "BrainRefScore",
            "data:image/svg+xml;base64,",
            "How is a recovery profile summarised? <small>recovery-profile</small>",
            "responses/a lh V1",
            "neurogauge report --align",
        ],
    );
    assert_snapshot!(dir.run("report --out page.html"), @"
    exit 2, stderr:
    error: the following required arguments were not provided:
      <RUN>...

    Usage: neurogauge report --out <FILE> <RUN>...
    ");

    let without = dir.succeed(&format!("{ALIGN} --null 0")).stdout;
    let unknown = "Chance is unknown without draws of the null (`--null`). model has ProfileMean 0.";
    assert!(without.starts_with(unknown) && !without.contains("more than chance"), "{without}");
}

/// Noise together with the model, and alone.
#[test]
fn a_source_of_noise_is_said_to_recover_no_more_than_chance() {
    let mut arrays = Arrays::new();
    let values: Vec<f32> = (0..N_STIMULI * 6).map(|place| noise("pure", place) as f32).collect();
    write_f32(&arrays.dir.join("noise.npy"), &[N_STIMULI as u64, 6], &values).unwrap();
    let model = arrays.sources.clone();
    let pure = "[[sources]]\nname = \"pure noise\"\nfeatures = \"noise.npy\"\n";
    let mut first = |sources: String| {
        arrays.sources = sources;
        arrays.align("run", "--null 20").stdout.lines().next().unwrap().to_owned()
    };
    let alone = first(pure.to_owned());
    assert!(alone.starts_with("pure noise recovers no more than chance in 2 of 2 target units: "), "{alone}");
    assert!(!alone.contains("other subject"), "{alone}");
    let both = first(format!("{model}{pure}"));
    assert!(both.starts_with("model recovers more than chance: corrected ProfileMean 0."), "{both}");
    assert!(both.contains("pure noise recovers no more than chance in 2 of 2 target units"), "{both}");
    assert!(both.contains("of what the median other subject would recover without noise"), "{both}");
    let twice = first(format!("{model}{}", model.replace("model", "same")));
    // With equal sources and two subjects, there is no rank.
    assert!(twice.starts_with("It is not shown which source recovers most: "), "{twice}");
    contains(&twice, &["(difference 0.000, no p; too few for a test: 2 subjects)"]);
}

/// With twelve stimuli, each inner fold has two, whose correlations are 1 or -1 with every regularisation.
#[test]
fn a_regularisation_that_the_data_do_not_determine() {
    let mut arrays = Arrays::new();
    let many = arrays.align("run", "").stdout;
    assert!(!many.contains("do not determine"), "{many}");
    for trials in arrays.trials.values_mut() {
        trials.retain(|trial| trial.0 < 22);
    }
    let few = arrays.align("run", "").stdout;
    let found = &arrays.dir.json("run/align.json")["undetermined"];
    let of = |key: &str| [0, 1].map(|place| found[key][place].natural());
    let ([n_fits, of_sources], [n_behind, of_references]) = (of("of_sources"), of("of_references"));
    assert!(of_sources > 0 && of_references > 0, "{found}");
    let words = format!(
        "In {} of 2 target units all regularisations score the same in validation of some fits ({of_sources} of {n_fits} of sources, \
         {of_references} of {n_behind} behind references)",
        found["n_units"],
    );
    contains(&few, &[&words]);
}

/// The first configuration of the page on recovery profiles, with arrays of the shapes given there.
#[test]
fn the_smallest_configuration_of_the_page_runs() {
    let arrays = Arrays::new();
    let dir = &arrays.dir;
    let page = dir.read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pages/how-to/recovery-profiles.md"));
    let (_, after) = page.split_once("```toml\n").unwrap();
    dir.write("align.toml", after.split_once("```").unwrap().0);
    // As many stimuli as the default folds need according to the page: each of the 36 counts as two.
    let n = 2 * N_STIMULI;
    for (subject, trials) in arrays.trials.values().enumerate() {
        let at = |what: &str| dir.join(format!("s{}_{what}.npy", subject + 1));
        let twice = || (0..2).flat_map(|half| trials.iter().map(move |trial| (half, trial)));
        let stimuli = twice().map(|(half, trial)| (trial.0 + half * N_STIMULI as u64) as f64);
        let values = twice().flat_map(|(half, trial)| {
            trial.2.iter().enumerate().map(move |(voxel, value)| value + half as f64 * noise("other", voxel))
        });
        let (stimuli, values): (Vec<f64>, Vec<f64>) = (stimuli.collect(), values.collect());
        let n_trials = stimuli.len() as u64;
        write_f64(&at("trials"), &[n_trials, values.len() as u64 / n_trials], &values).unwrap();
        write_f64(&at("stimuli"), &[n_trials], &stimuli).unwrap();
    }
    let features: Vec<f32> = (0..n * 6).map(|place| signal("net", place % 6, place / 6) as f32).collect();
    write_f32(&dir.join("features.npy"), &[n as u64, 6], &features).unwrap();
    let said = dir.succeed(&format!("{ALIGN} --null 1")).stdout;
    assert!(said.contains("(`--null 20`). my network has corrected ProfileMean"), "{said}");
    assert_eq!(dir.json("run/align.json")["units"].list().len(), 2);
}
