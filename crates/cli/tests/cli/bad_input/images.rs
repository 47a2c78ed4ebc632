//! Image inputs that are refused: the message names the file and the place, and nothing panics.

use crate::support::{self, arg, folder, image_folders, picture, refused, write};
use neurogauge::formats::image_file::write_png;
use neurogauge::formats::npy;
use std::fs;
use std::io::Write;
use std::path::Path;
use zip::write::SimpleFileOptions;

/// Sound folders of three images each, damaged by `damage(gt, recon)`, must be refused.
#[track_caller]
fn folders_refused(damage: impl Fn(&Path, &Path), parts: &[&str]) {
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "10"]);
    damage(&gt, &recon);
    let run = dir.path().join("run");
    let inputs = ["score", "--gt", arg(&gt), "--recon", arg(&recon)];
    refused(&[&inputs[..], &["--out", arg(&run)]].concat(), 1, parts);
    assert!(!run.join("scores.parquet").exists());
}

/// The file `name` that `make` writes must be refused as a stack of reconstructions.
#[track_caller]
fn stack_refused(name: &str, make: impl Fn(&Path), parts: &[&str]) {
    let dir = folder();
    let (gt, _) = image_folders(dir.path(), &["0", "1"]);
    let file = name.split('#').next().unwrap();
    make(&dir.path().join(file));
    let (stack, run) = (dir.path().join(name), dir.path().join("run"));
    let inputs = ["score", "--gt", arg(&gt), "--recon", arg(&stack)];
    let parts = [parts, &[file]].concat();
    refused(&[&inputs[..], &["--out", arg(&run)]].concat(), 1, &parts);
}

/// A `.npy` file with this header and body.
fn npy_bytes(descr: &str, shape: &str, body: &[u8]) -> Vec<u8> {
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}").into_bytes();
    header.resize(117, b' ');
    header.push(b'\n');
    [b"\x93NUMPY\x01\x00\x76\x00", &header[..], body].concat()
}

