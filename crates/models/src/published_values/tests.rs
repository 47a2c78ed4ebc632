//! Tests that quantities of networks with synthetic weights equal the networks' outputs, in the published order.

use super::measure::{Measured, accuracy, distances, measure, of_text_rows};
use super::prepare::{Prepared, labelled_pictures, prepare};
use super::record::{MaskAsk, MasksOf, PublishedInput, Quantity, Statistics};
use super::subject::Subject;
use crate::architectures::clip::vectors_of_ids;
use crate::architectures::sam2::Sam2;
use crate::goldens::{difference, golden, read, tensors};
use crate::observers::segmentation::{MaskPrompt, Segmenter, SegmenterInput};
use crate::torch_random::TorchGenerator;
use crate::{ImagePreset, LayerRequest, Lpips, LpipsHeads, LpipsNet, synthetic_model};
use candle_core::{Device, Tensor};
use neurogauge_core::{BoxXyxy, Image, ModelIdentity, synthetic};
use neurogauge_formats::image_file;
use std::collections::HashMap;

/// Side of the reduced segmenter's images, and of its masks' logits.
const SIDES_PX: (usize, usize) = (64, 16);

fn segmenter() -> Subject {
    let config = r#"{
        "n_channels": 8, "blocks": [1, 1, 1, 1], "heads": [1, 2, 2, 4], "windows": [8, 4, 14, 7],
        "global_blocks": [], "background": 7, "image_px": 64, "width": 64, "n_inner": 32
    }"#;
    Subject::Segmenter(Box::new(Sam2::synthetic(config)))
}

fn drawn(seed: u64, width_px: usize, height_px: usize) -> Image<f32> {
    let values = TorchGenerator::manual_seed(seed).uniform(3 * width_px * height_px, 0.0, 1.0);
    Image::new(width_px, height_px, values).unwrap()
}

#[test]
fn masks_of_a_prompt_are_those_of_the_network_in_the_order_asked_for() {
    let (subject, side) = (segmenter(), SIDES_PX.0);
    let input = SegmenterInput {
        image: drawn(1, side, side),
        original_px: (40, 30),
    };
    let Subject::Segmenter(network) = &subject else {
        panic!("a segmenter");
    };
    let edges = [2.0, 3.0, 30.0, 20.0];
    let [x0, y0, x1, y1] = edges;
    let prompt = MaskPrompt::Box(BoxXyxy { x0, y0, x1, y1 });
    let taken = network.segment(&input, &[prompt]).unwrap().remove(0);
    let prompts = vec![MaskAsk::Box(edges), MaskAsk::Box([5.0, 5.0, 9.0, 9.0])];
    let of = |quantity: Quantity| {
        let prepared = Prepared::ForMasks(input.clone());
        match measure(&subject, &prepared, &quantity).unwrap() {
            Some(Measured::Numbers(numbers)) => numbers,
            other => panic!("{other:?}"),
        }
    };
    let scores = |masks: MasksOf| {
        let prompts = prompts.clone();
        of(Quantity::MaskScores { prompts, masks })
    };
    let corner = |masks: MasksOf, side: usize| {
        let prompts = prompts.clone();
        of(Quantity::MaskCorner { prompts, masks, side })
    };
    let chosen = scores(MasksOf::Chosen);
    assert_eq!(chosen.len(), prompts.len());
    assert_eq!(chosen[0], taken.score);
    let (three, sorted) = (scores(MasksOf::Three), scores(MasksOf::ThreeByScore));
    assert_eq!((three.len(), sorted.len()), (6, 6));
    for (three, sorted) in three.chunks(3).zip(sorted.chunks(3)) {
        let mut expected = three.to_vec();
        expected.sort_by(|a, b| b.total_cmp(a));
        assert_eq!(sorted, expected);
        assert!(sorted[0] > sorted[2], "the masks differ");
    }
    // The corner must be a crop of the whole.
    let (whole, cut) = (corner(MasksOf::ThreeByScore, SIDES_PX.1), corner(MasksOf::ThreeByScore, 2));
    assert_eq!(whole.len(), 2 * SIDES_PX.1 * SIDES_PX.1);
    let of_second = &whole[SIDES_PX.1 * SIDES_PX.1..];
    let expected = [0, 1, SIDES_PX.1, SIDES_PX.1 + 1];
    assert_eq!(cut[..4], expected.map(|place| whole[place]));
    assert_eq!(cut[4..], expected.map(|place| of_second[place]));
    let candidates = network.candidates(&input, &[MaskPrompt::Box(BoxXyxy { x0, y0, x1, y1 })]).unwrap().remove(0);
    assert_eq!(candidates.chosen, taken.candidate);
    let best = (1..4).max_by(|&a, &b| candidates.overlaps[a].total_cmp(&candidates.overlaps[b]));
    let logits = &candidates.logits[best.unwrap()];
    assert_eq!(f64::from(logits[SIDES_PX.1]), cut[2]);
    let chosen = &candidates.logits[candidates.chosen];
    assert_eq!(corner(MasksOf::Chosen, 1)[0], f64::from(chosen[0]));
}

