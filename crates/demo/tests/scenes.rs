//! Tests that the demo's scenes are the same everywhere, and that their descriptions fit.
#![allow(clippy::unwrap_used)]

use neurogauge::core::{LabelList, Seed};
use neurogauge_demo::{Scene, blur_and_noise, detections, reconstructions, stimuli};
use std::collections::BTreeSet;

fn all() -> Vec<Scene> {
    [stimuli().unwrap(), reconstructions().unwrap()].concat()
}

/// The 64-bit FNV-1a hash.
fn checksum(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, step)
}

/// Fails on a platform that computes other pixels.
#[test]
fn the_noise_is_the_same_on_every_platform() {
    let image = &stimuli().unwrap()[0].image;
    let blurred = blur_and_noise(image, 1.0, Seed(7));
    assert_eq!(checksum(blurred.data()), 4_337_741_378_524_642_774);
    assert_eq!(blurred, blur_and_noise(image, 7.0, Seed(7)));
    assert_ne!(blurred, blur_and_noise(image, 1.0, Seed(2)));
    for nothing in [0.0, -1.0, f64::NAN] {
        assert_eq!(blur_and_noise(image, nothing, Seed(3)), *image);
    }
}

#[test]
fn pixels_move_further_from_the_image_as_the_strength_grows() {
    let image = &stimuli().unwrap()[0].image;
    let errors = [0.0, 0.25, 0.5, 0.75, 1.0].map(|strength| {
        let degraded = blur_and_noise(image, strength, Seed(3));
        image.data().iter().zip(degraded.data()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum::<u64>()
    });
    assert!(errors[0] == 0 && errors.windows(2).all(|pair| pair[0] < pair[1]), "{errors:?}");
}

#[test]
fn boxes_are_whole_pixels_inside_the_image_and_large_enough_to_see() {
    assert_eq!((stimuli().unwrap().len(), reconstructions().unwrap().len()), (12, 8));
    for scene in all() {
        assert!(!scene.objects.is_empty() && scene.caption.ends_with('.'), "{scene:?}");
        for object in scene.objects {
            let [x0, y0, x1, y1] = object.bbox;
            assert!(object.bbox.iter().all(|edge| edge.fract() == 0.0 && (0.0..=256.0).contains(edge)), "{object:?}");
            assert!(x1 > x0 && y1 > y0 && (x1 - x0) * (y1 - y0) >= 256.0, "{object:?}");
        }
    }
}

#[test]
fn detections_are_the_objects_with_scores_that_follow_the_confidence() {
    for labels in [LabelList::coco(), LabelList::coco_gender()] {
        for (scene, confidence, low, high) in (all().iter())
            .flat_map(|scene| [(scene, 0.0, 0.05, 0.35), (scene, 1.0, 0.65, 0.95), (scene, f64::NAN, 0.05, 0.35)])
        {
            let found = detections(scene, &labels, Seed(5), confidence);
            assert_eq!(found.image_size_px, Some((256.0, 256.0)));
            assert!(found.is_descending());
            assert!(found.items.iter().all(|item| (low - 1e-9..=high + 1e-9).contains(&item.score)));
            let drawn: BTreeSet<String> =
                scene.objects.iter().map(|it| format!("{} {:?}", it.category, it.bbox)).collect();
            let named = found.items.iter().map(|it| (&labels.names()[it.category], it.bbox));
            let found = named.map(|(name, at)| format!("{name} {:?}", at.edges()));
            assert_eq!(found.collect::<BTreeSet<String>>(), drawn);
        }
    }
}

#[test]
fn what_the_detector_was_not_asked_for_is_not_found() {
    let labels = LabelList::new("mine", ["dog"]);
    for scene in all() {
        let n_dogs = scene.objects.iter().filter(|object| object.category == "dog").count();
        assert_eq!(detections(&scene, &labels, Seed(5), 0.7).items.len(), n_dogs);
    }
}
