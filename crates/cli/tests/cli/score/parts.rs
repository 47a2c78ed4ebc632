//! Items with several images: clips, and samples of a reconstruction.

use crate::support::{Folder, close, folder, gif, picture, scores, summary, values};
use insta::assert_snapshot;
use neurogauge::core::Features;
use neurogauge::core::synthetic::Synthetic;
use neurogauge::formats::image_file::write_png;
use neurogauge::formats::{features, npy, scores_parquet};
use neurogauge::metrics::cosine;
use neurogauge::metrics::decoding::feature_correlation::correlation;

/// Stimuli `0` to `n - 1`, and of each the samples `<stem>_0` to `<stem>_<n_samples - 1>`.
fn samples(n: usize, n_samples: usize) -> Folder {
    let dir = folder();
    for item in 0..n {
        let write = |name: String, grain: f32| {
            write_png(&dir.join(name), &picture(&item.to_string(), 24, grain)).unwrap();
        };
        write(format!("stimuli/{item}.png"), 4.0);
        for sample in 0..n_samples {
            let grain = 40.0 + 30.0 * ((item + sample) % 4) as f32;
            write(format!("recon/{item}_{sample}.png"), grain);
        }
    }
    dir
}

/// The scores of each item's parts.
fn of_parts(dir: &Folder, run: &str, metric: &str, n_parts: usize) -> Vec<Vec<f64>> {
    let table = scores_parquet::read(&dir.join(run).join("scores_of_parts.parquet")).unwrap();
    let column = table.column(metric).unwrap();
    let value = |outcome: &neurogauge::core::Outcome| *outcome.as_ref().unwrap();
    let items = column.chunks_exact(n_parts);
    items
        .map(|parts| parts.iter().map(value).collect())
        .collect()
}

const SCORE: &str =
    "score --gt stimuli --recon recon --metrics pixcorr,ssim --parts '{item}_{sample}'";

