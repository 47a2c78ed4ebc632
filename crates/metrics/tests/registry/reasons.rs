//! A reason names the side and the cause of a fault: each metric of two sides gets the same fault on either side.

use crate::support::*;
use neurogauge_metrics::decoding::basic_l::{Level, basic_l, level_ap, level_iou};
use neurogauge_metrics::decoding::feature_accuracy::{pattern_correlation, profile_correlation};
use neurogauge_metrics::decoding::point_clouds::{ChamferForm, chamfer_distance, earth_movers_distance};
use neurogauge_metrics::masks::coco::{ImageMasks, SUMMARY_NAMES, evaluate};

/// A metric of a sound and a faulty sample, in either order.
type OfSides<T> = Box<dyn Fn(&[T], &[T]) -> Outcome>;

/// The outcome with the faulty sample on this side.
fn with_fault<T>(of: &OfSides<T>, side: Side, sound: &[T], faulty: &[T]) -> Undefined {
    match side {
        Side::Gt => of(faulty, sound),
        Side::Recon => of(sound, faulty),
    }
    .unwrap_err()
}

const PX: usize = 192;

fn images() -> Vec<(&'static str, OfSides<f32>)> {
    let image = |values: &[f32]| Image::new(PX, PX, values.to_vec()).unwrap();
    let of_pixels = METRICS.iter().filter_map(move |metric| {
        let Compute::Pixels(function) = metric.compute else {
            return None;
        };
        let of: OfSides<f32> =
            Box::new(move |gt, recon| function(&image(gt), &image(recon), &PixelOptions::default()).unwrap());
        Some((metric.spec.id, of))
    });
    of_pixels.collect()
}

/// One stimulus, its features in f64.
fn pattern(gt: &[f32], recon: &[f32]) -> Outcome {
    let wide = |values: &[f32]| -> Vec<f64> { values.iter().map(|&v| v.into()).collect() };
    let n = gt.len();
    pattern_correlation(&wide(recon), &wide(gt), &vec![0.5; n], &vec![1.0; n]).unwrap()[0].clone()
}

/// One feature of several stimuli.
fn profile(gt: &[f32], recon: &[f32]) -> Outcome {
    let wide = |values: &[f32]| -> Vec<f64> { values.iter().map(|&v| v.into()).collect() };
    let found = profile_correlation(&wide(recon), &wide(gt), 1, &Default::default()).unwrap();
    let of_feature = found.0[0].clone();
    assert_eq!(found.1.value, of_feature, "the mean of one feature");
    of_feature
}

fn features() -> Vec<(&'static str, OfSides<f32>)> {
    let mut found = images();
    found.retain(|(id, _)| *id == "pixcorr");
    let n_way = |gt: &[f32], recon: &[f32]| n_way_accuracy(gt, recon, 2, 0, &NWayOptions::default()).unwrap();
    found.push(("pattern_correlation", Box::new(pattern)));
    found.push(("profile_correlation", Box::new(profile)));
    found.push(("n_way_accuracy", Box::new(n_way)));
    found
}

fn rising() -> Vec<f32> {
    let n = 3 * PX * PX;
    (0..n).map(|value| value as f32 / n as f32).collect()
}

#[test]
fn a_value_that_is_no_number_is_on_its_side() {
    let sound = rising();
    for bad in [f32::NAN, f32::INFINITY] {
        let mut faulty = sound.clone();
        faulty[7] = bad;
        let cosine: OfSides<f32> = Box::new(cosine);
        for (id, of) in images().into_iter().chain(features()).chain([("cosine", cosine)]) {
            for side in Side::BOTH {
                assert_eq!(with_fault(&of, side, &sound, &faulty), Undefined::NonFinite(side), "{id}");
            }
        }
    }
    for side in Side::BOTH {
        for (id, of) in clouds() {
            let (sound, faulty) = ([[0.0; 3]], [[0.0, f64::NAN, 0.0]]);
            assert_eq!(with_fault(&of, side, &sound, &faulty), Undefined::NonFinite(side), "{id}");
            assert_eq!(with_fault(&of, side, &sound, &[]), Undefined::Empty(side), "{id}");
        }
    }
}

