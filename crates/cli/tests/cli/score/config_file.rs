//! `neurogauge score --config FILE`: options from a TOML file.

use crate::support::*;

/// Three pairs of images, and this file.
fn with(config: &str) -> Folder {
    let dir = images(&["1", "2", "3"]);
    dir.write("score.toml", config);
    dir
}

#[test]
fn a_file_is_as_good_as_what_is_typed() {
    // Paths are relative to the file, names may have hyphens, and numbers have TOML's types.
    let dir = with(
        "# Options of all our runs.\n\
         gt = 'gt'\nrecon = 'recon'\nout = 'configured/run'\n\
         metrics = ['pixcorr', 'ssim']\nresamples = 50\nlevel = 0.9\nseed = 7\noffline = true\noverwrite = false\n\
         format = 'csv'\n\
         [set]\npixel-size = 32\nfilter = 'bicubic'\nantialias = true\nbox_scale = '100x50'\nbasic_weights = [1, 2, 3]\n",
    );
    let typed = dir.succeed(
        "score gt recon --metrics pixcorr,ssim --set pixel_size=32 --set filter=bicubic --set antialias=on --resamples 50 --level 0.9 \
         --seed 7 --offline --set box_scale=100x50 --set basic_weights=1:2:3 --format csv --out typed/run",
    );
    let configured = dir.succeed("score --config score.toml");
    assert_eq!(configured.stdout, typed.stdout);
    let [found, expected] = ["configured/run/run.json", "typed/run/run.json"].map(|file| dir.json(file));
    for part in ["request", "fingerprint", "plan", "outputs"] {
        assert_eq!(found[part], expected[part], "{part}");
    }
    // run.json repeats the run without the file.
    dir.remove("score.toml");
    dir.succeed("score --from-run configured/run/run.json --out again");
    assert_eq!(dir.scores("again"), dir.scores("configured/run"));
}

#[test]
fn what_is_typed_goes_before_the_file() {
    let dir = with("gt = 'nowhere'\nrecon = 'nowhere'\nmetrics = ['ssim']\nresamples = 50\nseed = 7\n");
    dir.succeed("score gt recon --config score.toml --seed 8 --metrics pixcorr --out run");
    let request = &dir.json("run/run.json")["request"];
    assert_eq!(request["metrics"], serde_json::json!(["pixcorr"]));
    assert_eq!([&request["bootstrap"]["seed"], &request["bootstrap"]["resamples"]], [8, 50]);
    assert!(request["inputs"]["gt"].text().ends_with("gt"));

    // A plan also accepts a file.
    dir.write("score.toml", "metrics = 'ssim'\nout = 'planned'\n");
    dir.succeed("cluster plan score gt recon --config score.toml");
    contains(&dir.read("planned/plan.json"), &["\"ssim\""]);
}

