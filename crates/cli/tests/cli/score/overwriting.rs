//! A finished run is replaced only on request.

use crate::support::*;

const SCORE: &str = "score gt recon --out run --metrics";

#[test]
fn a_finished_run_of_other_options_is_kept_unless_it_is_to_be_replaced() {
    let dir = images(&["1", "2"]);
    let first = format!("{SCORE} pixcorr --set pixel_size=32");
    dir.succeed(&first);
    let before = dir.json("run/run.json");
    dir.succeed(&first).says(&["already finished"]);

    let other = format!("{SCORE} pixcorr,psnr --set pixel_size=16");
    assert_snapshot!(dir.run(&other).differs("run"), @"
    metrics: pixcorr then, pixcorr, psnr now
    options.options.pixels.size_px: 32 then, 16 now
    origin of metric.psnr: none then, computed now
    ");
    assert_eq!(dir.json("run/run.json"), before);
    assert!(!dir.has("run/.lock"));
    dir.succeed(&format!("{other} --overwrite"));
    let size = &dir.json("run/run.json")["request"]["options"]["pixels"]["size_px"];
    assert_eq!(*size, 16);

    // Another image makes another input.
    dir.copy("gt/1.png", "gt/2.png");
    assert_snapshot!(dir.run(&other).differs("run"), @"SHA-256 of input.gt/images: [HASH] then, [HASH] now");
}

#[test]
fn another_unfinished_run_is_not_replaced_either() {
    let dir = images(&["1", "2"]);
    let score = |size: u32| dir.run(&format!("{SCORE} pixcorr --set pixel_size={size}"));
    score(32);
    let finished = dir.read("run/run.json");
    let unfinished = finished.replace("\"complete\": true", "\"complete\": false");
    assert_ne!(finished, unfinished);
    dir.write("run/run.json", &unfinished);
    assert_snapshot!(score(16), @"
    exit 1, stderr:
    error: run: holds an unfinished run of other inputs or options, which is not replaced; choose another --out, or say --overwrite. What differs:
      options.options.pixels.size_px: 32 then, 16 now
    ");
    assert_eq!(dir.read("run/run.json"), unfinished);
    // The same run is continued without a message.
    assert_snapshot!(score(32).messages(), @"run: 2 pairs scored");
}

#[test]
fn a_placeholder_is_named_in_words_where_it_differs() {
    let dir = images(&["1", "2"]);
    dir.succeed(&format!("{SCORE} pixcorr,effnet --set image_models=placeholder"));
    assert_snapshot!(dir.run(&format!("{SCORE} pixcorr")).differs("run"), @"
    device: cpu then, none now
    metrics: pixcorr, effnet then, pixcorr now
    model.mean-colours: a placeholder without weights then, none now
    options.perception.stand_in: true then, false now
    origin of metric.effnet: perceived/mean-colours.grid4 then, none now
    ");
}

#[test]
fn observations_that_a_run_reads_are_not_replaced_with_the_run_that_made_them() {
    let dir = images(&["1", "2"]);
    dir.succeed("score gt recon --captioner placeholder-captioner --metrics bleu_1 --out run");
    let captions = ["gt", "recon"].map(|side| format!("--{side} captions=run/observations/{side}/captions.json"));
    let score = format!("score {} --metrics bleu_1 --out", captions.join(" "));
    assert_snapshot!(dir.run(&format!("{score} run --overwrite")), @"exit 1, stderr: error: --gt captions=FILE: [DIR]/run/observations/gt/captions.json is in run, whose files this run would replace, so nothing was done; copy it to another folder, or give one of the two runs a folder of its own with --out");
    assert_eq!(dir.json("run/run.json")["complete"], true);
    dir.succeed(&format!("{score} other --overwrite"));
}

#[test]
fn a_run_that_replaces_another_leaves_none_of_its_observations() {
    let dir = images(&["1", "2"]);
    dir.succeed(
        "score gt recon --captioner placeholder-captioner --detector placeholder-detector --set image_models=placeholder --metrics \
         bleu_1,object_f1,effnet --out run",
    );
    let made = ["captions.json", "detections", "features"];
    let are_there = |side: &str| made.map(|name| dir.join("run/observations").join(side).join(name).exists());
    dir.write("captions.json", r#"{"1": "sofa", "2": "cats"}"#);
    dir.write("broken.json", "{");
    let score = |captions: &str| {
        let given = format!("--gt captions={captions} --recon captions={captions}");
        dir.run(&format!("score gt recon {given} --metrics bleu_1 --out run --overwrite"))
    };
    assert_eq!(score("broken.json").code, 1);
    assert_eq!(are_there("gt"), [true; 3], "a run that is refused");
    score("captions.json").done();
    for side in ["gt", "recon"] {
        assert!(!dir.join("run/observations").join(side).exists());
    }
    let shown = |out: &str| {
        dir.succeed(&format!("gallery --recon X=run --captions --pick 1,2 --metric bleu_1 --out {out}"));
        dir.read(out)
    };
    let figure = shown("first.svg");
    assert!(figure.lines().any(|line| line == "sofa"), "{figure}");
    // Observations of another program in the folder are not the run's.
    for side in ["gt", "recon"] {
        let stale = format!("run/observations/{side}/captions.json");
        dir.write(&stale, r#"{"1": "stale", "2": "stale"}"#);
    }
    assert_eq!(shown("second.svg"), figure);
}

#[test]
fn matrices_of_a_replaced_run_are_removed_and_those_of_a_user_stay() {
    let dir = images(&["1", "2"]);
    let score = "score gt recon --set image_models=placeholder --out run --metrics";
    dir.succeed(&format!("{score} effnet"));
    let file = |name: &str| format!("run/observations/recon/features/{name}");
    for name in ["before.npy", "before.keys.json", "mine.npy"] {
        dir.write(&file(name), "");
    }
    dir.succeed(&format!("{score} effnet,pixcorr --overwrite"));
    let names = ["before.npy", "before.keys.json", "mine.npy", "mean-colours.grid4.npy"];
    assert_eq!(names.map(|name| dir.has(file(name))), [false, false, true, true]);
}
