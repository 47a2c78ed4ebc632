//! `--weight-precision`, `--precision` and `--device` of text encoders: rounded weights count as another model in
//! results, records and caches.

use crate::support::*;

const GT: &str = r#"{"1": "a dog runs", "2": "a red car", "3": "a cup of tea"}"#;
const RECON: &str = r#"{"1": "a puppy playing outside", "2": "a red car", "3": "some wine"}"#;

#[test]
fn captions_are_compared_by_rounded_weights_and_nothing_is_mixed() {
    let dir = folder();
    dir.write("gt.json", GT);
    dir.write("recon.json", RECON);
    let weights = weights();
    let score_with = |choices: &str| {
        let captions = "--gt captions=gt.json --recon captions=recon.json";
        let weights = format!("--weights {}", arg(&weights));
        let ran = dir.succeed(&format!("score --out run --overwrite {captions} {weights} {choices}"));
        ran.says(&["3 pairs scored"]);
        (dir.record("run")["models"].clone()[0]["id"].text().to_owned(), dir.values("run", "cap_sim"))
    };
    let score = |precision: &str| score_with(&format!("--weight-precision {precision} --weights-in-f32"));
    let (id, plain) = score("f32");
    assert_eq!(id, "all-MiniLM-L6-v2");
    let change = |other: &[f64]| plain.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let (id, bf16) = score("bf16");
    assert_eq!(id, "all-MiniLM-L6-v2-bf16");
    let (id, f16) = score("f16");
    assert_eq!(id, "all-MiniLM-L6-v2-f16");
    // bf16 has eight bits and f16 eleven, so f16 is nearer.
    assert!((1e-5..2e-2).contains(&change(&bf16)), "{plain:?} {bf16:?}");
    assert!((1e-7..2e-3).contains(&change(&f16)), "{plain:?} {f16:?}");
    assert!(change(&f16) < change(&bf16));
    // Both factors of every linear map are rounded, and nothing else.
    let (id, products) = score_with("--precision bf16");
    assert_eq!(id, "all-MiniLM-L6-v2-bf16-products");
    assert!((1e-5..2e-2).contains(&change(&products)), "{products:?}");
    let (id, elsewhere) = score_with("--precision bf16 --device cpu-f64");
    assert_eq!(id, "all-MiniLM-L6-v2-bf16-products-cpu-f64");
    assert!((1e-5..2e-2).contains(&change(&elsewhere)), "{elsewhere:?}");
    assert_ne!(elsewhere, products);
    // Another device also counts as another model, with different rounding.
    let (id, wide) = score_with("--device cpu-f64");
    assert_eq!(id, "all-MiniLM-L6-v2-cpu-f64");
    assert!((1e-12..1e-6).contains(&change(&wide)), "{wide:?}");
    // Earlier embeddings are found again, each in its own store.
    assert_eq!(score_with("--precision f32").1, plain);
    assert_eq!(score("bf16").1, bf16);
}

#[test]
fn features_of_rounded_weights_have_a_name_of_their_own() {
    let dir = folder();
    dir.picture("images/1.png", "1", 48, 30.0);
    let perceive = |options: &str| {
        let perceive = "perceive --images images --with resnet18-untrained-1:avgpool --out out";
        let file = dir.succeed(&format!("{perceive} {options}")).stdout;
        let (_, values) = npy::read_f32(&dir.join(file.trim())).unwrap();
        (file, values)
    };
    let (_, plain) = perceive("");
    let (file, rounded) = perceive("--weight-precision bf16");
    assert!(file.trim().ends_with("resnet18-untrained-1-bf16.avgpool.npy"), "{file}");
    let largest = plain.iter().fold(0.0_f32, |a, &b| a.max(b.abs()));
    let change = plain.iter().zip(&rounded).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max) / largest;
    assert!((1e-5..5e-2).contains(&change), "{change}");
}

#[test]
fn precisions_that_are_unknown_or_exclude_each_other_are_refused() {
    let table = r#"
    --weight-precision fp16
      exit 2, stderr: error: invalid value 'fp16' for '--weight-precision <PRECISION>': "fp16": expected f32, bf16, f16 or bf16-products
    --precision bf16 --weight-precision f16
      exit 2, stderr:
      error: the argument '--precision <PRECISION>' cannot be used with '--weight-precision <PRECISION>'

      Usage: neurogauge score --out <RUN> --precision <PRECISION> [GT] [RECON]
    "#;
    folder().refuses("score --out run", "run", table);
}
