//! Which parts of items are compared.

use neurogauge_core::pair::{Axis, FrameMatch, OnMissingPart, Pairing, PairsOf, Parts};

fn pairing(pattern: &str, frames: FrameMatch, on_missing: OnMissingPart) -> Pairing {
    Pairing {
        parts: Some(Parts {
            pattern: pattern.parse().unwrap(),
            frames,
            on_missing,
        }),
        ..Pairing::default()
    }
}

fn stems(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// Each pair as `stem: gt recon`, in names of the two sides.
#[track_caller]
fn pairs(pairing: &Pairing, gt: &[&str], recon: &[&str]) -> Vec<String> {
    let found = pairing.pair(&stems(gt), &stems(recon)).unwrap();
    let written = found.pairs.iter();
    written
        .map(|pair| format!("{}: {} {}", pair.stem, gt[pair.gt], recon[pair.recon]))
        .collect()
}

#[track_caller]
fn refused(pairing: &Pairing, gt: &[&str], recon: &[&str]) -> String {
    let error = pairing.pair(&stems(gt), &stems(recon)).unwrap_err();
    error.to_string()
}

#[test]
fn frames_are_compared_at_the_same_time() {
    let nearest = pairing("frame", FrameMatch::Nearest, OnMissingPart::Error);
    // The middles of a stimulus's two frames are at 1/4 and 3/4. A reconstruction of five frames then shows its second (1/5 to 2/5) and
    // its fourth (3/5 to 4/5).
    let recon = ["a/1", "a/2", "a/3", "a/4", "a/5"];
    assert_eq!(
        pairs(&nearest, &["a/x", "a/y"], &recon),
        ["a/x: a/x a/2", "a/y: a/y a/4"]
    );
    // Five against two: 1/10, 3/10, 5/10, 7/10, 9/10.
    let found = pairs(&nearest, &recon, &["a/x", "a/y"]);
    let of_recon: Vec<&str> = found.iter().map(|pair| &pair[pair.len() - 1..]).collect();
    assert_eq!(of_recon, ["x", "x", "y", "y", "y"]);
    let first = pairing("frame", FrameMatch::First(1), OnMissingPart::Error);
    assert_eq!(pairs(&first, &["a/x", "a/y"], &recon), ["a/x: a/x a/1"]);
    // The middles of three steps are at 1/6, 3/6 and 5/6.
    let uniform = pairing("frame", FrameMatch::Uniform(3), OnMissingPart::Error);
    assert_eq!(
        pairs(&uniform, &recon, &recon),
        ["a/1: a/1 a/1", "a/3: a/3 a/3", "a/5: a/5 a/5"]
    );
    // One frame that stands for its clip: the pairs are the clips.
    let middle = pairing("frame", FrameMatch::Middle, OnMissingPart::Error);
    assert_eq!(pairs(&middle, &["a/x", "a/y"], &recon), ["a: a/y a/3"]);
    let found = middle
        .pair(&stems(&["a/x", "a/y"]), &stems(&recon))
        .unwrap();
    assert!(found.axes.is_empty());
    let second = pairing("frame", FrameMatch::At(2), OnMissingPart::Error);
    assert_eq!(pairs(&second, &["a"], &recon), ["a: a a/2"]);
    let third = pairing("frame", FrameMatch::At(3), OnMissingPart::Error);
    assert!(refused(&third, &["a/x", "a/y"], &recon).contains("expected 3 or more"));
    let equal = pairing("frame", FrameMatch::Equal, OnMissingPart::Error);
    assert_eq!(
        refused(&equal, &["a/x", "a/y"], &recon),
        "item \"a\" has 2 gt and 5 recon frames, which do not fit frames = error; expected equal numbers (nearest compares frames of \
         the same time)"
    );
}

#[test]
fn one_stimulus_is_compared_with_every_sample() {
    let samples = pairing("{item}_{sample}", FrameMatch::Nearest, OnMissingPart::Error);
    // Names of stimuli that themselves look like samples are read as items where that pairs more of them.
    let gt = ["cat_01", "cat_02"];
    let recon = ["cat_01_0", "cat_01_1", "cat_02_0", "cat_02_1"];
    assert_eq!(
        pairs(&samples, &gt, &recon),
        [
            "cat_01/0: cat_01 cat_01_0",
            "cat_01/1: cat_01 cat_01_1",
            "cat_02/0: cat_02 cat_02_0",
            "cat_02/1: cat_02 cat_02_1"
        ]
    );
    let found = samples.pair(&stems(&gt), &stems(&recon)).unwrap();
    assert_eq!(found.axes, [Axis::Sample]);
    let of_items = found.of_items();
    let of_items: Vec<(&str, usize)> = of_items
        .iter()
        .map(|pair| (pair.stem.as_str(), pair.recon))
        .collect();
    assert_eq!(of_items, [("cat_01", 1), ("cat_02", 3)]);
    // The items themselves pair as ever.
    let shared = Pairing {
        pairs: PairsOf::Shared,
        ..samples.clone()
    };
    let found = shared
        .pair(&stems(&["a", "b"]), &stems(&["b_0", "c_0"]))
        .unwrap();
    assert_eq!(found.pairs[0].stem, "b/0");
    assert_eq!(found.without_partner.gt, ["a"]);
    assert_eq!(found.without_partner.recon, ["c"]);
    assert!(refused(&samples, &["a"], &["b_0"]).starts_with("1 of the gt stems has no partner"));
    assert!(
        refused(&samples, &["a"], &["a"]).starts_with("no name is of the form {item}_{sample}")
    );
}

#[test]
fn samples_of_clips_have_both_axes_and_views_pair_by_name() {
    let both = pairing(
        "{item}/{sample}/{frame}",
        FrameMatch::Nearest,
        OnMissingPart::Error,
    );
    let recon = ["a/s1/1", "a/s1/2", "a/s2/1", "a/s2/2"];
    assert_eq!(
        pairs(&both, &["a/1", "a/2"], &recon),
        [
            "a/s1/1: a/1 a/s1/1",
            "a/s1/2: a/2 a/s1/2",
            "a/s2/1: a/1 a/s2/1",
            "a/s2/2: a/2 a/s2/2"
        ]
    );
    let views = pairing("view", FrameMatch::Nearest, OnMissingPart::Error);
    let gt = ["a/left", "a/right"];
    assert_eq!(
        pairs(&views, &gt, &["a/right", "a/left"]),
        ["a/left: a/left a/left", "a/right: a/right a/right"]
    );
    assert_eq!(
        refused(
            &views,
            &["a/left", "a/right", "b/left"],
            &["a/left", "a/right", "b/left"]
        ),
        "item \"b\" has 1 view among the gt images and others have 2; expected as many of every item"
    );
    assert_eq!(
        refused(&views, &gt, &["a/left"]),
        "item \"a\" has view \"right\" among the gt images and not among the recon images; expected the same parts on both sides"
    );
    let skip = pairing("view", FrameMatch::Nearest, OnMissingPart::Skip);
    assert_eq!(pairs(&skip, &gt, &["a/left"]), ["a/left: a/left a/left"]);
}

#[test]
fn patterns_survive_json_and_words_that_are_none_are_refused() {
    let pairing = pairing(
        "{item}_{sample}",
        FrameMatch::Uniform(4),
        OnMissingPart::Skip,
    );
    let text = serde_json::to_string(&pairing).unwrap();
    assert_eq!(serde_json::from_str::<Pairing>(&text).unwrap(), pairing);
    assert!(
        !serde_json::to_string(&Pairing::default())
            .unwrap()
            .contains("parts")
    );
    for text in [
        "",
        "frames",
        "{item}",
        "{frame}",
        "{item}{frame}",
        "{item}_{frame}_{frame}",
    ] {
        assert!(
            text.parse::<neurogauge_core::pair::PartsPattern>().is_err(),
            "{text}"
        );
    }
    for text in ["", "first", "first:0", "uniform:x", "last:2"] {
        assert!(text.parse::<FrameMatch>().is_err(), "{text}");
    }
}
