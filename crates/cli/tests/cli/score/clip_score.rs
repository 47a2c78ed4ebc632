//! CLIP-S and RefCLIP-S of runs, with a small CLIP whose text embeddings come from transformers
//! (`reference/clip_score.py`).

use crate::support::*;

const STEMS: [&str; 3] = ["1", "2", "10"];
const BOTH: &str = "score --observations . --out run --overwrite --metrics clip_s,ref_clip_s";
const TOWER: &str = "--checkpoint clip_vit_b_32_text=tower/model.safetensors";

fn write_embeddings(dir: &Folder, side: &str, rows: &[Vec<f32>]) {
    let features = Features::new(STEMS.map(str::to_owned).to_vec(), rows[0].len(), rows.concat()).unwrap();
    features::write(&dir.join(side).join("features"), "clip_vit_b_32", &features).unwrap();
}

/// Captions and embeddings of images, and the tower.
fn dataset() -> (Folder, Value) {
    let (dir, golden) = (folder(), golden("clip_score"));
    dir.write("gt/captions.json", golden["references"].to_string());
    dir.write("recon/captions.json", golden["captions"].to_string());
    write_embeddings(&dir, "gt", &STEMS.map(|stem| serde_json::from_value(golden["images"][stem].clone()).unwrap()));
    write_embeddings(&dir, "recon", &vec![vec![1.0; 52]; 3]);
    dir.write("tower/tokenizer.json", golden["tokenizer"].to_string());
    write_checkpoint(&self::golden("models/clip_text_reduced"), &dir.join("tower/model.safetensors"));
    (dir, golden)
}

#[test]
fn captions_of_reconstructions_are_scored_against_the_stimuli_as_the_paper_does() {
    let (dir, golden) = dataset();
    dir.succeed(&format!("{BOTH} {TOWER}"));
    for id in ["clip_s", "ref_clip_s"] {
        for (stem, found) in STEMS.iter().zip(dir.values("run", id)) {
            let expected = golden[id][stem].number();
            assert!((found - expected).abs() < 1e-5, "{id}: {found} {expected}");
        }
    }
    let recorded = dir.record("run");
    assert_eq!(recorded["models"][0]["id"], "clip_vit_b_32_text-custom");
    assert_eq!(recorded["metrics"][0]["origin"], "features/clip_vit_b_32");
    assert_eq!(recorded["metrics"][1]["conventions"], json!(["clip-score-images", "clip-score-reference"]));
    // A page and a comparison show them like any other metrics.
    dir.succeed("report run --out report.html");
    dir.succeed("score --from-run run/run.json --out again");
    dir.succeed("compare run again --out compared");
}

#[test]
fn what_cannot_be_compared_has_no_score_or_is_refused() {
    let (dir, golden) = dataset();
    let run = dir.join("run");
    let row = |stem: &str| serde_json::from_value(golden["images"][stem].clone()).unwrap();
    write_embeddings(&dir, "gt", &[row("1"), row("2"), vec![0.0; 52]]);
    dir.succeed(&format!("{BOTH} {TOWER}"));
    let column = dir.scores(&run).column("clip_s").unwrap().to_vec();
    assert!(column[0].is_ok() && column[1].is_ok());
    assert_snapshot!(column[2].clone().unwrap_err(), @"empty stimulus");

    // A placeholder for captions marks the numbers; its embeddings differ in length from these image embeddings.
    let placeholder = format!("{BOTH} --set text_encoder=placeholder");
    assert_snapshot!(dir.run(&placeholder), @r#"exit 1, stderr: error: pair "1", clip_s: the stimulus has 52 values and the reconstruction 256; both must have as many"#);
    let wide = vec![vec![1.0; 256]; 3];
    write_embeddings(&dir, "gt", &wide);
    write_embeddings(&dir, "recon", &wide);
    dir.succeed(&placeholder);
    assert_eq!(dir.summary(&run)["clip_s"]["stand_in"], true);

    dir.remove("gt/features");
    dir.remove("recon/features");
    assert_snapshot!(dir.run(&format!("{BOTH} {TOWER}")), @"exit 2, stderr: error: clip_s needs captions of both sides (--observations, or --gt captions=FILE and --recon captions=FILE), and images of both sides (--gt, --recon); without captions, --captioner MODEL");
}