#[test]
fn faults_name_the_line_and_what_was_expected() {
    let dir = with("");
    let texts = [
        "seed = 1\n\npixel_sise = 256",
        "loudness = 1",
        "config = 'other.toml'",
        "both = ['a', 'b']",
        "# of our runs\nlevel = 'high'",
        "level = 2",
        "resamples = 0.5",
        "resamples = 0",
        "pixel_size = 256",
        "[set]\nantialias = 'perhaps'",
        "[set]\nn_way = 2\npixel_sise = 256",
        "set = 3",
        "preset = ['offical']",
        "offline = 'yes'",
        "gt_captions = 3",
        "[set]\nbox_scale = '425'",
        "checkpoint = 'a.pth'",
        "seed = 1\nseed = 2",
        "[set]\npixel-size = 1\npixel_size = 2",
        "from_run = 'run.json'\n[set]\npixel_size = 2",
        "seed = ",
        "seed = 1\nfrom_run = 'run.json'",
    ];
    let said = dir.said_of("score.toml", texts, "score gt recon --config score.toml --out run", "run");
    assert_snapshot!(said, @r#"
    exit 2, stderr: error: score.toml:3: `neurogauge score` has no option "pixel_sise" (did you mean "pixel_size"?); its --help all lists them
    exit 2, stderr: error: score.toml:1: `neurogauge score` has no option "loudness"; its --help all lists them
    exit 2, stderr: error: score.toml:1: `neurogauge score` has no option "config"; its --help all lists them
    exit 2, stderr: error: score.toml:1: `neurogauge score` has no option "both"; its --help all lists them
    exit 2, stderr: error: score.toml:2: level is "high"; expected a number
    exit 2, stderr: error: score.toml:1: level is 2; expected a number between 0 and 1, exclusive, for example 0.95
    exit 2, stderr: error: score.toml:1: resamples is 0.5; expected a whole number
    exit 2, stderr: error: score.toml:1: resamples is 0; expected a whole number from 1 to 10000000
    exit 2, stderr: error: score.toml:1: pixel_size is a convention; write `pixel_size = 256` under [set]
    exit 2, stderr: error: score.toml:2: antialias is "perhaps": expected on or off
    exit 2, stderr: error: score.toml:3: no convention is called "pixel_sise" (did you mean "pixel_size"?)
    exit 2, stderr: error: score.toml:1: `set` is no table; expected [set]
    exit 2, stderr: error: score.toml:1: preset is ["offical"]; expected "official" or "paper" or "exact" or "nsd8-mindeye2" or "nsd8-native" or "published" or "basic" or "capture" or "mindeye1" or "mindeye2" or "atm" or "mindbridge" or "neuropictor" or "brain-diffuser" or "mirage" or "mindvideo" or "neurons" or "cinebrain"
    exit 2, stderr: error: score.toml:1: offline is "yes"; expected true or false
    exit 2, stderr: error: score.toml:1: gt_captions is 3; expected words in quotes
    exit 2, stderr: error: score.toml:2: box_scale is "425": expected WIDTHxHEIGHT in px, for example 425x425
    exit 2, stderr: error: score.toml:1: checkpoint is "a.pth"; expected a table of names and files, such as { resnet50 = "robust.pth" }
    exit 2, stderr: error: score.toml:2: duplicate key
    exit 2, stderr: error: score.toml:3: pixel_size is given twice
    exit 2, stderr: error: score.toml:1: from_run and set exclude each other
    exit 2, stderr: error: score.toml:1: string values must be quoted, expected literal string
    exit 2, stderr: error: score.toml:1: from_run and seed exclude each other
    "#);
    // Options on the command line exclude the file's.
    dir.write("score.toml", "metrics = ['ssim']\n");
    assert_snapshot!(dir.run("score --config score.toml --from-run run.json"), @"exit 2, stderr: error: score.toml:1: from_run and metrics exclude each other");
    assert_snapshot!(dir.run("score --config nowhere/score.toml"), @"exit 1, stderr: error: nowhere/score.toml: not found; expected a configuration (a TOML file)");
}

#[test]
fn paths_of_all_kinds_are_relative_to_the_file() {
    let dir = with("");
    dir.write("names.txt", "dog\ncat\n");
    let score = |config: &str, place: &str| {
        dir.write(&format!("{place}score.toml"), config);
        dir.run(&format!("score gt recon --config {place}score.toml --out run"))
    };
    assert_snapshot!(score("metrics = 'ssim'\nlpips_heads = ['none.pth']\n", "options/"), @"exit 1, stderr: error: [DIR]/options/none.pth: opening failed: No such file or directory; LPIPS was not loaded. If the file was cut short or changed, fetch it again");
    let paths = "labels = '../names.txt'\nmetrics = 'ssim'\n[checkpoint]\nalexnet = 'own.pth'\n";
    assert_eq!(score(paths, "options/").code, 0);
    let request = &dir.record("run")["request"];
    let is_at = |found: &Value, place: &str| {
        let found = found.text();
        assert!(found.ends_with(place), "{found}");
    };
    is_at(&request["labels"], "options/../names.txt");
    is_at(&request["models"]["checkpoints"]["alexnet"], "options/own.pth");
    // The names of built-in lists are not paths.
    assert_eq!(score("labels = 'coco'\nmetrics = 'ssim'\noverwrite = true\n", "").code, 0);
    assert_eq!(dir.record("run")["request"]["labels"], "coco");

    // A folder of weights must exist.
    dir.write("score.toml", "weights = 'w'\nmetrics = ['pixcorr']\n");
    dir.remove("run");
    let score = "score gt recon --config score.toml --out run";
    assert_snapshot!(dir.run(score), @"exit 2, stderr: error: --weights: w: no such folder; expected one that exists");
    assert!(!dir.has("run"), "nothing was begun");
    fs::create_dir(dir.join("w")).unwrap();
    dir.succeed(score);
}

#[test]
fn parts_and_what_is_about_them_may_be_in_the_file_or_typed() {
    let dir = images(&["1/a", "1/b", "2/a", "2/b"]);
    let score = |config: &str, typed: &str| {
        dir.write("score.toml", config);
        let line = format!("score gt recon --config score.toml --metrics ssim {typed}");
        dir.run(&format!("{line} --out run --overwrite"))
    };
    for (config, typed) in [
        ("parts = 'frame'\n[set]\nframes = 'middle'\n", ""),
        ("parts = 'frame'\n", "--set frames=middle"),
        ("parts = 'frame'\n[set]\nframes = 'first:1'\n", "--set frames=middle"),
        ("[set]\nframes = 'middle'\n", "--parts frame"),
    ] {
        let ran = score(config, typed);
        assert_eq!(ran.code, 0, "{config}\n{ran}");
        let parts = &dir.record("run")["request"]["pairing"]["parts"];
        assert_eq!(parts["frames"], "middle");
        assert_eq!(dir.scores("run").pairs, ["1", "2"]);
    }
    let without = ["frames = 'middle'", "on_missing = 'skip'", "odd_frames = 'drop-last'"];
    let said = without.map(|setting| score(&format!("[set]\n{setting}"), "").to_string() + "\n");
    assert_snapshot!(said.concat(), @"
    exit 2, stderr: error: --set frames=middle: it is about the parts of items; say with --parts what these are
    exit 2, stderr: error: --set on_missing=skip: it is about the parts of items; say with --parts what these are
    exit 2, stderr: error: --set odd_frames=drop-last: it is about the parts of items; say with --parts what these are
    ");
}
