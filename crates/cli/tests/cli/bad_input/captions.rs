//! Captions that are refused: about other stimuli, too many, or not captions at all.

use crate::support::observations::{refusals_of, small_dataset, write_captions};
use crate::support::{folder, images};
use insta::assert_snapshot;

#[test]
fn captions_that_belong_to_something_else() {
    assert_snapshot!(refusals_of(&[
        &|dir| {
            for side in ["gt", "recon"] {
                write_captions(&dir.join(side), &[("1", "x"), ("2", "y"), ("3", "z")]);
            }
        },
        &|dir| dir.write("recon/captions.json", r#"{"1": "x", "2": ["y", "z"], "10": "w"}"#),
    ]), @r#"
    exit 1, stderr: error: the features are about 3 stems and the captions about 3, and they are not the same (only in one of them: 10, 3); all inputs of a run must share their stems
    exit 1, stderr: error: [DIR]/recon/captions.json: stem "2" has 2 captions; a reconstruction has one (only stimuli may have several references)
    "#);
    let dir = images(&["1", "2", "3"]);
    small_dataset(dir.path());
    let captions = "--gt-captions gt/captions.json --recon-captions gt/captions.json";
    assert_snapshot!(dir.refusals("score -q --gt gt --recon recon --out run", &[captions], "run"), @"
    --gt-captions gt/captions.json --recon-captions gt/captions.json
      exit 1, stderr: error: the images are about 3 stems and the captions about 3, and they are not the same (only in one of them: 3, 10); all inputs of a run must share their stems
    ");
}

#[test]
fn pickled_captions_that_ask_for_code() {
    let dir = folder();
    let mut header = b"{'descr': '|O', 'fortran_order': False, 'shape': (), }".to_vec();
    header.resize(117, b' ');
    header.push(b'\n');
    let pickle = b"\x80\x02cposix\nsystem\nX\x04\x00\x00\x00echo\x85R.";
    dir.write("captions.npy", [b"\x93NUMPY\x01\x00\x76\x00", &header[..], pickle].concat());
    assert_snapshot!(dir.run("score --gt-captions captions.npy --recon-captions captions.npy --out run -q"), @r#"exit 1, stderr: error: [DIR]/captions.npy: the pickle asks for "posix.system", which is not on the short list of harmless names; nothing was loaded"#);
}
