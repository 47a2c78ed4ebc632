//! Sections whose numbers are known by hand: samples, folds, and the control by captions.

use super::{line, run, value, write};
use neurogauge::core::Silent;
use neurogauge::core::synthetic::Synthetic;
use neurogauge::stats::Similarity;
use neurogauge::{Report, RunSettings};
use neurogauge_audit::{Audit, AuditRequest, ClustersFrom, audit};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const N_FEATURES: usize = 8;

fn random(name: &str, n: usize) -> Vec<f64> {
    let values = Synthetic::new(name, 5);
    (0..n * N_FEATURES).map(|place| f64::from(values.uniform(place as u64))).collect()
}

/// Twelve training stimuli in four clusters of three and six test stimuli.
fn request(folder: &Path) -> AuditRequest {
    let mut request = super::request(folder, N_FEATURES, true, [&random("train", 12), &random("test", 6)]);
    let of_train = (0..12).map(|row| format!("t{row},c{}\n", row / 3));
    let table: String = of_train.chain((0..6).map(|row| format!("s{row},c{}\n", row % 4))).collect();
    let path = folder.join("clusters.csv");
    std::fs::write(&path, format!("item,cluster\n{table}")).unwrap();
    request.clusters = ClustersFrom::File(path);
    request
}

#[track_caller]
fn is(found: &Audit, section: &str, what: &str, expected: f64) {
    let value = value(found, section, what);
    assert!((value - expected).abs() < 1e-12, "{what}: {value}");
}

#[test]
fn the_best_sample_is_the_largest_or_the_smallest_as_the_metric_has_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut request = request(dir.path());
    let (scores, chosen) = (dir.path().join("scores.csv"), dir.path().join("chosen.csv"));
    let table = "item,ssim,lpips_alex,own\na_0,0.5,0.2,1\na_1,0.25,0.4,0\nb_0,0.5,0.6,0\nb_1,0.75,0.1,1\n";
    std::fs::write(&scores, table).unwrap();
    std::fs::write(&chosen, "item,label\na,1\nb,1\n").unwrap();
    (request.samples.sample_scores, request.samples.chosen) = (Some(scores), Some(chosen));
    let found = run(&request);
    for (what, expected) in [
        ("ssim, mean over samples", 0.5),
        ("ssim, best of 2", 0.625),
        ("ssim, optimism", 0.125),
        ("ssim, chosen", 0.5),
        ("lpips_alex, mean over samples", 0.325),
        ("lpips_alex, best of 2", 0.15),
        ("lpips_alex, optimism", -0.175),
        ("lpips_alex, chosen", 0.25),
        ("own, best of 2", 1.0),
    ] {
        is(&found, "samples", what, expected);
    }
    // The direction of the last one is not given.
    let findings: Vec<_> = found.record.findings.iter().filter(|finding| finding.is_shown()).collect();
    assert_eq!(findings.len(), 1);
    assert!(findings[0].to_string().contains("own"), "{findings:?}");
}

#[test]
fn folds_hold_whole_clusters_and_are_equally_large() {
    let dir = tempfile::tempdir().unwrap();
    let mut request = request(dir.path());
    request.folds = 2;
    run(&request).write(&dir.path().join("out"), Default::default()).unwrap();
    let table = std::fs::read_to_string(dir.path().join("out/folds.csv")).unwrap();
    let mut folds_of_cluster = BTreeMap::<&str, BTreeSet<&str>>::new();
    let mut sizes = BTreeMap::<(&str, &str), usize>::new();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        folds_of_cluster.entry(cells[1]).or_default().insert(cells[2]);
        *sizes.entry(("by cluster", cells[2])).or_default() += 1;
        *sizes.entry(("at random", cells[3])).or_default() += 1;
    }
    assert_eq!(folds_of_cluster.len(), 4);
    assert!(folds_of_cluster.values().all(|folds| folds.len() == 1));
    assert_eq!(sizes.into_values().collect::<Vec<_>>(), [6; 4]);
}

