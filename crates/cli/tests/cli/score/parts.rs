//! Items with several images: samples of a reconstruction, views, frames.

use crate::support::*;

/// Stimuli `0` to `n - 1`, each with samples `<stem>_0` to `<stem>_<n_samples - 1>`.
fn samples(n: usize, n_samples: usize) -> Folder {
    let dir = folder();
    for item in 0..n {
        let write = |name: String, grain: f32| {
            dir.picture(name, &item.to_string(), 24, grain);
        };
        write(format!("stimuli/{item}.png"), 4.0);
        for sample in 0..n_samples {
            write(format!("recon/{item}_{sample}.png"), 40.0 + 30.0 * ((item + sample) % 4) as f32);
        }
    }
    dir
}

/// The scores of each item's parts.
fn of_parts(dir: &Folder, run: &str, metric: &str, n_parts: usize) -> Vec<Vec<f64>> {
    let table = dir.scores_of_parts(run);
    let column = table.column(metric).unwrap();
    let value = |outcome: &neurogauge::core::Outcome| *outcome.as_ref().unwrap();
    column.chunks_exact(n_parts).map(|parts| parts.iter().map(value).collect()).collect()
}

const SCORE: &str = "score --gt stimuli --recon recon --metrics pixcorr,ssim --parts '{item}_{sample}'";

