//! Refused captions: for other stimuli, too many, or not captions at all.

use crate::support::*;

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
    exit 1, stderr: error: the features are about 3 stems and the captions about 3, and they are not the same (only among the features: 10; only among the captions: 3); all inputs of a run must share their stems; --pairs shared scores the 2 that both have
    exit 1, stderr: error: [DIR]/recon/captions.json: stem "2" has 2 captions; a reconstruction has one (only stimuli may have several references)
    "#);
    let dir = images(&["1", "2", "3"]);
    small_dataset(dir.path());
    let captions = "--gt captions=gt/captions.json --recon captions=gt/captions.json";
    assert_snapshot!(dir.refusals("score -q --gt gt --recon recon --out run", &[captions], "run"), @"
    --gt captions=gt/captions.json --recon captions=gt/captions.json
      exit 1, stderr: error: the images are about 3 stems and the captions about 3, and they are not the same (only among the images: 3; only among the captions: 10); all inputs of a run must share their stems; --pairs shared scores the 2 that both have
    ");
}
