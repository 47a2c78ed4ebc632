//! Errors in a configuration are reported with their position.

use crate::support::study_data::StudyData;
use crate::support::*;

#[test]
fn what_is_wrong_with_a_configuration_is_said_with_its_place() {
    let StudyData { dir, stems } = StudyData::new(3);
    let sound = dir.read("study.toml");
    let study = "study --config study.toml --out out";
    let with = |from: &str, to: &str| {
        let text = sound.replacen(from, to, 1);
        assert_ne!(text, sound, "{from}");
        text
    };
    let first_captioner = "[[choices.captioner]]\nname = \"captioner A\"";
    let texts = [
        with("system = \"middle one\"", "system = \"middle\""),
        with("recon = \"far/images\"", "recon = \"fur/images\""),
        with("recon = \"far/images\"", "recons = \"far/images\""),
        with("name = \"far\"", "name = \"near\""),
        with(first_captioner, &format!("{first_captioner}\ngt = \"gt\"")),
        with("recon = { \"middle one\"", "recon = { \"other\""),
        "[[systems]]\nrecon = \"far/images\"".to_owned(),
        String::new(),
        with("others_agree = 0.5", "others_agree = 2"),
        with("[inputs]", "[score.inputs]\ngt = \"gt\"\n[inputs]"),
        with("[inputs]", "[set]\npixel_sise = 64\n[inputs]"),
    ];
    assert_snapshot!(dir.said_of("study.toml", texts, study, "out/runs"), @r#"
    exit 2, stderr: error: study.toml: [[ratings]]: "middle" is none of the systems (near, middle one, far)
    exit 1, stderr: error: study.toml: system "far": fur/images: no such file or folder
    exit 2, stderr: error: study.toml:19: unknown key `recons` (did you mean "recon"?)
    exit 2, stderr: error: study.toml: [[systems]]: "near" and "near" are the same in letters and digits; expected each name once
    exit 2, stderr: error: study.toml: choices.captioner "captioner A": recon lacks "middle one", whose reconstructions were rated
    exit 2, stderr: error: study.toml: choices.detector "detector B": "other" is none of the systems (near, middle one, far)
    exit 2, stderr: error: study.toml:1: no key `name`
    exit 2, stderr: error: study.toml: [[systems]]: expected one, with name and recon, observations or run
    exit 2, stderr: error: study.toml: [examples]: others_agree: expected a share from 0 to 1, such as 0.1
    exit 2, stderr: error: study.toml: [score.inputs]: expected the inputs of all systems in [inputs]
    exit 2, stderr: error: study.toml: [set]: no convention is called "pixel_sise" (did you mean "pixel_size"?)
    "#);

    // One stem is missing.
    dir.remove(format!("far/images/{}.png", stems[0]));
    dir.write("study.toml", sound);
    assert_snapshot!(dir.run(study), @r#"exit 1, stderr: error: system "far": pairing images: 1 of the gt stems has no partner among the recon stems: scene-1; every stem must be on both sides; pairs = "shared" in [score.pairing] scores the 2 on both sides (gt: [DIR]/gt, recon: [DIR]/far/images)"#);
    let of_two = "--gt gt --recon near=near/images --recon far=far/images --human ratings.csv";
    assert_snapshot!(dir.refusals("study --out out", &[of_two, ""], "out/runs"), @"
    --gt gt --recon near=near/images --recon far=far/images --human ratings.csv
      exit 2, stderr: error: --human ratings.csv: whose reconstructions were rated? Expected NAME=FILE with one of the systems: near, far

      exit 2, stderr:
      error: the following required arguments were not provided:
        --config <FILE>

      Usage: neurogauge study --out <DIR> --config <FILE> [PAPER]
    ");
}

/// As in `score`: the command line goes before the file, and both before a preset.
#[test]
fn a_file_or_the_command_line_sets_conventions() {
    let StudyData { dir, .. } = StudyData::new(3);
    let sound = dir.read("study.toml");
    dir.write("study.toml", sound.replacen("[inputs]", "[set]\nsnm_threshold = 0.5\nn_way = 3\n[inputs]", 1));
    dir.succeed("study --config study.toml --set n_way=2 --out out --figure-format svg");
    let options = &dir.json("out/runs/near/run.json")["request"]["options"];
    assert_eq!(options["near_miss"]["threshold"], 0.5);
    assert_eq!(options["identification"]["n_way"], 2);
}

#[test]
fn a_configuration_says_which_stems_pair_up() {
    let StudyData { dir, stems } = StudyData::new(4);
    for system in ["near", "far"] {
        let images = dir.join(system).join("images");
        for stem in &stems {
            fs::rename(images.join(format!("{stem}.png")), images.join(format!("{stem}_recon.png"))).unwrap();
        }
        fs::remove_file(images.join(format!("{}_recon.png", stems[0]))).unwrap();
    }
    let systems = ["near", "far"].map(|name| format!("[[systems]]\nname = \"{name}\"\nrecon = \"{name}/images\"\n"));
    let text = format!(
        "[inputs]\ngt = \"gt\"\n[score]\nmetrics = [\"pixcorr\"]\n[score.pairing]\npairs = \"shared\"\nmatch = \
         \"{{stem}}_recon\"\n[score.bootstrap]\nresamples = 50\n{}",
        systems.concat()
    );
    dir.write("study.toml", &text);
    dir.succeed("study --config study.toml --out out");
    for system in ["near", "far"] {
        let run = dir.join("out/runs").join(system);
        assert_eq!(scores(&run).pairs, stems[1..], "{system}");
        let pairing = &record(&run)["request"]["pairing"];
        assert_eq!(*pairing, serde_json::json!({"pairs": "shared", "match": "{stem}_recon"}));
    }

    // Every stem needs a partner unless shared stems are requested.
    dir.write("study.toml", text.replace("pairs = \"shared\"\n", ""));
    assert_snapshot!(dir.run("study --config study.toml --out all"), @r#"exit 1, stderr: error: system "near": pairing images: 1 of the gt stems has no partner among the recon stems: scene-1; every stem must be on both sides; pairs = "shared" in [score.pairing] scores the 3 on both sides (gt: [DIR]/gt, recon: [DIR]/near/images)"#);
}