fn clouds() -> Vec<(&'static str, OfSides<[f64; 3]>)> {
    let chamfer = |gt: &[[f64; 3]], recon: &[[f64; 3]]| chamfer_distance(gt, recon, ChamferForm::default());
    vec![("chamfer_distance", Box::new(chamfer)), ("earth_movers_distance", Box::new(earth_movers_distance))]
}

#[test]
fn one_value_all_over_is_on_its_side() {
    let sound = rising();
    for (id, of) in features() {
        for side in Side::BOTH {
            let found = with_fault(&of, side, &sound, &vec![0.25; sound.len()]);
            assert_eq!(found, Undefined::Constant(side), "{id}");
        }
    }
}

#[test]
fn patterns_say_what_they_lack() {
    // An item equal to the mean over training stimuli (0.5 for each feature) is constant, but has another reason.
    let sound = rising();
    for side in Side::BOTH {
        let of: OfSides<f32> = Box::new(pattern);
        let found = with_fault(&of, side, &sound, &vec![0.5; sound.len()]).to_string();
        assert_eq!(found, format!("the {side} is the mean of the training stimuli"));
    }
    let still = pattern_correlation(&[1.0, 2.0], &[1.0, 2.0], &[0.0; 2], &[0.0; 2]).unwrap();
    let reason = still[0].clone().unwrap_err().to_string();
    assert_eq!(reason, "no feature varies over the training stimuli");
}

#[test]
fn a_side_without_categories_is_named() {
    let of = |names: &[&str]| CategoryNames(names.iter().map(|&name| name.into()).collect());
    let (some, none) = (of(&["dog"]), of(&[]));
    let f1 = |gt, recon| vlm_object_f1(gt, recon, VlmNames::Normalised, Preset::Paper);
    assert_eq!(f1(&none, &some), Err(Undefined::NoCategories(Side::Gt)));
    assert_eq!(f1(&some, &none), Err(Undefined::NoCategories(Side::Recon)));
}

#[test]
fn coco_s_summary_says_whether_objects_or_thresholds_lack() {
    let reasons = |thresholds: &[f64]| -> Vec<(&str, String)> {
        let summary = evaluate::<Mask>(&[ImageMasks::default()], 1, thresholds).unwrap().summary();
        let reasons = summary.values.into_iter().map(|value| value.unwrap_err().to_string());
        SUMMARY_NAMES.into_iter().zip(reasons).collect()
    };
    let all = "no object in the stimuli";
    let of_size = "no object of this size in the stimuli";
    for (name, reason) in reasons(&[0.5, 0.75]) {
        let has_size = ["small", "medium", "large"].iter().any(|size| name.ends_with(size));
        assert_eq!(reason, if has_size { of_size } else { all }, "{name}");
    }
    let without_75 = reasons(&[0.5]);
    assert_eq!(without_75[2], ("AP75", "this IoU threshold was not asked for".to_owned()));
}

#[test]
fn near_misses_need_categories_of_the_stimulus_only() {
    let taxonomy = Taxonomy::new(&LabelList::new("own", ["cat", "dog"]));
    let of = |gt: &Detections, recon: &Detections| {
        let found = near_miss(gt, recon, &taxonomy, &Default::default()).unwrap();
        assert_eq!(found.recall.as_ref().err(), found.rate.as_ref().err());
        found.rate
    };
    let [sound, none, nan] = [0.9, 0.0, f64::NAN].map(|score| detections(&[(1, score)]));
    assert_eq!(of(&none, &sound), Err(Undefined::NoCategories(Side::Gt)));
    assert_eq!(of(&sound, &none), Ok(0.0));
    assert_eq!(of(&nan, &sound), Err(Undefined::NonFinite(Side::Gt)));
    assert_eq!(of(&sound, &nan), Err(Undefined::NonFinite(Side::Recon)));
}

