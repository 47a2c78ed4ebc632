//! `--object-variant`: the weight of a category, with the image size from any source that has it.

use crate::support;
use crate::support::observations::write_detections;
use crate::support::{arg, close, folder, neurogauge, picture, values};
use neurogauge::formats::image_file::write_png;
use std::path::Path;

const TOP_LEFT: [f64; 4] = [0.0, 0.0, 100.0, 100.0];
const MIDDLE: [f64; 4] = [50.0, 0.0, 150.0, 200.0];

/// A person at the top left and a dog in the middle of an image of 200 x 200 px; the dog is lost.
fn write_observations(root: &Path) {
    let objects = [("person", 0.8, TOP_LEFT), ("dog", 0.8, MIDDLE)];
    write_detections(&root.join("gt"), "a", &objects);
    write_detections(&root.join("recon"), "a", &objects[..1]);
}

fn recall(root: &Path, options: &[&str]) -> Result<f64, support::Ran> {
    let run = root.join("run");
    let observations = ["score", "--observations", arg(root), "--out", arg(&run)];
    let metrics = ["--metrics", "object_recall", "--overwrite"];
    let ran = neurogauge(&[&observations[..], &metrics, options].concat());
    if ran.code == 0 {
        Ok(values(&run, "object_recall")[0])
    } else {
        Err(ran)
    }
}

#[test]
fn weights_are_those_found_by_hand() {
    let dir = folder();
    write_observations(dir.path());
    let with_size = |variant: &str| {
        let options = ["--object-variant", variant, "--image-size", "200x200"];
        recall(dir.path(), &options).ok().unwrap()
    };
    close(&[with_size("existence")], &[0.5]);
    // A quarter of the image and a half of it.
    close(&[with_size("size")], &[1.25 / (1.25 + 1.5)]);
    // Half-way to the border and on the centre.
    close(&[with_size("location")], &[1.5 / (1.5 + 2.0)]);
    close(&[with_size("number")], &[0.5]);

    let herd = [("dog", 0.8, MIDDLE); 3];
    write_detections(&dir.path().join("gt"), "a", &herd);
    write_detections(&dir.path().join("recon"), "a", &herd[..2]);
    close(&[with_size("existence")], &[1.0]);
    close(&[with_size("number")], &[2.0 / 3.0]);
}

#[test]
fn the_size_comes_from_the_images_even_if_they_are_not_scored() {
    let dir = folder();
    write_observations(dir.path());
    let images = ["gt", "recon"].map(|side| {
        let path = dir.path().join("images").join(side);
        write_png(&path.join("a.png"), &picture("a", 200, 4.0)).unwrap();
        path
    });
    let size = ["--object-variant", "size"];
    let with_images = ["--gt", arg(&images[0]), "--recon", arg(&images[1])];
    let found = recall(dir.path(), &[&size[..], &with_images].concat());
    close(&[found.ok().unwrap()], &[1.25 / (1.25 + 1.5)]);

    let unknown = recall(dir.path(), &size).err().unwrap();
    assert_eq!(unknown.code, 2, "{}", unknown.stderr);
    for part in ["pair \"a\"", "size variant", "--image-size"] {
        unknown.says(&[part]);
    }
}
