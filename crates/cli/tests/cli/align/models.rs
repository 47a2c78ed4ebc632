//! Models as sources of `neurogauge align`: their features are computed once, with the code of `neurogauge perceive`.

use crate::support::alignments::{Arrays, N_STIMULI, units};
use crate::support::*;

/// A picture for each stimulus, with zeros before its number, and two for stimuli that were not shown.
fn images(dir: &Folder) {
    for stimulus in 10..10 + N_STIMULI {
        dir.picture(format!("stimuli/{stimulus:05}.png"), &stimulus.to_string(), 32, 30.0);
    }
    for other in ["00009", "scrambled"] {
        dir.picture(format!("stimuli/{other}.png"), other, 32, 30.0);
    }
}

/// A decision of the user is a note, and not a warning.
#[test]
fn what_was_taken_for_granted_about_images_is_said_once() {
    let mut arrays = Arrays::new();
    let n = N_STIMULI + 10;
    let values: Vec<f32> = (0..n * 32 * 32 * 3).map(|at| (at * 7 % 256) as f32).collect();
    write_f32(&arrays.dir.join("stimuli.npy"), &[n as u64, 32, 32, 3], &values).unwrap();
    let source = "[[sources]]\nname = \"colours\"\nmodel = \"placeholder\"\nimages = \"stimuli.npy\"\n";
    arrays.sources = format!("{source}values = \"0..255\"\n");
    let ran = arrays.align("run", "");
    let said = lines_with(&ran.stderr, &["(all are from 0 to 255); they are divided by 255"]);
    assert!(said.starts_with("note: ") && !ran.stdout.contains("divided by 255"), "{ran}");
    assert_eq!(codes(&arrays.dir.json("run/align.json")["findings"])[0], "pixel_values");
    arrays.dir.remove("run");
    arrays.sources = source.to_owned();
    contains(&arrays.refused(), &["exit 1", "images that need a scale"]);
}

#[test]
fn a_model_is_a_source_and_looks_at_each_stimulus_once() {
    let mut arrays = Arrays::new();
    images(&arrays.dir);
    let model = "[[sources]]\nmodel = \"resnet18-untrained-1\"\nimages = \"stimuli\"\nlayers = [\"layer1:mean\", \"layer2:mean\"]\n";
    // Each layer is a source, from one look.
    arrays.sources = format!("{model}each_layer = true\n");
    let ran = arrays.align("run", "-v");
    let looks = ran.stderr.lines().filter(|line| line.contains(": 36 of 36 in") && line.contains("resnet18"));
    assert_eq!(looks.count(), 1, "{ran}");
    let found = arrays.dir.json("run/align.json");
    let names = [1, 2].map(|place| found["sources"][place]["source"].clone());
    assert_eq!(names, ["resnet18-untrained-1 layer1:mean", "resnet18-untrained-1 layer2:mean"]);
    let unit = units(&arrays.dir, "run").into_values().next().unwrap();
    assert_eq!(unit["sources"][1]["fits"][0]["block_use"].list().len(), 1);
    arrays.dir.remove("run/units");

    // All layers are one source.
    let colours = "[[sources]]\nname = \"colours\"\nmodel = \"placeholder\"\nimages = \"stimuli\"\n";
    arrays.sources = format!("{model}{colours}");
    let ran = arrays.align("run", "");
    ran.says(&["\"colours†\" is a placeholder"]);
    // Every number of the placeholder is marked.
    let written = arrays.dir.read("run/align.json");
    assert!(written.contains("\"colours†\"") && !written.contains("\"colours\""));
    contains(&ran.stdout, &["\ncolours† ", "† rests on a placeholder model, and its numbers mean nothing"]);
    let ids = arrays.dir.json("run/observations/features/ids.json");
    assert_eq!((ids.list().len(), &ids[0]), (N_STIMULI, &"00010".into()));
    let source = &arrays.dir.json("run/align.json")["config"]["sources"][0];
    let [name, architecture, state] = ["name", "architecture", "state"].map(|key| source[key].text());
    assert_eq!([name, architecture, state], ["resnet18-untrained-1", "resnet18", "random"]);
    assert_eq!(source["seed"], 1);
    let found = units(&arrays.dir, "run");
    let n_layers = |unit: &Value| unit["sources"][1]["fits"][0]["block_use"].list().len();
    assert_eq!(found.values().map(n_layers).collect::<Vec<_>>(), [2, 2]);

    // When repeated, no image is observed again.
    let times = || {
        ["layer1.mean", "layer2.mean"].map(|layer| {
            let path = format!("run/observations/features/resnet18-untrained-1.{layer}.npy");
            arrays.dir.join(path).metadata().unwrap().modified().unwrap()
        })
    };
    let before = times();
    arrays.align("run", "");
    assert_eq!(times(), before);

    // `neurogauge perceive` computes the same features, and its files are the same sources.
    let with = "resnet18-untrained-1:layer1:mean,resnet18-untrained-1:layer2:mean,placeholder";
    arrays.dir.succeed(&format!("perceive --images stimuli --with {with} --out perceived"));
    arrays.sources = "[[sources]]\nname = \"resnet18-untrained-1\"\nfeatures = [\
                      \"perceived/features/resnet18-untrained-1.layer1.mean.npy\", \
                      \"perceived/features/resnet18-untrained-1.layer2.mean.npy\"]\n\
                      [[sources]]\nname = \"colours\"\nfeatures = [\"perceived/features/mean-colours.grid4.npy\"]\n"
        .to_owned();
    arrays.align("other", "").says(&["\"colours†\" is a placeholder"]);
    assert!(found == units(&arrays.dir, "other"));
    for run in ["run", "other"] {
        let findings = arrays.dir.json(format!("{run}/align.json"))["findings"].clone();
        let n_marked = findings.list().iter().filter(|finding| finding["code"] == "stand_in").count();
        assert_eq!(n_marked, 1, "{findings}");
    }
}

