//! Clips that are folders of frames.

use crate::support::*;

#[test]
fn folders_of_frames_that_count_as_items_are_said() {
    let dir = folder();
    for (side, name) in [("gt", "g"), ("recon", "r")] {
        for clip in ["clip1", "clip2"] {
            pictures(&dir.join(side).join(clip), &format!("{name}{clip}"), 3, 16, 4.0);
        }
    }
    let text = ["check gt recon", "score gt recon --metrics psnr --set pixel_size=own --out run"]
        .map(|line| lines_with(&dir.run(line).to_string(), &["counts as an item"]));
    assert_snapshot!(text.join("\n"), @"
    warning: gt images: they are the 6 images of 2 folders, and each of them counts as an item, as if it were independent of the others; --parts frame makes one item of each (frame, view or sample)
    warning: recon images: they are the 6 images of 2 folders, and each of them counts as an item, as if it were independent of the others; --parts frame makes one item of each (frame, view or sample)
    gt images: they are the 6 images of 2 folders, and each of them counts as an item, as if it were independent of the others; --parts frame makes one item of each (frame, view or sample)
    recon images: they are the 6 images of 2 folders, and each of them counts as an item, as if it were independent of the others; --parts frame makes one item of each (frame, view or sample)
    warning: gt images: they are the 6 images of 2 folders, and each of them counts as an item, as if it were independent of the others
    warning: recon images: they are the 6 images of 2 folders, and each of them counts as an item, as if it were independent of the others
    ");
    let one_each = dir.run("check gt recon --parts frame").to_string();
    assert!(!one_each.contains("counts as an item"), "{one_each}");
    // Folders of categories, whose images have their own names.
    for side in ["gt", "recon"] {
        for (place, clip) in ["clip1", "clip2"].iter().enumerate() {
            for name in 0..3 {
                let path = dir.join(side).join(clip);
                fs::rename(path.join(format!("{name}.png")), path.join(format!("{}.png", 10 * place + name))).unwrap();
            }
        }
    }
    let categories = dir.run("check gt recon").to_string();
    assert!(!categories.contains("counts as an item"), "{categories}");
}

/// Each frame is compared at its own size; a frame with a partner of another size is refused by name.
#[test]
fn frames_of_different_sizes_are_compared_at_their_own() {
    let dir = folder();
    for (frame, size_px) in [(1, 16), (2, 24), (3, 40)] {
        for side in ["gt", "recon"] {
            let image = picture(&format!("{side}{frame}"), size_px, 40.0);
            for path in [format!("{side}/clip/{frame}.png"), format!("alone/{side}/{frame}.png")] {
                write_png(&dir.join(path), &image).unwrap();
            }
        }
    }
    dir.succeed("score gt recon --parts frame --metrics psnr,ssim --set pixel_size=own --out run");
    dir.succeed("score alone/gt alone/recon --metrics psnr,ssim --set pixel_size=own --out alone/run");
    let of_frames = dir.scores_of_parts("run");
    for metric in ["psnr", "ssim"] {
        let alone = dir.values("alone/run", metric);
        let of_frames = of_frames.column(metric).unwrap().iter().map(|value| *value.as_ref().unwrap());
        assert!(of_frames.eq(alone.iter().copied()), "{metric}");
        close(&dir.values("run", metric), &[alone.iter().sum::<f64>() / 3.0]);
    }
    dir.picture("recon/clip/2.png", "another", 20, 4.0);
    assert_snapshot!(dir.run("score gt recon --parts frame --metrics psnr --set pixel_size=own --overwrite --out run"), @r#"exit 1, stderr: error: pair "clip/2": the stimulus is 24 x 24 px and the reconstruction 20 x 20 px (24 x 24 px and 20 x 20 px after resizing); both must have the same shape for psnr: crop or pad one side, or score other metrics with --metrics, or squash both with --set proportions=squashed. `neurogauge check` lists all such pairs"#);
}

#[test]
fn a_clip_that_lost_a_frame_is_named() {
    let dir = folder();
    for (side, name) in [("gt", "g"), ("recon", "r")] {
        for clip in ["clip1", "clip2"] {
            pictures(&dir.join(side).join(clip), &format!("{name}{clip}"), 6, 16, 4.0);
        }
    }
    dir.remove("recon/clip2/2.png");
    let score = "score gt recon --parts frame --metrics psnr --set pixel_size=own --out run";
    let said = ["check gt recon --parts frame", score]
        .map(|line| lines_with(&dir.succeed(line).to_string(), &["frames are missing"]));
    assert_snapshot!(said.join("\n"), @"
    warning: recon images: frames are missing in the middle of 1 clip: clip2 lacks frame 2; the others are compared as if none were missing; restore them, or remove the same frames from the other side
    recon images: frames are missing in the middle of 1 clip: clip2 lacks frame 2; the others are compared as if none were missing; restore them, or remove the same frames from the other side
    warning: recon images: frames are missing in the middle of 1 clip: clip2 lacks frame 2; the others are compared as if none were missing
    ");
}
