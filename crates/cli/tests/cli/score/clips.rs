//! Items that are clips: frames of folders, GIF files and stacks, and their features.

use super::parts::parts_shown;
use crate::support::*;
use neurogauge::metrics::cosine;
use neurogauge::metrics::decoding::feature_correlation::correlation;

#[test]
fn clips_that_cannot_be_compared_are_named() {
    let dir = folder();
    let line = "score gt recon --parts frame --metrics ssim --max-pixels 4 --set pixel_size=own --out out";
    dir.write("gt/a.gif", gif(&[(10, 0), (10, 1)]));
    let mut text = String::new();
    for (what, recon) in [
        ("41 frames of one pixel, where ten times four may be read", gif(&[(10, 0); 41])),
        ("no frames", gif(&[])),
        ("half a file", gif(&[(10, 0), (10, 1)])[..30].to_vec()),
    ] {
        dir.write("recon/a.gif", recon);
        text += &format!("{what}\n{}", dir.run(line).indented());
    }
    // A folder for each clip: one is empty, and one has frames of two sizes.
    dir.remove("recon");
    for (clip, frame, side_px) in [("a", 1, 24), ("a", 2, 32), ("b", 1, 24), ("b", 2, 24)] {
        let picture = picture(&format!("{clip}{frame}"), side_px, 4.0);
        write_png(&dir.join(format!("clips/{clip}/{frame}.png")), &picture).unwrap();
        write_png(&dir.join(format!("recon/{clip}/{frame}.png")), &picture).unwrap();
    }
    let checked = dir.succeed("check clips recon --parts frame").stdout;
    let sizes = checked.lines().filter(|line| line.contains("2 sizes"));
    text += &format!("frames of two sizes\n  {}\n", sizes.collect::<Vec<_>>().join("\n  "));
    dir.remove("recon/b");
    fs::create_dir(dir.join("recon/b")).unwrap();
    let ran = dir.run("score clips recon --parts frame --metrics ssim --out out");
    text += &format!("a clip without frames\n{}", ran.indented());
    assert!(!dir.has("out"));
    assert_snapshot!(text, @"
    41 frames of one pixel, where ten times four may be read
      exit 1, stderr: error: [DIR]/recon/a.gif: 41 frames or more of 1 x 1 px; expected at most 40 pixels in all frames of a file together; if it is meant, raise --max-pixels
    no frames
      exit 1, stderr: error: [DIR]/recon/a.gif: not a readable image: it ends too early, so it was cut short; write it again
    half a file
      exit 1, stderr: error: [DIR]/recon/a.gif: not a readable image: frame 1: it ends too early, so it was cut short; write it again
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
        dir.write(&format!("gt/{clip}.gif"), gif(&[(10, 0), (10, 0), (10, 0), (10, 1)]));
        dir.write(&format!("recon/{clip}.gif"), gif(&[(30, 0), (10, 1)]));
    }
    let compared = |out: &str| -> [Vec<String>; 2] {
        let inputs = dir.json(format!("{out}/run.json"))["inputs"].clone();
        [0, 1].map(|side| inputs[side]["items"].list().iter().map(|item| item[1].to_string()).collect())
    };
    let line = "score gt recon --parts frame --metrics psnr --set pixel_size=own --out";
    dir.succeed(&format!("{line} timed"));
    // The black frame of the reconstruction is shown as long as the first three of the stimulus.
    let [gt, recon] = compared("timed");
    assert_eq!((gt.len(), &gt), (8, &recon));
    // Browsers show frames without a delay for a tenth of a second, so both last equally long.
    dir.write("recon/0.gif", gif(&[(0, 0), (0, 1)]));
    dir.write("recon/1.gif", gif(&[(20, 0), (60, 1)]));
    let ran = dir.succeed(&format!("{line} other"));
    let [gt, recon] = compared("other");
    let is_equal = gt.iter().zip(&recon).map(|(gt, recon)| gt == recon);
    let expected = [true, true, false, true, true, false, false, true];
    assert_eq!(is_equal.collect::<Vec<_>>(), expected);
    let said = "the clips of 2 items do not last equally long (\"0\": 0.40 s among the stimuli, 0.20 s among the reconstructions)";
    assert!(ran.stdout.contains(said), "{ran}");
    // Three equal steps of 0.8 s. Two of them show the third frame.
    for clip in ["recon/0.gif", "recon/1.gif"] {
        dir.write(clip, gif(&[(10, 0), (10, 1), (60, 0)]));
    }
    let uneven = "score recon gt --parts frame --set frames=uniform:3 --metrics psnr --set pixel_size=own --out uneven";
    assert_snapshot!(dir.run(uneven), @r#"exit 1, stderr: error: pairing images: item "0" shows its frame "0003" at two of the times of frames = uniform:3, since its frames are not shown equally long; expected a frame for each time: take fewer, or nearest (gt: [DIR]/recon, recon: [DIR]/gt)"#);
}

#[test]
fn frames_that_count_as_items_are_said() {
    let dir = folder();
    for clip in 0..3 {
        for side in ["gt", "recon"] {
            dir.write(&format!("{side}/{clip}.gif"), gif(&[(10, 0), (10 + clip, 1)]));
        }
    }
    let (shape, pixels) = ([3, 2, 16, 16, 3], vec![0.5; 3 * 2 * 16 * 16 * 3]);
    for side in ["gt.npy", "recon.npy"] {
        write_f32(&dir.join(side), &shape, &pixels).unwrap();
    }
    let said = |line: &str| lines_with(&dir.run(line).to_string(), &["counts as an item"]);
    let text = [
        said("check gt recon"),
        said("score gt recon --metrics psnr --set pixel_size=own --out run"),
        said("score gt.npy recon.npy --metrics psnr --set pixel_size=own --out array"),
    ];
    assert_snapshot!(text.join("\n"), @"
    warning: gt images: they are the 6 images of 3 clips, and each of them counts as an item, as if it were independent of the others; --parts frame makes one item of each
    warning: recon images: they are the 6 images of 3 clips, and each of them counts as an item, as if it were independent of the others; --parts frame makes one item of each
    gt images: they are the 6 images of 3 clips, and each of them counts as an item, as if it were independent of the others; --parts frame makes one item of each
    recon images: they are the 6 images of 3 clips, and each of them counts as an item, as if it were independent of the others; --parts frame makes one item of each
    warning: gt images: they are the 6 images of 3 clips, and each of them counts as an item, as if it were independent of the others
    warning: recon images: they are the 6 images of 3 clips, and each of them counts as an item, as if it were independent of the others
    gt images: they are the 6 images of 3 rows of the array, and each of them counts as an item, as if it were independent of the others; --parts frame makes one item of each (frame, view or sample)
    recon images: they are the 6 images of 3 rows of the array, and each of them counts as an item, as if it were independent of the others; --parts frame makes one item of each (frame, view or sample)
    warning: gt images: they are the 6 images of 3 rows of the array, and each of them counts as an item, as if it were independent of the others
    warning: recon images: they are the 6 images of 3 rows of the array, and each of them counts as an item, as if it were independent of the others
    ");
    for parts in ["--parts frame", "--parts frame --set frames=middle"] {
        assert_eq!(said(&format!("check gt recon {parts}")), "");
    }
}

#[test]
fn clips_that_do_not_fit_into_a_page_are_shown_of_some_pairs() {
    let dir = folder();
    const N: usize = 260;
    // Images that compress badly, since neighbouring pixels are unrelated.
    let mut state = 1_u32;
    for side in ["gt.npy", "recon.npy"] {
        let shape = [N as u64, 4, 48, 48, 3];
        let pixels = (0..shape.iter().product()).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 16_777_216.0
        });
        let pixels: Vec<f32> = pixels.collect();
        write_f32(&dir.join(side), &shape, &pixels).unwrap();
    }
    dir.succeed("score gt.npy recon.npy --parts frame --metrics pixcorr --set pixel_size=own --out run");
    assert_snapshot!(dir.run("report run --out report.html"), @"
    exit 0, stderr:
    warning: images: the frames, views and samples of 142 of 260 pairs are shown, evenly spread over the order by PixCorr, since those of all would make the page too large; of each other pair one image is shown
    report.html: 260 pairs of 1 system, images of 256 px, 7.6 MB
    ");
    let page = dir.read("report.html");
    assert!(page.len() < 10_500_000, "{}", page.len());
    assert!(page.contains("pairs are shown, evenly spread over the order by PixCorr"));
    let shown = parts_shown(&page);
    let pairs = shown["reconstructions"][0].list();
    let with_parts: Vec<usize> = (0..N).filter(|pair| pairs[*pair] != json!([])).collect();
    // The best, the worst and the median pair are among them.
    let pixcorr = dir.values("run", "pixcorr");
    let mut ordered: Vec<usize> = (0..N).collect();
    ordered.sort_by(|a, b| pixcorr[*a].total_cmp(&pixcorr[*b]));
    for place in [0, N / 2, N - 1] {
        assert!(with_parts.contains(&ordered[place]), "{place}");
    }
    for pair in &with_parts {
        assert_eq!(pairs[*pair][0]["frames"].list().len(), 4);
    }
}

/// A grey level for each frame of two clips, of four and three frames.
fn two_clips() -> Folder {
    let dir = folder();
    for (item, n_frames) in [("a", 4), ("b", 3)] {
        for frame in 0..n_frames {
            let name = format!("{item}{frame}");
            for (side, grain) in [("stimuli", 8.0), ("recon", 90.0)] {
                dir.picture(format!("{side}/{item}/{frame}.png"), &name, 24, grain);
            }
        }
    }
    dir
}

#[test]
fn frames_of_a_clip_are_compared_with_each_other_and_all_have_the_clips_value() {
    let dir = two_clips();
    let ids = ["frame_consistency", "frame_consistency_all", "stimulus_frame_consistency"];
    let score = "score --gt stimuli --recon recon --set image_models=placeholder";
    dir.succeed(&format!("{score} --metrics {} --parts frame --out run", ids.join(",")));
    let run = dir.join("run");
    let rows = |side: &str| {
        let folder = run.join(format!("observations/{side}/features"));
        features::read(&folder.join("mean-colours.grid4.npy"), &folder.join("ids.json")).unwrap()
    };
    let (gt, recon) = (rows("gt"), rows("recon"));
    let cosine = |rows: &Features, a: usize, b: usize| cosine(rows.row(a), rows.row(b)).unwrap();
    for (item, frames) in [(0, 0..4_usize), (1, 4..7)] {
        let adjacent = |rows: &Features| {
            frames.clone().skip(1).map(|frame| cosine(rows, frame - 1, frame)).sum::<f64>() / (frames.len() - 1) as f64
        };
        let pairs = frames.clone().flat_map(|a| (frames.start..a).map(move |b| (a, b)));
        let pairs: Vec<f64> = pairs.map(|(a, b)| cosine(&recon, a, b)).collect();
        let all = pairs.iter().sum::<f64>() / pairs.len() as f64;
        let expected = [adjacent(&recon), all, adjacent(&gt)];
        for (id, expected) in ids.iter().zip(expected) {
            assert!((dir.values(&run, id)[item] - expected).abs() < 1e-12, "{id}");
            let table = dir.scores_of_parts(&run);
            let column = &table.column(id).unwrap()[frames.clone()];
            assert!(column.iter().all(|value| *value == column[0]), "{id}");
        }
    }
    // Without frames, there is nothing to compare.
    dir.run(&format!("{score} --metrics frame_consistency --parts frame --set frames=middle --out other")).says(&[
        "frame_consistency compares the frames of a clip, and these images are no frames of clips; expected --parts frame",
    ]);
    // A classifier of images sees each frame, and the clip gets their mean. Any number of ways can be requested by
    // name.
    for (metric, out) in [("vit_b_16:heads.head:10_way", "named"), ("n_way_accuracy_10", "known")] {
        dir.succeed(&format!("{score} --parts frame --metrics {metric} --out {out}"));
    }
    assert_eq!(dir.values("named", "vit_b_16:heads.head:10_way"), dir.values("known", "n_way_accuracy_10"));
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
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        write_f32(&path, shape, values).unwrap();
    };
    // Three clips of two frames.
    let sides = ["gt", "recon"].map(|side| {
        write(&format!("{side}.npy"), &[3, 2, 16, 16, 3], &noise(side, 6 * 768));
        let (of_clips, of_frames) = (noise(&format!("{side} clips"), 15), noise(&format!("{side} frames"), 30));
        write(&format!("own/{side}/features/mine.clips.npy"), &[3, 5], &of_clips);
        write(&format!("own/{side}/features/mine.frames.npy"), &[3, 2, 5], &of_frames);
        dir.write(&format!("own/{side}/features/ids.json"), "[0, 1, 2]");
        [of_clips, of_frames]
    });
    let score = |metrics: &str, rest: &str| {
        dir.run(&format!(
            "score gt.npy recon.npy --observations own --parts frame --set pixel_size=16 --metrics {metrics} {rest}"
        ))
    };
    let ids = ["mine:clips:correlation", "mine:frames:correlation"];
    score(&format!("{},ssim", ids.join(",")), "--out run").done();
    let rows = |matrix: usize| {
        let [gt, recon] = [0, 1].map(|side| sides[side][matrix].chunks_exact(5));
        gt.zip(recon).map(|(gt, recon)| correlation(gt, recon).unwrap().unwrap()).collect::<Vec<f64>>()
    };
    close(&dir.values("run", ids[0]), &rows(0));
    let of_clips: Vec<f64> = rows(1).chunks_exact(2).map(|frames| (frames[0] + frames[1]) / 2.0).collect();
    close(&dir.values("run", ids[1]), &of_clips);
    // Metrics of whole clips alone, with images and without.
    for images in ["gt.npy recon.npy", ""] {
        let alone =
            format!("score {images} --observations own --parts frame --metrics {} --out alone --overwrite", ids[0]);
        let ran = dir.succeed(&alone);
        assert!(ran.to_string().contains("features: 3 rows, one for each clip: no name is that of a frame"), "{ran}");
        close(&dir.values("alone", ids[0]), &rows(0));
    }
    // A clip without features, and clips whose frames are compared.
    let mut text = String::new();
    for side in ["gt", "recon"] {
        write(&format!("own/{side}/features/clip_vit_l_14.image_embeds.npy"), &[3, 5], &noise(side, 15));
        write(&format!("own/{side}/features/mine.two.npy"), &[2, 5], &noise(side, 10));
        dir.write(&format!("own/{side}/features/mine.two.ids.json"), "[0, 2]");
    }
    for (metrics, rest) in [("ssim,mine:two:correlation", "--out out"), ("ssim,frame_consistency", "--out out")] {
        text += &format!("{metrics} {rest}\n{}", score(metrics, rest).indented());
    }
    assert!(!dir.has("out"));
    let shared = score("ssim,mine:two:correlation", "--pairs shared --out shared");
    assert_snapshot!(lines_with(&shared.to_string(), &["items with", "two r", "left out"]), @"
    shared: 2 items with 4 pairs of frames
      mine two r ↑  0.248  [-1.000, 1.000]  2          0
    images: 2 of 6 pairs are left out because other inputs lack them: 1/0, 1/1
    shared: 2 items with 4 pairs of frames scored
    warning: images: 2 of 6 pairs are left out because other inputs lack them: 1/0, 1/1
    ");
    assert_snapshot!(text, @"
    ssim,mine:two:correlation --out out
      exit 1, stderr: error: the images are about 3 stems and the features about 2, and they are not the same (only among the images: 1); all inputs of a run must share their stems; --pairs shared scores the 2 that both have
    ssim,frame_consistency --out out
      exit 1, stderr: error: [DIR]/own/gt/features/clip_vit_l_14.image_embeds.npy: holds a row for each clip; expected a row for each frame, since frame_consistency compares the frames of a clip
    ");
}

#[test]
fn runs_of_other_frames_are_compared_with_a_note() {
    let dir = folder();
    for item in 0..8 {
        for frame in 0..4 {
            for (side, grain) in [("stimuli", 4.0), ("recon", 40.0)] {
                dir.picture(format!("{side}/{item}/{frame}.png"), &format!("{item} {frame}"), 24, grain);
            }
        }
    }
    let score = "score --gt stimuli --recon recon --metrics pixcorr --parts frame";
    dir.succeed(&format!("{score} --out all"));
    dir.succeed(&format!("{score} --out again"));
    dir.succeed(&format!("{score} --set frames=at:2 --out one"));
    let differing = |runs: &str| lines_with(&dir.succeed(&format!("compare {runs}")).stdout, &["frames differ"]);
    assert_snapshot!(differing("all one"), @"frames differ: all was scored with --set frames=nearest, and one with --set frames=at:2, so other frames are compared");
    assert_eq!(differing("all again"), "");
}
