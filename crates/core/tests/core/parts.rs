//! Which parts of items are compared.

use neurogauge_core::inspection::content::{fewer_parts, frame_gaps, unequally_long};
use neurogauge_core::pair::{
    Axis, FrameMatch, FrameTimes, ItemPart, OnMissingPart, Pair, PairedStems, Pairing, PairingError, PairsOf, Parts,
    gaps_in_numbers,
};
use neurogauge_core::{Side, Sides};

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

/// Each pair as `stem: gt recon`, with the names of both sides.
#[track_caller]
fn pairs(pairing: &Pairing, gt: &[&str], recon: &[&str]) -> Vec<String> {
    let found = pairing.pair(&stems(gt), &stems(recon)).unwrap();
    let written = found.pairs.iter();
    written.map(|pair| format!("{}: {} {}", pair.stem, gt[pair.gt], recon[pair.recon])).collect()
}

#[track_caller]
fn refused(pairing: &Pairing, gt: &[&str], recon: &[&str]) -> String {
    let error = pairing.pair(&stems(gt), &stems(recon)).unwrap_err();
    error.to_string()
}

#[test]
fn frames_are_compared_at_the_same_time() {
    let nearest = pairing("frame", FrameMatch::Nearest, OnMissingPart::Error);
    // The middles of a stimulus's two frames are at 1/4 and 3/4. At these times a reconstruction of five frames shows
    // its second (1/5 to 2/5) and its fourth (3/5 to 4/5).
    let recon = ["a/1", "a/2", "a/3", "a/4", "a/5"];
    assert_eq!(pairs(&nearest, &["a/x", "a/y"], &recon), ["a/x: a/x a/2", "a/y: a/y a/4"]);
    // The middles of five frames, against two frames: 1/10, 3/10, 5/10, 7/10, 9/10.
    let found = pairs(&nearest, &recon, &["a/x", "a/y"]);
    let of_recon: Vec<&str> = found.iter().map(|pair| &pair[pair.len() - 1..]).collect();
    assert_eq!(of_recon, ["x", "x", "y", "y", "y"]);
    let first = pairing("frame", FrameMatch::First(1), OnMissingPart::Error);
    assert_eq!(pairs(&first, &["a/x", "a/y"], &recon), ["a/x: a/x a/1"]);
    // The middles of three steps are at 1/6, 3/6 and 5/6.
    let uniform = pairing("frame", FrameMatch::Uniform(3), OnMissingPart::Error);
    assert_eq!(pairs(&uniform, &recon, &recon), ["a/1: a/1 a/1", "a/3: a/3 a/3", "a/5: a/5 a/5"]);
    // One frame represents its clip, so the pairs are the clips.
    let middle = pairing("frame", FrameMatch::Middle, OnMissingPart::Error);
    assert_eq!(pairs(&middle, &["a/x", "a/y"], &recon), ["a: a/y a/3"]);
    let found = middle.pair(&stems(&["a/x", "a/y"]), &stems(&recon)).unwrap();
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

/// A number of frames that is too large is refused before memory is allocated for it.
#[test]
fn a_clip_of_one_frame_among_others_is_a_clip() {
    let nearest = pairing("frame", FrameMatch::Nearest, OnMissingPart::Error);
    let clips = ["a", "b/0001", "b/0002"];
    let expected = ["a/0001: a a", "b/0001: b/0001 b/0001", "b/0002: b/0002 b/0002"];
    assert_eq!(pairs(&nearest, &clips, &clips), expected);
    // Stills alone are compared with every frame, and no item is both.
    assert_eq!(pairs(&nearest, &["a", "b"], &["a/1", "a/2", "b/1"]), ["a/1: a a/1", "a/2: a a/2", "b/1: b b/1"]);
    let both = stems(&["a", "a/0001"]);
    assert!(nearest.pair(&both, &both).is_err());
}

#[test]
fn more_frames_than_a_clip_has_are_refused_however_many() {
    let clip = ["a/1", "a/2"];
    for frames in [
        FrameMatch::First(usize::MAX),
        FrameMatch::Uniform(usize::MAX),
        FrameMatch::Uniform(2_000_000_000),
        FrameMatch::At(usize::MAX),
    ] {
        let said = refused(&pairing("frame", frames, OnMissingPart::Error), &clip, &clip);
        let part = format!("2 gt and 2 recon frames, which do not fit frames = {frames}");
        assert!(said.contains(&part), "{said}");
    }
}

/// Pairs the clip `a` of both sides; its frames `1`, `2`, ... are shown for these numbers of milliseconds.
fn timed(frames: FrameMatch, gt: &[u32], recon: &[u32]) -> Result<PairedStems, PairingError> {
    let side = |times: &[u32]| -> (Vec<String>, FrameTimes) {
        let stems: Vec<String> = (1..=times.len()).map(|frame| format!("a/{frame}")).collect();
        let times = times.iter().map(|time| 1000 * time);
        let times = stems.iter().cloned().zip(times).collect();
        (stems, times)
    };
    let ((gt, gt_times), (recon, recon_times)) = (side(gt), side(recon));
    let times = Sides::new(gt_times, recon_times);
    pairing("frame", frames, OnMissingPart::Error).pair_timed(&gt, &recon, &times)
}

#[test]
fn frames_that_are_shown_longer_are_compared_with_more() {
    let places = |frames, gt: &[u32], recon: &[u32]| {
        let found = timed(frames, gt, recon).unwrap();
        let places = found.pairs.iter().map(|pair| (pair.gt, pair.recon));
        places.collect::<Vec<_>>()
    };
    // The reconstruction changes after 100 of 400 ms. The middles of four equal frames are at 50, 150, 250 and 350 of
    // 400 ms.
    let equal = [100; 4];
    let found = places(FrameMatch::Nearest, &equal, &[100, 300]);
    assert_eq!(found, [(0, 0), (1, 1), (2, 1), (3, 1)]);
    // The middles of the frames of 100 and 300 ms are at 50 and 250 ms: the first and the third of four.
    let found = places(FrameMatch::Nearest, &[100, 300], &equal);
    assert_eq!(found, [(0, 0), (1, 2)]);
    // Times are relative to the clip's length: the result is the same at half the speed.
    let found = places(FrameMatch::Nearest, &[200, 600], &equal);
    assert_eq!(found, [(0, 0), (1, 2)]);
    // The middle of a clip is at half of its time.
    let found = places(FrameMatch::Middle, &[10, 10, 500], &[500, 10, 10]);
    assert_eq!(found, [(2, 0)]);
    // The middles of two steps, at 1/4 and 3/4.
    let found = places(FrameMatch::Uniform(2), &[30, 30, 30, 10], &[10, 30, 30, 30]);
    assert_eq!(found, [(0, 1), (2, 3)]);
    // The other choices depend on positions only.
    let found = places(FrameMatch::First(2), &[500, 10, 10], &[10, 10, 500]);
    assert_eq!(found, [(0, 0), (1, 1)]);
    let error = timed(FrameMatch::Uniform(3), &[900, 10, 10], &equal).unwrap_err();
    assert_eq!(
        error.to_string(),
        "item \"a\" shows its frame \"1\" at two of the times of frames = uniform:3, since its frames are not shown equally long; \
         expected a frame for each time: take fewer, or nearest"
    );
    // If one frame has no time, all are shown equally long; likewise if no frame has a time above 0.
    let stems = stems(&["a/1", "a/2"]);
    let of_first = |time: u32| Sides::new(FrameTimes::default(), [("a/1".to_owned(), time)].into_iter().collect());
    let nearest = pairing("frame", FrameMatch::Nearest, OnMissingPart::Error);
    let untimed = nearest.pair(&stems, &stems).unwrap();
    assert_eq!(nearest.pair_timed(&stems, &stems, &of_first(7)), Ok(untimed.clone()));
    assert_eq!(timed(FrameMatch::Nearest, &[0, 0], &[0, 0]), Ok(untimed));
}

#[test]
fn clips_of_different_length_are_found_where_time_counts() {
    let lasting = |frames, gt: &[u32], recon: &[u32]| {
        let found = timed(frames, gt, recon).unwrap();
        unequally_long(&found).map(|finding| finding.sentence())
    };
    // GIF files count in hundredths of a second, so six frames at 3 Hz last 1.98 s, and fourteen at 7 Hz about 1.9 s.
    assert_eq!(lasting(FrameMatch::Nearest, &[330; 6], &[140; 14]), None);
    assert_eq!(
        lasting(FrameMatch::Nearest, &[330; 6], &[330; 18]).unwrap(),
        "the clips of 1 item do not last equally long (\"a\": 1.98 s among the stimuli, 5.94 s among the reconstructions); frames are \
         matched as if they did; if one of them shows more of the stimulus, cut it"
    );
    assert_eq!(lasting(FrameMatch::First(6), &[330; 6], &[330; 18]), None);
}

#[test]
fn one_stimulus_is_compared_with_every_sample() {
    let samples = pairing("{item}_{sample}", FrameMatch::Nearest, OnMissingPart::Error);
    // If names of stimuli look like samples, they are read as items if that gives more pairs.
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
    let of_items: Vec<(&str, usize)> = of_items.iter().map(|pair| (pair.stem.as_str(), pair.recon)).collect();
    assert_eq!(of_items, [("cat_01", 1), ("cat_02", 3)]);
    // The items themselves pair as usual.
    let shared = Pairing {
        pairs: PairsOf::Shared,
        ..samples.clone()
    };
    let found = shared.pair(&stems(&["a", "b"]), &stems(&["b_0", "c_0"])).unwrap();
    assert_eq!(found.pairs[0].stem, "b/0");
    assert_eq!(found.without_partner.gt, ["a"]);
    assert_eq!(found.without_partner.recon, ["c"]);
    assert!(refused(&samples, &["a"], &["b_0"]).starts_with("1 of the gt stems has no partner"));
    assert!(refused(&samples, &["a"], &["a"]).starts_with("no name is of the form {item}_{sample}"));
}

#[test]
fn samples_of_clips_have_both_axes_and_views_pair_by_name() {
    let both = pairing("{item}/{sample}/{frame}", FrameMatch::Nearest, OnMissingPart::Error);
    let recon = ["a/s1/1", "a/s1/2", "a/s2/1", "a/s2/2"];
    assert_eq!(
        pairs(&both, &["a/1", "a/2"], &recon),
        ["a/s1/1: a/1 a/s1/1", "a/s1/2: a/2 a/s1/2", "a/s2/1: a/1 a/s2/1", "a/s2/2: a/2 a/s2/2"]
    );
    let views = pairing("view", FrameMatch::Nearest, OnMissingPart::Error);
    let gt = ["a/left", "a/right"];
    assert_eq!(pairs(&views, &gt, &["a/right", "a/left"]), ["a/left: a/left a/left", "a/right: a/right a/right"]);
    assert_eq!(
        refused(&views, &["a/left", "a/right", "b/left"], &["a/left", "a/right", "b/left"]),
        "item \"b\" has 1 view among the gt stems and others have 2; expected as many of every item"
    );
    assert_eq!(
        refused(&views, &gt, &["a/left"]),
        "item \"a\" has view \"right\" among the gt stems and not among the recon stems; expected the same parts on both sides"
    );
    let skip = pairing("view", FrameMatch::Nearest, OnMissingPart::Skip);
    assert_eq!(pairs(&skip, &gt, &["a/left"]), ["a/left: a/left a/left"]);
}

#[test]
fn patterns_survive_json_and_words_that_are_none_are_refused() {
    let pairing = pairing("{item}_{sample}", FrameMatch::Uniform(4), OnMissingPart::Skip);
    let text = serde_json::to_string(&pairing).unwrap();
    assert_eq!(serde_json::from_str::<Pairing>(&text).unwrap(), pairing);
    assert!(!serde_json::to_string(&Pairing::default()).unwrap().contains("parts"));
    for text in ["", "frames", "{item}", "{frame}", "{item}{frame}", "{item}_{frame}_{frame}"] {
        assert!(text.parse::<neurogauge_core::pair::PartsPattern>().is_err(), "{text}");
    }
    for text in ["", "first", "first:0", "uniform:x", "last:2"] {
        assert!(text.parse::<FrameMatch>().is_err(), "{text}");
    }
}

#[test]
fn items_with_fewer_samples_are_named() {
    let stems = stems(&["a_1", "a_2", "b_1", "b_2", "c_1"]);
    let stimuli = ["a", "b", "c"].map(str::to_owned);
    let skip = pairing("{item}_{sample}", FrameMatch::Nearest, OnMissingPart::Skip);
    let found = skip.pair(&stimuli, &stems).unwrap();
    assert_eq!(
        fewer_parts(&found).unwrap().sentence(),
        "1 item has fewer samples than the others (\"c\": 1 of 2); of each item, those that both sides have count"
    );
    assert_eq!(fewer_parts(&skip.pair(&stimuli[..2], &stems[..4]).unwrap()), None);
    // Clips may have different numbers of frames.
    let clips = ["a/1", "a/2", "b/1"].map(str::to_owned);
    let frames = pairing("frame", FrameMatch::Nearest, OnMissingPart::Error);
    assert_eq!(fewer_parts(&frames.pair(&clips, &clips).unwrap()), None);
}

#[test]
fn clips_that_lack_frames_between_others_are_named() {
    let clip =
        |item: &str, frames: &[u32]| -> Vec<String> { frames.iter().map(|frame| format!("{item}/{frame}")).collect() };
    let said = |gt: &[u32], recon: &[u32]| {
        let gt = [clip("a", gt), clip("b", &[0, 1])].concat();
        let recon = [clip("a", recon), clip("b", &[0, 1])].concat();
        let nearest = pairing("frame", FrameMatch::Nearest, OnMissingPart::Error);
        let found = frame_gaps(&nearest.pair(&gt, &recon).unwrap());
        let found = found.iter().map(ToString::to_string);
        found.collect::<Vec<_>>().join("\n")
    };
    let whole = [0, 1, 2, 3, 4, 5];
    assert_eq!(
        said(&whole, &[0, 1, 3, 4, 5]),
        "recon images: frames are missing in the middle of 1 clip: a lacks frame 2; the others are compared as if none were \
         missing; restore them, or remove the same frames from the other side"
    );
    // Each side lacks different frames.
    let both = said(&[0, 1, 2, 5], &[0, 1, 3, 5]);
    let lines: Vec<&str> = both.lines().collect();
    assert!(lines[0].starts_with("gt images: frames are missing in the middle of 1 clip: a lacks 2 frames from 3 on;"));
    assert!(lines[1].contains("a lacks 2 frames from 2 on"), "{both}");
    // The same frames on both sides, every second one, fewer frames without a gap, and a choice of frames on the other
    // side.
    for (gt, recon) in [
        (&[0, 1, 3][..], &[0, 1, 3][..]),
        (&whole, &[0, 2, 4]),
        (&whole, &[0, 1, 2]),
        (&[0, 1, 3], &[0, 1, 2]),
    ] {
        assert_eq!(said(gt, recon), "", "{gt:?} {recon:?}");
    }
    // A still, which is compared with every frame.
    let frames = pairing("frame", FrameMatch::Nearest, OnMissingPart::Error);
    let still = frames.pair(&stems(&["a"]), &clip("a", &[0, 1, 3])).unwrap();
    assert_eq!(frame_gaps(&still), []);
    // Each sample is a separate clip.
    let samples = pairing("{item}/{sample}/{frame}", FrameMatch::Nearest, OnMissingPart::Error);
    let recon = [clip("a/s1", &[0, 1, 2]), clip("a/s2", &[0, 2])].concat();
    let recon = [recon, clip("a/s3", &[0, 1, 3])].concat();
    let found = samples.pair(&clip("a", &[0, 1, 2, 3]), &recon).unwrap();
    assert!(frame_gaps(&found)[0].message.contains("1 clip: a/s3 lacks frame 2;"), "{found:?}");
}

#[test]
fn gaps_are_between_numbers_that_count_in_equal_steps() {
    assert_eq!(gaps_in_numbers(&["0", "1", "3", "4", "5"]), [(2, 1)]);
    assert_eq!(gaps_in_numbers(&["f_08", "f_09", "f_12"]), [(10, 2)]);
    // Every fifth frame; one is missing.
    assert_eq!(gaps_in_numbers(&["0", "5", "15"]), [(10, 1)]);
    for sound in [
        &["1", "2", "3"][..],
        &["0", "4", "8"],
        // Times, words, and a clip of one frame.
        &["0", "33", "67", "100"],
        &["start", "middle", "end"],
        &["a1", "b3", "c4"],
        &["7"],
        &[],
    ] {
        assert_eq!(gaps_in_numbers(sound), [], "{sound:?}");
    }
}

#[test]
fn parts_are_clips_by_view_and_sample() {
    let pair = |stem: &str, gt: usize, recon: usize| Pair {
        stem: stem.to_owned(),
        gt,
        recon,
    };
    let paired = PairedStems {
        pairs: vec![
            pair("a/b/s1/0", 4, 0),
            pair("a/b/s1/1", 5, 1),
            pair("a/b/s2/0", 4, 2),
            pair("a/b/s2/1", 5, 2),
            pair("c/s1/0", 6, 3),
        ],
        axes: vec![Axis::Sample, Axis::Frame],
        ..PairedStems::of(Vec::new(), Sides::default())
    };
    let part = |name: &str, pairs: &[usize], places: &[usize]| ItemPart {
        name: name.to_owned(),
        pairs: pairs.to_vec(),
        places: places.to_vec(),
    };
    let found = paired.parts_of_items(Side::Recon);
    let expected = [part("sample s1", &[0, 1], &[0, 1]), part("sample s2", &[2, 3], &[2, 2])];
    assert_eq!(found["a/b"], expected);
    assert_eq!(found["c"], [part("", &[4], &[3])]);
    // Both samples share the stimulus.
    let stimuli = paired.parts_of_items(Side::Gt);
    assert_eq!(stimuli["a/b"], [part("", &[0, 1], &[4, 5])]);
    // Items with one image each.
    let stills = PairedStems {
        axes: Vec::new(),
        ..paired
    };
    assert_eq!(stills.parts_of_items(Side::Recon)["c/s1/0"], [part("", &[4], &[3])]);
}
