//! Findings about images that are equal and should differ.

use neurogauge_core::inspection::content::{repeated_reconstructions, suspicious, swapped};
use neurogauge_core::{Pair, Sides};

fn images(hashes: &[&str]) -> Vec<(String, String)> {
    hashes.iter().enumerate().map(|(at, hash)| (at.to_string(), (*hash).to_owned())).collect()
}

fn pairs(n: usize) -> Vec<Pair> {
    let pair = |at: usize| Pair::at(at.to_string(), at);
    (0..n).map(pair).collect()
}

fn codes(gt: &[&str], recon: &[&str], are_one_source: bool) -> Vec<String> {
    let (gt, recon) = (images(gt), images(recon));
    let sides = Sides::new(gt.as_slice(), recon.as_slice());
    suspicious(&pairs(gt.len()), sides, are_one_source)
        .into_iter()
        .map(|finding| finding.code)
        .collect()
}

#[test]
fn only_what_is_the_same_is_suspicious() {
    assert_eq!(codes(&["a", "b", "c"], &["x", "y", "y"], false), [""; 0]);
    assert_eq!(codes(&["a", "b"], &["a", "y"], false), ["identical_pairs"]);
    assert_eq!(codes(&["a", "b"], &["a", "b"], true), ["same_source"]);
    assert_eq!(codes(&["a", "b"], &["x", "x"], false), ["one_image"]);
    // A single pair has no others to compare with.
    assert_eq!(codes(&["a"], &["x"], false), [""; 0]);
    assert_eq!(codes(&[], &[], false), [""; 0]);
}

#[test]
fn repetitions_and_stimuli_of_others_are_named() {
    let recon = images(&["b", "x", "x", "c"]);
    let gt = images(&["a", "b", "c", "c"]);
    let found = |gt: &[&str], n_axes| {
        let gt = images(gt);
        let sides = Sides::new(gt.as_slice(), recon.as_slice());
        let stems = ["a/0", "a/1", "b/0", "b/1"].map(str::to_owned);
        let pair = |(at, stem): (usize, String)| Pair::at(stem, at);
        let pairs: Vec<Pair> = stems.into_iter().enumerate().map(pair).collect();
        repeated_reconstructions(&pairs, sides, n_axes).map(|finding| finding.message)
    };
    let other = ["a", "b", "c", "d"];
    let expected = "1 of 4 are byte for byte the reconstruction of another stimulus: b/0 is a/1";
    for n_axes in [0, 1] {
        assert_eq!(found(&other, n_axes).as_deref(), Some(expected));
    }
    // The same stimulus occurs twice.
    assert_eq!(found(&["a", "b", "b", "c"], 0), None);
    let sides = Sides::new(gt.as_slice(), recon.as_slice());
    let found = swapped(&pairs(4), sides).unwrap();
    let expected = "1 of 4 are byte for byte the stimulus of another pair: 0 is gt 1";
    assert_eq!(found.message, expected);
}