#[test]
fn an_item_is_scored_by_its_samples_and_is_the_unit_of_intervals() {
    let dir = samples(8, 3);
    let printed = dir.succeed(&format!("{SCORE} --out mean")).stdout;
    assert_snapshot!(printed.lines().next().unwrap(), @"mean: 8 items with 24 pairs of samples");
    assert!(
        printed.contains("studentised bootstrap over items") && printed.contains("Only 8 items"),
        "{printed}"
    );
    dir.succeed(&format!("{SCORE} --samples best:2 --out best"));
    let table = scores(&dir.join("mean"));
    assert_eq!(table.pairs, ["0", "1", "2", "3", "4", "5", "6", "7"]);
    for metric in ["pixcorr", "ssim"] {
        let parts = of_parts(&dir, "mean", metric, 3);
        let (mean, best) = (
            values(&dir.join("mean"), metric),
            values(&dir.join("best"), metric),
        );
        for (item, parts) in parts.iter().enumerate() {
            assert!((mean[item] - parts.iter().sum::<f64>() / 3.0).abs() < 1e-12);
            // All three pairs of samples are equally likely.
            let pairs = [(0, 1), (0, 2), (1, 2)];
            let of_pair = pairs.map(|(a, b)| parts[a].max(parts[b]));
            assert!((best[item] - of_pair.iter().sum::<f64>() / 3.0).abs() < 1e-12);
        }
        assert_eq!(summary(&dir.join("mean"))[metric]["n"], 8);
    }
    // The samples that a user chose.
    let chosen: String = (0..8)
        .map(|item| format!("{item},{}\n", item % 3))
        .collect();
    dir.write("chosen.csv", format!("item,sample\n{chosen}"));
    dir.succeed(&format!("{SCORE} --chosen-samples chosen.csv --out chosen"));
    let parts = of_parts(&dir, "chosen", "ssim", 3);
    let expected: Vec<f64> = (0..8).map(|item| parts[item][item % 3]).collect();
    assert_eq!(values(&dir.join("chosen"), "ssim"), expected);
    // Another choice is another run.
    dir.write(
        "chosen.csv",
        format!("item,sample\n{}", chosen.replace(",1\n", ",0\n")),
    );
    assert_eq!(
        dir.run(&format!("{SCORE} --chosen-samples chosen.csv --out chosen"))
            .code,
        1
    );
    // The run is read back, compared and shown like one of stills.
    dir.succeed(&format!("{SCORE} --out mean"));
    let compared = dir.succeed("compare mean best --out compared").stdout;
    for words in [
        "2 systems on 8 shared items",
        "over n = 8 items",
        "bootstrap over items",
        "Only 8 items",
        "Differences on the shared items",
        "of the items' differences",
    ] {
        assert!(compared.contains(words), "{words:?} in\n{compared}");
    }
    assert!(!compared.contains("pairs"), "{compared}");
    assert_snapshot!(dir.run("gallery --recon MEAN=mean --out gallery.png"), @"
    exit 0, stderr:
    Picked by PixCorr. PixCorr: the scores of the runs.
    Of each item's samples, the middle one is shown.
    gallery.png: 4 (best), 5 (median), 1 (worst)
    ");
    dir.succeed("report mean --out report.html");
    // A still above a strip of three samples, each once.
    let shown = parts_shown(&dir.read("report.html"));
    assert_eq!(shown["images"].as_array().unwrap().len(), 8 + 24);
    let stimulus = &shown["stimuli"][1];
    assert_eq!(
        *stimulus,
        serde_json::json!([{"name": "", "frames": [1], "of": 1}])
    );
    let samples = shown["reconstructions"][0][1].as_array().unwrap();
    let names: Vec<&str> = samples
        .iter()
        .map(|part| part["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["sample 0", "sample 1", "sample 2"]);
}

/// The frames, views and samples of a page.
fn parts_shown(page: &str) -> serde_json::Value {
    let (_, images) = page.split_once("id=\"images\">").unwrap();
    let (images, _) = images.split_once("</script>").unwrap();
    let images: serde_json::Value = serde_json::from_str(images).unwrap();
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
    let printed = dir.succeed(line).stdout;
    assert_snapshot!(printed.lines().next().unwrap(), @"run: 6 items with 12 pairs of frames");
    let record = dir.json("run/run.json");
    assert_eq!(
        record["parts"],
        serde_json::json!({"axes": ["frame"], "n_items": 6})
    );
    assert_eq!(record["n_pairs"], 12);
    // The clips of a page, in it and beside it.
    dir.succeed("report run --out report.html");
    let shown = parts_shown(&dir.read("report.html"));
    assert_eq!(
        shown["reconstructions"][0][5][0]["frames"],
        serde_json::json!([22, 23])
    );
    let image = shown["images"][23].as_str().unwrap();
    assert!(image.starts_with("/9j/"), "{image}");
    dir.succeed("report run --linked --out linked.html");
    let shown = parts_shown(&dir.read("linked.html"));
    assert_eq!(shown["images"][23], "part_23.jpg");
    assert!(dir.join("linked_files/part_23.jpg").is_file());
    // In three shards, the same scores.
    let planned = line
        .replace("score", "plan score")
        .replace("--out run", "--out shards");
    dir.succeed(&planned);
    for shard in 0..3 {
        dir.succeed(&format!("work shards --shard {shard}/3"));
    }
    dir.succeed("finish shards");
    assert_eq!(scores(&dir.join("run")), scores(&dir.join("shards")));
}

#[test]
fn items_that_lack_a_part_are_named() {
    let dir = samples(3, 2);
    std::fs::remove_file(dir.join("recon/1_1.png")).unwrap();
    dir.write("chosen.csv", "item,sample\n0,0\n1,1\n2,0\n");
    let skipped = "score --gt stimuli --recon recon --metrics ssim --parts '{item}_{sample}' --on-missing skip --out skipped";
    assert_snapshot!(dir.run(skipped), @r#"
    exit 0, stdout:
    skipped: 3 items with 5 pairs of samples
    System: skipped

    Metric     mean  95% interval    n  undefined
    Low-Level
      SSIM ↑  0.925  [0.795, 1.000]  3          0

    95% intervals for new stimuli (studentised bootstrap over items, 2000 resamples)
    Only 3 items: no test of two systems can reach p < 0.25, and 95% intervals are at least ±4.3 standard errors wide (large n: ±2.0).
    gt and recon: 1 item has fewer samples than the others ("1": 1 of 2); of each item, those that both sides have count
    stderr: skipped: 3 items with 5 pairs of samples scored
    "#);
    let found = dir.refusals(
        "score --gt stimuli --recon recon --metrics ssim --out out",
        &[
            "",
            "--match '{stem}_{sample}'",
            "--parts frames",
            "--parts '{item}_{sample}'",
            "--parts '{item}_{frame}' --frames first:2",
            "--parts '{item}_{sample}' --on-missing skip --samples best:2",
            "--parts '{item}_{sample}' --samples best:0",
            "--parts '{item}_{sample}' --on-missing skip --chosen-samples chosen.csv",
            "--samples best:2",
            "--frames nearest",
            "--on-missing skip",
            "--odd-frames drop-last",
        ],
        "out",
    );
    assert_snapshot!(found, @r#"

      exit 1, stderr: error: pairing images: 3 of the gt stems have no partner among the recon stems: 0, 1, 2; every stem must be on both sides; the closest are gt "0" and recon "0_0"; --parts '{item}_{sample}' takes them for samples of the stimuli (gt: [DIR]/stimuli, recon: [DIR]/recon)
    --match '{stem}_{sample}'
      exit 1, stderr: error: pairing images: no recon stem is of the form {stem}_{sample}: they are 0_0, 0_1, 1_0, 2_0, 2_1 (stems are file names without their extension); --parts '{item}_{sample}' is for several images of an item (gt: [DIR]/stimuli, recon: [DIR]/recon)
    --parts frames
      exit 2, stderr: error: invalid value 'frames' for '--parts <PATTERN>': "frames": expected frame, view or sample, or what images are called, with {item} and at least one of {frame}, {view} and {sample} in it once each and with text between them, such as {item}_{sample}
    --parts '{item}_{sample}'
      exit 1, stderr: error: pairing images: item "1" has 1 sample among the recon images and others have 2; expected as many of every item; --on-missing skip compares the parts that there are (gt: [DIR]/stimuli, recon: [DIR]/recon)
    --parts '{item}_{frame}' --frames first:2
      exit 1, stderr: error: pairing images: item "1" has 1 gt and 1 recon frames, which do not fit frames = first:2; expected 2 or more (gt: [DIR]/stimuli, recon: [DIR]/recon)
    --parts '{item}_{sample}' --on-missing skip --samples best:2
      exit 2, stderr: error: --samples best:2: item "1" has 1 sample; expected 2 or more
    --parts '{item}_{sample}' --samples best:0
      exit 2, stderr: error: invalid value 'best:0' for '--samples <WHICH>': "best:0": expected mean or best:K with K of 1 or more
    --parts '{item}_{sample}' --on-missing skip --chosen-samples chosen.csv
      exit 1, stderr: error: [DIR]/chosen.csv: not found; expected one of the samples of "1", 0; found "1"
    --samples best:2
      exit 2, stderr: error: --samples is about the parts of items; say with --parts what these are
    --frames nearest
      exit 2, stderr: error: --frames is about the parts of items; say with --parts what these are
    --on-missing skip
      exit 2, stderr: error: --on-missing is about the parts of items; say with --parts what these are
    --odd-frames drop-last
      exit 2, stderr: error: --odd-frames is about the parts of items; say with --parts what these are
    "#);
}

#[test]
fn clips_that_cannot_be_compared_are_named() {
    let dir = folder();
    let line =
        "score gt recon --parts frame --metrics ssim --max-pixels 4 --pixel-size own --out out";
    dir.write("gt/a.gif", gif(&[(10, 0), (10, 1)]));
    let mut text = String::new();
    for (what, recon) in [
        (
            "41 frames of one pixel, where ten times four may be read",
            gif(&[(10, 0); 41]),
        ),
        ("no frames", gif(&[])),
        ("half a file", gif(&[(10, 0), (10, 1)])[..30].to_vec()),
    ] {
        dir.write("recon/a.gif", recon);
        text += &format!("{what}\n{}", dir.run(line).indented());
    }
    // A folder for each clip: one is empty, one has frames of two sizes.
    std::fs::remove_dir_all(dir.join("recon")).unwrap();
    for (clip, frame, side_px) in [("a", 1, 24), ("a", 2, 32), ("b", 1, 24), ("b", 2, 24)] {
        let picture = picture(&format!("{clip}{frame}"), side_px, 4.0);
        write_png(&dir.join(format!("clips/{clip}/{frame}.png")), &picture).unwrap();
        write_png(&dir.join(format!("recon/{clip}/{frame}.png")), &picture).unwrap();
    }
    let checked = dir.succeed("check clips recon --parts frame").stdout;
    let sizes = checked.lines().filter(|line| line.contains("2 sizes"));
    text += &format!(
        "frames of two sizes\n  {}\n",
        sizes.collect::<Vec<_>>().join("\n  ")
    );
    std::fs::remove_dir_all(dir.join("recon/b")).unwrap();
    std::fs::create_dir(dir.join("recon/b")).unwrap();
    let ran = dir.run("score clips recon --parts frame --metrics ssim --out out");
    text += &format!("a clip without frames\n{}", ran.indented());
    assert!(!dir.join("out").exists());
    assert_snapshot!(text, @"
    41 frames of one pixel, where ten times four may be read
      exit 1, stderr: error: [DIR]/recon/a.gif: 41 frames or more of 1 x 1 px; expected at most 40 pixels in all frames of a file together; if it is meant, raise --max-pixels
    no frames
      exit 1, stderr: error: [DIR]/recon/a.gif: not a readable image: Format error decoding Gif: Unexpected End of File
    half a file
      exit 1, stderr: error: [DIR]/recon/a.gif: not a readable image: Format error decoding Gif: Unexpected End of File
    frames of two sizes
      note: gt images: they have 2 sizes: 24 x 24 px (3), 32 x 32 px (1); each is resized by another factor
      note: recon images: they have 2 sizes: 24 x 24 px (3), 32 x 32 px (1); each is resized by another factor
    a clip without frames
      exit 1, stderr: error: pairing images: 1 of the gt stems has no partner among the recon stems: b; every stem must be on both sides; --pairs shared scores the 1 on both sides (gt: [DIR]/clips, recon: [DIR]/recon)
    ");
}

#[test]
fn delays_of_gif_files_count() {
    let dir = folder();
    for clip in 0..2 {
        dir.write(
            &format!("gt/{clip}.gif"),
            gif(&[(10, 0), (10, 0), (10, 0), (10, 1)]),
        );
        dir.write(&format!("recon/{clip}.gif"), gif(&[(30, 0), (10, 1)]));
    }
    let compared = |out: &str| -> [Vec<String>; 2] {
        let inputs = dir.json(format!("{out}/run.json"))["inputs"].clone();
        [0, 1].map(|side| {
            let items = inputs[side]["items"].as_array().unwrap().iter();
            items.map(|item| item[1].to_string()).collect()
        })
    };
    let line = "score gt recon --parts frame --metrics psnr --pixel-size own --out";
    dir.succeed(&format!("{line} timed"));
    // The black frame of the reconstruction is shown as long as the first three of the stimulus.
    let [gt, recon] = compared("timed");
    assert_eq!((gt.len(), &gt), (8, &recon));
    // A browser shows frames without a delay for a tenth of a second, so that both last equally long.
    dir.write("recon/0.gif", gif(&[(0, 0), (0, 1)]));
    dir.write("recon/1.gif", gif(&[(20, 0), (60, 1)]));
    let ran = dir.succeed(&format!("{line} other"));
    let [gt, recon] = compared("other");
    let is_equal = gt.iter().zip(&recon).map(|(gt, recon)| gt == recon);
    let expected = [true, true, false, true, true, false, false, true];
    assert_eq!(is_equal.collect::<Vec<_>>(), expected);
    let said = "the clips of 2 items do not last equally long (\"0\": 0.40 s among the stimuli, 0.20 s among the reconstructions)";
    assert!(ran.stdout.contains(said), "{ran}");
    // Three equal steps of 0.8 s; the third frame is shown in two of them.
    for clip in ["recon/0.gif", "recon/1.gif"] {
        dir.write(clip, gif(&[(10, 0), (10, 1), (60, 0)]));
    }
    let uneven = "score recon gt --parts frame --frames uniform:3 --metrics psnr --pixel-size own --out uneven";
    assert_snapshot!(dir.run(uneven), @r#"exit 1, stderr: error: pairing images: item "0" shows its frame "0003" at two of the times of frames = uniform:3, since its frames are not shown equally long; expected a frame for each time: take fewer, or nearest (gt: [DIR]/recon, recon: [DIR]/gt)"#);
}

#[test]
fn frames_that_count_as_items_are_said() {
    let dir = folder();
    for clip in 0..3 {
        for side in ["gt", "recon"] {
            let frames = [(10, 0), (10 + clip, 1)];
            dir.write(&format!("{side}/{clip}.gif"), gif(&frames));
        }
    }
    let (shape, pixels) = ([3, 2, 16, 16, 3], vec![0.5; 3 * 2 * 16 * 16 * 3]);
    for side in ["gt.npy", "recon.npy"] {
        npy::write_f32(&dir.join(side), &shape, &pixels).unwrap();
    }
    let said = |line: &str| {
        let ran = dir.run(line).to_string();
        let said = ran
            .lines()
            .filter(|line| line.contains("counts as an item"));
        said.collect::<Vec<_>>().join("\n")
    };
    let text = [
        said("check gt recon"),
        said("score gt recon --metrics psnr --pixel-size own --out run"),
        said("score gt.npy recon.npy --metrics psnr --pixel-size own --out array"),
    ];
    assert_snapshot!(text.join("\n"), @"
    warning: gt images: they are the 6 images of 3 clips, and each of them counts as an item, as if it were independent of the others; --parts frame makes one item of each
    warning: recon images: they are the 6 images of 3 clips, and each of them counts as an item, as if it were independent of the others; --parts frame makes one item of each
    gt images: they are the 6 images of 3 clips, and each of them counts as an item, as if it were independent of the others; --parts frame makes one item of each
    recon images: they are the 6 images of 3 clips, and each of them counts as an item, as if it were independent of the others; --parts frame makes one item of each
    gt images: they are the 6 images of 3 rows of the array, and each of them counts as an item, as if it were independent of the others; --parts frame makes one item of each (frame, view or sample)
    recon images: they are the 6 images of 3 rows of the array, and each of them counts as an item, as if it were independent of the others; --parts frame makes one item of each (frame, view or sample)
    ");
    for parts in ["--parts frame", "--parts frame --frames middle"] {
        assert_eq!(said(&format!("check gt recon {parts}")), "");
    }
}

#[test]
fn clips_that_do_not_fit_into_a_page_are_shown_of_some_pairs() {
    let dir = folder();
    const N: usize = 260;
    // Images that compress badly, since none has anything in common with its neighbours.
    let mut state = 1_u32;
    for side in ["gt.npy", "recon.npy"] {
        let shape = [N as u64, 4, 48, 48, 3];
        let pixels = (0..shape.iter().product()).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 16_777_216.0
        });
        let pixels: Vec<f32> = pixels.collect();
        npy::write_f32(&dir.join(side), &shape, &pixels).unwrap();
    }
    let score = "score gt.npy recon.npy --parts frame --metrics pixcorr --pixel-size own --out run";
    dir.succeed(score);
    assert_snapshot!(dir.run("report run --out report.html"), @"
    exit 0, stderr:
    warning: images: the frames, views and samples of 142 of 260 pairs are shown, evenly spread over the order by PixCorr, since those of all would make the page too large; of each other pair one image is shown
    report.html: 260 pairs of 1 system, images of 256 px, 7.6 MB
    ");
    let page = dir.read("report.html");
    assert!(page.len() < 10_500_000, "{}", page.len());
    assert!(page.contains("pairs are shown, evenly spread over the order by PixCorr"));
    let shown = parts_shown(&page);
    let pairs = shown["reconstructions"][0].as_array().unwrap();
    let with_parts: Vec<usize> = (0..N)
        .filter(|pair| pairs[*pair] != serde_json::json!([]))
        .collect();
    // The best, the worst and the one between them are among them.
    let pixcorr = values(&dir.join("run"), "pixcorr");
    let mut ordered: Vec<usize> = (0..N).collect();
    ordered.sort_by(|a, b| pixcorr[*a].total_cmp(&pixcorr[*b]));
    for place in [0, N / 2, N - 1] {
        assert!(with_parts.contains(&ordered[place]), "{place}");
    }
    for pair in &with_parts {
        assert_eq!(pairs[*pair][0]["frames"].as_array().unwrap().len(), 4);
    }
}

/// A grey level for each frame of two clips, of four and three frames.
fn two_clips() -> Folder {
    let dir = folder();
    for (item, n_frames) in [("a", 4), ("b", 3)] {
        for frame in 0..n_frames {
            let name = format!("{item}{frame}");
            for (side, grain) in [("stimuli", 8.0), ("recon", 90.0)] {
                let path = dir.join(format!("{side}/{item}/{frame}.png"));
                write_png(&path, &picture(&name, 24, grain)).unwrap();
            }
        }
    }
    dir
}

#[test]
fn frames_of_a_clip_are_compared_with_each_other_and_all_have_the_clips_value() {
    let dir = two_clips();
    let ids = [
        "frame_consistency",
        "frame_consistency_all",
        "stimulus_frame_consistency",
    ];
    let score = "score --gt stimuli --recon recon --image-models placeholder";
    dir.succeed(&format!(
        "{score} --metrics {} --parts frame --out run",
        ids.join(",")
    ));
    let run = dir.join("run");
    let rows = |side: &str| {
        let folder = run.join(format!("observations/{side}/features"));
        let matrix = folder.join("mean-colours.grid4.npy");
        features::read(&matrix, &folder.join("ids.json")).unwrap()
    };
    let (gt, recon) = (rows("gt"), rows("recon"));
    let cosine = |rows: &Features, a: usize, b: usize| cosine(rows.row(a), rows.row(b)).unwrap();
    for (item, frames) in [(0, 0..4_usize), (1, 4..7)] {
        let adjacent = |rows: &Features| {
            let pairs = frames
                .clone()
                .skip(1)
                .map(|frame| cosine(rows, frame - 1, frame));
            pairs.sum::<f64>() / (frames.len() - 1) as f64
        };
        let pairs = frames
            .clone()
            .flat_map(|a| (frames.start..a).map(move |b| (a, b)));
        let pairs: Vec<f64> = pairs.map(|(a, b)| cosine(&recon, a, b)).collect();
        let all = pairs.iter().sum::<f64>() / pairs.len() as f64;
        let expected = [adjacent(&recon), all, adjacent(&gt)];
        for (id, expected) in ids.iter().zip(expected) {
            assert!((values(&run, id)[item] - expected).abs() < 1e-12, "{id}");
            let table = scores_parquet::read(&run.join("scores_of_parts.parquet")).unwrap();
            let column = &table.column(id).unwrap()[frames.clone()];
            assert!(column.iter().all(|value| *value == column[0]), "{id}");
        }
    }
    // Without frames there is nothing to compare.
    let refused = dir.run(&format!(
        "{score} --metrics frame_consistency --parts frame --frames middle --out other"
    ));
    let said = "frame_consistency compares the frames of a clip, and these images are no frames of clips; expected --parts frame";
    assert!(refused.stderr.contains(said), "{}", refused.stderr);
}

#[test]
fn any_number_of_ways_can_be_asked_for_by_name() {
    let dir = two_clips();
    let ask = |metrics: &str, out: &str| {
        dir.succeed(&format!(
            "score --gt stimuli --recon recon --image-models placeholder --parts frame --metrics {metrics} --out {out}"
        ));
        dir.join(out)
    };
    // A classifier of images sees each frame; their mean is the clip's.
    let named = ask("vit_b_16:heads.head:10_way", "named");
    let known = ask("n_way_accuracy_10", "known");
    assert_eq!(
        values(&named, "vit_b_16:heads.head:10_way"),
        values(&known, "n_way_accuracy_10")
    );
}

#[test]
fn features_of_one_s_own_are_of_clips_or_of_their_frames() {
    let dir = folder();
    let noise = |name: &str, n: usize| -> Vec<f32> {
        let noise = Synthetic::new(name, 0);
        (0..n as u64).map(|place| noise.uniform(place)).collect()
    };
    let write = |name: &str, shape: &[u64], values: &[f32]| {
        let path = dir.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        npy::write_f32(&path, shape, values).unwrap();
    };
    // Three clips of two frames.
    let sides = ["gt", "recon"].map(|side| {
        write(
            &format!("{side}.npy"),
            &[3, 2, 16, 16, 3],
            &noise(side, 6 * 768),
        );
        let (of_clips, of_frames) = (
            noise(&format!("{side} clips"), 15),
            noise(&format!("{side} frames"), 30),
        );
        write(
            &format!("own/{side}/features/mine.clips.npy"),
            &[3, 5],
            &of_clips,
        );
        write(
            &format!("own/{side}/features/mine.frames.npy"),
            &[3, 2, 5],
            &of_frames,
        );
        dir.write(&format!("own/{side}/features/ids.json"), "[0, 1, 2]");
        [of_clips, of_frames]
    });
    let score = |metrics: &str, rest: &str| {
        dir.run(&format!(
            "score gt.npy recon.npy --observations own --parts frame --pixel-size 16 --metrics {metrics} {rest}"
        ))
    };
    let ids = ["mine:clips:correlation", "mine:frames:correlation"];
    let ran = score(&format!("{},ssim", ids.join(",")), "--out run");
    assert_eq!(ran.code, 0, "{ran}");
    let rows = |matrix: usize| {
        let [gt, recon] = [0, 1].map(|side| sides[side][matrix].chunks_exact(5));
        let rows = gt.zip(recon);
        rows.map(|(gt, recon)| correlation(gt, recon).unwrap().unwrap())
            .collect::<Vec<f64>>()
    };
    close(&values(&dir.join("run"), ids[0]), &rows(0));
    let of_clips: Vec<f64> = rows(1)
        .chunks_exact(2)
        .map(|frames| (frames[0] + frames[1]) / 2.0)
        .collect();
    close(&values(&dir.join("run"), ids[1]), &of_clips);
    // A clip without features, and clips where frames are compared.
    let mut text = String::new();
    for side in ["gt", "recon"] {
        write(
            &format!("own/{side}/features/clip_vit_l_14.image_embeds.npy"),
            &[3, 5],
            &noise(side, 15),
        );
        write(
            &format!("own/{side}/features/mine.two.npy"),
            &[2, 5],
            &noise(side, 10),
        );
        dir.write(&format!("own/{side}/features/mine.two.ids.json"), "[0, 2]");
    }
    for (metrics, rest) in [
        ("ssim,mine:two:correlation", "--out out"),
        ("ssim,mine:two:correlation", "--pairs shared --out shared"),
        ("ssim,frame_consistency", "--out out"),
    ] {
        let ran = score(metrics, rest);
        text += &format!("{metrics} {rest}\n{}", ran.indented());
    }
    assert!(!dir.join("out").exists());
    assert_snapshot!(text, @"
    ssim,mine:two:correlation --out out
      exit 1, stderr: error: the images are about 3 stems and the features about 2, and they are not the same (only in one of them: 1); all inputs of a run must share their stems
    ssim,mine:two:correlation --pairs shared --out shared
      exit 0, stdout:
      shared: 2 items with 4 pairs of frames
      System: shared

      Metric           mean  95% interval     n  undefined
      Low-Level
        SSIM ↑        0.003  [-0.506, 0.511]  2          0
      Pool-free
        mine two r ↑  0.248  [-1.000, 1.000]  2          0

      95% intervals for new stimuli (studentised bootstrap over items, 2000 resamples)
      Only 2 items: no test of two systems can reach p < 0.5, and 95% intervals are at least ±12.7 standard errors wide (large n: ±2.0).
      images: 2 of 6 pairs are left out because other inputs lack them: 1/0, 1/1
      stderr: shared: 2 items with 4 pairs of frames scored
    ssim,frame_consistency --out out
      exit 1, stderr: error: [DIR]/own/gt/features/clip_vit_l_14.image_embeds.npy: holds a row for each clip; expected a row for each frame, since frame_consistency compares the frames of a clip
    ");
}

/// What the best of some samples, or chosen ones, give is no mean over samples, and every table says so.
#[test]
fn tables_say_which_samples_count() {
    let dir = samples(8, 3);
    let chosen: String = (0..8)
        .map(|item| format!("{item},{}\n", item % 3))
        .collect();
    dir.write("chosen.csv", format!("item,sample\n{chosen}"));
    let mut said = String::new();
    let mut note = |what: &str, printed: String| {
        let lines = printed.lines().filter(|line| line.contains("each value"));
        let lines: String = lines.map(|line| format!("\n  {line}")).collect();
        said += &format!("{what}{lines}\n");
    };
    let mut score = |name: &str, options: &str| {
        note(
            name,
            dir.succeed(&format!("{SCORE} {options} --out {name}"))
                .stdout,
        );
    };
    score("mean", "");
    score("best", "--samples best:2");
    score("better", "--samples best:2");
    score("chosen", "--chosen-samples chosen.csv");
    for runs in ["mean best", "best better", "chosen mean"] {
        note(runs, dir.succeed(&format!("compare {runs}")).stdout);
    }
    assert_snapshot!(said, @"
    mean
    best
      each value is the expected best of 2 samples (--samples best:2), a choice that knows the stimulus: better than a decoder without it can reach
    better
      each value is the expected best of 2 samples (--samples best:2), a choice that knows the stimulus: better than a decoder without it can reach
    chosen
      each value is that of the chosen samples (--chosen-samples FILE), not the mean over all samples
    mean best
      best: each value is the expected best of 2 samples (--samples best:2), a choice that knows the stimulus: better than a decoder without it can reach
    best better
      each value is the expected best of 2 samples (--samples best:2), a choice that knows the stimulus: better than a decoder without it can reach
    chosen mean
      chosen: each value is that of the chosen samples (--chosen-samples FILE), not the mean over all samples
    ");
    dir.succeed("report best --no-images --out best.html");
    assert!(
        dir.read("best.html")
            .contains("each value is the expected best of 2 samples")
    );
}

#[test]
fn runs_of_other_frames_are_compared_with_a_note() {
    let dir = folder();
    for item in 0..8 {
        for frame in 0..4 {
            for (side, grain) in [("stimuli", 4.0), ("recon", 40.0)] {
                let image = picture(&format!("{item} {frame}"), 24, grain);
                write_png(&dir.join(format!("{side}/{item}/{frame}.png")), &image).unwrap();
            }
        }
    }
    let score = "score --gt stimuli --recon recon --metrics pixcorr --parts frame";
    dir.succeed(&format!("{score} --out all"));
    dir.succeed(&format!("{score} --frames at:2 --out one"));
    let differing = |runs: &str| {
        let printed = dir.succeed(&format!("compare {runs}")).stdout;
        let lines = printed
            .lines()
            .filter(|line| line.contains("frames differ"));
        lines.map(str::to_owned).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(differing("all one"), @"frames differ: all was scored with --frames nearest, and one with --frames at:2, so other frames are compared");
    assert_eq!(differing("all all"), "");
}
