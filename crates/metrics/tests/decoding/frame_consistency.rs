//! Consistency of frames against scikit-learn (`reference/frame_consistency.py`), and edge cases.

use crate::support::*;
use neurogauge_metrics::decoding::frame_consistency::{FramePairs, frame_consistency};

#[test]
fn equals_scikit_learn() {
    let cases: Vec<Value> = golden("frame_consistency");
    assert_eq!(cases.len(), 4);
    for case in &cases {
        let count = |name: &str| case[name].as_u64().unwrap();
        let (n_frames, n_features) = (count("n_frames"), count("n_features"));
        let values = Synthetic::new("frames", n_frames);
        let row = |frame: u64| -> Vec<f32> {
            let places = frame * n_features..(frame + 1) * n_features;
            places.map(|place| values.uniform(place) - 0.25).collect()
        };
        let rows: Vec<Vec<f32>> = (0..n_frames).map(row).collect();
        let rows: Vec<&[f32]> = rows.iter().map(Vec::as_slice).collect();
        for (pairs, name) in [(FramePairs::Adjacent, "adjacent"), (FramePairs::All, "all")] {
            let found = frame_consistency(&rows, pairs).unwrap();
            near(found, number(&case[name]), 1e-12);
        }
    }
}

#[test]
fn a_still_is_consistent_and_a_frame_alone_has_no_value() {
    let frame: &[f32] = &[0.5, -2.0];
    for pairs in [FramePairs::Adjacent, FramePairs::All] {
        let still = frame_consistency(&[frame; 4], pairs).unwrap();
        assert!((still - 1.0).abs() < 1e-15);
        let alone = Undefined::Because("a clip of a single frame".into());
        assert_eq!(frame_consistency(&[frame], pairs), Err(alone.clone()));
        assert_eq!(frame_consistency::<f32>(&[], pairs), Err(alone));
        let zero = frame_consistency(&[frame, &[0.0, 0.0]], pairs);
        assert_eq!(zero, Err(Undefined::Empty(Side::Recon)));
    }
}
