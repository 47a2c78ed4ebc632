//! `neurogauge score --config FILE`: options out of a TOML file.

use crate::support::{arg, folder, image_folders, record, refused, scores, succeed, write};
use std::path::Path;

#[test]
fn a_file_is_as_good_as_what_is_typed() {
    let dir = folder();
    image_folders(dir.path(), &["1", "2", "3"]);
    let config = dir.path().join("score.toml");
    // Paths are relative to the file, names have hyphens or not, and numbers have the kinds of TOML.
    write(
        &config,
        "# Options of all our runs.\n\
         gt = 'gt'\nrecon = 'recon'\nout = 'configured/run'\n\
         metrics = ['pixcorr', 'ssim']\npixel-size = 32\nfilter = 'bicubic'\nantialias = 'on'\n\
         resamples = 50\nlevel = 0.9\nseed = 7\noffline = true\noverwrite = false\nbox_scale = '100x50'\n\
         basic_weights = [1, 2, 3]\nformat = 'csv'\n",
    );
    let typed_run = dir.path().join("typed/run");
    let typed = succeed(&[
        "score",
        arg(&dir.path().join("gt")),
        arg(&dir.path().join("recon")),
        "--metrics",
        "pixcorr,ssim",
        "--pixel-size",
        "32",
        "--filter",
        "bicubic",
        "--antialias",
        "on",
        "--resamples",
        "50",
        "--level",
        "0.9",
        "--seed",
        "7",
        "--offline",
        "--box-scale",
        "100x50",
        "--basic-weights",
        "1:2:3",
        "--format",
        "csv",
        "--out",
        arg(&typed_run),
    ]);
    let configured = succeed(&["score", "--config", arg(&config)]);
    assert_eq!(configured.stdout, typed.stdout);
    let run = dir.path().join("configured/run");
    let (found, expected) = (record(&run), record(&typed_run));
    for part in ["request", "fingerprint", "plan", "outputs"] {
        assert_eq!(found[part], expected[part], "{part}");
    }
    // run.json repeats it without the file.
    std::fs::remove_file(&config).unwrap();
    let again = dir.path().join("again");
    let run_json = run.join("run.json");
    succeed(&["score", "--from-run", arg(&run_json), "--out", arg(&again)]);
    assert_eq!(scores(&again), scores(&run));
}

#[test]
fn what_is_typed_goes_before_the_file() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "3"]);
    let config = dir.path().join("score.toml");
    write(
        &config,
        "gt = 'nowhere'\nrecon = 'nowhere'\nmetrics = ['ssim']\nresamples = 50\nseed = 7\n",
    );
    let run = dir.path().join("run");
    succeed(&[
        "score",
        arg(&gt),
        arg(&recon),
        "--config",
        arg(&config),
        "--seed",
        "8",
        "--metrics",
        "pixcorr",
        "--out",
        arg(&run),
    ]);
    let request = &record(&run)["request"];
    assert_eq!(request["metrics"], serde_json::json!(["pixcorr"]));
    assert_eq!(request["bootstrap"]["seed"], 8);
    assert_eq!(request["bootstrap"]["resamples"], 50);
    assert_eq!(request["inputs"]["gt"], arg(&gt));
}

#[test]
fn a_plan_takes_a_file_too() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    let config = dir.path().join("score.toml");
    write(&config, "metrics = 'ssim'\nout = 'planned'\n");
    succeed(&[
        "plan",
        "score",
        arg(&gt),
        arg(&recon),
        "--config",
        arg(&config),
    ]);
    let plan = std::fs::read_to_string(dir.path().join("planned/plan.json")).unwrap();
    assert!(plan.contains("\"ssim\""), "{plan}");
}

