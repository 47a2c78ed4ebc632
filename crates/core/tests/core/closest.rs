//! Names that nearly meet, and the form of the reconstructions' names that would pair them.

use neurogauge_core::pair::{Remedy, closest_images, closest_names};

#[track_caller]
fn found(gt: &[&str], recon: &[&str]) -> (String, String, String) {
    let closest = closest_names(gt, recon).unwrap();
    let remedy = match &closest.remedy {
        Remedy::Match(pattern) => pattern.to_string(),
        other => format!("{other:?}"),
    };
    (closest.gt, closest.recon, remedy)
}

#[track_caller]
fn is(gt: &[&str], recon: &[&str], expected: [&str; 3]) {
    let (a, b, c) = found(gt, recon);
    assert_eq!([&a, &b, &c], expected);
}

#[test]
fn what_stands_before_or_after_the_stem() {
    let gt = ["0", "1", "10", "11"];
    let after = ["0_recon", "1_recon", "10_recon", "11_recon"];
    is(&gt, &after, ["0", "0_recon", "{stem}_recon"]);
    let before = ["recon-10", "recon-11", "recon-0", "recon-1"];
    is(&gt, &before, ["10", "recon-10", "recon-{stem}"]);
    is(&["a", "cat"], &["cat_a", "a_a"], ["cat", "cat_a", "{stem}_a"]);
}

#[test]
fn numbers_that_are_written_otherwise() {
    is(&["0", "1", "2"], &["000", "001", "002"], ["0", "000", "{number}"]);
    is(&["img_01", "img_02"], &["2", "1"], ["img_02", "2", "{number}"]);
    is(&["01", "02"], &["r_1.0", "r_2.0"], ["01", "r_1.0", "r_{number}.0"]);
}

#[test]
fn several_reconstructions_of_each_stimulus() {
    let remedy = |recon: &[&str]| closest_images(&["0", "1", "10"], recon).unwrap().remedy;
    let samples = remedy(&["0_a", "0_b", "1_a", "1_b", "10_a", "10_b"]);
    assert_eq!(samples, Remedy::Parts("{item}_{sample}".parse().unwrap()));
    // One reconstruction of each, and a second one of 0.
    let one = remedy(&["0_recon", "0_old", "1_recon", "10_recon"]);
    assert_eq!(one, Remedy::Match("{stem}_recon".parse().unwrap()));
}

#[test]
fn a_part_of_the_stimulus_stem() {
    let remedy = |gt: &[&str], recon: &[&str]| closest_images(gt, recon).unwrap().remedy;
    let is = |gt: &[&str], recon: &[&str], expected: &str| {
        assert_eq!(remedy(gt, recon), Remedy::Match(expected.parse().unwrap()));
    };
    let things = ["00001_cat/cat_03s", "00002_ice_tea/ice_tea_11b"];
    is(&things, &["ice_tea", "cat"], "*_{stem}/*={stem}");
    is(&things, &["1", "2"], "{number}_*/*={number}");
    is(&things, &["r_001", "r_002"], "{number}_*/*=r_{number}");
    is(&things, &["cat_03s", "ice_tea_11b"], "*/{stem}={stem}");
    is(&things, &["00001_cat", "00002_ice_tea"], "{stem}/*={stem}");
    assert_eq!(closest_images(&things, &["dog", "tea"]), None);
    assert_eq!(closest_images(&["a/cat", "a/tea"], &["a"]), None);
    let samples = ["cat/0", "cat/1", "ice_tea/0", "ice_tea/1"];
    let parts = || "{item}/{sample}".parse().unwrap();
    let expected = Remedy::PartsOf(parts(), "*_{stem}/*={stem}".parse().unwrap());
    assert_eq!(remedy(&things, &samples), expected);
    assert_eq!(remedy(&["cat", "ice_tea"], &samples), Remedy::Parts(parts()));
}

#[test]
fn names_that_no_form_pairs() {
    is(&["Cat1", "Dog2"], &["cat1", "dog2"], ["Cat1", "cat1", "RenameCase"]);
    let expected = ["cat_gt", "cat_recon", "Rename"];
    is(&["cat_gt", "dog_gt"], &["cat_recon", "dog_recon"], expected);
}

#[test]
fn what_has_nothing_in_common_is_not_guessed() {
    assert_eq!(closest_names(&["cat", "dog"], &["x", "y"]), None);
    assert_eq!(closest_names(&["1"], &["10"]), None);
    assert_eq!(closest_names(&["a"], &[]), None);
    assert_eq!(closest_names(&[], &[]), None);
    // One match among many stems is chance.
    let many = ["k", "l", "m", "n", "o"];
    assert_eq!(closest_names(&many, &["k_1", "x", "y", "z", "w"]), None);
}
