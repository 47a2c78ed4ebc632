//! Models as sources of `neurogauge align`: their features are computed once, by the code of `neurogauge perceive`.

use crate::support::alignments::{Arrays, N_STIMULI, arguments, record, units};
use crate::support::{arg, folder, picture, refused, succeed};
use neurogauge::formats::image_file::write_png;
use std::path::{Path, PathBuf};

/// A picture for each stimulus, with zeros before its number, and two that nobody saw.
fn images(root: &Path) -> PathBuf {
    let dir = root.join("stimuli");
    for stimulus in 10..10 + N_STIMULI {
        let path = dir.join(format!("{stimulus:05}.png"));
        write_png(&path, &picture(&stimulus.to_string(), 32, 30.0)).unwrap();
    }
    for other in ["00009", "scrambled"] {
        write_png(&dir.join(format!("{other}.png")), &picture(other, 32, 30.0)).unwrap();
    }
    dir
}

fn with_sources(root: &Path, sources: &str) -> PathBuf {
    let mut arrays = Arrays::new(root);
    arrays.sources = sources.to_owned();
    arrays.write()
}

#[test]
fn a_model_is_a_source_and_looks_at_each_stimulus_once() {
    let root = folder();
    let images = images(root.path());
    let config = with_sources(
        root.path(),
        "[[sources]]\nmodel = \"resnet18-untrained-1\"\nimages = \"stimuli\"\n\
         layers = [\"layer1:mean\", \"avgpool\"]\n\
         [[sources]]\nname = \"colours\"\nmodel = \"stand-in\"\nimages = \"stimuli\"\n",
    );
    let run = root.path().join("run");
    let ran = succeed(&arguments(&config, &run));
    ran.says(&["\"colours\" is a placeholder"]);
    let features = run.join("observations/features");
    let early = features.join("resnet18-untrained-1.layer1.mean.npy");
    let late = features.join("resnet18-untrained-1.avgpool.npy");
    let ids: Vec<String> =
        serde_json::from_slice(&std::fs::read(features.join("ids.json")).unwrap()).unwrap();
    assert_eq!((ids.len(), ids[0].as_str()), (N_STIMULI, "00010"));
    let found = record(&run);
    let source = &found["config"]["sources"][0];
    assert_eq!(source["name"], "resnet18-untrained-1");
    assert_eq!(source["architecture"], "resnet18");
    assert_eq!(
        (&source["state"], &source["seed"]),
        (&"random".into(), &1.into())
    );
    let unit = units(&run).into_values().next().unwrap();
    let fit = &unit["sources"][1]["fits"][0];
    assert_eq!(fit["block_use"].as_array().unwrap().len(), 2);

    // Once more: nothing is looked at again.
    let times = [&early, &late].map(|path| path.metadata().unwrap().modified().unwrap());
    succeed(&arguments(&config, &run));
    let again = [&early, &late].map(|path| path.metadata().unwrap().modified().unwrap());
    assert_eq!(times, again);

    // `neurogauge perceive` gives the same, and its files are the same sources.
    let perceived = root.path().join("perceived");
    let with = "resnet18-untrained-1:layer1:mean,resnet18-untrained-1:avgpool,stand-in";
    let args = ["perceive", "--images", arg(&images), "--with", with];
    succeed(&[&args[..], &["--out", arg(&perceived)]].concat());
    let from_files = with_sources(
        root.path(),
        "[[sources]]\nname = \"resnet18-untrained-1\"\nfeatures = [\
         \"perceived/features/resnet18-untrained-1.layer1.mean.npy\", \
         \"perceived/features/resnet18-untrained-1.avgpool.npy\"]\n\
         [[sources]]\nname = \"colours\"\nfeatures = [\"perceived/features/mean-colours.grid4.npy\"]\n",
    );
    let other = root.path().join("other");
    succeed(&arguments(&from_files, &other));
    assert!(units(&run) == units(&other));
}

#[test]
fn each_layer_of_a_model_is_a_source_from_one_look() {
    let root = folder();
    images(root.path());
    let layers = "layers = [\"layer1:mean\", \"avgpool\"]\n";
    let model = format!(
        "[[sources]]\nmodel = \"resnet18-untrained-1\"\nimages = \"stimuli\"\n{layers}each_layer = true\n"
    );
    let config = with_sources(root.path(), &model);
    let run = root.path().join("run");
    let ran = succeed(&[&arguments(&config, &run)[..], &["-v"]].concat());
    let looks = ran
        .stderr
        .lines()
        .filter(|line| line.contains(": 36 of 36 in") && line.contains("resnet18"));
    assert_eq!(looks.count(), 1, "{}", ran.stderr);
    let found = record(&run);
    let names = [1, 2].map(|place| found["sources"][place]["source"].clone());
    assert_eq!(
        names,
        [
            "resnet18-untrained-1 layer1:mean",
            "resnet18-untrained-1 avgpool"
        ]
    );
    let unit = units(&run).into_values().next().unwrap();
    let fit = &unit["sources"][1]["fits"][0];
    assert_eq!(fit["block_use"].as_array().unwrap().len(), 1);
}

#[test]
fn what_is_wrong_with_a_model_s_source() {
    let root = folder();
    let images = images(root.path());
    let refuses = |code: i32, source: &str, parts: &[&str]| {
        let config = with_sources(root.path(), &format!("[[sources]]\n{source}\n"));
        let run = root.path().join("run");
        refused(&arguments(&config, &run), code, parts);
        assert!(!run.join("align.json").exists());
    };
    let model = "model = \"stand-in\"\nimages = \"stimuli\"\n";
    refuses(2, "model = \"stand-in\"", &["stand-in", "`images`"]);
    refuses(2, "images = \"stimuli\"", &["`name`"]);
    refuses(
        2,
        &format!("{model}features = [\"early/early.npy\"]"),
        &["stand-in", "either `features` or `model`"],
    );
    refuses(
        2,
        "name = \"none\"",
        &["none", "either `features` or `model`"],
    );
    refuses(
        2,
        &format!("{model}layers = [\"grid5\"]"),
        &["grid5", "grid16, grid4"],
    );
    refuses(
        2,
        &format!("{model}layers = [\"grid4:most\"]"),
        &["stand-in", "no pooling", "most"],
    );
    refuses(
        2,
        &model.replace("stand-in", "resnet19"),
        &["resnet19", "did you mean"],
    );
    refuses(
        2,
        &format!("{model}state = \"random\""),
        &["stand-in", "not random"],
    );
    refuses(
        2,
        &format!(
            "{}seed = 2",
            model.replace("stand-in", "resnet18-untrained-1")
        ),
        &["resnet18-untrained-1", "resnet18-untrained-2"],
    );
    std::fs::copy(images.join("00012.png"), images.join("12.png")).unwrap();
    let parts = ["stimuli", "stimulus 12", "\"00012\" and \"12\""];
    refuses(1, model, &parts);
    std::fs::remove_file(images.join("12.png")).unwrap();
    std::fs::remove_file(images.join("00012.png")).unwrap();
    refuses(1, model, &["stimuli", "stimulus 12", "no image"]);
}