/// Scores drop by 0.3, 0.3, 0.1 and 0.1 in the four clusters: the jackknife of clusters gives the standard error of
/// four means.
#[test]
fn the_interval_of_the_drop_is_that_of_clusters() {
    let dir = tempfile::tempdir().unwrap();
    let mut request = request(dir.path());
    // Lower distances are better, so they fall when similarities rise.
    let table = |score: &dyn Fn(usize) -> f64| -> String {
        let lines = (0..12).map(|row| format!("t{row},{},{}\n", score(row), 1.0 - score(row)));
        format!("item,ssim,lpips_alex\n{}", lines.collect::<String>())
    };
    let drop = |row: usize| if row < 6 { 0.3 } else { 0.1 };
    let [random_folds, held_out] = ["random.csv", "held_out.csv"].map(|name| dir.path().join(name));
    std::fs::write(&random_folds, table(&|row| 0.8 + 0.01 * row as f64)).unwrap();
    std::fs::write(&held_out, table(&|row| 0.8 + 0.01 * row as f64 - drop(row))).unwrap();
    request.fold_scores = Some([random_folds, held_out]);
    let found = run(&request);
    is(&found, "held_out_clusters", "ssim, random folds", 0.855);
    is(&found, "held_out_clusters", "ssim, held-out clusters", 0.655);
    is(&found, "held_out_clusters", "ssim, difference", 0.2);
    // Student's quantile with three degrees of freedom, times 0.1 · 2/√3 / √4.
    let (low, high) = line(&found, "held_out_clusters", "ssim, difference").estimate.interval.unwrap();
    let reach = 3.182_446_305 * 0.1 * 2.0 / 3_f64.sqrt() / 2.0;
    assert!((low - (0.2 - reach)).abs() < 1e-8 && (high - (0.2 + reach)).abs() < 1e-8, "{low} {high}");
    let sections = found.record.sections.iter();
    let answers: Vec<&str> = sections
        .filter(|section| section.id == "held_out_clusters")
        .map(|section| section.answer.as_str())
        .collect();
    for metric in ["ssim", "lpips_alex"] {
        let expected = format!("{metric} is worse where clusters are held out");
        assert!(answers[0].contains(&expected), "{answers:?}");
    }
}

/// Rows without ids are numbered: training and test stimuli have the same numbers, and the folds are those of training
/// stimuli.
#[test]
fn numbered_rows_of_training_and_test_stimuli_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let found = [Some("t"), None].map(|ids| {
        let folder = dir.path().join(ids.unwrap_or("numbered"));
        std::fs::create_dir(&folder).unwrap();
        let stimuli = [&random("train", 12)[..], &random("test", 6)];
        let mut request = super::request(&folder, N_FEATURES, ids.is_some(), stimuli);
        request.clusters = ClustersFrom::KMeans(4);
        let scores = ["random.csv", "held_out.csv"].map(|name| folder.join(name));
        for (path, change) in scores.iter().zip([0.0, 0.01]) {
            let line = |row: usize| format!("{}{row},{}\n", ids.unwrap_or(""), 0.5 + change * (row * row) as f64);
            let lines: String = (0..12).map(line).collect();
            std::fs::write(path, format!("item,ssim\n{lines}")).unwrap();
        }
        request.fold_scores = Some(scores);
        let audited = run(&request);

        request.clusters = ClustersFrom::File(folder.join("random.csv"));
        let error = audit(&request, &RunSettings::default(), &Silent).unwrap_err().to_string();
        let is_refused = error.contains("is a training and a test stimulus");
        assert_eq!(is_refused, ids.is_none(), "{error}");
        line(&audited, "held_out_clusters", "ssim, difference").clone()
    });
    assert_eq!(found[0], found[1]);
}

/// Test stimuli that the decoder was trained on are named.
#[test]
fn test_stimuli_in_the_training_set_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let mut request = request(dir.path());
    let (what, mut test) = ("share of test stimuli with the features", random("test", 6));
    is(&run(&request), "overlap", what, 0.0);
    test[N_FEATURES..3 * N_FEATURES].copy_from_slice(&random("train", 12)[..2 * N_FEATURES]);
    request.test = write(dir.path(), "leaked", Some("s"), N_FEATURES, &test);
    let found = run(&request);
    is(&found, "overlap", what, 2.0 / 6.0);
    let answer = &found.record.sections[0].answer;
    let expected = "2 of 6 test stimuli have the same features as a training stimulus (s1, s2)";
    assert!(answer.starts_with(expected), "{answer}");
}

