//! Captions that are refused: about other stimuli, too many, or not captions at all.

use crate::support::arguments::score_images;
use crate::support::observations::{
    damage_refused, observations_refused, small_dataset, write_captions,
};
use crate::support::{arg, folder, image_folders, refused};
use std::fs;

#[test]
fn captions_that_belong_to_something_else() {
    damage_refused(
        |root| {
            for side in ["gt", "recon"] {
                write_captions(&root.join(side), &[("1", "x"), ("2", "y"), ("3", "z")]);
            }
        },
        &["not the same", "captions", "10, 3"],
    );
    observations_refused(
        "recon/captions.json",
        br#"{"1": "x", "2": ["y", "z"], "10": "w"}"#,
        &["stem \"2\" has 2 captions", "a reconstruction has one"],
    );
    let dir = folder();
    let (gt, recon) = image_folders(dir.path(), &["1", "2", "3"]);
    small_dataset(dir.path());
    let (captions, run) = (dir.path().join("gt/captions.json"), dir.path().join("run"));
    refused(
        &score_images(
            &gt,
            &recon,
            &run,
            &[
                "--gt-captions",
                arg(&captions),
                "--recon-captions",
                arg(&captions),
            ],
        ),
        1,
        &["images are about 3 stems", "captions about 3", "3, 10"],
    );
    assert!(!run.exists(), "nothing was begun");
}

#[test]
fn pickled_captions_that_ask_for_code() {
    let dir = folder();
    let mut header = b"{'descr': '|O', 'fortran_order': False, 'shape': (), }".to_vec();
    header.resize(117, b' ');
    header.push(b'\n');
    let pickle = b"\x80\x02cposix\nsystem\nX\x04\x00\x00\x00echo\x85R.";
    let captions = dir.path().join("captions.npy");
    let bytes = [b"\x93NUMPY\x01\x00\x76\x00", &header[..], pickle].concat();
    fs::write(&captions, bytes).unwrap();
    let (file, run) = (arg(&captions), dir.path().join("run"));
    let inputs = ["score", "--gt-captions", file, "--recon-captions", file];
    refused(
        &[&inputs[..], &["--out", arg(&run)]].concat(),
        1,
        &["captions.npy", "\"posix.system\"", "nothing was loaded"],
    );
}
