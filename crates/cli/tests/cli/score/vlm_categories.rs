//! Object F1 of categories that a vision-language model names.

use crate::support::*;

#[test]
fn named_categories_score_by_hand() {
    let dir = folder();
    let gt = r#"{"1": "dog, frisbee, Grass", "2": ["a cat"], "10": "sky"}"#;
    dir.write("gt/vlm_categories.json", gt);
    let recon = r#"{"2": "a_cat.", "1": ["Dog"], "10": ""}"#;
    dir.write("recon/vlm_categories.json", recon);
    let f1 = |options: &str| {
        dir.succeed(&format!("{SCORE} {options}"));
        let table = dir.scores("run");
        assert_eq!(table.pairs, ["1", "2", "10"]);
        table.column("object_f1_vlm").unwrap().to_vec()
    };
    // Recall 1/3 and precision 1; equal sides; no names for the reconstruction (precision 1, recall 0).
    assert_eq!(f1(""), [Ok(0.5), Ok(1.0), Ok(0.0)]);
    let found = f1("--preset paper");
    assert_eq!(found[..2], [Ok(0.5), Ok(1.0)]);
    assert_eq!(found[2].as_ref().unwrap_err().to_string(), "no category detected in the reconstruction");
    assert_eq!(f1("--set vlm_names=as-written"), [Ok(0.0), Ok(0.0), Ok(0.0)]);
}

#[test]
fn what_is_missing_or_faulty_is_said() {
    let dir = folder();
    dir.write("gt.json", r#"{"1": "dog"}"#);
    dir.write("recon.json", r#"{"1": 7}"#);
    dir.write("other.json", r#"{"2": "dog"}"#);
    let table = r#"
    --gt vlm-categories=gt.json
      exit 2, stderr: error: VLM categories are given for the stimuli ([DIR]/gt.json) but not for the reconstructions; add --recon vlm-categories=FILE
    --gt vlm-categories=gt.json --recon vlm-categories=recon.json
      exit 1, stderr: error: [DIR]/recon.json:1:7: the number 7; expected names parted by commas, "dog, frisbee", or a list of names
    --gt vlm-categories=gt.json --recon vlm-categories=other.json
      exit 1, stderr: error: pairing VLM categories: 1 of the gt stems has no partner among the recon stems: 1; every stem must be on both sides; the recon stems without a partner are 2 (gt: [DIR]/gt.json, recon: [DIR]/other.json)
    --metrics object_f1_vlm
      exit 2, stderr: error: object_f1_vlm needs names of categories of both sides (vlm_categories.json in --observations, or --gt vlm-categories=FILE and --recon vlm-categories=FILE)
    "#;
    dir.refuses("score --out out", "out", table);
}
