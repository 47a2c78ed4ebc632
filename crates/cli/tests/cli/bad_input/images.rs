//! Refused images: the message names the file and the position, and nothing panics.

use crate::support::*;
use std::io::Write;
use zip::write::SimpleFileOptions;

/// The messages for three sound pairs of images that were damaged in these ways, one at a time.
#[track_caller]
fn folders_refused(damages: &[&dyn Fn(&Folder)]) -> String {
    let refused = |damage: &&dyn Fn(&Folder)| {
        let dir = images(&["1", "2", "10"]);
        damage(&dir);
        let ran = dir.run("score --gt gt --recon recon --out run -q --on-failure stop");
        assert!(!dir.has("run/scores.parquet"));
        format!("{ran}\n")
    };
    damages.iter().map(refused).collect()
}

/// Writes a stack to a path.
type Make<'a> = dyn Fn(&Path) + 'a;

/// The messages for these files of reconstructions, given for two stimuli.
#[track_caller]
fn stacks_refused(stacks: &[(&str, &Make<'_>)]) -> String {
    let dir = images(&["0", "1"]);
    let refused = |(name, write): &(&str, &Make<'_>)| {
        write(&dir.join(name));
        let ran = dir.run(&format!("score --gt gt --recon {name} --out run -q"));
        assert!(!dir.has("run/scores.parquet"));
        format!("{ran}\n")
    };
    stacks.iter().map(refused).collect()
}

/// A `.npy` file with this header and these bytes.
fn npy_bytes(descr: &str, shape: &str, body: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}").into_bytes();
    header.resize(117, b' ');
    header.push(b'\n');
    [b"\x93NUMPY\x01\x00\x76\x00", &header[..], body].concat()
}

/// Writes a `.pt` file with this pickle.
fn write_pt(path: &Path, pickle: &[u8]) {
    let mut archive = zip::ZipWriter::new(fs::File::create(path).unwrap());
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in [("data.pkl", pickle), ("version", b"3\n")] {
        archive.start_file(format!("archive/{name}"), stored).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap();
}

#[test]
fn folders_of_images_that_do_not_pair_decode_or_fit() {
    let emptied = |dir: &Folder, side: &str| {
        dir.remove(side);
        fs::create_dir(dir.join(side)).unwrap();
    };
    let reshaped = |dir: &Folder, stem: &str, width: usize, height: usize| {
        let image = Image::new(width, height, picture(stem, 48, 4.0).data().to_vec());
        write_png(&dir.join(format!("recon/{stem}.png")), &image.unwrap()).unwrap();
    };
    assert_snapshot!(folders_refused(&[
        &|dir| dir.remove("recon/2.png"),
        &|dir| dir.remove("gt/2.png"),
        &|dir| dir.copy("recon/1.png", "recon/1.jpg"),
        &|dir| {
            let bytes = dir.bytes("gt/10.png");
            dir.write("gt/10.png", &bytes[..bytes.len() / 2]);
        },
        &|dir| dir.write("gt/2.png", ""),
        &|dir| dir.write("recon/2.png", "a text, in fact"),
        &|dir| emptied(dir, "gt"),
        &|dir| {
            emptied(dir, "recon");
            dir.write("recon/notes.txt", "images will follow");
        },
        &|dir| dir.remove("recon"),
        &|dir| reshaped(dir, "2", 96, 24),
        &|dir| reshaped(dir, "1", 24, 96),
    ]), @r#"
    exit 1, stderr: error: pairing images: 1 of the gt stems has no partner among the recon stems: 2; every stem must be on both sides; --pairs shared scores the 2 on both sides (gt: [DIR]/gt, recon: [DIR]/recon)
    exit 1, stderr: error: pairing images: 1 of the recon stems has no partner among the gt stems: 2; every stem must be on both sides; --pairs shared scores the 2 on both sides (gt: [DIR]/gt, recon: [DIR]/recon)
    exit 1, stderr: error: [DIR]/recon: "1.jpg" and "1.png" share the stem "1"; expected one file per stem
    exit 1, stderr: error: [DIR]/gt/10.png: not a readable image: it ends too early, so it was cut short; write it again
    exit 1, stderr: error: [DIR]/gt/2.png: not a readable image: an empty file; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file
    exit 1, stderr: error: [DIR]/recon/2.png: not a readable image: text that begins with "a text, in fact"; expected a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file
    exit 1, stderr: error: [DIR]/gt: the folder holds no images (png, jpg, jpeg, webp, bmp, tif, tiff, gif, ppm, pgm, pbm) and no videos (mp4, m4v, mov, mkv, webm, avi, mpg, mpeg)
    exit 1, stderr: error: [DIR]/recon: the folder holds no images (png, jpg, jpeg, webp, bmp, tif, tiff, gif, ppm, pgm, pbm) and no videos (mp4, m4v, mov, mkv, webm, avi, mpg, mpeg)
    exit 1, stderr: error: [DIR]/recon: not found; expected a folder of images, a .npy, .npz, .pt, .mat or .hdf5 file
    exit 1, stderr: error: pair "2": the stimulus is 48 x 48 px and the reconstruction 96 x 24 px (425 x 425 px and 1700 x 425 px after resizing); both must have the same shape for pixcorr, ssim, psnr: crop or pad one side, or score other metrics with --metrics, or squash both with --set proportions=squashed. `neurogauge check` lists all such pairs
    exit 1, stderr: error: pair "1": the stimulus is 48 x 48 px and the reconstruction 24 x 96 px (425 x 425 px and 425 x 1700 px after resizing); both must have the same shape for pixcorr, ssim, psnr: crop or pad one side, or score other metrics with --metrics, or squash both with --set proportions=squashed. `neurogauge check` lists all such pairs
    "#);
}

#[test]
fn arrays_of_the_wrong_rank_type_or_length() {
    let values = [0.5; 144];
    let floats = |shape: &'static [u64]| {
        let n = shape.iter().product::<u64>() as usize;
        move |path: &Path| write_f32(path, shape, &values[..n]).unwrap()
    };
    let bytes = |descr: &'static str, shape: &'static str, n: usize| {
        move |path: &Path| fs::write(path, npy_bytes(descr, shape, &[0; 768][..n])).unwrap()
    };
    assert_snapshot!(stacks_refused(&[
        ("flat.npy", &floats(&[2, 48])),
        ("latents.npy", &floats(&[2, 4, 2, 9])),
        ("one_more.npy", &floats(&[3, 4, 4, 3])),
        ("integers.npy", &bytes("<i8", "(2, 4, 4, 3)", 768)),
        ("complex.npy", &bytes("<c8", "(2, 4, 4, 3)", 768)),
        ("rubbish.npy", &|path| fs::write(path, "no array").unwrap()),
        ("recons.csv", &|path| fs::write(path, "1,2,3").unwrap()),
    ]), @r"
    exit 1, stderr: error: [DIR]/flat.npy: an array of shape [2, 48]; expected (n images, height, width, 3) or (n images, 3, height, width), the same with 1 for grey or with a last axis of 4 for alpha, with one or two axes of parts after the first, or (n images, height, width) for grey, none of them 0; `x.reshape(2, 4, 4, 3)` if each row is a picture in colour
    exit 1, stderr: error: [DIR]/latents.npy: an array of shape [2, 4, 2, 9]; expected (n images, height, width, 3) or (n images, 3, height, width), the same with 1 for grey or with a last axis of 4 for alpha, with one or two axes of parts after the first, or (n images, height, width) for grey, none of them 0; latents of a diffusion model are no pictures: decode them, and save what the decoder gives
    exit 1, stderr: error: pairing images: 1 of the recon stems has no partner among the gt stems: 2; every stem must be on both sides; --pairs shared scores the 2 on both sides (gt: [DIR]/gt, recon: [DIR]/one_more.npy)
    exit 1, stderr: error: [DIR]/integers.npy: element type int64; expected uint8, or floats between 0 and 1; `x.astype(np.uint8)` makes uint8 of whole numbers from 0 to 255
    exit 1, stderr: error: [DIR]/complex.npy: element type <c8; expected a real number or bool type, such as <f4, <f8 or |u1
    exit 1, stderr: error: [DIR]/rubbish.npy: not a .npy file (it should begin with \x93NUMPY)
    exit 1, stderr: error: [DIR]/recons.csv: not a source of images; expected a folder of images, a .npy, .npz, .pt, .mat or .hdf5 file
    ");
}

#[test]
fn pickles_that_ask_for_code() {
    let system = b"\x80\x02cposix\nsystem\nX\x04\x00\x00\x00echo\x85R.";
    assert_snapshot!(stacks_refused(&[
        ("recons.pt", &|path| write_pt(path, system)),
        ("objects.npy", &|path| fs::write(path, npy_bytes("|O", "()", system)).unwrap()),
        ("text.pt", &|path| fs::write(path, "no archive").unwrap()),
    ]), @r#"
    exit 1, stderr: error: [DIR]/recons.pt: the pickle asks for "posix.system", which is not on the short list of harmless names; nothing was loaded
    exit 1, stderr: error: [DIR]/objects.npy: element type |O; expected a real number or bool type, such as <f4, <f8 or |u1; in Python, `np.save("x.npy", np.stack(list(x)))` makes one array of several with equal shapes
    exit 1, stderr: error: [DIR]/text.pt: not a .pt file (it should be a zip archive)
    "#);
}

#[test]
fn the_same_file_tells_no_number_for_what_is_not_finite() {
    let dir = images(&["0", "1"]);
    let mut values = vec![0.5; 2 * 48 * 48 * 3];
    values[48 * 48 * 3 + 7] = f32::NAN;
    write_f32(&dir.join("recons.npy"), &[2, 48, 48, 3], &values).unwrap();
    dir.succeed("score --gt gt --recon recons.npy --out run");
    let scores = dir.scores("run");
    for metric in ["pixcorr", "ssim", "psnr"] {
        let reason = scores.column(metric).unwrap()[1].clone().unwrap_err().to_string();
        assert_eq!(reason, "non-finite value in the reconstruction", "{metric}");
    }
}