#[test]
fn lpips_is_that_of_each_pair() {
    let heads = LpipsHeads::synthetic(LpipsNet::Alex, 0).unwrap();
    let lpips = Lpips::synthetic(heads, 0).unwrap();
    let [black, white] = [0.0, 1.0].map(|v| Image::new(64, 64, vec![v; 64 * 64 * 3]).unwrap());
    let pairs = [[black.clone(), white.clone()], [white.clone(), white]];
    let found = distances(&lpips, &pairs).unwrap();
    // The value of the package lpips with the same weights.
    assert!((found[0] - 0.546_335_64).abs() < 1e-5, "{found:?}");
    assert_eq!(found[1], 0.0);
}

#[test]
fn pairs_of_pictures_come_before_the_heads() {
    let dir = tempfile::tempdir().unwrap();
    let names: [&str; 5] = ["a", "b", "c", "d", "heads"];
    let files = names.map(|name| dir.path().join(format!("{name}.png")));
    for (level, file) in (1_u8..).zip(&files[..4]) {
        let image = Image::new(1, 1, vec![51 * level; 3]).unwrap();
        image_file::write_png(file, &image).unwrap();
    }
    let name = str::to_owned;
    let input = PublishedInput::PicturePairs {
        pairs: vec![[name("a"), name("b")], [name("c"), name("d")]],
        heads: Some(name("heads")),
    };
    assert_eq!(input.files(), names);
    let Prepared::Pairs { pairs, heads } = prepare(&input, &files, "alexnet", &segmenter()).unwrap() else {
        panic!("pairs");
    };
    let level = |image: &Image<f32>| image.at(0, 0, 0);
    let found: Vec<[f32; 2]> = pairs.iter().map(|[a, b]| [level(a), level(b)]).collect();
    assert_eq!(found, [[0.2, 0.4], [0.6, 0.8]]);
    assert_eq!(heads.as_ref(), Some(&files[4]));
    let input = PublishedInput::PicturePairs {
        pairs: vec![[name("a"), name("b")]],
        heads: None,
    };
    assert_eq!(input.files(), names[..2]);
    let without = prepare(&input, &files[..2], "dreamsim", &segmenter()).unwrap();
    assert!(matches!(without, Prepared::Pairs { pairs, heads: None } if pairs.len() == 1));
}

/// The reference's vectors of the same ids, from a checkpoint in OpenAI's layout that contains an image tower.
#[test]
fn texts_of_ids_are_the_reference_s() {
    let golden = golden("clip_openai_text_reduced");
    let mut shapes = tensors(&golden);
    shapes.insert("visual.proj".to_owned(), vec![4, 4]);
    let of_shape = |(name, shape): (String, Vec<usize>)| {
        let values = synthetic::parameter(&name, &shape, 0);
        (name, Tensor::from_vec(values, shape, &Device::Cpu).unwrap())
    };
    let tensors: HashMap<String, Tensor> = shapes.into_iter().map(of_shape).collect();
    let dir = tempfile::tempdir().unwrap();
    let weights = dir.path().join("tower.safetensors");
    candle_core::safetensors::save(&tensors, &weights).unwrap();
    let identity = ModelIdentity::placeholder("synthetic", "");
    let run = &golden["runs"][0];
    let mut ids: Vec<Vec<u32>> = read(&run["ids"]);
    // Tokens after the end have no effect.
    ids[0].extend([3, 2, 1]);
    let rows = vectors_of_ids(&weights, &identity, &ids).unwrap();
    let records = run["taps"]["text_projection"].as_array().unwrap();
    assert_eq!(rows.len(), records.len());
    for (row, record) in rows.iter().zip(records) {
        assert!(difference("text_projection", row, record) < 1e-4);
    }
}

