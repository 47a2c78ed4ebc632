//! The published all-MiniLM-L6-v2, against sentence-transformers.
use crate::parity;
use neurogauge_models::published_values::{
    Expected, Finding, PublishedInput, PublishedInputs, PublishedValues, Quantity, Verdict, published_values, selftest,
};
use neurogauge_models::weights::{NoProgress, verify};
use neurogauge_models::{Arithmetic, MiniLm, TextEncoder, WeightOptions, find, synthetic_model};
use std::path::PathBuf;
use std::process::Command;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden");

/// The folder of the published files. The test fails without it, since a skipped parity test proves nothing.
fn weights() -> PathBuf {
    std::env::var_os("NEUROGAUGE_TEST_WEIGHTS")
        .expect(
            "NEUROGAUGE_TEST_WEIGHTS must name the folder with the files of all-MiniLM-L6-v2: \
             run `make test`, which fetches them",
        )
        .into()
}

/// The golden's captions and their vectors.
fn encoded() -> (Vec<String>, Vec<f32>) {
    let encoder = MiniLm::load(&weights(), Arithmetic::default()).unwrap();
    let captions: Vec<String> = parity::read(&parity::golden("../text_encoder")["captions"]);
    let texts: Vec<&str> = captions.iter().map(String::as_str).collect();
    let vectors = encoder.encode(&texts, &|_| {}).unwrap();
    (captions, vectors)
}

#[test]
fn embeddings_equal_sentence_transformers() {
    let (texts, vectors) = encoded();
    let path = format!("{GOLDEN}/text_encoder_embeddings.npy");
    let file = npyz::NpyFile::new(std::fs::File::open(&path).expect(&path)).unwrap();
    assert_eq!(file.shape(), [texts.len() as u64, 384]);
    let expected: Vec<f32> = file.into_vec().unwrap();
    assert_eq!(vectors.len(), expected.len());
    let difference = |i: usize| (vectors[i] - expected[i]).abs();
    let worst = (0..vectors.len()).max_by(|&a, &b| difference(a).total_cmp(&difference(b))).unwrap();
    println!("largest difference: {:e}", difference(worst));
    assert!(
        difference(worst) < 1e-6,
        "caption {:?}, feature {}: {} instead of {}",
        texts[worst / 384],
        worst % 384,
        vectors[worst],
        expected[worst]
    );
}

#[test]
fn the_captions_of_seeds_figure_11_have_their_similarity() {
    let encoder = MiniLm::load(&weights(), Arithmetic::default()).unwrap();
    let captions =
        ["A group of people walking across a snow covered field.", "A person riding skis on a snowy surface."];
    let vectors = encoder.encode(&captions, &|_| {}).unwrap();
    let (gt, recon) = vectors.split_at(384);
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
    assert!((dot(gt, gt) - 1.0).abs() < 1e-6);
    assert!((dot(gt, recon) - 0.324_355).abs() < 1e-5, "{}", dot(gt, recon));
}

#[test]
fn the_folder_is_the_published_model() {
    let entry = find("all-MiniLM-L6-v2").unwrap();
    verify(&weights(), entry).unwrap();
    let encoder = MiniLm::load(&weights(), Arithmetic::default()).unwrap();
    let identity = encoder.identity();
    assert_eq!(identity.id, entry.id);
    assert_eq!(identity.revision, entry.revision);
    assert_eq!(Some(identity.sha256.as_str()), entry.weights().sha256.full());
}

fn options() -> WeightOptions {
    WeightOptions {
        dir: Some(weights()),
        ..WeightOptions::default()
    }
}

/// The findings of a self-test of MiniLM with these published values.
fn tested(all: &[PublishedValues]) -> Vec<Finding> {
    let (entry, options) = (find("all-MiniLM-L6-v2").unwrap(), options());
    let inputs = PublishedInputs::new(&options, false, &NoProgress).unwrap();
    selftest(entry, all, &options, &inputs)
}

#[test]
fn published_values_are_what_the_published_weights_give() {
    let found = tested(&published_values().unwrap());
    for finding in &found {
        println!("{:?}: {finding}, {:?} of {:?}", finding.id, finding.difference, finding.allowed);
    }
    let verdicts: Vec<&Verdict> = found.iter().map(|finding| &finding.verdict).collect();
    assert_eq!(verdicts, [&Verdict::Proved, &Verdict::Proved, &Verdict::Agrees]);
}

