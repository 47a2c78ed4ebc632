//! `neurogauge align --readout ridge`.

use crate::support::alignments::Arrays;
use crate::support::*;
use neurogauge::formats::brain_space::{Affine, Grid, Space};
use neurogauge::formats::nifti;

const RIDGE: &str = "align --config align.toml --out ridge --readout ridge";

#[test]
fn voxels_beside_their_ceilings_in_text_and_in_files() {
    let mut arrays = Arrays::new();
    let noise = Synthetic::new("no relation", 7);
    let values: Vec<f64> = (0..36 * 4).map(|at| f64::from(noise.uniform(at))).collect();
    write_f64(&arrays.dir.join("noise.npy"), &[36, 4], &values).unwrap();
    arrays.sources += "[[sources]]\nname = \"noise\"\nfeatures = \"noise.npy\"\n";
    // A voxel that does not vary.
    for trials in arrays.trials.values_mut() {
        trials.iter_mut().for_each(|trial| trial.2[3] = 5.0);
    }
    arrays.write();
    let dir = &arrays.dir;
    assert_snapshot!(dir.run(RIDGE), @"
    exit 0, stdout:
    lh V1: model predicts voxels beyond chance: r 0.982 [0.977, 0.987] (p < 0.001), more than every other source. model explains 0.957 [0.946, 0.968] of their variance, and 0.973 [0.961, 0.984] of what repeats reproduce.

    Sources

    region  source                      r        p                     r²                      R²          ceiling of r           explainable            r / ceiling       r² / explainable        R² / explainable
    lh V1   model    0.982 [0.977, 0.987]  <0.0001   0.966 [0.957, 0.974]    0.957 [0.946, 0.968]  0.992 [0.989, 0.994]  0.984 [0.979, 0.988]   0.990 [0.985, 0.995]   0.982 [0.972, 0.991]    0.973 [0.961, 0.984]
    lh V1   noise   0.065 [-0.093, 0.224]   0.5584  0.018 [-0.024, 0.061]  -0.058 [-0.136, 0.021]  0.992 [0.989, 0.994]  0.984 [0.979, 0.988]  0.066 [-0.094, 0.226]  0.019 [-0.025, 0.062]  -0.058 [-0.138, 0.021]

    Means over voxels; relative: mean accuracy over mean ceiling. Intervals (95%): these subjects and new stimuli; new subjects need 5, ceilings included, for these fits. p: Holm within the region
    Ceilings from repeats (ncsnr). 0 of 24 voxels have a reliability below 0.05: they count in means, and have no relative value in voxels.parquet. 2 are constant, and left out
    r² of a source without information is above 0 on average; r and R² are not

    Differences of sources

    region  difference                        r        p
    lh V1   model − noise  0.917 [0.757, 1.077]  <0.0001
    stderr: ridge: 2 sources compared in 1 region
    ");
    let found = dir.json("ridge/encoding.json");
    let region = &found["regions"][0];
    let counts = serde_json::json!({ "n_voxels": 12, "n_constant": 1, "n_below": 0 });
    assert_eq!(region["voxels"], serde_json::json!([counts, counts]));
    // Relative values are those of the means: R² over the reliability.
    let of = |name: &str, subject: usize| {
        let all = region["sources"][0].list();
        let own = all.iter().find(|own| own[0] == name).unwrap();
        own[1]["subjects"][subject]["value"].number()
    };
    for subject in [0, 1] {
        let relative = of("explained", subject) / of("explainable", subject);
        assert!((of("explained_relative", subject) - relative).abs() < 1e-12);
        let relative = of("r", subject) / of("r_ceiling", subject);
        assert!((of("r_relative", subject) - relative).abs() < 1e-12);
    }
    let before = dir.read("ridge/encoding.json");
    let files: Vec<&String> = found["outputs"].as_object().unwrap().keys().collect();
    assert_eq!(files, ["encoding.csv", "encoding.md", "voxels.parquet"]);
    dir.succeed(RIDGE);
    assert_eq!(dir.read("ridge/encoding.json"), before);
    assert_snapshot!(dir.run(&format!("{RIDGE} --ceiling split-half")), @"
    exit 1, stderr:
    error: ridge: holds a finished run of other inputs or options, which is not replaced; choose another --out, or say --overwrite. What differs:
      options.analysis.ceiling: ncsnr then, split-half now
    ");
    let halves = dir.succeed(&format!("{RIDGE} --ceiling split-half --overwrite")).stdout;
    contains(&halves, &["Ceilings from repeats (split-half)"]);
}

#[test]
fn refusals_of_an_encoding_model() {
    let mut arrays = Arrays::new();
    let sources = std::mem::take(&mut arrays.sources);
    arrays.write();
    let none = arrays.dir.run(RIDGE).to_string();
    arrays.sources = sources;
    // One trial of stimulus 12.
    let own = arrays.trials.get_mut("b").unwrap();
    own.retain(|trial| trial.0 != 12 || trial.1 == 0);
    arrays.write();
    let dir = &arrays.dir;
    let said = |options: &str| dir.run(options).to_string();
    let all = [
        none,
        said(RIDGE),
        said(&format!("{RIDGE} --reverse")),
        said(&format!("{RIDGE} --rsa")),
        said("align --config align.toml --out ridge --ceiling split-half"),
    ];
    assert_snapshot!(all.join("\n"), @"
    exit 2, stderr: error: an encoding model needs sources, and there are none: name them as [[sources]]
    exit 1, stderr: error: b_stimuli.npy: stimulus 12: b lh V1: 1 repeat of it; a reference needs at least two of each stimulus, so leave it out for all subjects
    exit 2, stderr: error: an encoding model needs brains as targets: leave out `reverse` (or --reverse), which makes models the targets
    exit 2, stderr:
    error: the argument '--readout <METHOD>' cannot be used with '--rsa'

    Usage: neurogauge align --out <DIR> --config <FILE> --readout <METHOD>
    exit 2, stderr:
    error: the following required arguments were not provided:
      --readout <METHOD>

    Usage: neurogauge align --out <DIR> --readout <METHOD> --config <FILE> --ceiling <METHOD|FILE>
    ");
}

#[test]
fn responses_in_volumes_have_maps() {
    let arrays = Arrays::new();
    arrays.write();
    let dir = &arrays.dir;
    let affine = Affine([[2.0, 0.0, 0.0, -3.0], [0.0, 2.0, 0.0, 1.0], [0.0, 0.0, 2.5, 7.0]]);
    let grid = Grid {
        size: [3, 2, 2],
        space: Space::Voxels(affine),
    };
    for (subject, trials) in &arrays.trials {
        let frames: Vec<Vec<f32>> =
            trials.iter().map(|trial| trial.2.iter().map(|value| *value as f32).collect()).collect();
        nifti::write(&dir.join(format!("{subject}.nii")), &grid, &frames).unwrap();
        dir.replace("align.toml", &format!("{subject}_trials.npy"), &format!("{subject}.nii"));
    }
    dir.succeed(RIDGE);
    let found = dir.json("ridge/encoding.json");
    let map = &found["maps"][1];
    assert_eq!([&map["file"], &map["subject"]], ["maps/b.nii", "b"]);
    let names = ["ncsnr", "reliability", "model r", "model R2", "model R2_relative"];
    assert_eq!(map["frames"], serde_json::json!(names));
    // A header of 352 bytes, then frame after frame of 12 voxels.
    let bytes = fs::read(dir.join("ridge/maps/b.nii")).unwrap();
    assert_eq!(bytes.len(), 352 + 4 * 12 * names.len());
    let number = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let frame =
        |place: usize| (0..12).map(|voxel| f64::from(number(352 + 4 * (12 * place + voxel)))).collect::<Vec<_>>();
    let expected = found["regions"][0]["sources"][0][0][1]["subjects"][1]["value"].number();
    assert!((frame(2).iter().sum::<f64>() / 12.0 - expected).abs() < 1e-6);
    for (relative, (explained, reliability)) in frame(4).iter().zip(frame(3).iter().zip(frame(1))) {
        assert!((relative - explained / reliability).abs() < 1e-5);
    }
    // The affine of the responses.
    assert_eq!([number(280), number(292), number(320), number(324)], [2.0, -3.0, 2.5, 7.0]);

    // Ceilings whose first axis runs the other way are turned, which is said for the volumes of each subject.
    let levels: Vec<f32> = (0..12_u8).map(|voxel| 0.3 + 0.05 * f32::from(voxel)).collect();
    let turned: Vec<f32> = levels.chunks(3).flat_map(|row| row.iter().rev().copied()).collect();
    let grid = Grid {
        space: Space::Voxels(Affine([[-2.0, 0.0, 0.0, 1.0], [0.0, 2.0, 0.0, 1.0], [0.0, 0.0, 2.5, 7.0]])),
        ..grid
    };
    nifti::write(&dir.join("nc.nii"), &grid, &[turned]).unwrap();
    dir.succeed("align --config align.toml --out given --readout ridge --ceiling nc.nii");
    let found = dir.json("given/encoding.json");
    let codes: Vec<&Value> = found["findings"].list().iter().map(|finding| &finding["code"]).collect();
    assert_eq!(codes.iter().filter(|code| **code == "turned_axes").count(), 2, "{codes:?}");
    let map = &found["maps"][0];
    let place = map["frames"].list().iter().position(|name| name == "reliability").unwrap();
    let bytes = fs::read(dir.join(format!("given/{}", map["file"].as_str().unwrap()))).unwrap();
    let frame = bytes[352 + 48 * place..].chunks(4).take(12);
    let frame: Vec<f32> = frame.map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect();
    assert_eq!(frame, levels);
}

/// Ceilings of files, in every form; then single trials, which have no other ceiling.
#[test]
fn ceilings_are_given_by_voxel() {
    let mut arrays = Arrays::new();
    arrays.write();
    let ridge = |arrays: &Arrays, ceiling: &str, out: &str| {
        arrays
            .dir
            .succeed(&format!("align --config align.toml --out {out} --readout ridge --ceiling {ceiling}"));
        let region = arrays.dir.json(format!("{out}/encoding.json"))["regions"][0].clone();
        let all: Vec<Value> = region["sources"][0].list().clone();
        move |name: &str| all.iter().find(|own| own[0] == name).unwrap()[1].clone()
    };
    let dir = &arrays.dir;
    let levels: Vec<f64> = (0..12).map(|voxel| 0.3 + 0.05 * voxel as f64).collect();
    for subject in ["a", "b"] {
        write_f64(&dir.join(format!("nc-{subject}.npy")), &[12], &levels).unwrap();
    }
    let lines: String = levels.iter().map(|level| format!("{level}\n")).collect();
    fs::write(dir.join("voxels.csv"), format!("nc\n{lines}")).unwrap();
    let by_voxel = ridge(&arrays, "nc-{subject}.npy", "arrays");
    let mean = levels.iter().sum::<f64>() / 12.0;
    let subjects = by_voxel("explainable")["subjects"].list().clone();
    assert!((subjects[0]["value"].number() - mean).abs() < 1e-12, "{subjects:?}");
    // R² over the mean ceiling, without any uncertainty of the ceiling.
    let [relative, explained] =
        ["explained_relative", "explained"].map(|name| by_voxel(name)["value"]["value"].number());
    assert!((relative - explained / mean).abs() < 1e-12);
    let ends = |name: &str| [0, 1].map(|end| by_voxel(name)["interval"][end].number());
    let ([low, high], [own_low, own_high]) = (ends("explained_relative"), ends("explained"));
    assert!((high - low - (own_high - own_low) / mean).abs() < 1e-9);
    assert_eq!(by_voxel("explainable")["interval"], Value::Null);
    contains(&dir.read("arrays/encoding.md"), &["ceilings not included", "nc-{subject}.npy, taken as exact"]);
    assert_eq!(ridge(&arrays, "voxels.csv:nc", "columns")("explainable"), by_voxel("explainable"));
    // Without repeats.
    for trials in arrays.trials.values_mut() {
        trials.truncate(36);
    }
    arrays.write();
    let dir = &arrays.dir;
    contains(&dir.run(RIDGE).to_string(), &["1 repeat of it"]);
    assert_eq!(ridge(&arrays, "nc-{subject}.npy", "single")("explainable"), by_voxel("explainable"));
    let said = |ceiling: &str| dir.run(&format!("{RIDGE} --ceiling {ceiling}")).to_string();
    write_f64(&dir.join("percent.npy"), &[12], &[50.0; 12]).unwrap();
    write_f64(&dir.join("short.npy"), &[11], &levels[1..]).unwrap();
    contains(&said("splithalf"), &["exit 1", "splithalf"]);
    contains(&said("percent.npy"), &["percent.npy", "a lh V1, place 0", "50; expected the share", "0 to 1"]);
    contains(&said("short.npy"), &["short.npy", "11 places, fewer than the responses of a lh V1"]);
}