#[test]
fn quantities_of_texts_that_are_ids() {
    let rows = [vec![3.0, 4.0], vec![4.0, 3.0]];
    let of = |quantity| of_text_rows(&rows, &quantity);
    assert_eq!(of(Quantity::Cosines(vec![[0, 1]])), Some(vec![0.96]));
    let element = Quantity::BeforeNorm { text: 1, at: vec![0] };
    assert_eq!(of(element), Some(vec![4.0]));
    let layer = "text_embeds".to_owned();
    assert_eq!(of(Quantity::MeanOfUnit { layer }), Some(vec![0.7, 0.7]));
    assert_eq!(of(Quantity::Lpips), None);
}

/// Tests `torch.manual_seed(0); torch.randn(1, 3, 4, 4); torch.randint(100, (1, 5))`, which draws from one stream of
/// 32-bit numbers.
#[test]
fn seeded_inputs_go_on_in_one_stream() {
    let subject = segmenter();
    let of = |input| prepare(&input, &[], "clip_rn50", &subject).unwrap();
    let Prepared::Ids(ids) = of(PublishedInput::SeededIds {
        seed: 0,
        behind_px: vec![4],
        vocabulary: 100,
        length: 5,
    }) else {
        panic!("ids");
    };
    let stream = TorchGenerator::manual_seed(0).integers(53, 100);
    assert_eq!(ids, [&stream[48..]]);
    let Prepared::Image(image) = of(PublishedInput::SeededBytes {
        seed: 42,
        width_px: 3,
        height_px: 2,
        statistics: Statistics::Clip,
    }) else {
        panic!("an image");
    };
    let bytes = TorchGenerator::manual_seed(42).integers(18, 255);
    // Channels come first, so the first green value of the second row is number 9.
    let expected = (bytes[9] as f32 / 255.0 - 0.457_827_5) / 0.261_302_6;
    assert_eq!(image.at(0, 1, 1), expected);
}

#[test]
fn accuracy_counts_pictures_whose_class_is_first() {
    let model = synthetic_model("resnet18", 0, &[]).unwrap().model;
    let steps = || ImagePreset::Published.preprocessing("resnet18", None).unwrap();
    let dir = tempfile::tempdir().unwrap();
    for class in 0..1000 {
        std::fs::create_dir(dir.path().join(format!("n{class:04}"))).unwrap();
    }
    let png = |seed: u64| {
        let path = dir.path().join(format!("{seed}.png"));
        let image = drawn(seed, 40, 30);
        let pixels = image.data().iter().map(|v| (255.0 * v) as u8);
        let image = Image::new(40, 30, pixels.collect()).unwrap();
        image_file::write_png(&path, &image).unwrap();
        path
    };
    // Three pictures go into the folder of the class that the model finds, and one into the next folder.
    for (seed, off) in [(1, 0), (2, 0), (3, 0), (4, 1)] {
        let path = png(seed);
        let picture = image_file::read_rgb8(&path).unwrap().to_unit_float();
        let request = LayerRequest::whole("fc");
        let image = steps().apply(&picture).unwrap();
        let logits = model.features(&[image], &[request]).unwrap().remove(0);
        let of = |&class: &usize| logits.values[class];
        let named = (0..1000).max_by(|a, b| of(a).total_cmp(&of(b))).unwrap();
        let class = (named + off) % 1000;
        let place = dir.path().join(format!("n{class:04}/{seed}.png"));
        std::fs::rename(path, place).unwrap();
    }
    let pictures = labelled_pictures(dir.path(), steps()).unwrap();
    assert_eq!(accuracy(model.as_ref(), "fc", &pictures).unwrap(), 0.75);

    std::fs::create_dir(dir.path().join("n1000")).unwrap();
    let empty = dir.path().join("n1000");
    let message = labelled_pictures(&empty, steps()).err().unwrap();
    assert!(message.to_string().contains("no pictures"), "{message}");
    let pictures = labelled_pictures(dir.path(), steps()).unwrap();
    let message = accuracy(model.as_ref(), "fc", &pictures).unwrap_err().to_string();
    assert!(message.contains("1001 folders of classes, expected 1000"), "{message}");
}
