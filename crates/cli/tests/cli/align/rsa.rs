//! `neurogauge align --rsa`.

use crate::support::alignments::{ALIGN, Arrays};
use crate::support::*;
use neurogauge::formats::array_file;

const RSA: &str = "align --config align.toml --out rsa --rsa";

/// An array of features whose rows are in the order of the stimuli.
fn features(dir: &Folder, name: &str, stimuli: usize, value: impl Fn(usize, usize) -> f64) {
    let values: Vec<f64> = (0..stimuli * 4).map(|at| value(at / 4, at % 4)).collect();
    write_f64(&dir.join(name), &[stimuli as u64, 4], &values).unwrap();
}

#[test]
fn sources_beside_brains_in_text_and_in_files() {
    let mut arrays = Arrays::new();
    let noise = Synthetic::new("no relation", 7);
    features(&arrays.dir, "noise.npy", 36, |row, column| f64::from(noise.uniform((row * 4 + column) as u64)));
    arrays.sources += "[[sources]]\nname = \"noise\"\nfeatures = \"noise.npy\"\n";
    arrays.write();
    let dir = &arrays.dir;
    assert_snapshot!(dir.run(RSA), @"
    exit 0, stdout:
    lh V1: model is similar to these brains beyond chance: spearman 0.728 [0.643, 0.813] (p < 0.001), more than every other source. The noise ceiling is between 0.867 and 0.966.

    Sources

    region  source               spearman        p         lower ceiling         upper ceiling   below lower ceiling  p below lower ceiling
    lh V1   model    0.728 [0.643, 0.813]  <0.0001  0.867 [0.817, 0.916]  0.966 [0.952, 0.979]  0.139 [0.059, 0.219]                 0.0012
    lh V1   noise   0.048 [-0.128, 0.225]   0.5812  0.867 [0.817, 0.916]  0.966 [0.952, 0.979]  0.818 [0.631, 1.005]                <0.0001

    Dissimilarities of responses: correlation; of features: correlation; over pairs of 36 stimuli, responses z-scored within sessions. Intervals (95%): these subjects and new stimuli; new subjects need 5. p: Holm within the region
    Ceilings: each subject beside the mean of the others (lower) and of all (upper), over the stimuli that all have

    Differences of sources

    region  difference                 spearman        p
    lh V1   model − noise  0.680 [0.482, 0.877]  <0.0001
    stderr: rsa: 2 sources compared in 1 region
    ");
    let found = dir.json("rsa/rsa.json");
    let region = &found["regions"][0];
    assert_eq!(region["subjects"], serde_json::json!(["a", "b"]));
    // The mean of the subjects' values, and ceilings in their order.
    let of = |value: &Value| value["value"].number();
    let [similarity, lower, upper] = [0, 1, 2].map(|place| &region["sources"][0][place]);
    assert_eq!([&similarity[0], &lower[0], &upper[0]], ["similarity", "lower_ceiling", "upper_ceiling"]);
    let subjects: Vec<f64> = similarity[1]["subjects"].list().iter().map(of).collect();
    assert!((of(&similarity[1]["value"]) - (subjects[0] + subjects[1]) / 2.0).abs() < 1e-12);
    let [lower, upper] = [lower, upper].map(|bound| of(&bound[1]["value"]));
    assert!(lower < upper, "{lower} {upper}");
    // The matrices: 1 − r of the features of stimuli 0 and 1, and of the subjects' responses.
    let matrix =
        |name: &str| array_file::open(&dir.join("rsa/dissimilarities").join(name)).unwrap().read_f64().unwrap();
    let (own, by_hand) = (matrix("features.noise.npy"), |at: usize| f64::from(noise.uniform(at as u64)));
    let centred = [0, 4].map(|first| {
        let mean = (first..first + 4).map(by_hand).sum::<f64>() / 4.0;
        [0, 1, 2, 3].map(|at| by_hand(first + at) - mean)
    });
    let product = |a: [f64; 4], b: [f64; 4]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let [one, other] = centred;
    let r = product(one, other) / (product(one, one) * product(other, other)).sqrt();
    assert!((own[1] - (1.0 - r)).abs() < 1e-12 && own[36] == own[1] && own[0] == 0.0 && own.len() == 36 * 36);
    assert_eq!(matrix("responses.a.lh.V1.npy").len(), 36 * 36);
    // The same command again changes nothing, and another choice is refused.
    let before = dir.read("rsa/rsa.json");
    dir.succeed(RSA);
    assert_eq!(dir.read("rsa/rsa.json"), before);
    assert_snapshot!(dir.run(&format!("{RSA} --dissimilarity crossnobis")), @"
    exit 1, stderr:
    error: rsa: holds a finished run of other inputs or options, which is not replaced; choose another --out, or say --overwrite. What differs:
      options.analysis.dissimilarity: correlation then, crossnobis now
    ");
    let crossnobis =
        dir.succeed(&format!("{RSA} --dissimilarity crossnobis --rdm-comparison whitened-cosine --overwrite"));
    contains(&crossnobis.stdout, &["crossnobis", "squared-euclidean", "whitened-cosine"]);
    // Of rsatoolbox's cosines of crossnobis distances with unrelated features, all of 100 are above 0.
    assert!(dir.json("rsa/rsa.json")["regions"][0]["sources"][0][0][1]["p"].is_null());
    let cosine = dir.succeed(&format!("{RSA} --rdm-comparison cosine --overwrite"));
    contains(&cosine.stdout, &["No p: cosines", "cosine has no p, so nothing is claimed of sources."]);
    assert!(!cosine.stdout.contains("highest"), "{cosine}");
    assert!(dir.json("rsa/rsa.json")["regions"][0]["sources"][0][0][1]["p"].is_null());
}

#[test]
fn subjects_lack_stimuli_and_have_patterns_without_dissimilarity() {
    let mut arrays = Arrays::new();
    // One trial of stimulus 12, and none of 13, which a source sees as constant.
    let own = arrays.trials.get_mut("b").unwrap();
    own.retain(|trial| trial.0 != 13 && (trial.0 != 12 || trial.1 == 0));
    let sight = |row: usize, column: usize| (1.7 * row as f64 + column as f64).sin();
    features(&arrays.dir, "flat.npy", 36, |row, column| if row == 4 { 0.0 } else { sight(row, column) });
    arrays.sources += "[[sources]]\nname = \"flat\"\nfeatures = \"flat.npy\"\n";
    arrays.write();
    let dir = &arrays.dir;
    // An alignment cannot leave them out by itself.
    contains(&dir.run(ALIGN).to_string(), &["has no trial of it"]);
    let ran = dir.succeed(RSA);
    assert_snapshot!(ran.messages(), @"
    warning: flat: stimuli left out, since a constant pattern, or one of zeros, has no dissimilarity: 1
    note: b lh V1: lacks 1 of 36 stimuli, and is compared over its own
    rsa: 2 sources compared in 1 region
    ");
    let found = dir.json("rsa/rsa.json");
    assert_eq!(found["regions"][0]["n_shared"], 34);
    assert_snapshot!(dir.run(&format!("{RSA} --dissimilarity crossnobis --overwrite")), @"exit 1, stderr: error: b lh V1: 1 trial of stimulus 12; crossnobis needs two of each, so write `repeats = 2` at the top of the configuration, or choose another --dissimilarity");
}

#[test]
fn refusals_of_rsa() {
    let mut arrays = Arrays::new();
    let sources = std::mem::take(&mut arrays.sources);
    arrays.write();
    let none = arrays.dir.run(RSA).to_string();
    arrays.sources = sources;
    arrays.write();
    let dir = &arrays.dir;
    let said = |options: &str| dir.run(&format!("{RSA} {options}")).to_string();
    let all = [
        none,
        said("--reverse"),
        said("--stimulus-scores"),
        dir.run("align --config align.toml --out rsa --dissimilarity cosine").to_string(),
        said("--dissimilarity mahalanobis"),
        dir.run("cluster plan align --config align.toml --out rsa --rsa").to_string(),
    ];
    assert_snapshot!(all.join("\n"), @"
    exit 2, stderr: error: RSA needs sources, and there are none: name them as [[sources]]
    exit 2, stderr: error: RSA needs brains as targets: leave out `reverse` (or --reverse), which makes models the targets
    exit 2, stderr:
    error: the argument '--rsa' cannot be used with '--stimulus-scores'

    Usage: neurogauge align --out <DIR> --config <FILE> --rsa
    exit 2, stderr:
    error: the following required arguments were not provided:
      --rsa

    Usage: neurogauge align --out <DIR> --rsa --config <FILE> --dissimilarity <KIND>
    exit 2, stderr:
    error: invalid value 'mahalanobis' for '--dissimilarity <KIND>'
      [possible values: correlation, cosine, squared-euclidean, crossnobis]
    exit 2, stderr: error: --rsa and --readout take one process: give them to `neurogauge align`, which needs no plan
    ");
}
