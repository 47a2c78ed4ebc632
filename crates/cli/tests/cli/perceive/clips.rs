//! VideoMAE in `neurogauge perceive` and `neurogauge score`: clips as a stack, as folders of frames and as GIF files,
//! against transformers' values.

use crate::support::*;

const SIDE_PX: usize = 224;
const MATRIX: &str = "videomae_vit_b_16-custom.classifier";
const WEIGHTS: &str = "--checkpoint videomae_vit_b_16=videomae.safetensors";
const N_BLOCKS: usize = 12;

/// The weights of a golden with two blocks. The other ten blocks consist of zeros, so they add nothing.
fn write_weights(path: &Path, golden: &Value) {
    let tensors = golden["tensors"].fields();
    let shape = |shape| serde_json::from_value::<Vec<usize>>(shape).unwrap();
    let tensors = tensors.iter().map(|(name, of)| (name, shape(of.clone())));
    let known = tensors.clone().map(|(name, shape)| -> Stored {
        let values = parameter(name, &shape, 0);
        (name.clone(), shape, Some(values))
    });
    let of_block = |(name, _): &(&String, Vec<usize>)| name.contains(".layer.1.");
    let empty = tensors.filter(of_block).flat_map(|(name, shape)| {
        (2..N_BLOCKS).map(move |block| -> Stored {
            (name.replace(".layer.1.", &format!(".layer.{block}.")), shape.clone(), None)
        })
    });
    write_tensors(path, &known.chain(empty).collect::<Vec<_>>());
}

/// The central window of a photograph.
fn window(name: &str) -> Image<u8> {
    let image = photograph(name);
    let (left, top) = ((image.width_px() - SIDE_PX) / 2, (image.height_px() - SIDE_PX) / 2);
    let rows = (top..top + SIDE_PX).flat_map(|y| {
        let start = (y * image.width_px() + left) * 3;
        &image.data()[start..start + SIDE_PX * 3]
    });
    Image::new(SIDE_PX, SIDE_PX, rows.copied().collect()).unwrap()
}

/// `videomae.safetensors`, and in `clips.npy` the three clips of two frames from transformers' golden.
fn clips() -> (Folder, Value) {
    let dir = folder();
    let golden = golden("models/videomae_vit_b_16_5");
    write_weights(&dir.join("videomae.safetensors"), &golden);
    let noise = (0..(SIDE_PX * SIDE_PX * 3) as u64).map(|i| Synthetic::new("noise", 1).uniform(i));
    let [astronaut, coffee] = ["astronaut", "coffee"].map(|name| window(name).to_unit_float().into_data());
    let images = [astronaut, coffee, noise.collect()];
    let frames = [0, 1, 1, 2, 2, 0].map(|image: usize| images[image].clone());
    write_f32(&dir.join("clips.npy"), &[3, 2, SIDE_PX as u64, SIDE_PX as u64, 3], &frames.concat()).unwrap();
    (dir, golden)
}

fn matrix(folder: &Path) -> Features {
    features::read(&folder.join(format!("{MATRIX}.npy")), &folder.join("ids.json")).unwrap()
}

/// The probability that any of the stimulus's three best classes is best among itself and n - 1 others, from both
/// logits.
fn n_way(gt: &[f32], recon: &[f32], n: usize) -> f64 {
    let mut best: Vec<usize> = (0..gt.len()).collect();
    best.sort_by(|&a, &b| gt[b].total_cmp(&gt[a]));
    let (right, others) = best.split_at(3);
    let highest = right.iter().map(|&class| recon[class]).fold(f32::MIN, f32::max);
    let n_lower = others.iter().filter(|&&class| recon[class] < highest).count();
    let draws = (0..n - 1).map(|k| (n_lower as f64 - k as f64) / (others.len() as f64 - k as f64));
    draws.map(|share| share.max(0.0)).product()
}

