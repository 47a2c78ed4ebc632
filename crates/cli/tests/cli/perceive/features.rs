//! `neurogauge perceive`: values and files, and what cannot be done.

use super::observers::{self, perceiving};
use crate::support::{
    Ran, arg, folder, image_folders, neurogauge, picture, pictures, record, refused, step, summary,
};
use neurogauge::formats::features;
use neurogauge::formats::image_file::{read_rgb8, write_png};
use neurogauge::models::{ImageModel, ImagePreset, LayerRequest, MeanColours, Pooling};
use std::fs;
use std::path::{Path, PathBuf};

/// More than two batches.
pub(crate) const N_IMAGES: usize = 19;

pub(crate) fn images(root: &Path) -> PathBuf {
    pictures(&root.join("images"), "", N_IMAGES, 48, 30.0)
}

pub(crate) fn perceive(images: &Path, out: &Path, with: &str, options: &[&str]) -> Ran {
    neurogauge(&perceiving(images, out, with, options))
}

/// How many images the models saw, which they must have done.
#[track_caller]
pub(crate) fn seen(ran: &Ran) -> usize {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    observers::seen(ran)
}

#[test]
fn rows_are_the_model_s_in_the_order_of_the_stems() {
    let dir = folder();
    let (images, out) = (images(dir.path()), dir.path().join("out"));
    let with = "stand-in:grid16,stand-in:grid4:mean,stand-in";
    let ran = perceive(&images, &out, with, &["--preset", "nsd8-mindeye2"]);
    assert_eq!(seen(&ran), N_IMAGES);
    ran.says(&["numbers mean nothing"]);
    let names = ["grid16", "grid4.mean", "grid4"].map(|layer| format!("mean-colours.{layer}"));
    let folder = out.join("features");
    let paths = names
        .each_ref()
        .map(|name| folder.join(format!("{name}.npy")));
    let printed: Vec<&Path> = ran.stdout.lines().map(Path::new).collect();
    assert_eq!(printed, paths.each_ref().map(PathBuf::as_path));

    let steps = ImagePreset::Nsd8Mindeye2
        .preprocessing("mean-colours", None)
        .unwrap();
    let requests = [
        ("grid16", Pooling::None),
        ("grid4", Pooling::Mean),
        ("grid4", Pooling::None),
    ]
    .map(|(layer, pooling)| LayerRequest {
        layer: layer.into(),
        pooling,
    });
    for (request, path) in requests.iter().zip(&paths) {
        let found = features::read(path, &folder.join("ids.json")).unwrap();
        let stems: Vec<String> = (0..N_IMAGES).map(|index| index.to_string()).collect();
        assert_eq!(found.ids(), stems, "natural order");
        for (row, stem) in stems.iter().enumerate() {
            let image = read_rgb8(&images.join(format!("{stem}.png"))).unwrap();
            let input = steps.apply(&image.to_unit_float()).unwrap();
            let expected = MeanColours::new()
                .features(&[input], std::slice::from_ref(request))
                .unwrap();
            assert_eq!(found.row(row), expected[0].values);
        }
    }
    let keys = fs::read_to_string(folder.join("mean-colours.grid4.keys.json")).unwrap();
    for part in ["\"stand_in\": true", "\"squash\"", "image_sha256"] {
        assert!(keys.contains(part), "{part} in {keys}");
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let dir = folder();
    let images = images(dir.path());
    let bits = ["1", "8"].map(|threads| {
        let out = dir.path().join(threads);
        seen(&perceive(
            &images,
            &out,
            "stand-in",
            &["--threads", threads],
        ));
        fs::read(out.join("features/mean-colours.grid4.npy")).unwrap()
    });
    assert_eq!(bits[0], bits[1]);
}

#[test]
fn what_cannot_be_done_is_said_with_what_can() {
    let dir = folder();
    let (images, out) = (images(dir.path()), dir.path().join("out"));
    let refused = |with: &str, options: &[&str], parts: &[&str]| {
        refused(&perceiving(&images, &out, with, options), 2, parts);
    };
    refused(
        "placeholdr",
        &[],
        &["placeholdr", "did you mean \"placeholder\"?"],
    );
    refused("stand-in:grid5", &[], &["grid5", "grid16, grid4"]);
    refused(
        "stand-in:grid4:max",
        &[],
        &["max", "mean-without-class-token"],
    );
    refused("stand-in:grid4:mean:x", &[], &["MODEL:LAYER:POOLING"]);
    refused("stand-in:grid4:class-token", &[], &["no class token"]);
    refused(
        "stand-in",
        &["--antialias", "off"],
        &["Pillow always smooths"],
    );
    refused("stand-in", &["--preset", "official"], &["nsd8-mindeye2"]);
}

#[test]
fn an_image_that_fails_is_named_and_its_pairs_have_no_value() {
    let dir = folder();
    let stems = ["1", "2", "10"];
    let (gt, recon) = image_folders(dir.path(), &stems);
    fs::write(recon.join("2.png"), "a text, in fact").unwrap();
    let out = dir.path().join("out");
    let ran = perceive(&recon, &out, "stand-in", &[]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    ran.says(&[
        "image \"2\"",
        "not a readable image",
        "1 images have no features: images \"2\"",
    ]);
    let matrix = out.join("features/mean-colours.grid4.npy");
    let ids = features::ids_beside(&matrix);
    assert_eq!(features::read(&matrix, &ids).unwrap().ids(), ["1", "10"]);
    let stopped = dir.path().join("stopped");
    let stop = perceiving(&recon, &stopped, "stand-in", &["--on-failure", "stop"]);
    refused(&stop, 1, &["recon/2.png", "not a readable image"]);

    let run = dir.path().join("run");
    let (gt, recon, out) = (arg(&gt), arg(&recon), arg(&run));
    let args = [
        "score",
        "--gt",
        gt,
        "--recon",
        recon,
        "--out",
        out,
        "--image-models",
        "stand-in",
    ];
    let ran = neurogauge(&[&args[..], &["--metrics", "effnet,clip"]].concat());
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    ran.says(&["1 images have no features: recon/images \"2\""]);
    for metric in ["effnet", "clip"] {
        let entry = &summary(&run)[metric];
        assert_eq!(entry["n"], 2, "{entry}");
        assert_eq!(
            entry["undefined_pairs"]["no features of the reconstruction"], 1,
            "{entry}"
        );
    }
    assert_eq!(
        step(&record(&run), "features")["outcome"]["failed"][0]["stem"],
        "2"
    );
}

#[test]
fn images_of_other_shapes_may_stand_between_those_of_a_batch() {
    let dir = folder();
    let images = images(dir.path());
    let wide = picture("wide", 64, 3.0);
    let rows = wide.data()[..64 * 3 * 40].to_vec();
    let wide = neurogauge::core::Image::new(64, 40, rows).unwrap();
    write_png(&images.join("7.png"), &wide).unwrap();
    let out = dir.path().join("out");
    // A grid has as many cells on any shape.
    let options = ["--preset", "nsd8-native"];
    assert_eq!(
        seen(&perceive(&images, &out, "stand-in", &options)),
        N_IMAGES
    );
    assert_eq!(seen(&perceive(&images, &out, "stand-in", &[])), N_IMAGES);
}

#[test]
fn a_layer_that_a_model_lacks_is_named_before_its_weights_are_looked_for() {
    let dir = folder();
    let images = pictures(&dir.path().join("gt"), "gt", 2, 32, 9.0);
    let out = dir.path().join("out");
    let parts = [
        "no layer \"lyer4\"; did you mean \"layer4\"?",
        "Its layers: relu, maxpool, layer1.0",
        "layer4.2, layer4",
    ];
    let perceive = [
        "perceive",
        "--images",
        arg(&images),
        "--out",
        arg(&out),
        "--with",
    ];
    refused(&[&perceive[..], &["resnet50:lyer4"]].concat(), 2, &parts);
    let score = [
        "score",
        arg(&images),
        arg(&images),
        "--out",
        arg(&out),
        "--metrics",
    ];
    refused(&[&score[..], &["resnet50:lyer4"]].concat(), 2, &parts);
    // A layer that it has is wanted with its weights.
    let weights = ["the weights of resnet50 are not on this machine"];
    refused(
        &[&perceive[..], &["resnet50:layer4:mean"]].concat(),
        1,
        &weights,
    );
}
