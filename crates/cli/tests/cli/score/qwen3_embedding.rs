//! `--set text_encoder=Qwen3-Embedding-0.6B` with a synthetic checkpoint, whose vectors are known from
//! sentence-transformers.

use crate::support::*;

struct Case {
    dir: Folder,
    golden: Value,
}

impl Case {
    /// The golden's first four texts as captions: two pairs.
    fn new() -> Case {
        let golden = golden("models/qwen3_reduced");
        let dir = folder();
        // The required published files, for a small model.
        dir.write("weights/config.json", golden["config"].to_string());
        dir.write("weights/tokenizer.json", self::golden("models/qwen3_tokenizer").to_string());
        write_checkpoint(&golden, &dir.join("weights/model.safetensors"));
        let text = |index: usize| golden["texts"][index]["text"].clone();
        let captions = |first: usize| json!({ "1": text(first), "2": text(first + 2) }).to_string();
        dir.write("gt.json", captions(0));
        dir.write("recon.json", captions(1));
        Case { dir, golden }
    }

    fn score(&self, options: &str) -> Vec<f64> {
        let encoder = format!("--set text_encoder={ENCODER} --checkpoint {ENCODER}=weights/model.safetensors");
        self.dir.succeed(&format!("{SCORE} --overwrite {encoder} {options}"));
        values(&self.dir.join("run"), "cap_sim")
    }

    /// The cosines of both pairs, from these vectors.
    fn cosines(vectors: &[Value]) -> Vec<f64> {
        let vector = |index: usize| -> Vec<f64> { serde_json::from_value(vectors[index].clone()).unwrap() };
        let cosine = |a: usize| vector(a).iter().zip(vector(a + 1)).map(|(a, b)| a * b).sum();
        vec![cosine(0), cosine(2)]
    }
}

const ENCODER: &str = "Qwen3-Embedding-0.6B";
const SCORE: &str = "score --out run --gt captions=gt.json --recon captions=recon.json";

#[test]
fn captions_have_the_cosines_of_sentence_transformers() {
    let case = Case::new();
    // With the golden's limit, two of the four texts are cut.
    let limit = json!({ "max_seq_length": case.golden["max_seq_length"] }).to_string();
    write(&case.dir.join("weights/sentence_bert_config.json"), &limit);
    let vectors: Vec<Value> = case.golden["texts"].list().iter().map(|text| text["vector"].clone()).collect();
    let found = case.score("");
    for (found, expected) in found.iter().zip(Case::cosines(&vectors)) {
        assert!((found - expected).abs() < 1e-5, "{found} {expected}");
    }
    let record = record(&case.dir.join("run"));
    assert_eq!(record["models"][0]["id"], "Qwen3-Embedding-0.6B-custom");
    assert_eq!(record["request"].get("text_instruction"), None);
}

#[test]
fn an_instruction_stands_before_the_captions_of_both_sides() {
    let case = Case::new();
    let plain = case.score("");
    let instruction = case.golden["instruction"].text();
    let found = case.score(&format!("--set 'text_instruction={instruction}'"));
    let expected = Case::cosines(case.golden["instructed"].list());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-5, "{found} {expected}");
    }
    assert_ne!(found, plain);
    assert_eq!(record(&case.dir.join("run"))["request"]["text_instruction"], instruction);
    // Embeddings with and without an instruction are kept beside each other.
    close(&case.score(""), &plain);
    // Instructions are refused for an encoder that does not read them.
    assert_snapshot!(case.dir.run(&format!("{SCORE} --set 'text_instruction=Find the same'")), @"exit 2, stderr: error: --set text_instruction: all-MiniLM-L6-v2 was not trained to read instructions; leave it away, or take --set text_encoder=Qwen3-Embedding-0.6B");
}