#[test]
fn a_value_that_is_another_is_named_with_its_difference() {
    let mut all = published_values().unwrap();
    all.retain(|reported| reported.id == "minilm-weather");
    let Expected::Numbers(numbers) = &mut all[0].checks[0].expected else {
        panic!("numbers");
    };
    numbers[1] += 0.01;
    let found = tested(&all);
    assert!(found[0].verdict.is_fault());
    let words = found[0].to_string();
    for part in ["differs by 1.0", "e-2 at the cosine of texts 0 and 2", "0.1146 published"] {
        assert!(words.contains(part), "{words}");
    }
    all[0].checks[0].quantity = Quantity::Caption {
        max_new_tokens: 9,
        n_beams: 1,
    };
    assert!(tested(&all)[0].to_string().contains("no such quantity"));
}

#[test]
fn what_cannot_be_tested_says_why() {
    let (all, options) = (published_values().unwrap(), options());
    let inputs = PublishedInputs::new(&options, false, &NoProgress).unwrap();
    let of = |id: &str| {
        let found = selftest(find(id).unwrap(), &all, &options, &inputs);
        assert_eq!(found.len(), 1);
        found[0].verdict.clone()
    };
    for id in ["alexnet", "sam2.1_hiera_large", "efficientnet_b1"] {
        assert_eq!(of(id), Verdict::WithoutWeights);
    }
    assert_eq!(of("swav_resnet50"), Verdict::Unknown);
}

#[test]
fn all_published_values_are_of_a_model_and_of_files_that_are_known() {
    let (all, options) = (published_values().unwrap(), WeightOptions::default());
    let inputs = PublishedInputs::new(&options, false, &NoProgress).unwrap();
    let is_file = |id: &str| inputs.files().iter().any(|file| file.id == id);
    for (index, reported) in all.iter().enumerate() {
        let id = &reported.id;
        assert!(all[..index].iter().all(|other| other.id != *id), "{id} occurs twice");
        find(&reported.model).unwrap();
        for file in reported.input.files() {
            assert!(is_file(file), "{id}: {file}");
        }
        if let PublishedInput::TokenIds(texts) = &reported.input {
            assert!(texts.iter().all(|ids| ids.last() == Some(&49_407)), "{id}");
        }
        for check in &reported.checks {
            match &check.expected {
                Expected::File { file } => assert!(is_file(file), "{id}: {file}"),
                Expected::Numbers(numbers) => assert!(!numbers.is_empty(), "{id}"),
                Expected::Text(text) => assert!(!text.is_empty(), "{id}"),
            }
        }
    }
    for file in inputs.files() {
        assert!(file.url.starts_with("https://"), "{}", file.url);
        assert!([0, 64].contains(&file.sha256.len()), "{}", file.id);
    }
}

/// The layers named in published values exist, for networks that are quick to build.
#[test]
fn the_layers_of_published_values_exist() {
    for id in [
        "alexnet",
        "resnet18",
        "resnet50",
        "convnext_tiny",
        "swin_t",
        "inception_v3",
        "efficientnet_b1",
        "vit_b_16",
        "clip_rn50",
    ] {
        let model = synthetic_model(id, 0, &[]).unwrap().model;
        let all = published_values().unwrap();
        let is_text =
            |input: &PublishedInput| matches!(input, PublishedInput::TokenIds(_) | PublishedInput::SeededIds { .. });
        let checks = all
            .iter()
            .filter(|reported| reported.model == id && !is_text(&reported.input))
            .flat_map(|w| &w.checks)
            .filter(|check| check.quantity != Quantity::Lpips);
        for check in checks {
            let layer = match &check.quantity {
                Quantity::Layer { name: layer, .. }
                | Quantity::Softmax { layer, .. }
                | Quantity::Sum { layer }
                | Quantity::MeanOfUnit { layer }
                | Quantity::TopClasses { layer, .. }
                | Quantity::TopSet { layer, .. }
                | Quantity::TokenLogits { layer, .. }
                | Quantity::TopOneAccuracy { layer } => layer.as_str(),
                other => panic!("{id}: {other:?}"),
            };
            assert!(model.layers().contains(&layer), "{id} has no {layer}");
        }
    }
}

/// Not a separate test: [`same_bits_with_any_number_of_threads`] runs it in separate processes, since the engine reads
/// the number of threads from the environment.
#[test]
#[ignore = "run by same_bits_with_any_number_of_threads"]
fn print_bits() {
    let (_, vectors) = encoded();
    let mix = |hash: u64, value: &f32| (hash ^ u64::from(value.to_bits())).wrapping_mul(0x0000_0100_0000_01B3);
    let bits = vectors.iter().fold(0, mix);
    println!("bits {bits:016x}");
}

#[test]
fn same_bits_with_any_number_of_threads() {
    let bits = ["1", "2", "8"].map(|threads| {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "published_weights::print_bits", "--ignored", "--nocapture"])
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let bits = text.lines().find_map(|line| line.split_once("bits ")?.1.get(..16).map(str::to_owned));
        bits.unwrap_or_else(|| panic!("no bits in {text}"))
    });
    assert!(bits.iter().all(|other| *other == bits[0]), "{bits:?}");
}