/// All numbers of an audit use the requested similarity.
#[test]
fn identification_in_clusters_is_by_the_similarity_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let mut request = request(dir.path());
    let decoded = random("decoded", 6);
    request.decoded = Some(write(dir.path(), "decoded", Some("s"), N_FEATURES, &decoded));
    let mut all = Vec::new();
    for similarity in [Similarity::Correlation, Similarity::Cosine, Similarity::Euclidean] {
        request.similarity = similarity;
        let found = run(&request);
        let two_way = value(&found, "controls", "two-way identification of what was decoded");
        is(&found, "clusters", "2-way identification", two_way);
        all.push(two_way);
    }
    assert!(all.iter().any(|value| *value != all[0]), "{all:?}");
}

/// Decoded captions equal to those of training stimuli 3 to 8 show these stimuli.
#[test]
fn the_control_by_captions_shows_the_training_stimulus_of_the_nearest_caption() {
    let dir = tempfile::tempdir().unwrap();
    let mut request = request(dir.path());
    let (train, captions) = (random("train", 12), random("captions", 12));
    let rows = 3 * N_FEATURES..9 * N_FEATURES;
    request.decoded = Some(write(dir.path(), "decoded", Some("s"), N_FEATURES, &train[rows.clone()]));
    request.captions = Some([
        write(dir.path(), "train_captions", Some("t"), N_FEATURES, &captions),
        write(dir.path(), "decoded_captions", Some("s"), N_FEATURES, &captions[rows]),
    ]);
    let found = run(&request);
    let by_caption = line(&found, "controls", "the same of the training stimulus whose caption");
    assert_eq!(by_caption.estimate, line(&found, "controls", "two-way").estimate);
    is(&found, "overlap", "share of reconstructions", 1.0);
}

/// Pictures made from captions alone identify all stimuli if they equal these, and none if they equal the next
/// stimulus.
#[test]
fn pictures_of_captions_are_identified_like_reconstructions() {
    let dir = tempfile::tempdir().unwrap();
    let mut request = request(dir.path());
    let test = random("test", 6);
    request.decoded = Some(write(dir.path(), "decoded", Some("s"), N_FEATURES, &random("decoded", 6)));
    let what = "the same of pictures made of the decoded captions alone";
    request.caption_pictures = Some(write(dir.path(), "equal", Some("s"), N_FEATURES, &test));
    is(&run(&request), "controls", what, 1.0);
    let mut next = test;
    next.rotate_left(N_FEATURES);
    request.caption_pictures = Some(write(dir.path(), "next", Some("s"), N_FEATURES, &next));
    let found = run(&request);
    // Each is most similar to a stimulus other than its own.
    assert!(value(&found, "controls", what) < 0.9);
    request.caption_pictures = Some(write(dir.path(), "few", Some("s"), N_FEATURES, &random("few", 2)));
    let error = audit(&request, &RunSettings::default(), &Silent).unwrap_err().to_string();
    assert!(error.contains("a picture made of the decoded caption"), "{error}");
}

/// The nearest training stimulus by Euclidean distance equals that of a direct search.
#[test]
fn distances_find_the_nearest_training_stimulus() {
    let dir = tempfile::tempdir().unwrap();
    let mut request = request(dir.path());
    request.similarity = Similarity::Euclidean;
    let found = run(&request);
    let (train, test) = (random("train", 12), random("test", 6));
    let single = |value: &f64| f64::from(*value as f32);
    let nearest = test.chunks(N_FEATURES).map(|row| {
        let distances = train
            .chunks(N_FEATURES)
            .map(|other| row.iter().zip(other).map(|(a, b)| (single(a) - single(b)).powi(2)).sum::<f64>().sqrt());
        distances.fold(f64::INFINITY, f64::min)
    });
    let mean = -nearest.sum::<f64>() / 6.0;
    let what = "similarity of a test stimulus to the nearest";
    assert!((value(&found, "overlap", what) - mean).abs() < 1e-6);
}
