//! Properties of every metric: range, a perfect score for a perfect reconstruction, no dependence on undefined values.

use crate::support::*;

/// Sizes of images in px: a metric gets the first size that it accepts.
const SIZES_PX: [(usize, usize); 2] = [(40, 30), (200, 180)];

fn image(seed: u64, (width_px, height_px): (usize, usize)) -> Image<f32> {
    let noise = Synthetic::new("registry image", seed);
    let values = (0..3 * width_px * height_px).map(|i| noise.uniform(i as u64));
    Image::new(width_px, height_px, values.collect()).unwrap()
}

fn detections(seed: u64) -> Detections {
    let noise = Synthetic::new("registry boxes", seed);
    let mut items: Vec<Detection> = (0..12)
        .map(|i| {
            let value = |part: u64| f64::from(noise.uniform(i * 8 + part));
            let (x0, y0) = (value(0) * 300.0, value(1) * 300.0);
            Detection {
                category: (value(2) * 82.0) as usize,
                score: value(3),
                bbox: bbox(x0, y0, x0 + 10.0 + value(4) * 90.0, y0 + 20.0),
            }
        })
        .collect();
    items.sort_by(|a, b| b.score.total_cmp(&a.score));
    Detections::of(items, Some((425.0, 425.0)))
}

/// Rectangles with names of objects, of a part and of background.
fn masks(seed: u64) -> Masks {
    let noise = Synthetic::new("registry masks", seed);
    let item = |(place, name): (u64, &&str)| {
        let value = |part: u64| (noise.uniform(place * 4 + part) * 20.0) as u32;
        let (x0, y0, x1, y1) = (value(0), value(1), value(0) + 2 + value(2), value(1) + 3 + value(3));
        let mask = Mask::from_pixels(40, 50, |x, y| (x0..x1).contains(&x) && (y0..y1).contains(&y));
        InstanceMask {
            name: (*name).to_owned(),
            score: 0.5 + f64::from(noise.uniform(place)) / 2.0,
            bbox: bbox(x0.into(), y0.into(), x1.into(), y1.into()),
            mask: mask.unwrap(),
        }
    };
    let names = ["dog", "dog", "sky", "head", "tail"];
    Masks::of((50, 40), (0..).zip(&names).map(item).collect(), Some(categories(&["dog"], &["head", "tail"])))
}

fn names(seed: u64) -> CategoryNames {
    let noise = Synthetic::new("registry names", seed);
    CategoryNames((0..6).map(|i| format!("thing {}", noise.byte(i) % 9)).collect())
}

fn graph(seed: u64) -> SceneGraph {
    let noise = Synthetic::new("registry graph", seed);
    let word = |i: u64| format!("word{}", noise.byte(i) % 8);
    SceneGraph {
        objects: (0..4).map(word).collect(),
        attributes: [(word(4), vec![word(5), word(6)])].into(),
        relations: vec![[word(7), word(8), word(9)]],
    }
}

fn doubles(seed: u64) -> Vec<f64> {
    vector(seed).into_iter().map(f64::from).collect()
}

fn vector(seed: u64) -> Vec<f32> {
    let noise = Synthetic::new("registry features", seed);
    (0..64).map(|i| noise.uniform(i) - 0.5).collect()
}

/// The metrics that need no network; other tests compare networks with their references.
fn without_network() -> impl Iterator<Item = &'static Metric> {
    let needs_one = |metric: &&Metric| matches!(metric.compute, Compute::Perceptual { .. });
    METRICS.iter().filter(move |metric| !needs_one(metric))
}

/// The outcome of a metric of items, by the type of its function.
fn of_items(compute: &Compute, a: u64, b: u64) -> Outcome {
    let options = Options::default();
    if let Some(compare) = compute.function::<DetectionFunction>() {
        let taxonomy = Taxonomy::new(&LabelList::coco_gender());
        return compare(&detections(a), &detections(b), &taxonomy, &options).unwrap().outcome;
    }
    if let Some(score) = compute.function::<BoxFunction>() {
        let boxes = grounded_boxes(&detections(a), &detections(b));
        let mut scores = boxes.iter().map(|(_, pair)| score(pair));
        return scores.find(Result::is_ok).unwrap_or(Err(Undefined::NoCategories(Side::Gt)));
    }
    if let Some(compare) = compute.function::<PairFunction<CategoryNames>>() {
        return compare(&names(a), &names(b), &options).unwrap().outcome;
    }
    if let Some(compare) = compute.function::<PairFunction<Masks>>() {
        return compare(&masks(a), &masks(b), &options).unwrap().outcome;
    }
    if let Some(of) = compute.function::<ScoreFunction>() {
        // The model's answer is yes for the caption of the same image.
        return of(Some(if a == b { 1.0 } else { 0.25 }));
    }
    if let Some(compare) = compute.function::<EmbeddingFunction>() {
        return compare(&[&vector(a)], &vector(b), options.references).unwrap();
    }
    if let Some(function) = compute.function::<WordFunction>() {
        // The first of three pairs; with many words, since METEOR subtracts something for each run of words.
        let words = |seed: u64| -> Vec<String> {
            let noise = Synthetic::new("registry captions", seed);
            (0..200).map(|i| format!("w{}", noise.byte(i) % 64)).collect()
        };
        let outcomes = (function.compare)(&WordsOfPairs {
            references: &[vec![words(a)], vec![words(1000)], vec![words(1001)]],
            captions: &[words(b), words(1000), words(1001)],
            stem: str::to_owned,
            lexicon: &NoLexicon,
            documents: None,
            weights: None,
        });
        return outcomes[0].clone();
    }
    let pick = compute.function::<GraphFunction>().expect("a function of a known type");
    let rules = options.basic_h.rules().unwrap();
    let matches = match_words(&graph(a), &graph(b), &NoLexicon, &rules);
    pick(&basic_h_scores(&matches, &|_, _| Ok(0.25), &options.basic_h).unwrap())
}