#[test]
fn faults_name_the_line_and_what_was_expected() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    let config = dir.path().join("score.toml");
    let run = dir.path().join("run");
    let says = |text: &str, parts: &[&str]| {
        write(&config, text);
        let args = ["score", arg(&gt), arg(&recon), "--config", arg(&config)];
        refused(&[&args[..], &["--out", arg(&run)]].concat(), 2, parts);
        assert!(!run.exists(), "nothing was begun");
    };
    says(
        "seed = 1\n\npixel_sise = 256\n",
        &[
            "score.toml:3:",
            "no option \"pixel_sise\" (did you mean \"pixel_size\"?)",
        ],
    );
    says(
        "loudness = 1\n",
        &["score.toml:1:", "no option \"loudness\"; its --help"],
    );
    says(
        "config = 'other.toml'\n",
        &["score.toml:1:", "no option \"config\""],
    );
    says(
        "both = ['a', 'b']\n",
        &["score.toml:1:", "no option \"both\""],
    );
    says(
        "# of our runs\nlevel = 'high'\n",
        &["score.toml:2:", "level is \"high\"; expected a number"],
    );
    says(
        "level = 2\n",
        &["level is 2; expected a number between 0 and 1"],
    );
    says(
        "resamples = 0.5\n",
        &["resamples is 0.5; expected a whole number"],
    );
    says(
        "resamples = 0\n",
        &["resamples is 0; expected a whole number from 1"],
    );
    says(
        "antialias = true\n",
        &["antialias is true; expected \"on\" or \"off\""],
    );
    says(
        "preset = ['offical']\n",
        &["expected \"official\" or \"paper\""],
    );
    says(
        "offline = 'yes'\n",
        &["offline is \"yes\"; expected true or false"],
    );
    says(
        "gt_captions = 3\n",
        &["gt_captions is 3; expected words in quotes"],
    );
    says("box_scale = '425'\n", &["expected WIDTHxHEIGHT in px"]);
    says(
        "checkpoint = 'a.pth'\n",
        &["expected a table of names and files"],
    );
    says("seed = 1\nseed = 2\n", &["score.toml:2:", "duplicate key"]);
    says(
        "pixel-size = 1\npixel_size = 2\n",
        &["score.toml:2:", "twice"],
    );
    says("seed = \n", &["score.toml:1:"]);
    says(
        "seed = 1\nfrom_run = 'run.json'\n",
        &["score.toml:1:", "from_run and seed exclude each other"],
    );
    // A typed option excludes conflicting options of the file, too.
    write(&config, "metrics = ['ssim']\n");
    let args = ["score", "--config", arg(&config), "--from-run", "run.json"];
    refused(
        &args,
        2,
        &["score.toml:1:", "from_run and metrics exclude each other"],
    );
    let absent = [
        "score",
        "--config",
        arg(Path::new("/nonexistent/score.toml")),
    ];
    refused(&absent, 1, &["/nonexistent/score.toml", "No such file"]);
}

#[test]
fn paths_of_all_kinds_are_relative_to_the_file() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    write(&dir.path().join("names.txt"), "dog\ncat\n");
    let config = dir.path().join("score.toml");
    write(
        &config,
        "labels = 'names.txt'\nmetrics = 'ssim'\nlpips_heads = ['none.pth']\n[checkpoint]\nalexnet = 'own.pth'\n",
    );
    let run = dir.path().join("run");
    let args = [
        "score",
        arg(&gt),
        arg(&recon),
        "--config",
        arg(&config),
        "--out",
    ];
    let heads = dir.path().join("none.pth");
    refused(&[&args[..], &[arg(&run)]].concat(), 1, &[arg(&heads)]);
    write(
        &config,
        "labels = 'names.txt'\nmetrics = 'ssim'\n[checkpoint]\nalexnet = 'own.pth'\n",
    );
    succeed(&[&args[..], &[arg(&run)]].concat());
    let request = &record(&run)["request"];
    assert_eq!(request["labels"], arg(&dir.path().join("names.txt")));
    let checkpoint = dir.path().join("own.pth");
    assert_eq!(
        request["models"]["checkpoints"]["alexnet"],
        arg(&checkpoint)
    );
    // The names of built-in lists are no files.
    write(
        &config,
        "labels = 'coco'\nmetrics = 'ssim'\noverwrite = true\n",
    );
    succeed(&[&args[..], &[arg(&run)]].concat());
    assert_eq!(record(&run)["request"]["labels"], "coco");
}

#[test]
fn a_folder_of_weights_lies_beside_the_file_and_must_exist() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    let config = dir.path().join("score.toml");
    write(&config, "weights = 'w'\nmetrics = ['pixcorr']\n");
    let run = dir.path().join("run");
    let args = [
        "score",
        arg(&gt),
        arg(&recon),
        "--config",
        arg(&config),
        "--out",
        arg(&run),
    ];
    let missing = format!(
        "--weights: {}: no such folder",
        dir.path().join("w").display()
    );
    refused(&args, 2, &[&missing]);
    assert!(!run.exists(), "nothing was begun");
    std::fs::create_dir(dir.path().join("w")).unwrap();
    succeed(&args);
}
