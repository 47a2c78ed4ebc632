//! `neurogauge score` with LPIPS and the user's heads.

use crate::support::lpips_files::{write_alexnet, write_heads};
use crate::support::*;
use neurogauge::metrics::PixelOptions;
use neurogauge::models::{DeviceChoice, LocalImageModel, Lpips, LpipsHeads};

const STEMS: [&str; 3] = ["1", "2", "10"];

/// Both metrics at the smallest size that AlexNet accepts.
const SMALL: &str = "score gt recon --out run --overwrite --set pixel_size=63 --set first_size=63";
const ALEXNET: &str = "--checkpoint alexnet=alexnet.safetensors";

/// Images, and heads for AlexNet.
fn pairs_and_heads() -> Folder {
    let dir = images(&STEMS);
    write_heads(&dir.join("alex.safetensors"), 1.0);
    dir
}

#[test]
fn pairs_have_the_distances_of_their_resized_images_and_the_weights_are_recorded() {
    let dir = pairs_and_heads();
    write_alexnet(&dir.join("alexnet.safetensors"));
    let run = dir.join("run");
    let score = format!("{SMALL} {ALEXNET} --lpips-heads alex.safetensors");
    let ran = dir.succeed(&score);
    assert!(ran.stdout.contains("LPIPS (AlexNet) \u{2193}"), "{ran}");
    // The heads of VGG-16 were not given.
    ran.says(&["lpips_vgg"]);

    let backbone = LocalImageModel::custom("alexnet", &dir.join("alexnet.safetensors")).unwrap();
    let heads = LpipsHeads::open(&dir.join("alex.safetensors")).unwrap();
    let lpips = Lpips::load(&backbone, heads, DeviceChoice::Cpu).unwrap();
    let image = |side: &str, stem: &str| -> Image<f32> {
        let options = PixelOptions {
            size_px: Some(63),
            first_size_px: Some(63),
            ..PixelOptions::default()
        };
        options.apply(read_rgb8(&dir.join(format!("{side}/{stem}.png"))).unwrap().to_unit_float()).unwrap()
    };
    let expected = STEMS.map(|stem| {
        let (gt, recon) = (image("gt", stem), image("recon", stem));
        lpips.compare(&gt, &recon).unwrap().total()
    });
    assert_eq!(dir.values(&run, "lpips_alex"), expected);
    // The noise of the reconstructions increases from stem to stem.
    assert!(expected.is_sorted() && expected[0] > 0.0, "{expected:?}");
    assert_eq!(dir.summary(&run)["lpips_alex"]["stand_in"], false);

    let before = dir.record(&run);
    let models = before["models"].list();
    for identity in [lpips.backbone(), lpips.heads().identity()] {
        assert!(models.contains(&json!(identity)), "{models:?}");
        assert_eq!(identity.sha256.len(), 64);
    }
    dir.succeed(&score).says(&["nothing was computed"]);
    let ran = dir.succeed("score --from-run run/run.json --out repeated");
    assert!(!ran.stderr.contains("may differ"), "{ran}");
    assert_eq!(dir.values("repeated", "lpips_alex"), expected);

    // A journal records the heads of each score.
    write_heads(&dir.join("alex.safetensors"), 2.0);
    dir.succeed(&score);
    close(&dir.values(&run, "lpips_alex"), &expected.map(|value| 2.0 * value));
    assert_ne!(dir.record(&run)["fingerprint"], before["fingerprint"]);
    dir.write("before.json", before.to_string());
    let repeat = "score --from-run before.json --out repeated";
    assert_snapshot!(dir.run(repeat), @"exit 1, stderr: error: not the models of the run that is to be repeated: recorded with lpips_alex-heads (SHA-256 [HASH]), repeated with lpips_alex-heads (SHA-256 [HASH]). Give those that it had, or say --accept-changes to go on: numbers may differ");
    let accepted = dir.succeed(&format!("{repeat} --accept-changes --overwrite"));
    accepted.says(&["recorded with lpips_alex-heads"]);

    // Both images must have one size, which the network must accept; otherwise the message names the pair.
    write_png(&dir.join("recon/2.png"), &wide()).unwrap();
    assert_snapshot!(dir.run(&format!("{score} --metrics lpips_alex")), @r#"exit 1, stderr: error: pair "2": the stimulus is 48 x 48 px and the reconstruction 96 x 48 px (63 x 63 px and 126 x 63 px after resizing); both must have the same shape for lpips_alex: crop or pad one side, or score other metrics with --metrics, or squash both with --set proportions=squashed. `neurogauge check` lists all such pairs"#);
    dir.picture("recon/2.png", "2", 48, 50.0);
    let smaller =
        format!("score gt recon --out run --overwrite --set pixel_size=62 {ALEXNET} --lpips-heads alex.safetensors");
    assert_snapshot!(dir.run(&format!("{smaller} --metrics lpips_alex")), @r#"exit 1, stderr: error: image "1" ([DIR]/recon): AlexNet: image 0 is 62 x 62 px, expected at least 63 px on each side"#);
}

fn wide() -> Image<u8> {
    let data = picture("wide", 48, 4.0).data().chunks(48 * 3).flat_map(|row| [row, row].concat()).collect();
    Image::new(96, 48, data).unwrap()
}

#[test]
fn without_heads_it_is_left_out_and_asked_for_it_says_which_file_is_needed() {
    let dir = pairs_and_heads();
    write_alexnet(&dir.join("alexnet.safetensors"));
    dir.succeed(SMALL).says(&["lpips_alex, lpips_vgg"]);
    // Without the heads' network, LPIPS is also omitted.
    let left_out = dir.succeed(&format!("{SMALL} --lpips-heads alex.safetensors"));
    left_out.says(&["for want of weights: lpips_alex"]);
    // Heads of the other network are refused.
    let table = "
    --metrics lpips_alex
      exit 2, stderr: error: lpips_alex needs images of both sides (--gt, --recon), the weights of its network and its linear heads (--lpips-heads FILE): the network is alexnet, and FILE is lpips/weights/v0.1/alex.pth of the Python package lpips, whose wheel (PyPI, version 0.1.4) carries it
    --metrics lpips_vgg
      exit 2, stderr: error: lpips_vgg needs images of both sides (--gt, --recon), the weights of its network and its linear heads (--lpips-heads FILE): the network is vgg16, and FILE is lpips/weights/v0.1/vgg.pth of the Python package lpips, whose wheel (PyPI, version 0.1.4) carries it
    --metrics lpips_vgg --lpips-heads alex.safetensors
      exit 2, stderr: error: lpips_vgg needs images of both sides (--gt, --recon), the weights of its network and its linear heads (--lpips-heads FILE): the network is vgg16, and FILE is lpips/weights/v0.1/vgg.pth of the Python package lpips, whose wheel (PyPI, version 0.1.4) carries it
    --lpips-heads alex.safetensors --lpips-heads alex.safetensors
      exit 2, stderr: error: --lpips-heads [DIR]/alex.safetensors: the second file for lpips_alex; give one for each network
    --metrics lpips_alex --lpips-heads alex.safetensors
      exit 1, stderr:
      error: the weights of alexnet are not on this machine, and downloading is not allowed.
      [HOW TO FETCH alexnet]
    --lpips-heads alexnet.safetensors
      exit 1, stderr: error: [DIR]/alexnet.safetensors: no heads of LPIPS that are known: found no lin0.model.1.weight, no lin1.model.1.weight, no lin2.model.1.weight, no lin3.model.1.weight, no lin4.model.1.weight; expected shapes [1, C, 1, 1] with C = [64, 192, 384, 256, 256] (lpips_alex: lpips/weights/v0.1/alex.pth) or [64, 128, 256, 512, 512] (lpips_vgg: lpips/weights/v0.1/vgg.pth), as in these files of the Python package lpips
    --lpips-heads absent.pth
      exit 1, stderr: error: [DIR]/absent.pth: opening failed: No such file or directory; LPIPS was not loaded. If the file was cut short or changed, fetch it again
    ";
    dir.refuses("score gt recon --out other", "other", table);
}

#[test]
fn the_device_of_the_network_is_recorded_and_decides_what_is_known_already() {
    let dir = pairs_and_heads();
    write_alexnet(&dir.join("alexnet.safetensors"));
    let [run, repeated] = ["run", "repeated"].map(|run| dir.join(run));
    let score = format!("{SMALL} {ALEXNET} --metrics lpips_alex --lpips-heads alex.safetensors");
    dir.succeed(&score);
    assert_eq!(record(&run)["device"], "cpu");
    let cpu = values(&run, "lpips_alex");

    dir.succeed(&format!("{score} --device cpu-f64")).says(&["3 pairs scored"]);
    assert_eq!(record(&run)["device"], "cpu-f64");
    let others = values(&run, "lpips_alex");
    assert_ne!(cpu, others);
    for (a, b) in cpu.iter().zip(&others) {
        assert!((a - b).abs() < 1e-5 * a, "{a} {b}");
    }

    let repeat = "score --from-run run/run.json --out repeated";
    dir.succeed(repeat);
    assert_eq!(values(&repeated, "lpips_alex"), others);
    let elsewhere = format!("{repeat} --device cpu");
    assert_snapshot!(dir.run(&elsewhere), @"exit 1, stderr: error: not the models of the run that is to be repeated: recorded with image models on cpu-f64, repeated on cpu. Give those that it had, or say --accept-changes to go on: numbers may differ");
    let accepted = dir.succeed(&format!("{elsewhere} --accept-changes --overwrite"));
    accepted.says(&["recorded with image models on cpu-f64, repeated on cpu"]);
    assert_eq!(values(&repeated, "lpips_alex"), cpu);

    // A run without a network has no device.
    dir.succeed(&format!("{SMALL} --metrics pixcorr"));
    assert_eq!(record(&run)["device"], Value::Null);
}

#[test]
fn within_masks_it_is_the_mean_of_the_enlarged_maps_of_images_on_white() {
    let dir = pairs_and_heads();
    write_alexnet(&dir.join("alexnet.safetensors"));
    let is_left = |i: usize| i % 63 < 30;
    fs::create_dir(dir.join("masks")).unwrap();
    for stem in STEMS {
        let is_inside = |i: usize| if stem == "10" { 0 } else { u8::from(is_left(i)) };
        let values = (0..63 * 63).flat_map(|i| [is_inside(i); 3]).collect();
        write_png(&dir.join(format!("masks/{stem}.png")), &Image::new(63, 63, values).unwrap()).unwrap();
    }
    let ran = dir
        .succeed(&format!("{SMALL} {ALEXNET} --lpips-heads alex.safetensors --metrics lpips_alex --set region=masks"));
    contains(&ran.stdout, &["LPIPS (AlexNet): within the region of", "around it both images are white"]);
    let backbone = LocalImageModel::custom("alexnet", &dir.join("alexnet.safetensors")).unwrap();
    let heads = LpipsHeads::open(&dir.join("alex.safetensors")).unwrap();
    let lpips = Lpips::load(&backbone, heads, DeviceChoice::Cpu).unwrap();
    let inside: Vec<bool> = (0..63 * 63).map(is_left).collect();
    let table = dir.scores("run");
    let (_, found) = table.columns.iter().find(|(id, _)| id == "lpips_alex").unwrap();
    for stem in ["1", "2"] {
        let [gt, recon] = ["gt", "recon"].map(|side| {
            let options = PixelOptions {
                size_px: Some(63),
                first_size_px: Some(63),
                ..PixelOptions::default()
            };
            let image = read_rgb8(&dir.join(format!("{side}/{stem}.png"))).unwrap().to_unit_float();
            let mut image = options.apply(image).unwrap();
            let outside = image.data_mut().chunks_exact_mut(3).enumerate().filter(|(i, _)| !is_left(*i));
            outside.for_each(|(_, pixel)| pixel.fill(1.0));
            image
        });
        let expected = lpips.compare_within(&gt, &recon, Some(&inside)).unwrap().total();
        let place = STEMS.iter().position(|own| *own == stem).unwrap();
        assert_eq!(found[place], Ok(expected));
    }
    assert!(found[2].as_ref().unwrap_err().to_string().contains("no foreground"));
}