#[test]
fn an_item_is_scored_by_its_samples_and_is_the_unit_of_intervals() {
    let dir = samples(8, 3);
    let printed = dir.succeed(&format!("{SCORE} --out mean")).stdout;
    assert_snapshot!(printed.lines().next().unwrap(), @"mean: 8 items with 24 pairs of samples");
    contains(&printed, &["studentised bootstrap over items", "Only 8 items"]);
    dir.succeed(&format!("{SCORE} --set samples=best:2 --out best"));
    assert_eq!(dir.scores("mean").pairs, ["0", "1", "2", "3", "4", "5", "6", "7"]);
    for metric in ["pixcorr", "ssim"] {
        let parts = of_parts(&dir, "mean", metric, 3);
        let (mean, best) = (dir.values("mean", metric), dir.values("best", metric));
        for (item, parts) in parts.iter().enumerate() {
            assert!((mean[item] - parts.iter().sum::<f64>() / 3.0).abs() < 1e-12);
            // All three pairs of samples are equally likely.
            let of_pair = [(0, 1), (0, 2), (1, 2)].map(|(a, b)| parts[a].max(parts[b]));
            assert!((best[item] - of_pair.iter().sum::<f64>() / 3.0).abs() < 1e-12);
        }
        assert_eq!(dir.summary("mean")[metric]["n"], 8);
    }
    // The samples that the user chose.
    let chosen: String = (0..8).map(|item| format!("{item},{}\n", item % 3)).collect();
    dir.write("chosen.csv", format!("item,sample\n{chosen}"));
    dir.succeed(&format!("{SCORE} --chosen-samples chosen.csv --out chosen"));
    let parts = of_parts(&dir, "chosen", "ssim", 3);
    assert_eq!(dir.values("chosen", "ssim"), (0..8).map(|item| parts[item][item % 3]).collect::<Vec<_>>());
    // The best of some samples, or chosen ones, are not a mean over samples, and every table has a note on it.
    let mut said = String::new();
    let mut note = |what: &str, printed: String| {
        let lines = printed.lines().filter(|line| line.contains("each value"));
        let lines: String = lines.map(|line| format!("\n  {line}")).collect();
        said += &format!("{what}{lines}\n");
    };
    let mut score = |name: &str, options: &str| {
        note(name, dir.succeed(&format!("{SCORE} {options} --out {name}")).stdout);
    };
    score("mean", "");
    score("best", "--set samples=best:2");
    score("better", "--set samples=best:2");
    score("chosen", "--chosen-samples chosen.csv");
    for runs in ["mean best", "best better", "chosen mean"] {
        note(runs, dir.succeed(&format!("compare {runs}")).stdout);
    }
    assert_snapshot!(said, @"
    mean
    best
      each value is the expected best of 2 samples (--set samples=best:2), a choice that knows the stimulus: better than a decoder without it can reach
    better
      each value is the expected best of 2 samples (--set samples=best:2), a choice that knows the stimulus: better than a decoder without it can reach
    chosen
      each value is that of the chosen samples (--chosen-samples FILE), not the mean over all samples
    mean best
      best: each value is the expected best of 2 samples (--set samples=best:2), a choice that knows the stimulus: better than a decoder without it can reach
    best better
      each value is the expected best of 2 samples (--set samples=best:2), a choice that knows the stimulus: better than a decoder without it can reach
    chosen mean
      chosen: each value is that of the chosen samples (--chosen-samples FILE), not the mean over all samples
    ");
    dir.succeed("report best --no-images --out best.html");
    assert!(dir.read("best.html").contains("each value is the expected best of 2 samples"));
    // Another choice makes another run.
    dir.write("chosen.csv", format!("item,sample\n{}", chosen.replace(",1\n", ",0\n")));
    assert_eq!(dir.run(&format!("{SCORE} --chosen-samples chosen.csv --out chosen")).code, 1);
    // The run is read again, compared and shown like a run of stills.
    dir.succeed(&format!("{SCORE} --out mean"));
    let compared = dir.succeed("compare -v mean best --out compared");
    compared.shows(&["2 systems on 8 shared items", "over n = 8 items", "bootstrap over items", "Only 8 items"]);
    compared.shows(&["Differences on the shared items", "of the items' differences"]);
    assert!(!compared.stdout.contains("pairs"), "{compared}");
    assert_snapshot!(dir.run("gallery --recon MEAN=mean --out gallery.png"), @"
    exit 0, stderr:
    Picked by PixCorr. PixCorr: the scores of the runs.
    Of each item's samples, the middle one is shown.
    gallery.png: 4 (best), 5 (median), 1 (worst)
    ");
    dir.succeed("report mean --out report.html");
    // A still above a strip of three samples, each shown once.
    let shown = parts_shown(&dir.read("report.html"));
    assert_eq!(shown["images"].list().len(), 8 + 24);
    let stimulus = &shown["stimuli"][1];
    assert_eq!(*stimulus, serde_json::json!([{"name": "", "frames": [1], "of": 1}]));
    let names: Vec<&str> = shown["reconstructions"][0][1].list().iter().map(|part| part["name"].text()).collect();
    assert_eq!(names, ["sample 0", "sample 1", "sample 2"]);
}

/// The frames, views and samples on a page.
pub(super) fn parts_shown(page: &str) -> Value {
    let images: Value = serde_json::from_str(between(page, "id=\"images\">", "</script>")).unwrap();
    images["parts"].clone()
}

#[test]
fn frames_of_an_item_are_one_stimulus_of_identification() {
    let dir = folder();
    for (side, grain) in [("stimuli", 4.0), ("recon", 60.0)] {
        for frame in 0..12 {
            let path = dir.join(format!("{side}/clip{}/{}.png", frame / 2, frame % 2));
            write_png(&path, &picture(&frame.to_string(), 24, grain)).unwrap();
        }
    }
    let line = "score --gt stimuli --recon recon --parts frame --metrics ssim --out run";
    assert_snapshot!(dir.succeed(line).stdout.lines().next().unwrap(), @"run: 6 items with 12 pairs of frames");
    let record = dir.json("run/run.json");
    assert_eq!(record["parts"], serde_json::json!({"axes": ["frame"], "n_items": 6}));
    assert_eq!(record["n_pairs"], 12);
    // The clips of a page, inside it and beside it.
    dir.succeed("report run --out report.html");
    let shown = parts_shown(&dir.read("report.html"));
    assert_eq!(shown["reconstructions"][0][5][0]["frames"], serde_json::json!([22, 23]));
    let image = shown["images"][23].text();
    assert!(image.starts_with("/9j/"), "{image}");
    dir.succeed("report run --linked --out linked.html");
    assert_eq!(parts_shown(&dir.read("linked.html"))["images"][23], "part_23.jpg");
    assert!(dir.join("linked_files/part_23.jpg").is_file());
    // Three shards give the same scores.
    dir.succeed(&line.replace("score", "cluster plan score").replace("--out run", "--out shards"));
    for shard in 0..3 {
        dir.succeed(&format!("cluster work shards --shard {shard}/3"));
    }
    dir.succeed("cluster finish shards");
    assert_eq!(dir.scores("run"), dir.scores("shards"));
}

#[test]
fn items_that_lack_a_part_are_named() {
    let dir = samples(3, 2);
    dir.remove("recon/1_1.png");
    dir.write("chosen.csv", "item,sample\n0,0\n1,1\n2,0\n");
    dir.write("two.csv", "item,sample\n0,0\n1,0\n");
    let skipped =
        "score --gt stimuli --recon recon --metrics ssim --parts '{item}_{sample}' --set on_missing=skip --out skipped";
    assert_snapshot!(lines_with(&dir.run(skipped).to_string(), &["skipped:", "SSIM ↑", "fewer samples"]), @r#"
    skipped: 3 items with 5 pairs of samples
      SSIM ↑  0.925  [0.795, 1.000]  3          0
    gt and recon: 1 item has fewer samples than the others ("1": 1 of 2); of each item, those that both sides have count
    skipped: 3 items with 5 pairs of samples scored
    warning: gt and recon: 1 item has fewer samples than the others ("1": 1 of 2); of each item, those that both sides have count
    "#);
    let table = r#"
    out
      exit 1, stderr: error: pairing images: 3 of the gt stems have no partner among the recon stems: 0, 1, 2; every stem must be on both sides; the closest are gt "0" and recon "0_0"; --parts '{item}_{sample}' takes them for samples of the stimuli (gt: [DIR]/stimuli, recon: [DIR]/recon)
    out --match '{stem}_{sample}'
      exit 1, stderr: error: pairing images: no recon stem is of the form {stem}_{sample}: they are 0_0, 0_1, 1_0, ... (stems are file names without their extension); --parts '{item}_{sample}' is for several images of an item (gt: [DIR]/stimuli, recon: [DIR]/recon)
    out --parts frames
      exit 2, stderr: error: invalid value 'frames' for '--parts <PATTERN>': "frames": expected frame, view or sample, or what images are called, with {item} and at least one of {frame}, {view} and {sample} in it once each and with text between them, such as {item}_{sample}
    out --parts '{item}_{sample}'
      exit 1, stderr: error: pairing images: item "1" has 1 sample among the recon stems and others have 2; expected as many of every item; --set on_missing=skip compares the parts that there are (gt: [DIR]/stimuli, recon: [DIR]/recon)
    out --parts '{item}_{frame}' --set frames=first:2
      exit 1, stderr: error: pairing images: item "1" has 1 gt and 1 recon frames, which do not fit frames = first:2; expected 2 or more (gt: [DIR]/stimuli, recon: [DIR]/recon)
    out --parts '{item}_{sample}' --set on_missing=skip --set samples=best:2
      exit 2, stderr: error: --set samples=best:2: item "1" has 1 sample; expected 2 or more
    out --parts '{item}_{sample}' --set samples=best:0
      exit 2, stderr: error: invalid value 'samples=best:0' for '--set <ID=VALUE>': samples is "best:0": "best:0": expected mean or best:K with K of 1 or more
    out --parts '{item}_{sample}' --set on_missing=skip --chosen-samples chosen.csv
      exit 1, stderr: error: [DIR]/chosen.csv: item "1": no sample "1"; expected one of 0
    out --parts '{item}_{sample}' --set on_missing=skip --chosen-samples two.csv
      exit 1, stderr: error: [DIR]/two.csv: item "2": no row; expected a sample for every item
    out --set samples=best:2
      exit 2, stderr: error: --set samples=best:2: it is about the parts of items; say with --parts what these are
    "#;
    dir.refuses("score --gt stimuli --recon recon --metrics ssim --out", "out", table);
}