/// A `.pt` file around this pickle.
fn write_pt(path: &Path, pickle: &[u8]) {
    let mut archive = zip::ZipWriter::new(fs::File::create(path).unwrap());
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in [("data.pkl", pickle), ("version", b"3\n")] {
        archive
            .start_file(format!("archive/{name}"), stored)
            .unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap();
}

#[test]
fn a_stem_on_one_side_only() {
    let lost = |side: &Path| fs::remove_file(side.join("2.png")).unwrap();
    folders_refused(
        |_, recon| lost(recon),
        &["pairing images", "1 of the gt stems", "recon stems: 2;"],
    );
    folders_refused(
        |gt, _| lost(gt),
        &["pairing images", "1 of the recon stems", "gt stems: 2;"],
    );
}

#[test]
fn two_files_of_one_stem() {
    folders_refused(
        |_, recon| {
            fs::copy(recon.join("1.png"), recon.join("1.jpg")).unwrap();
        },
        &["recon", "\"1.jpg\" and \"1.png\"", "share the stem \"1\""],
    );
}

#[test]
fn files_that_do_not_decode() {
    folders_refused(
        |gt, _| {
            let bytes = fs::read(gt.join("10.png")).unwrap();
            fs::write(gt.join("10.png"), &bytes[..bytes.len() / 2]).unwrap();
        },
        &["gt/10.png", "not a readable image"],
    );
    folders_refused(
        |gt, _| fs::write(gt.join("2.png"), "").unwrap(),
        &["gt/2.png", "not a readable image"],
    );
    folders_refused(
        |_, recon| fs::write(recon.join("2.png"), "a text, in fact").unwrap(),
        &["recon/2.png", "not a readable image"],
    );
}

#[test]
fn folders_without_images_and_paths_without_anything() {
    let emptied = |side: &Path| {
        fs::remove_dir_all(side).unwrap();
        fs::create_dir(side).unwrap();
    };
    folders_refused(|gt, _| emptied(gt), &["gt: the folder holds no image"]);
    folders_refused(
        |_, recon| {
            emptied(recon);
            write(&recon.join("notes.txt"), "images will follow");
        },
        &["recon: the folder holds no image"],
    );
    folders_refused(
        |_, recon| fs::remove_dir_all(recon).unwrap(),
        &["recon: not found; expected a folder of images"],
    );
    stack_refused(
        "recons.csv",
        |path| write(path, "1,2,3"),
        &["not a source of images", ".npy, .pt or .hdf5 file"],
    );
}

#[test]
fn sides_that_differ_in_shape() {
    folders_refused(
        |_, recon| {
            let square = picture("2", 48, 4.0);
            let wide = neurogauge::core::Image::new(96, 24, square.data().to_vec()).unwrap();
            write_png(&recon.join("2.png"), &wide).unwrap();
        },
        &["pair \"2\"", "425 x 425 px", "1700 x 425 px", "same shape"],
    );
    folders_refused(
        |_, recon| {
            let tall = neurogauge::core::Image::new(24, 96, vec![7; 48 * 48 * 3]).unwrap();
            write_png(&recon.join("1.png"), &tall).unwrap();
        },
        &[
            "the stimulus is 48 x 48 px and the reconstruction 24 x 96 px",
            "--metrics",
        ],
    );
}

#[test]
fn arrays_of_the_wrong_rank_type_or_length() {
    let values = [0.5; 2 * 4 * 4 * 3];
    stack_refused(
        "flat.npy",
        |path| npy::write_f32(path, &[2, 48], &values).unwrap(),
        &["shape [2, 48]", "expected", "3)"],
    );
    stack_refused(
        "grey.npy",
        |path| npy::write_f32(path, &[2, 4, 12, 1], &values).unwrap(),
        &["shape [2, 4, 12, 1]", "expected", "3)"],
    );
    stack_refused(
        "one_more.npy",
        |path| npy::write_f32(path, &[3, 4, 4, 3], &[0.5; 144]).unwrap_or(()),
        &["pairing images", "1 of the recon stems", "2;"],
    );
    for (name, descr, width) in [("integers.npy", "<i8", 8), ("complex.npy", "<c8", 8)] {
        stack_refused(
            name,
            |path| {
                fs::write(
                    path,
                    npy_bytes(descr, "(2, 4, 4, 3)", &[0; 96 * 8][..96 * width]),
                )
                .unwrap();
            },
            &["expected"],
        );
    }
    stack_refused(
        "cut.npy",
        |path| fs::write(path, npy_bytes("<f4", "(2, 4, 4, 3)", &[0; 100])).unwrap(),
        &["384", "100", "cut short"],
    );
    stack_refused(
        "huge.npy",
        |path| {
            let shape = "(9223372036854775807, 9223372036854775807, 4, 3)";
            fs::write(path, npy_bytes("<f4", shape, &[0; 100])).unwrap();
        },
        &[],
    );
    stack_refused("rubbish.npy", |path| write(path, "no array"), &[]);
}

#[test]
fn pickles_that_ask_for_code() {
    let system = b"\x80\x02cposix\nsystem\nX\x04\x00\x00\x00echo\x85R.";
    stack_refused(
        "recons.pt",
        |path| write_pt(path, system),
        &["\"posix.system\"", "nothing was loaded"],
    );
    stack_refused(
        "objects.npy",
        |path| fs::write(path, npy_bytes("|O", "()", system)).unwrap(),
        &["expected"],
    );
    stack_refused("cut.pt", |path| write_pt(path, &system[..9]), &["pickle"]);
    stack_refused("empty.pt", |path| write_pt(path, b"\x80\x02}."), &[]);
    stack_refused("text.pt", |path| write(path, "no archive"), &[]);
}

#[test]
fn the_same_file_tells_no_number_for_what_is_not_finite() {
    let dir = folder();
    let (gt, _) = image_folders(dir.path(), &["0", "1"]);
    let (stack, run) = (dir.path().join("recons.npy"), dir.path().join("run"));
    let mut values = vec![0.5; 2 * 48 * 48 * 3];
    values[48 * 48 * 3 + 7] = f32::NAN;
    npy::write_f32(&stack, &[2, 48, 48, 3], &values).unwrap();
    let inputs = ["score", "--gt", arg(&gt), "--recon", arg(&stack)];
    support::succeed(&[&inputs[..], &["--out", arg(&run)]].concat());
    let scores = support::scores(&run);
    let reason = |metric: &str| scores.column(metric).unwrap()[1].clone().unwrap_err();
    for metric in ["pixcorr", "ssim", "psnr"] {
        let reason = reason(metric).to_string();
        assert_eq!(reason, "non-finite value in the reconstruction", "{metric}");
    }
}