#[test]
fn what_is_wrong_with_a_model_s_source() {
    let mut arrays = Arrays::new();
    images(&arrays.dir);
    let mut said = |source: &str| {
        arrays.sources = format!("[[sources]]\n{source}\n");
        arrays.refused()
    };
    let model = "model = \"placeholder\"\nimages = \"stimuli\"\n";
    let of = |other: &str| model.replace("placeholder", other);
    let settings = [
        "images = \"stimuli\"",
        &format!("{model}features = [\"early/early.npy\"]"),
        "name = \"none\"",
        &format!("{model}layers = [\"grid5\"]"),
        &format!("{model}layers = [\"grid4:most\"]"),
        &of("resnet19"),
        &format!("{model}state = \"random\""),
        &format!("{}seed = 2", of("resnet18-untrained-1")),
        "model = \"placeholder\"\neach_layer = true\nimages = \"x\"",
    ];
    assert_snapshot!(settings.map(&mut said).concat(), @r#"
    exit 2, stderr: error: a source of `features` needs a `name`
    exit 2, stderr: error: source "placeholder": expected either `features` or `model`
    exit 2, stderr: error: source "none": expected either `features` or `model`
    exit 2, stderr: error: the placeholder for image models has no layer "grid5"; did you mean "grid4"? Its layers: grid16, grid4
    exit 2, stderr: error: source "placeholder": "placeholder:grid4:most": no pooling is called "most"; known: none, mean, mean-without-class-token, class-token, mean-all, mean-patches
    exit 2, stderr: error: no model is called "resnet19"; did you mean "resnet18"? `neurogauge list models` lists all
    exit 2, stderr: error: source "placeholder": the weights of placeholder are not random; those of placeholder-untrained-SEED are
    exit 2, stderr: error: source "resnet18-untrained-1": `seed` belongs to `features`; the seed of a model's random weights is part of its id, such as resnet18-untrained-2
    exit 2, stderr: error: source "placeholder": `each_layer` takes the names of its `layers`
    "#);
    arrays.sources = format!("[[sources]]\n{model}\n");
    arrays.dir.copy("stimuli/00012.png", "stimuli/12.png");
    let twice = arrays.refused();
    arrays.dir.remove("stimuli/12.png");
    arrays.dir.remove("stimuli/00012.png");
    assert_snapshot!(twice + &arrays.refused(), @r#"
    exit 1, stderr: error: stimuli: stimulus 12: "00012" and "12" are both its image
    exit 1, stderr: error: stimuli: stimulus 12: no image is called by its number or name, such as 12.png, 00012.png or dog_12s.jpg
    "#);
}
