//! `neurogauge score embeddings`: every number by hand, and bad input.

use crate::support::*;

/// Cosines by hand, brain by image; the first two images are nearest to their own.
///
/// | | a | b | c |
/// |---|---|---|---|
/// | a | 1 | 0 | 0.8 |
/// | b | 0 | 1 | 0.6 |
/// | c | 0.8 | -0.6 | 0.28 |
const IMAGE: [f32; 6] = [1.0, 0.0, 0.0, 2.0, 0.8, 0.6];
const BRAIN: [f32; 6] = [3.0, 0.0, 0.0, 0.5, 0.8, -0.6];

fn embeddings() -> Folder {
    let dir = folder();
    write_f32(&dir.join("brain.npy"), &[3, 2], &BRAIN).unwrap();
    write_f32(&dir.join("image.npy"), &[3, 2], &IMAGE).unwrap();
    dir
}

const RETRIEVE: &str = "score embeddings image.npy brain.npy --out out";

fn retrieve(dir: &Folder, options: &str) -> (Value, String) {
    let ran = dir.succeed(&format!("{RETRIEVE} --overwrite {options}"));
    (dir.json("out/retrieval.json"), ran.stdout)
}

fn near(value: &Value, expected: f64) {
    assert!((value.number() - expected).abs() < 1e-9, "{value} {expected}");
}

