//! `neurogauge perceive`: values and files, and refused requests.

use super::observers;
use crate::support::*;
use neurogauge::models::{ImageModel, ImagePreset, LayerRequest, MeanColours, Pooling};

/// More images than two batches.
pub(crate) const N_IMAGES: usize = 19;

/// A folder with images in `images`.
pub(crate) fn images() -> Folder {
    let dir = folder();
    pictures(&dir.join("images"), "", N_IMAGES, 48, 30.0);
    dir
}

/// Runs `neurogauge perceive` with the models at the beginning of `line`, without a cache.
#[track_caller]
pub(crate) fn perceive(dir: &Folder, out: &str, line: &str) -> Ran {
    dir.run(&format!("perceive --images images --out {out} --with {line}"))
}

/// Number of images that the models saw; at least one model must have run.
#[track_caller]
pub(crate) fn seen(ran: &Ran) -> usize {
    assert_eq!(ran.code, 0, "{ran}");
    observers::seen(ran)
}

#[test]
fn rows_are_the_model_s_in_the_order_of_the_stems() {
    let dir = images();
    let ran = perceive(&dir, "out", "placeholder:grid16,placeholder:grid4:mean,placeholder --preset nsd8-mindeye2");
    assert_snapshot!(ran, @"
    exit 0, stdout:
    out/features/mean-colours.grid16.npy
    out/features/mean-colours.grid4.mean.npy
    out/features/mean-colours.grid4.npy
    stderr:
    note: images: 19 images, files
    mean-colours.grid16: 19 images, 19 of them seen by the model now (a placeholder: its numbers mean nothing)
    mean-colours.grid4.mean: 19 images, 19 of them seen by the model now (a placeholder: its numbers mean nothing)
    mean-colours.grid4: 19 images, 19 of them seen by the model now (a placeholder: its numbers mean nothing)
    ");
    assert_eq!(seen(&ran), N_IMAGES);
    let folder = dir.join("out/features");
    let paths = ["grid16", "grid4.mean", "grid4"].map(|layer| folder.join(format!("mean-colours.{layer}.npy")));

    let steps = ImagePreset::Nsd8Mindeye2.preprocessing("mean-colours", None).unwrap();
    let requests = [("grid16", Pooling::None), ("grid4", Pooling::Mean), ("grid4", Pooling::None)]
        .map(|(layer, pooling)| LayerRequest::new(layer, pooling));
    for (request, path) in requests.iter().zip(&paths) {
        let found = features::read(path, &folder.join("ids.json")).unwrap();
        let stems: Vec<String> = (0..N_IMAGES).map(|index| index.to_string()).collect();
        assert_eq!(found.ids(), stems, "natural order");
        for (row, stem) in stems.iter().enumerate() {
            let image = read_rgb8(&dir.join(format!("images/{stem}.png"))).unwrap();
            let input = steps.apply(&image.to_unit_float()).unwrap();
            let expected = MeanColours.features(&[input], std::slice::from_ref(request)).unwrap();
            assert_eq!(found.row(row), expected[0].values);
        }
    }
    let keys = fs::read_to_string(folder.join("mean-colours.grid4.keys.json")).unwrap();
    contains(&keys, &["\"stand_in\": true", "\"squash\"", "image_sha256"]);

    // The number of threads changes no bit.
    let bits = ["1", "8"].map(|threads| {
        seen(&perceive(&dir, threads, &format!("placeholder --threads {threads}")));
        dir.bytes(format!("{threads}/features/mean-colours.grid4.npy"))
    });
    assert_eq!(bits[0], bits[1]);

    // A batch can contain images of other shapes: a grid has equally many cells for any shape.
    let wide = Image::new(64, 40, picture("wide", 64, 3.0).data()[..64 * 3 * 40].to_vec()).unwrap();
    write_png(&dir.join("images/7.png"), &wide).unwrap();
    for line in ["placeholder --preset nsd8-native", "placeholder"] {
        assert_eq!(seen(&perceive(&dir, "shapes", line)), N_IMAGES);
    }
}

#[test]
fn what_cannot_be_done_is_said_with_what_can() {
    let table = r#"
    placeholdr
      exit 2, stderr: error: no model is called "placeholdr"; did you mean "placeholder"? `neurogauge list models` lists all
    placeholder:grid5
      exit 2, stderr: error: the placeholder for image models has no layer "grid5"; did you mean "grid4"? Its layers: grid16, grid4
    placeholder:grid4:max
      exit 2, stderr: error: invalid value 'placeholder:grid4:max' for '--with <MODEL[:LAYER[:POOLING]],...>': "placeholder:grid4:max": no pooling is called "max"; known: none, mean, mean-without-class-token, class-token, mean-all, mean-patches
    placeholder:grid4:mean:x
      exit 2, stderr: error: invalid value 'placeholder:grid4:mean:x' for '--with <MODEL[:LAYER[:POOLING]],...>': "placeholder:grid4:mean:x": expected MODEL, MODEL:LAYER or MODEL:LAYER:POOLING, for example alexnet:features.4
    placeholder:grid4:class-token
      exit 2, stderr: error: the placeholder for image models: layer grid4 has no class token, so the pooling class-token does not apply; choose another
    placeholder --set antialias=off
      exit 2, stderr: error: images cannot be prepared without antialias here: the published preprocessing works on Pillow images, and Pillow always smooths; leave --set antialias away or take another --preset
    placeholder --preset official
      exit 2, stderr:
      error: invalid value 'official' for '--preset <PRESET>'
        [possible values: nsd8-mindeye2, nsd8-native, published, timm, brain-diffuser]
    "#;
    images().refuses("perceive --images images --out out --with", "none", table);
}

#[test]
fn an_image_that_fails_is_named_and_its_pairs_have_no_value() {
    let dir = folder();
    image_folders(dir.path(), &["1", "2", "10"]);
    dir.write("recon/2.png", "a text, in fact");
    let perceive = "perceive --images recon --with placeholder";
    assert_snapshot!(dir.run(&format!("{perceive} --out out")), @r#"
    exit 1, stdout: out/features/mean-colours.grid4.npy
    stderr:
    note: image "2": recon/2.png: not a readable image: text that begins with "a text, in fact"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file
    note: images: 3 images, files
    mean-colours.grid4: 3 images, 3 of them seen by the model now (a placeholder: its numbers mean nothing)
    error: 1 image has no features: images "2" (recon/2.png: not a readable image: text that begins with "a text, in fact"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file). All others are done; repair these and call again
    "#);
    let matrix = dir.join("out/features/mean-colours.grid4.npy");
    let ids = features::ids_beside(&matrix);
    assert_eq!(features::read(&matrix, &ids).unwrap().ids(), ["1", "10"]);
    assert_snapshot!(dir.run(&format!("{perceive} --out stopped --on-failure stop")), @r#"exit 1, stderr: error: recon/2.png: not a readable image: text that begins with "a text, in fact"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file"#);

    assert_snapshot!(dir.run("score gt recon --set image_models=placeholder --metrics effnet,clip --out run").messages(), @r#"
    note: image "2": [DIR]/recon/2.png: not a readable image: text that begins with "a text, in fact"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file
    run: 3 pairs scored
    error: 1 image has no features: recon/images "2" ([DIR]/recon/2.png: not a readable image: text that begins with "a text, in fact"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file). All others are done; repair these and call again, with --overwrite if a file has changed
    "#);
    for metric in ["effnet", "clip"] {
        let entry = &dir.summary("run")[metric];
        assert_eq!(entry["n"], 2, "{entry}");
        let lacking = &entry["undefined_pairs"]["no features of the reconstruction"];
        assert_eq!(*lacking, 1, "{entry}");
    }
    assert_eq!(step(&dir.record("run"), "features")["outcome"]["failed"][0]["stem"], "2");
}

#[test]
fn a_layer_that_a_model_lacks_is_named_before_its_weights_are_looked_for() {
    let dir = folder();
    pictures(&dir.join("gt"), "gt", 2, 32, 9.0);
    let perceive = "perceive --images gt --out out --with";
    assert_snapshot!(dir.run(&format!("{perceive} resnet50:lyer4")), @r#"exit 2, stderr: error: ResNet-50 has no layer "lyer4"; did you mean "layer4"? Its layers: relu, maxpool, layer1.0, layer1.1, layer1.2, layer1, layer2.0, layer2.1, layer2.2, layer2.3, layer2, layer3.0, layer3.1, layer3.2, layer3.3, layer3.4, layer3.5, layer3, layer4.0, layer4.1, layer4.2, layer4, avgpool, fc"#);
    assert_snapshot!(dir.run("score gt gt --out out --metrics resnet50:lyer4"), @r#"exit 2, stderr: error: ResNet-50 has no layer "lyer4"; did you mean "layer4"? Its layers: relu, maxpool, layer1.0, layer1.1, layer1.2, layer1, layer2.0, layer2.1, layer2.2, layer2.3, layer2, layer3.0, layer3.1, layer3.2, layer3.3, layer3.4, layer3.5, layer3, layer4.0, layer4.1, layer4.2, layer4, avgpool, fc"#);
    // The message asks for the weights of an existing layer.
    let ran = dir.run(&format!("{perceive} resnet50:layer4:mean"));
    ran.says(&["the weights of resnet50 are not on this machine"]);
}
