//! Requests that contradict themselves or ask for what does not exist: exit code 2, before anything
//! is read or written.

use crate::support;
use crate::support::observations::small_dataset;
use crate::support::{arg, folder, image_folders, refused, succeed};

#[test]
fn metrics_that_do_not_exist_or_lack_their_inputs() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    let run = dir.path().join("run");
    let inputs = ["score", "--gt", arg(&gt), "--recon", arg(&recon), "--out"];
    let ask = |metrics: &str, parts: &[&str]| {
        let args = [&inputs[..], &[arg(&run), "--metrics", metrics]].concat();
        refused(&args, 2, parts);
        assert!(!run.exists(), "nothing was begun");
    };
    ask(
        "ssim,sism",
        &[
            "--metrics",
            "\"sism\" (did you mean \"ssim\"?); `neurogauge metrics` lists all",
        ],
    );
    ask("", &["no metric is called \"\""]);
    let captions = dir.path().join("captions.json");
    support::write(&captions, r#"{"1": "a boat"}"#);
    let captions = [
        "--gt-captions",
        arg(&captions),
        "--recon-captions",
        arg(&captions),
    ];
    let of_captions = |metrics: &str, parts: &[&str]| {
        let out = ["score", "--out", arg(&run), "--metrics", metrics];
        refused(&[&out[..], &captions].concat(), 2, parts);
        assert!(!run.exists(), "nothing was begun");
    };
    let of_images = [
        "object_f1 needs detections",
        "--observations",
        "--detector MODEL",
    ];
    of_captions("object_f1", &of_images);
    of_captions("seed", &["needs"]);
}

/// SEED's own models are asked for by themselves.
#[test]
fn metrics_of_images_that_take_weights_say_which() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    let run = dir.path().join("run");
    for (metric, model) in [
        (
            "cap_sim",
            "the weights of git_large_coco are not on this machine",
        ),
        (
            "object_f1",
            "the weights of mm_grounding_dino_swin_l are not on this machine",
        ),
        ("seed", "are not on this machine"),
    ] {
        let images = ["score", "--gt", arg(&gt), "--recon", arg(&recon)];
        let args = [&images[..], &["--out", arg(&run), "--metrics", metric]].concat();
        refused(&args, 1, &[model, "--weights DIR"]);
    }
}

#[test]
fn features_come_from_files_or_from_images_and_weights() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    let run = dir.path().join("run");
    let score = ["score", "--out", arg(&run), "--metrics", "effnet"];
    let images = ["--gt", arg(&gt), "--recon", arg(&recon)];
    refused(
        &[&score[..], &images].concat(),
        1,
        &[
            "the weights of efficientnet_b1 are not on this machine",
            "efficientnet_b1-c27df63c.pth",
            "--weights DIR",
        ],
    );
    let captions = dir.path().join("captions.json");
    support::write(&captions, r#"{"1": "a boat"}"#);
    let captions = [
        "--gt-captions",
        arg(&captions),
        "--recon-captions",
        arg(&captions),
    ];
    refused(
        &[&score[..], &captions].concat(),
        2,
        &[
            "effnet needs efficientnet_b1.avgpool.npy",
            "or effnet.npy",
            "or images of both sides",
        ],
    );
}

#[test]
fn one_side_only_and_no_side_at_all() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    let out = dir.path().join("run");
    let score = |inputs: &[&str], parts: &[&str]| {
        refused(&[&["score", "--out", arg(&out)], inputs].concat(), 2, parts);
    };
    score(&["--gt", arg(&gt)], &["add --recon"]);
    score(&["--recon", arg(&recon)], &["add --gt"]);
    for (one, other) in [
        ("--gt-captions", "--recon-captions"),
        ("--recon-detections", "--gt-detections"),
        ("--gt-features", "--recon-features"),
    ] {
        score(&[one, arg(&gt)], &[arg(&gt), &format!("add {other}")]);
    }
    score(&[], &["nothing to score", "--gt and --recon"]);
    score(
        &["--observations", arg(&gt)],
        &["no folder \"gt\"", "recon/"],
    );
    let missing = dir.path().join("missing");
    score(
        &["--observations", arg(&missing)],
        &["missing", "no such folder"],
    );
    assert!(!out.exists(), "nothing was begun");
}

