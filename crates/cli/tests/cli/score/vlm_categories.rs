//! Object F1 of categories that a vision-language model names.

use crate::support::{arg, folder, refused, scores, succeed, write};

#[test]
fn named_categories_score_by_hand() {
    let dir = folder();
    let root = dir.path();
    let gt = r#"{"1": "dog, frisbee, Grass", "2": ["a cat"], "10": "sky"}"#;
    let recon = r#"{"2": "a_cat.", "1": ["Dog"], "10": ""}"#;
    write(&root.join("gt/vlm_categories.json"), gt);
    write(&root.join("recon/vlm_categories.json"), recon);
    let f1 = |run: &str, options: &[&str]| {
        let out = root.join(run);
        let args = ["score", "--observations", arg(root), "--out", arg(&out)];
        succeed(&[&args[..], options].concat());
        let table = scores(&out);
        assert_eq!(table.pairs, ["1", "2", "10"]);
        table.column("object_f1_vlm").unwrap().to_vec()
    };
    // Recall 1/3 and precision 1; equal; nothing named in the reconstruction (precision 1, recall 0).
    let found = f1("official", &[]);
    assert_eq!(found, [Ok(0.5), Ok(1.0), Ok(0.0)]);
    let found = f1("paper", &["--preset", "paper"]);
    assert_eq!(found[..2], [Ok(0.5), Ok(1.0)]);
    let reason = found[2].as_ref().unwrap_err().to_string();
    assert_eq!(reason, "no category detected in the reconstruction");
    let found = f1("as-written", &["--vlm-names", "as-written"]);
    assert_eq!(found, [Ok(0.0), Ok(0.0), Ok(0.0)]);
}

#[test]
fn what_is_missing_or_faulty_is_said() {
    let dir = folder();
    let root = dir.path();
    let (gt, recon, out) = (
        root.join("gt.json"),
        root.join("recon.json"),
        root.join("out"),
    );
    write(&gt, r#"{"1": "dog"}"#);
    write(&recon, r#"{"1": 7}"#);
    let args = ["score", "--out", arg(&out), "--gt-vlm-categories", arg(&gt)];
    refused(&args, 2, &["--recon-vlm-categories"]);
    let both = [&args[..], &["--recon-vlm-categories", arg(&recon)]].concat();
    refused(&both, 1, &["recon.json", "names parted by commas"]);
    write(&recon, r#"{"2": "dog"}"#);
    refused(&both, 1, &["VLM categories", "no partner", "recon.json"]);
    let args = ["score", "--out", arg(&out), "--metrics", "object_f1_vlm"];
    refused(&args, 2, &["object_f1_vlm needs", "vlm_categories.json"]);
}