#[test]
fn shares_expectations_and_chance_are_those_found_by_hand() {
    let dir = embeddings();
    let (record, stdout) = retrieve(&dir, "--candidates 3");
    // c is more similar to image a; image c is more similar to brain a and brain b.
    near(&record["forward"]["mean"], 2.0 / 3.0);
    near(&record["backward"]["mean"], 2.0 / 3.0);
    near(&record["forward"]["sd"], 0.0);
    near(&record["chance"], 1.0 / 3.0);
    assert_eq!(record["forward"]["repeats"].list().len(), 30);
    assert_eq!(record["paired_by_ids"], false);
    assert_snapshot!(stdout, @"
    Retrieval among 3 candidates, top 1

    Direction                  found [95% over draws]  SD of draws  expected [95% over items]  chance
    forward (brain to image)     0.667 [0.667, 0.667]        0.000       0.667 [0.000, 1.000]  0.3333
    backward (image to brain)    0.667 [0.667, 0.667]        0.000       0.667 [0.000, 1.000]  0.3333

    30 draws of 3 candidates out of 3 items, seed 42; cosine similarity of embeddings of 2 values; ties lose. Rows paired by position: row i of one file belongs to row i of the other.
    The interval over draws says what more draws would change; the expectation is over all draws, and its interval is for new items and new candidates (jackknife over items in both roles, beta distributions).
    ");
    // With two candidates, brain c finds its own image if b was drawn and not a.
    let (record, _) = retrieve(&dir, "--candidates 2");
    near(&record["forward"]["expected"], (1.0 + 1.0 + 0.5) / 3.0);
    near(&record["backward"]["expected"], 2.0 / 3.0);
    let (record, _) = retrieve(&dir, "--candidates 3 --set top_k=2 --repeats 1");
    near(&record["forward"]["mean"], 1.0);
    near(&record["backward"]["mean"], 2.0 / 3.0);
    assert_eq!(record["forward"]["interval"], Value::Null);

    // Embeddings without a direction are left out and named.
    let brain = [3.0, 0.0, 0.0, 0.0, 0.8, -0.6];
    write_f32(&dir.join("brain.npy"), &[3, 2], &brain).unwrap();
    let (record, _) = retrieve(&dir, "--candidates 2");
    assert_eq!(record["n_items"], 2);
    contains(
        &record["findings"].to_string(),
        &["1 item left out, since the embedding is similar to none", "constant): 1"],
    );
    assert_snapshot!(dir.run(&format!("{RETRIEVE} --overwrite --candidates 3")), @"exit 1, stderr: error: brain.npy: row 1 (counted from 0): all zeros, so it has no cosine; without such rows 2 items are left, fewer than --candidates 3: repair the row, or take fewer candidates");
}

#[test]
fn formats_ids_and_threads() {
    let dir = embeddings();
    let options = "--candidates 2 --seed 3 --format json";
    let (by_rows, stdout) = retrieve(&dir, options);
    let mut printed: Value = serde_json::from_str(&stdout).unwrap();
    // The file also has the hashes of the other outputs.
    printed["outputs"] = by_rows["outputs"].clone();
    assert_eq!(printed, by_rows);
    let csv = dir.read("out/retrieval.csv");
    assert!(csv.starts_with("direction,mean,low,high,sd,expected,"), "{csv}");
    assert_eq!(csv.lines().count(), 3);
    assert_eq!(by_rows, retrieve(&dir, &format!("{options} --threads 1")).0);

    // The same rows in another order, with ids.
    dir.write("ids.json", "[\"a\", \"b\", \"c\"]");
    dir.write("side/ids.json", "[\"c\", \"a\", \"b\"]");
    write_f32(&dir.join("side/image.npy"), &[3, 2, 1], &[0.8, 0.6, 1.0, 0.0, 0.0, 2.0]).unwrap();
    let sides = RETRIEVE.replace("image.npy", "side/image.npy");
    dir.succeed(&format!("{sides} --overwrite {options}"));
    let by_ids = dir.json("out/retrieval.json");
    assert_eq!(by_ids["paired_by_ids"], true);
    assert_eq!(by_ids["forward"], by_rows["forward"]);
    assert_eq!(by_ids["backward"], by_rows["backward"]);
}

/// Correlations do not depend on an offset of all features, which single precision would lose.
#[test]
fn double_precision_is_kept() {
    let dir = folder();
    let step = |row: usize, feature: usize, side: usize| {
        ((7 * row + 3 * feature * feature + side * row * feature) % 11) as f64
    };
    let rows = |side: usize, offset: f64| -> Vec<f64> {
        let cells = (0..6).flat_map(|row| (0..5).map(move |feature| (row, feature)));
        cells.map(|(row, feature)| offset + step(row, feature, side) / 1024.0).collect()
    };
    let found = |offset: f64| {
        for (side, name) in [(0, "brain.npy"), (1, "image.npy")] {
            write_f64(&dir.join(name), &[6, 5], &rows(side, offset)).unwrap();
        }
        let (record, _) = retrieve(&dir, "--candidates 3 --metric correlation");
        assert_eq!(record["n_items"], 6);
        [record["forward"]["expected"].clone(), record["backward"]["expected"].clone()]
    };
    for (own, expected) in found(f64::from(1 << 24)).iter().zip(&found(0.0)) {
        near(own, expected.number());
    }
    let single: Vec<f32> = rows(0, 0.0).into_iter().map(|value| value as f32).collect();
    write_f32(&dir.join("brain.npy"), &[6, 5], &single).unwrap();
    let (mixed, _) = retrieve(&dir, "--candidates 3 --metric correlation");
    near(&mixed["n_items"], 6.0);
}

#[test]
fn bad_input_is_refused_with_what_to_do() {
    let dir = embeddings();
    assert_snapshot!(dir.refusals(RETRIEVE, &["", "--candidates 2 --set top_k=2"], "out"), @"

      exit 2, stderr: error: retrieval: the number of candidates is 300 with 3 items to draw from; expected at least 2, and no more than there are items
    --candidates 2 --set top_k=2
      exit 2, stderr: error: retrieval: top k is 2; expected at least 1 and fewer than there are candidates, or everything is found
    ");

    dir.write("side/ids.json", "[\"a\", \"b\", \"c\"]");
    write_f32(&dir.join("side/image.npy"), &[3, 2], &IMAGE).unwrap();
    let sides = RETRIEVE.replace("image.npy", "side/image.npy");
    let without_ids = dir.run(&sides);
    dir.write("ids.json", "[\"a\", \"b\", \"d\"]");
    let other_ids = dir.run(&sides);
    let shared = dir.succeed(&format!("{sides} --candidates 2 --set top_k=1 --pairs shared"));
    assert!(
        shared
            .stderr
            .contains("gt embeddings: 1 of 3 have no partner on the other side and are left out: c"),
        "{shared}"
    );
    dir.remove("ids.json");
    dir.remove("out");
    assert_snapshot!(format!("{without_ids}\n{other_ids}"), @"
    exit 2, stderr: error: side/image.npy has an ids.json beside it and brain.npy has none: rows pair up by ids or by position; add the other ids.json, or move this one away
    exit 1, stderr: error: pairing embeddings: 1 of the gt stems has no partner among the recon stems: c; every stem must be on both sides; the recon stems without a partner are d; --pairs shared scores the 2 on both sides (gt: side/image.npy, recon: brain.npy)
    ");

    let said = [(&[2, 3][..], &IMAGE[..]), (&[6], &IMAGE), (&[1, 2], &[1.0, f32::NAN])].map(|(shape, values)| {
        write_f32(&dir.join("image.npy"), shape, values).unwrap();
        format!("{}\n", dir.run(RETRIEVE))
    });
    assert_snapshot!(said.concat(), @"
    exit 1, stderr: error: brain.npy holds 3 embeddings of 2 values and image.npy holds 2 of 3; both must have as many values, and as many rows unless an ids.json beside each says which row is which
    exit 1, stderr: error: image.npy: an array of shape [6]; expected (items, features) or more dimensions, none of them 0
    exit 1, stderr: error: image.npy: row 0, column 1 is NaN; expected a finite number
    ");
    assert_snapshot!(dir.run("score embeddings image.npy nowhere.npy --out out"), @"exit 1, stderr: error: nowhere.npy: opening failed: No such file or directory");
    assert!(!dir.has("out"));
}

#[test]
fn a_finished_result_of_other_options_or_inputs_is_replaced_only_if_asked() {
    let dir = embeddings();
    let args = format!("{RETRIEVE} --candidates 2");
    let read = || dir.read("out/retrieval.json");
    dir.succeed(&args);
    let first = read();
    dir.succeed(&args);
    assert_eq!(read(), first, "the same again");

    let other = format!("{args} --seed 7");
    assert_snapshot!(dir.run(&other).differs("out"), @"
    options.bootstrap.seed: 42 then, 7 now
    options.options.seed: 42 then, 7 now
    ");
    write_f32(&dir.join("brain.npy"), &[3, 2], &IMAGE).unwrap();
    assert_snapshot!(dir.run(&args).differs("out"), @"SHA-256 of input.brain: [HASH] then, [HASH] now");
    assert_eq!(read(), first);
    dir.succeed(&format!("{other} --overwrite"));
    let record = dir.json("out/retrieval.json");
    assert_eq!(record["seed"], 7);
    assert_eq!(record["command"], "retrieve");
}

/// 30 images and six noisy trials of each, in the order of trials.
fn trials() -> Folder {
    const N: (usize, usize, usize) = (30, 6, 8);
    let dir = folder();
    let draws = Synthetic::new("trials", 0);
    let normal = |at: usize| -> f32 { (0..3).map(|n| 2.0 * draws.uniform(3 * at as u64 + n) - 1.0).sum() };
    let (n_images, n_trials, n_features) = N;
    let images: Vec<f32> = (0..n_images * n_features).map(normal).collect();
    let mut decoded = Vec::new();
    for row in 0..n_images * n_trials {
        for at in 0..n_features {
            let noise = normal(1000 + row * n_features + at);
            decoded.push(images[row % n_images * n_features + at] + 3.0 * noise);
        }
    }
    write_f32(&dir.join("image.npy"), &[30, 8], &images).unwrap();
    write_f32(&dir.join("brain.npy"), &[180, 8], &decoded).unwrap();
    dir.write("trials.txt", (0..180).map(|row| format!("{}\n", row % 30)).collect::<String>());
    dir
}

#[test]
fn trials_are_identified_one_by_one_and_averaged() {
    let dir = trials();
    let options = "--candidates 10 --trials trials.txt --averaged 1,3,6";
    let (record, stdout) = retrieve(&dir, options);
    assert_eq!(record["n_items"], 180);
    contains(&record["findings"].to_string(), &["180 items show 30 images"]);
    contains(&stdout, &["Rows paired with images as the list of trials says"]);
    contains(&stdout, &["Retrieval by averaged trials", "over images]"]);
    let curve: Vec<f64> = record["averaged"].list().iter().map(|point| point["forward"].number()).collect();
    assert!(curve[0] < curve[1] && curve[1] < curve[2], "{curve:?}");
    // One trial of each image, drawn at random, is found as often as the mean trial.
    let by_trial = record["forward"]["expected"].number();
    assert!((curve[0] - by_trial).abs() < 0.08, "{curve:?} {by_trial}");
    // The interval knows that trials of an image are no further images.
    let width = |ends: &Value| ends[1].number() - ends[0].number();
    let (of_trials, of_means) = (&record["forward"]["expected_interval"], &record["averaged"][0]["forward_interval"]);
    assert!(width(of_trials) > 0.5 * width(of_means), "{of_trials} {of_means}");
    assert_eq!(record["averaged"], retrieve(&dir, &format!("{options} --threads 1")).0["averaged"]);
    // A table by the names of trials, in another order of lines, says the same.
    let table: String = (0..180).rev().map(|row| format!("{row},{}\n", row % 30)).collect();
    dir.write("trials.csv", format!("trial,image\n{table}"));
    let by_name = options.replace("trials.txt", "trials.csv");
    assert_eq!(retrieve(&dir, &by_name).0["averaged"], record["averaged"]);
    // The mean of all trials is that of means made beforehand.
    let decoded = neurogauge::formats::embeddings::read_exactly(&dir.join("brain.npy")).unwrap().rows;
    let means = (0..30 * 8).map(|at| (0..6).map(|trial| decoded.data()[trial * 30 * 8 + at] / 6.0).sum());
    write_f64(&dir.join("brain.npy"), &[30, 8], &means.collect::<Vec<f64>>()).unwrap();
    let (of_means, _) = retrieve(&dir, "--candidates 10");
    near(&of_means["forward"]["expected"], curve[2]);
    assert_eq!(of_means["forward"]["expected_interval"], record["averaged"][2]["forward_interval"]);
}

#[test]
fn trials_that_do_not_fit_are_named() {
    let dir = trials();
    let error = |options: &str| dir.run(&format!("{RETRIEVE} --overwrite --candidates 10 {options}")).stderr;
    contains(&error("--averaged 2"), &["--trials"]);
    contains(
        &error("--trials trials.txt --averaged 7"),
        &["--averaged 7: 0 images have 7 trials or more (the most is 6)"],
    );
    dir.write("short.txt", "0\n1\n");
    contains(
        &error("--trials short.txt"),
        &["short.txt: 2 images for 180 trials; expected the image of each trial (the trials of brain.npy)"],
    );
    dir.write("few.csv", "trial,image\n0,0\n1,1\n");
    contains(&error("--trials few.csv"), &["few.csv: 178 of the trials have no line: 2, 3, 4, ...; it has 0, 1"]);
    dir.write("other.txt", "dog\n".repeat(180));
    contains(
        &error("--trials other.txt"),
        &["other.txt: trial 0 (counted from 0): its image is \"dog\", which image.npy does not have"],
    );
}