#[test]
fn option_values_out_of_range() {
    let dir = folder();
    small_dataset(dir.path());
    let run = dir.path().join("run");
    let inputs = ["score", "--observations", arg(dir.path()), "--out"];
    for (option, value, expected) in [
        ("--level", "1.5", "between 0 and 1"),
        ("--level", "nan", "between 0 and 1"),
        ("--resamples", "0", "from 1 to"),
        ("--resamples", "1000000000000000000", "from 1 to"),
        ("--seed", "tuesday", "invalid"),
        ("--pixel-size", "0", "from 1 to"),
        ("--pixel-size", "1000000000", "from 1 to"),
        ("--first-size", "1000000000", "from 1 to"),
        ("--min-box-area", "-1", "0 or more"),
        ("--snm-threshold", "30", "from 0 to 1"),
        ("--sdm-f1-above", "nan", "finite"),
        ("--sdm-gap-above", "inf", "finite"),
        ("--image-size", "425", "WIDTHxHEIGHT"),
        ("--box-scale", "0x5", "WIDTHxHEIGHT"),
        ("--preset", "offical", "official"),
        ("--object-variant", "colour", "existence"),
        ("--references", "median", "mean"),
        ("--format", "xml", "latex"),
        ("--labels", "klingon", "coco_gender"),
        ("--text-encoder", "all-MiniLM", "all-MiniLM-L6-v2"),
        ("--threads", "0", "from 1 to"),
    ] {
        let args = [&inputs[..], &[arg(&run), option, value]].concat();
        refused(&args, 2, &[value, expected]);
        assert!(!run.exists(), "{option}: nothing was begun");
    }
    // Negative numbers where they make sense.
    let gap = ["--sdm-gap-above", "-0.5", "--text-encoder", "stand-in"];
    succeed(&[&inputs[..], &[arg(&run)], &gap].concat());
}

#[test]
fn a_folder_in_the_place_of_a_file_is_called_one() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    let run = dir.path().join("run");
    let scored = [
        "score",
        arg(&gt),
        arg(&recon),
        "--metrics",
        "pixcorr",
        "--out",
    ];
    succeed(&[&scored[..], &[arg(&run)]].concat());
    let (run, page) = (arg(&run), dir.path().join("out"));
    let out = ["--out", arg(&page)];
    let scores = format!("{run}/scores.csv");
    refused(
        &[&["meta", "--human", run, "--metrics", run], &out[..]].concat(),
        2,
        &[&format!(
            "{run}: a folder of a run, which belongs to --metrics; --human takes a file of people's ratings"
        )],
    );
    let data = arg(dir.path());
    let said = refused(
        &[&["meta", "--human", data, "--metrics", &scores], &out[..]].concat(),
        2,
        &[": a folder; --human takes a file"],
    );
    assert!(!said.stderr.contains("of a run"), "{}", said.stderr);
    refused(
        &[&["study", "--config", run], &out[..]].concat(),
        1,
        &[&format!("{run}: is a folder; expected a file")],
    );
    // The folder of a run does for its run.json.
    succeed(&[&["score", "--from-run", run], &out[..]].concat());
    refused(
        &["score", "--from-run", data, "--out", "again"],
        1,
        &["run.json: not found; expected"],
    );
}

#[test]
fn nothing_is_promised_of_a_folder_without_a_plan() {
    let dir = folder();
    for folder in [arg(dir.path()), "nowhere"] {
        let said = refused(&["finish", folder], 1, &["plan.json: not found"]);
        assert!(!said.stderr.contains("done here"), "{}", said.stderr);
    }
}

#[test]
fn commands_that_are_incomplete() {
    let dir = folder();
    refused(&["score"], 2, &["--out"]);
    refused(&["compare", arg(dir.path())], 2, &["2 values required"]);
    refused(
        &["models", "fetch", "loudness"],
        2,
        &["\"loudness\"; `neurogauge models list` lists the models"],
    );
    refused(
        &["models", "verify", "loudness"],
        2,
        &["\"loudness\"", "models list"],
    );
    refused(&["measure"], 2, &["measure"]);
    refused(
        &[
            "score",
            "--from-run",
            "a",
            "--out",
            "b",
            "--metrics",
            "ssim",
        ],
        2,
        &["--from-run"],
    );
}

#[test]
fn messages_name_what_was_given_and_what_is_taken() {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2"]);
    let images = ["score", arg(&gt), arg(&recon)];
    let score = |more: &[&str], parts: &[&str]| refused(&[&images[..], more].concat(), 2, parts);
    score(
        &["--resamples", "-5"],
        &["\"-5\": expected a whole number from 1 to"],
    );
    score(
        &["--seed", "-5"],
        &["invalid value '-5' for '--seed <SEED>'"],
    );
    let weights = ["--weights", "/nope"];
    score(&weights, &["--weights <DIR>", "/nope: no such folder"]);
    // Of the options that a record excludes, only those that were given are named.
    let again = ["score", "--from-run", "run.json", "--metrics", "ssim"];
    let more = ["--pixel-size=64", "--seed", "3"];
    let given = [
        "--from-run <RUN>",
        "--metrics <LIST>",
        "--pixel-size <PX>",
        "--seed <SEED>",
    ];
    let ran = refused(&[&again[..], &more].concat(), 2, &given);
    assert!(!ran.stderr.contains("--caption-beams"), "{}", ran.stderr);
    assert!(ran.stderr.lines().count() < 12, "{}", ran.stderr);
    let help = succeed(&["score", "--help"]).stdout;
    assert!(
        help.contains("on stderr: bar (on a terminal only)"),
        "{help}"
    );
    for (command, option) in [("score", "--gt-categories"), ("perceive", "--categories")] {
        let help = succeed(&[command, "--help"]).stdout;
        let about = &help[help.find(&format!("{option} <")).unwrap()..];
        let form = "{\"foreground_objects\":";
        assert!(about[..600].contains(form), "{command} {about:.600}");
    }
}
