//! Errors in a configuration are reported with their place.

use crate::support::study_data::StudyData;
use crate::support::{self, arg, folder, neurogauge};
use std::fs;

#[test]
fn what_is_wrong_with_a_configuration_is_said_with_its_place() {
    let dir = folder();
    let data = StudyData::new(dir.path(), 3);
    let (config, out) = (data.config(""), dir.path().join("out"));
    let sound = fs::read_to_string(&config).unwrap();
    let refused = |text: &str, code: i32, parts: &[&str]| {
        fs::write(&config, text).unwrap();
        let ran = neurogauge(&data.args(&config, &out));
        assert_eq!(ran.code, code, "{}", ran.stderr);
        ran.says(parts);
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        assert!(!out.join("runs").exists(), "nothing is scored first");
    };
    let with = |from: &str, to: &str| {
        let text = sound.replacen(from, to, 1);
        assert_ne!(text, sound, "{from}");
        text
    };
    let unknown = with("system = \"middle one\"", "system = \"middle\"");
    refused(
        &unknown,
        2,
        &[
            "study.toml: ratings",
            "\"middle\" is none of the systems (near, middle one, far)",
        ],
    );
    let missing = with("recon = \"far/images\"", "recon = \"fur/images\"");
    refused(
        &missing,
        2,
        &[
            "study.toml: system \"far\": recon",
            "fur/images: no such file or folder",
        ],
    );
    let field = with("recon = \"far/images\"", "recons = \"far/images\"");
    let line = field
        .lines()
        .position(|line| line.starts_with("recons"))
        .unwrap();
    refused(
        &field,
        2,
        &[
            "study.toml:",
            "system \"far\": unknown field `recons`",
            "`recon`",
        ],
    );
    assert!(line > 10);
    let twice = with("name = \"far\"", "name = \"near\"");
    refused(&twice, 2, &["system \"near\": another system is called"]);
    let lacking = with(
        "[[choices.captioner]]\nname = \"captioner A\"",
        "[[choices.captioner]]\nname = \"captioner A\"\ngt = \"gt\"",
    );
    refused(
        &lacking,
        2,
        &[
            "choices.captioner \"captioner A\": recon",
            "lacks \"middle one\"",
        ],
    );
    let stranger = with("recon = { \"middle one\"", "recon = { \"other\"");
    refused(
        &stranger,
        2,
        &[
            "choices.detector \"detector B\": recon",
            "\"other\" is none of the systems",
        ],
    );
    refused(
        "[[systems]]\nrecon = \"far/images\"",
        2,
        &["study.toml:1", "a system has no `name`"],
    );
    refused("", 2, &["study.toml: systems: there is none"]);
    refused(
        &with("others_agree = 0.5", "others_agree = 2"),
        2,
        &["[examples]: others_agree = 2"],
    );
    refused(
        &with("[inputs]", "[score.inputs]\ngt = \"gt\"\n[inputs]"),
        2,
        &["[score.inputs]"],
    );

    // One stem too few.
    fs::remove_file(
        dir.path()
            .join("far/images")
            .join(format!("{}.png", data.stems[0])),
    )
    .unwrap();
    refused(
        &sound,
        1,
        &[
            "system \"far\": pairing images",
            &data.stems[0],
            "far/images",
        ],
    );
    fs::write(&config, &sound).unwrap();
    let gt = dir.path().join("gt");
    let named = ["near", "far"]
        .map(|name| format!("{name}={}", dir.path().join(name).join("images").display()));
    let mut args = vec![
        "study",
        "--gt",
        arg(&gt),
        "--recon",
        &named[0],
        "--recon",
        &named[1],
    ];
    args.extend(["--human", "ratings.csv", "--out", arg(&out)]);
    support::refused(
        &args,
        2,
        &["whose reconstructions were rated?", "near, far"],
    );
    support::refused(&["study", "--out", arg(&out)], 2, &["--config"]);
}

#[test]
fn a_configuration_says_which_stems_pair_up() {
    let dir = folder();
    let data = StudyData::new(dir.path(), 4);
    for system in ["near", "far"] {
        let images = dir.path().join(system).join("images");
        for stem in &data.stems {
            let named = images.join(format!("{stem}_recon.png"));
            fs::rename(images.join(format!("{stem}.png")), named).unwrap();
        }
        fs::remove_file(images.join(format!("{}_recon.png", data.stems[0]))).unwrap();
    }
    let config = dir.path().join("study.toml");
    let systems = ["near", "far"]
        .map(|name| format!("[[systems]]\nname = \"{name}\"\nrecon = \"{name}/images\"\n"));
    let text = format!(
        "[inputs]\ngt = \"gt\"\n[score]\nmetrics = [\"pixcorr\"]\n[score.pairing]\npairs = \"shared\"\nmatch = \
         \"{{stem}}_recon\"\n[score.bootstrap]\nresamples = 50\n{}",
        systems.concat()
    );
    fs::write(&config, &text).unwrap();
    let out = dir.path().join("out");
    support::succeed(&data.args(&config, &out));
    for system in ["near", "far"] {
        let run = out.join("runs").join(system);
        assert_eq!(support::scores(&run).pairs, data.stems[1..], "{system}");
        let pairing = &support::record(&run)["request"]["pairing"];
        assert_eq!(
            pairing,
            &serde_json::json!({"pairs": "shared", "match": "{stem}_recon"})
        );
    }

    // Every stem must have a partner unless shared ones are asked for.
    let all = text.replace("pairs = \"shared\"\n", "");
    fs::write(&config, all).unwrap();
    let out = dir.path().join("all");
    let refused = neurogauge(&data.args(&config, &out));
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    refused.says(&[
        "system \"near\"",
        &data.stems[0],
        "pairs = \"shared\" in [score.pairing]",
    ]);
}
