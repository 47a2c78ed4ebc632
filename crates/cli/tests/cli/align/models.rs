//! Models as sources of `neurogauge align`: their features are computed once, by the code of `neurogauge perceive`.

use crate::support::alignments::{Arrays, N_STIMULI, arguments, record, refused, units};
use crate::support::{arg, folder, neurogauge, picture, succeed};
use insta::assert_snapshot;
use neurogauge::formats::image_file::write_png;
use neurogauge::formats::npy;
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

/// What the user decided is a note in the table, and no warning.
#[test]
fn what_was_taken_for_granted_about_images_is_said_in_the_table() {
    let root = folder();
    let n = N_STIMULI + 10;
    let values: Vec<f32> = (0..n * 32 * 32 * 3).map(|at| (at * 7 % 256) as f32).collect();
    npy::write_f32(&root.join("stimuli.npy"), &[n as u64, 32, 32, 3], &values).unwrap();
    let source = "[[sources]]\nname = \"colours\"\nmodel = \"stand-in\"\nimages = \"stimuli.npy\"\n";
    let config = with_sources(root.path(), &format!("{source}values = \"0..255\"\n"));
    let run = root.path().join("run");
    let ran = succeed(&arguments(&config, &run));
    let taken = "(all are from 0 to 255); they are divided by 255";
    assert!(ran.stdout.contains(taken) && !ran.stderr.contains("divided by 255"), "{ran}");
    assert_eq!(record(&run)["findings"][0]["code"], "pixel_values");
    let config = with_sources(root.path(), source);
    let ran = neurogauge(&arguments(&config, &root.path().join("other")));
    assert_eq!(ran.code, 1, "{ran}");
    ran.says(&["images that need a scale"]);
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
    ran.says(&["\"colours†\" is a placeholder"]);
    // Every number of it is marked.
    let written = std::fs::read_to_string(run.join("align.json")).unwrap();
    assert!(written.contains("\"colours†\"") && !written.contains("\"colours\""));
    assert!(
        ran.stdout.contains("\ncolours† ")
            && ran.stdout.contains("† rests on a placeholder model, and its numbers mean nothing"),
        "{ran}"
    );
    let features = run.join("observations/features");
    let early = features.join("resnet18-untrained-1.layer1.mean.npy");
    let late = features.join("resnet18-untrained-1.avgpool.npy");
    let ids: Vec<String> = serde_json::from_slice(&std::fs::read(features.join("ids.json")).unwrap()).unwrap();
    assert_eq!((ids.len(), ids[0].as_str()), (N_STIMULI, "00010"));
    let found = record(&run);
    let source = &found["config"]["sources"][0];
    assert_eq!(source["name"], "resnet18-untrained-1");
    assert_eq!(source["architecture"], "resnet18");
    assert_eq!((&source["state"], &source["seed"]), (&"random".into(), &1.into()));
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
    succeed(&arguments(&from_files, &other)).says(&["\"colours†\" is a placeholder"]);
    assert!(units(&run) == units(&other));
    for folder in [&run, &other] {
        let findings = record(folder)["findings"].clone();
        let codes = findings.as_array().unwrap().iter();
        let n_marked = codes.filter(|finding| finding["code"] == "stand_in").count();
        assert_eq!(n_marked, 1, "{findings}");
    }
}

#[test]
fn each_layer_of_a_model_is_a_source_from_one_look() {
    let root = folder();
    images(root.path());
    let layers = "layers = [\"layer1:mean\", \"avgpool\"]\n";
    let model =
        format!("[[sources]]\nmodel = \"resnet18-untrained-1\"\nimages = \"stimuli\"\n{layers}each_layer = true\n");
    let config = with_sources(root.path(), &model);
    let run = root.path().join("run");
    let ran = succeed(&[&arguments(&config, &run)[..], &["-v"]].concat());
    let looks = ran.stderr.lines().filter(|line| line.contains(": 36 of 36 in") && line.contains("resnet18"));
    assert_eq!(looks.count(), 1, "{}", ran.stderr);
    let found = record(&run);
    let names = [1, 2].map(|place| found["sources"][place]["source"].clone());
    assert_eq!(names, ["resnet18-untrained-1 layer1:mean", "resnet18-untrained-1 avgpool"]);
    let unit = units(&run).into_values().next().unwrap();
    let fit = &unit["sources"][1]["fits"][0];
    assert_eq!(fit["block_use"].as_array().unwrap().len(), 1);
}

#[test]
fn what_is_wrong_with_a_model_s_source() {
    let dir = folder();
    let images = images(dir.path());
    let said = |source: &str| {
        with_sources(dir.path(), &format!("[[sources]]\n{source}\n"));
        refused(&dir)
    };
    let model = "model = \"stand-in\"\nimages = \"stimuli\"\n";
    let of = |other: &str| model.replace("stand-in", other);
    let settings = [
        "model = \"stand-in\"",
        "images = \"stimuli\"",
        &format!("{model}features = [\"early/early.npy\"]"),
        "name = \"none\"",
        &format!("{model}layers = [\"grid5\"]"),
        &format!("{model}layers = [\"grid4:most\"]"),
        &of("resnet19"),
        &format!("{model}state = \"random\""),
        &format!("{}seed = 2", of("resnet18-untrained-1")),
    ];
    assert_snapshot!(settings.map(said).concat(), @r#"
    exit 2, stderr: error: source "stand-in": a model needs `images`: a folder, an .npy stack or a .pt file of the stimuli, called by their numbers or names
    exit 2, stderr: error: a source of `features` needs a `name`
    exit 2, stderr: error: source "stand-in": expected either `features` or `model`
    exit 2, stderr: error: source "none": expected either `features` or `model`
    exit 2, stderr: error: the placeholder for image models has no layer "grid5"; did you mean "grid4"? Its layers: grid16, grid4
    exit 2, stderr: error: source "stand-in": "stand-in:grid4:most": no pooling is called "most"; known: none, mean, mean-without-class-token, class-token, mean-all, mean-patches
    exit 2, stderr: error: no model is called "resnet19"; did you mean "resnet18"? `neurogauge models list` lists all
    exit 2, stderr: error: source "stand-in": the weights of stand-in are not random; those of stand-in-untrained-SEED are
    exit 2, stderr: error: source "resnet18-untrained-1": `seed` belongs to `features`; the seed of a model's random weights is part of its id, such as resnet18-untrained-2
    "#);
    std::fs::copy(images.join("00012.png"), images.join("12.png")).unwrap();
    let twice = said(model);
    std::fs::remove_file(images.join("12.png")).unwrap();
    std::fs::remove_file(images.join("00012.png")).unwrap();
    assert_snapshot!(twice + &said(model), @r#"
    exit 1, stderr: error: stimuli: stimulus 12: "00012" and "12" are both its image
    exit 1, stderr: error: stimuli: stimulus 12: no image is called by its number or name, such as 12.png, 00012.png or dog_12s.jpg
    "#);
}