/// The outcome of a metric for synthetic stimulus `a` and reconstruction `b`.
fn outcome(metric: &Metric, a: u64, b: u64) -> Outcome {
    let options = Options::default();
    match metric.compute {
        Compute::Pixels(compare) => {
            let at = |size| compare(&image(a, size), &image(b, size), &options.pixels).unwrap();
            let [small, large] = SIZES_PX;
            at(small).or_else(|_| at(large))
        }
        Compute::Perceptual { model } => panic!("{model} needs a network"),
        Compute::Items(..) => of_items(&metric.compute, a, b),
        Compute::CaptionsOfImages { compare, .. } => compare(&vector(a), &vector(b), &[&vector(a)]).unwrap(),
        Compute::Features { compare, .. } => {
            let rows = FeatureRows {
                gt: &doubles(a),
                recon: &doubles(b),
                pair: 0,
            };
            compare.compare(&rows, &options).unwrap().outcome
        }
        Compute::Frames { side, compare, .. } => {
            // The frames of a perfect reconstruction equal those of a still.
            let own = if side == Side::Gt { a } else { b };
            let next = if a == b { own } else { own + 2000 };
            compare(&[&doubles(own), &doubles(next)])
        }
        Compute::Identification { distractors, .. } => {
            // The first of three pairs, or alone among two others.
            let (gt, recon) = (vector(a), vector(b));
            let (other, another) = (vector(1000), vector(1001));
            let pairs: [(&[f32], &[f32]); 3] = [(&gt, &recon), (&other, &other), (&another, &another)];
            let pool: [&[f32]; 2] = [&other, &another];
            let identified = match distractors {
                Distractors::Pairs => identify(&pairs, None, &options.identification),
                Distractors::Pool => identify(&pairs[..1], Some(&pool), &options.identification),
            };
            identified.unwrap().outcomes[0].clone()
        }
        Compute::Scores { from, combine, .. } => {
            let parts: Vec<Outcome> = from.iter().map(|part| outcome(find(part).unwrap(), a, b)).collect();
            combine(&parts.iter().collect::<Vec<_>>(), &options)
        }
    }
}

#[test]
fn every_value_lies_in_the_range_that_the_metric_states() {
    for metric in without_network() {
        let (low, high) = metric.spec.range;
        let outcomes: Vec<Outcome> = (0..20).map(|pair| outcome(metric, pair, pair + 100)).collect();
        for value in outcomes.iter().flatten() {
            assert!((low..=high).contains(value), "{}: {value}", metric.spec.id);
        }
        assert!(
            outcomes.iter().any(Result::is_ok),
            "{}: no pair has a value ({:?}); give it inputs that it can take",
            metric.spec.id,
            outcomes[0]
        );
    }
}

#[test]
fn a_perfect_reconstruction_is_at_the_good_end_and_no_other_is_better() {
    for metric in without_network() {
        let (low, high) = metric.spec.range;
        let best = match metric.spec.direction {
            Direction::Higher => high,
            Direction::Lower => low,
        };
        for pair in 0..20 {
            match outcome(metric, pair, pair) {
                Ok(value) => {
                    assert!((value - best).abs() < 1e-6, "{}: {value}", metric.spec.id);
                }
                Err(reason) => assert!(
                    matches!(reason, Undefined::Identical | Undefined::NoCategories(Side::Gt)),
                    "{}: {reason}",
                    metric.spec.id
                ),
            }
        }
    }
}

#[test]
fn parts_stand_before_composites() {
    for (position, metric) in METRICS.iter().enumerate() {
        if let Compute::Scores { from, .. } = metric.compute {
            for part in from {
                let before = METRICS[..position].iter().any(|other| other.spec.id == *part);
                assert!(before, "{} needs {part}", metric.spec.id);
            }
        }
    }
}

#[test]
fn lists_and_companions_name_metrics_and_no_list_is_called_as_one() {
    for (name, ids) in LISTS {
        assert!(find(name).is_none(), "{name} is a metric too");
        for id in *ids {
            assert!(find(id).is_some(), "{name} names {id}");
        }
    }
    // Each has the features of a metric of identification.
    for twin in METRICS.iter().filter(|metric| metric.is_twin()) {
        let is_twin_of = |of: &&Metric| !of.is_twin() && of.compute.features() == twin.compute.features();
        assert!(METRICS.iter().any(|metric| is_twin_of(&metric)), "{}", twin.spec.id);
    }
}