#[test]
fn basic_h_names_the_side_without_elements_and_the_part() {
    let options = BasicHOptions::default();
    let of = |gt: &[&str], recon: &[&str]| {
        let rules = options.rules().unwrap();
        let matches = match_words(&objects(gt), &objects(recon), &NoLexicon, &rules);
        basic_h_scores(&matches, &|_, _| Ok(0.0), &options).unwrap().objects
    };
    let (missed, invented) = (of(&["boat"], &[]), of(&[], &["boat"]));
    assert_eq!(missed.precision, Err(Undefined::Empty(Side::Recon)));
    assert_eq!(missed.recall, Ok(0.0));
    assert_eq!(invented.recall, Err(Undefined::Empty(Side::Gt)));
    assert_eq!(invented.precision, Ok(0.0));

    for (place, name) in ["basic_object_f1", "basic_attribute_f1", "basic_relation_f1"].into_iter().enumerate() {
        let mut values: [Outcome; 3] = [Ok(1.0), Ok(1.0), Ok(1.0)];
        values[place] = Err(Undefined::Empty(Side::Gt));
        let [objects, attributes, relations] = &values;
        let found = basic_h(objects, attributes, relations, &options);
        assert_eq!(found, Err(Undefined::MissingPart(name.into())));
    }
}

#[test]
fn basic_l_names_the_side_without_masks_and_the_part() {
    let masks = |name: &str| strips(20, vec![strip(name, 1.0, 20, (0, 5))], &["dog"], &["head"]);
    // A part is only on the part level, a whole object only on the others.
    let (object, part) = (masks("dog"), masks("head"));
    for (level, sound, faulty) in
        [(Level::Semantic, &object, &part), (Level::Instance, &object, &part), (Level::Part, &part, &object)]
    {
        for of in [level_iou, level_ap] {
            let of = |gt, recon| of(gt, recon, level, &Default::default()).unwrap();
            let none = |side| Err(Undefined::NoCategories(side));
            assert_eq!(of(faulty, sound), none(Side::Gt), "{level:?}");
            assert_eq!(of(sound, faulty), none(Side::Recon), "{level:?}");
        }
    }
    for (place, name) in ["salient_iou", "semantic_iou", "instance_iou", "part_iou"].into_iter().enumerate() {
        let mut values: [Outcome; 4] = [Ok(1.0), Ok(1.0), Ok(1.0), Ok(1.0)];
        values[place] = Err(Undefined::NoCategories(Side::Recon));
        assert_eq!(basic_l(values.each_ref()), Err(Undefined::MissingPart(name.into())));
    }
}

#[test]
fn losses_say_which_side_and_whether_items_or_an_order_lack() {
    let sound = [1.0, 0.0, 0.0, 1.0];
    let (nan, zero) = ([1.0, f64::NAN, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]);
    let of_similarities =
        |truth: &[f64], predicted: &[f64]| pairwise_hinge(truth, predicted, 2, true).unwrap().unwrap_err();
    let mean = |with_anchor| EmbeddingHingeOptions {
        normalisation: HingeNormalisation::OrderedTriples,
        with_anchor,
        ..EmbeddingHingeOptions::default()
    };
    let of = |truth: &[f64], predicted: &[f64], with_anchor| {
        let n = truth.len() / 2;
        pairwise_hinge_of_embeddings(truth, predicted, n, &mean(with_anchor)).unwrap().unwrap_err()
    };
    for side in Side::BOTH {
        let on = |faulty| match side {
            Side::Gt => (faulty, sound),
            Side::Recon => (sound, faulty),
        };
        let (truth, predicted) = on(nan);
        assert_eq!(of_similarities(&truth, &predicted), Undefined::NonFinite(side));
        assert_eq!(of(&truth, &predicted, true), Undefined::NonFinite(side));
        let (truth, predicted) = on(zero);
        assert_eq!(of(&truth, &predicted, true), Undefined::Empty(side));
    }
    // One item to compare, and twenty of which all are in one direction.
    assert_eq!(of(&sound, &sound, false), Undefined::TooFewItems);
    assert_eq!(of(&sound[..2], &sound[..2], true), Undefined::TooFewItems);
    let same = [1.0, 0.0].repeat(20);
    for with_anchor in [false, true] {
        let reason = of(&same, &same, with_anchor).to_string();
        assert_eq!(reason, "no true similarity is greater than another");
    }
}