#[test]
fn clips_are_classified_as_transformers_does_and_scored_and_others_are_named() {
    let (dir, golden) = clips();
    let frame = |name: &str| write_png(&dir.join(name), &Image::new(8, 8, vec![7; 192]).unwrap()).unwrap();
    for name in ["odd/a/0.png", "odd/a/1.png", "odd/a/2.png", "one/a/0.png", "stills/a.png"] {
        frame(name);
    }
    let mut text = String::new();
    for (images, odd) in [("odd", ""), ("one", "--set odd_frames=drop-last"), ("stills", "")] {
        let line = format!("--images {images} --with videomae_vit_b_16:classifier {odd} --out out");
        let ran = dir.run(&format!("perceive {line} {WEIGHTS}"));
        text += &format!("perceive {}\n{}", line.trim_end_matches(" --out out"), ran.indented());
        let parts = if images == "stills" { "" } else { "--parts frame" };
        let metric = "videomae_vit_b_16:classifier:2_way";
        let line = format!("{images} {images} {parts} --metrics {metric} {odd}");
        let ran = dir.run(&format!("score {line} {WEIGHTS} --out run"));
        text += &format!("score {line}\n{}", ran.indented());
    }
    assert_snapshot!(text, @r#"
    perceive --images odd --with videomae_vit_b_16:classifier 
      exit 2, stderr: error: odd: the clip "a" has 3 frames to compare; videomae_vit_b_16-custom sees 2 frames at a time, expected a multiple of 2 (--set odd_frames=drop-last leaves out the last one)
    score odd odd --parts frame --metrics videomae_vit_b_16:classifier:2_way 
      exit 2, stderr:
      warning: gt and recon: both sides are read from one place, so every image is compared with itself; give the path of the reconstructions on their side
      error: [DIR]/odd: the clip "a" has 3 frames to compare; videomae_vit_b_16-custom sees 2 frames at a time, expected a multiple of 2 (--set odd_frames=drop-last leaves out the last one)
    perceive --images one --with videomae_vit_b_16:classifier --set odd_frames=drop-last
      exit 2, stderr: error: one: the clip "a" has 1 frame to compare; videomae_vit_b_16-custom sees 2 frames at a time, expected at least 2
    score one one --parts frame --metrics videomae_vit_b_16:classifier:2_way --set odd_frames=drop-last
      exit 2, stderr:
      warning: gt and recon: both sides are read from one place, so every image is compared with itself; give the path of the reconstructions on their side
      error: [DIR]/one: the clip "a" has 1 frame to compare; videomae_vit_b_16-custom sees 2 frames at a time, expected at least 2
    perceive --images stills --with videomae_vit_b_16:classifier 
      exit 2, stderr: error: stills: videomae_vit_b_16-custom sees the frames of a clip together, and these images are no frames of clips; expected a folder of frames, a GIF or video file of several frames, or a row of a stack for each clip; when pairs are scored also --parts frame, or another pattern with {frame} in it
    score stills stills  --metrics videomae_vit_b_16:classifier:2_way 
      exit 2, stderr:
      warning: gt and recon: both sides are read from one place, so every image is compared with itself; give the path of the reconstructions on their side
      error: [DIR]/stills: videomae_vit_b_16-custom sees the frames of a clip together, and these images are no frames of clips; expected a folder of frames, a GIF or video file of several frames, or a row of a stack for each clip; when pairs are scored also --parts frame, or another pattern with {frame} in it
    "#);

    let run = |line: &str| dir.run_with_cache(&format!("{line} {WEIGHTS}"), "cache");
    let ran = run("perceive --images clips.npy --with videomae_vit_b_16:classifier --out seen");
    assert_snapshot!(ran, @"
    exit 0, stdout: seen/features/clips/videomae_vit_b_16-custom.classifier.npy
    stderr:
    note: images: 6 images, float32 224 x 224 x 3
    videomae_vit_b_16-custom.classifier: 3 images, 3 of them seen by the model now
    ");
    let seen = matrix(&dir.join("seen/features/clips"));
    assert_eq!(seen.ids(), ["0", "1", "2"]);
    let expected = golden["runs"][0]["taps"]["classifier"].list();
    let probe = Synthetic::new("probe", 0);
    // The other two contain noise between levels of 8 bits, to which images are rounded in the authors' preparation.
    for (clip, expected) in expected[..1].iter().enumerate() {
        let sd = expected["std"].number();
        for (k, value) in expected["values"].list().iter().enumerate() {
            let found = seen.row(clip)[(probe.bits(k as u64) % 400) as usize];
            let difference = (f64::from(found) - value.number()).abs();
            assert!(difference < 1e-4 * sd, "clip {clip}, probe {k}: {difference:e}");
        }
    }
    // Frames as files give the same classes.
    for (frame, name) in ["astronaut", "coffee"].into_iter().enumerate() {
        write_png(&dir.join(format!("frames/a/{frame}.png")), &window(name)).unwrap();
    }
    for frame in ["0", "1", "2"] {
        dir.copy(format!("odd/a/{frame}.png"), format!("frames/odd/{frame}.png"));
    }
    let odd = "--set odd_frames=drop-last";
    run(&format!("perceive --images frames --with videomae_vit_b_16:classifier {odd} --out of-frames")).done();
    let of_frames = matrix(&dir.join("of-frames/features/clips"));
    assert_eq!(of_frames.ids(), ["a", "odd"]);
    assert_eq!(of_frames.row(0), seen.row(0));

    // All clips are known, so no clip is observed again. The reconstruction of each clip is the next clip.
    let stack = npy::open(&dir.join("clips.npy")).unwrap();
    let data = stack.read_f32_at(0, stack.len()).unwrap();
    let (first, rest) = data.split_at(data.len() / 3);
    let shape = [3, 2, SIDE_PX as u64, SIDE_PX as u64, 3];
    write_f32(&dir.join("decoded.npy"), &shape, &[rest, first].concat()).unwrap();
    let ids = "videomae_vit_b_16:classifier:2_way,videomae_vit_b_16:classifier:50_way";
    let score = format!("score clips.npy decoded.npy --parts frame --metrics {ids}");
    let ran = run(&format!("{score} --out run"));
    assert_snapshot!(lines_with(&ran.stdout, &["items with", "acc. ↑", "byte for byte"]), @"
    run: 3 items with 6 pairs of frames
      videomae_vit_b_16 classifier 2-way acc. ↑   0.976  [0.940, 1.000]  3          0   0.750
      videomae_vit_b_16 classifier 50-way acc. ↑  0.340  [0.000, 0.820]  3          0   0.058
    recon images: 6 of 6 are byte for byte the stimulus of another pair: 0/0 is gt 1/0, 0/1 is gt 2/0, 1/0 is gt 2/0, ...; if they were not looked up among the stimuli, the order of one side is wrong
    ");
    for (id, n) in ids.split(',').zip([2, 50]) {
        close(&dir.values("run", id), &[0, 1, 2].map(|clip| n_way(seen.row(clip), seen.row((clip + 1) % 3), n)));
    }
    // The observations of a run are inputs of another, alone and with the frames. Their names include the weights.
    let own = ids.replace("videomae_vit_b_16", "videomae_vit_b_16-custom");
    let again = format!("score --observations run/observations --metrics {own}");
    for (inputs, out) in [("", "alone"), (",ssim --set pixel_size=16 --parts frame clips.npy decoded.npy", "both")] {
        run(&format!("{again}{inputs} --out {out}")).done();
        for (own, id) in own.split(',').zip(ids.split(',')) {
            close(&dir.values(out, own), &dir.values("run", id));
        }
    }
}
