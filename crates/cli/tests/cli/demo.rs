//! `neurogauge demo` works without data, weights and network, and states the basis of its numbers.

use crate::support::*;
use neurogauge::metrics::{Compute, Distractors, METRICS, Metric};

#[test]
fn the_demo_needs_nothing_and_shows_only_numbers_that_mean_something() {
    let dir = folder();
    let out = dir.join("demo");
    let ran = dir.succeed("demo --out demo");
    ran.says(&["8 pairs scored", "pairs.png", "score STIMULI"]);
    // The commands that it prints at the end work.
    let printed = ran.stderr.lines().filter(|line| line.contains("demo"));
    let commands = printed.filter_map(|line| line.trim().split_once("neurogauge "));
    let commands: Vec<&str> = commands.map(|(_, words)| words).collect();
    assert_eq!(commands.len(), 2, "{ran}");
    for words in commands {
        dir.succeed(words);
    }
    assert!(!ran.stdout.contains('\u{2020}'), "{ran}");
    let entries = dir.summary(out.join("run"));
    for id in ["pixcorr", "ssim", "ms_ssim", "object_f1", "snm"] {
        assert!(entries.get(id).is_some(), "{id}");
    }
    for (id, entry) in entries.fields() {
        assert_eq!(entry["stand_in"], false, "{id}");
    }
    // The trained model has all dimensions that the subjects share, and the untrained one a third of them.
    let recovery = |source: &str| -> f64 {
        let mut lines = ran.stdout.lines();
        let line = lines.find(|line| line.starts_with(&format!("{source}  "))).unwrap();
        // Accuracy, then the excess over chance; three target units do not give an interval.
        let mut means = line[source.len()..].split_whitespace();
        means.nth(1).unwrap().parse().unwrap()
    };
    assert!(recovery("A trained") > recovery("A untrained 42") + 0.05);
    assert!(out.join("recovery/align.json").is_file());

    // Weights that came in between make the demo again and delete nothing of the user.
    let again = |words: &str| Ran::of(dir.command(words, no_cache()).current_dir(&out));
    let without = "demo --out .";
    let with = format!("{without} --weights {}", arg(&weights()));
    dir.write("demo/run/notes.txt", "mine");
    let told = "the weights of all-MiniLM-L6-v2 are on this machine now: ";
    again(&with).done().says(&[told, "which adds Cap-Sim"]);
    assert!(dir.summary("demo/run")["cap_sim"]["value"].is_number());
    assert_eq!(dir.read("demo/run/notes.txt"), "mine");
    again(without).done().says(&["are not on this machine any more"]);
    assert!(dir.summary("demo/run")["cap_sim"].is_null());

    // A user's run in the same folder is not replaced.
    again("score data/gt data/recon --metrics ssim --out run --overwrite").done();
    again(&with).exits(1).says(&["holds a finished run of other inputs or options"]);
}

#[test]
fn all_metrics_need_nothing_either_what_stands_in_is_marked_and_a_second_call_reads_the_first_back() {
    let dir = folder();
    let ran = dir.succeed("demo --all --out demo");
    ran.says(&["8 pairs scored", "pairs.png"]);
    contains(&ran.stdout, &["PixCorr", "Object F1", "Cap-Sim \u{2191}\u{2020}", "placeholder model"]);
    let entries = dir.summary("demo/run-all");
    let marked = entries.fields().iter().filter(|(_, entry)| entry["stand_in"] == true);
    let marked: Vec<&str> = marked.map(|(id, _)| id.as_str()).collect();
    let rests_on_stand_in = |metric: &&Metric| {
        let id = metric.spec.id;
        let by_model = match metric.compute {
            Compute::Features { .. } => !metric.spec.on_request || id == "effnet_official",
            // The demo has no common pool.
            Compute::Identification { distractors, .. } => {
                matches!(distractors, Distractors::Pairs)
            }
            _ => false,
        };
        by_model || ["cap_sim", "seed", "sdm"].contains(&id)
    };
    assert_eq!(marked, METRICS.iter().filter(rests_on_stand_in).map(|metric| metric.spec.id).collect::<Vec<_>>());
    for id in ["alexnet2", "clip", "clip_correlation", "effnet", "swav"] {
        assert!(marked.contains(&id), "{id}");
    }
    for (id, entry) in entries.fields() {
        assert!(entry["value"].is_number(), "{id}: {entry}");
    }
    // The losses are known: a reconstruction shows fewer objects and adds few.
    let mean = |id: &str| entries[id]["value"].number();
    assert!(mean("object_recall") < mean("object_precision"));

    let picture = read_rgb8(&dir.join("demo/pairs.png")).unwrap();
    assert!(picture.width_px() > 3 * picture.height_px(), "8 columns, 2 rows");

    let second = dir.succeed("demo --all --out demo");
    second.says(&["nothing was computed"]);
    assert_eq!(second.stdout, ran.stdout);

    // Another number of threads gives the same bits.
    dir.succeed("--threads 1 demo --all --out one");
    for file in [
        "pairs.png",
        "data/gt/scene-1.png",
        "data/recon/scene-8.png",
        "data/observations/recon/captions.json",
        "run-all/scores.parquet",
        "run-all/summary.json",
        "run-all/summary.tex",
        "recovery/profiles.parquet",
    ] {
        assert!(dir.bytes(format!("demo/{file}")) == dir.bytes(format!("one/{file}")), "{file}");
    }

    // With weights on the machine, captions have real embeddings.
    let stood_in = dir.scores("demo/run-all");
    dir.succeed(&format!("demo --all --out demo --weights {} --overwrite", arg(&weights())));
    let real = dir.scores("demo/run-all");
    assert_eq!(dir.summary("demo/run-all")["cap_sim"]["stand_in"], false);
    assert_eq!(dir.summary("demo/run-all")["seed"]["stand_in"], true, "EffNet still is");
    assert_ne!(real.column("cap_sim"), stood_in.column("cap_sim"));
    assert_eq!(real.column("object_f1"), stood_in.column("object_f1"));
    dir.succeed(&format!("demo --out demo --weights {}", arg(&weights())));
    assert_eq!(dir.scores("demo/run").column("cap_sim"), real.column("cap_sim"));
}
