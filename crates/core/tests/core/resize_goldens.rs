//! Resizing against torchvision and Pillow (`reference/resize.py`).

use neurogauge_core::Image;
use neurogauge_core::image::{Filter, resize_float, resize_u8, shorter_side_to};
use neurogauge_core::synthetic::Synthetic;
use serde::Deserialize;
use sha2::{Digest, Sha256};

#[derive(Deserialize)]
struct Golden {
    float: Vec<FloatCase>,
    u8: Vec<BytesCase>,
    shorter_side: Vec<ShorterSide>,
}

#[derive(Deserialize)]
struct FloatCase {
    #[serde(flatten)]
    input: Input,
    antialias: bool,
    step: usize,
    sample: Vec<f32>,
    mean: f64,
}

#[derive(Deserialize)]
struct BytesCase {
    #[serde(flatten)]
    input: Input,
    values: Option<Vec<u8>>,
    sha256: Option<String>,
}

#[derive(Deserialize)]
struct ShorterSide {
    source: (usize, usize),
    side: usize,
    target: (usize, usize),
}

/// Sizes are width, height.
#[derive(Deserialize, Debug)]
struct Input {
    image: String,
    seed: u64,
    source: (usize, usize),
    target: (usize, usize),
    #[serde(deserialize_with = "filter")]
    filter: Filter,
}

/// Reads a filter; no option offers Lanczos.
fn filter<'de, D: serde::Deserializer<'de>>(word: D) -> Result<Filter, D::Error> {
    match String::deserialize(word)?.as_str() {
        "lanczos" => Ok(Filter::Lanczos),
        other => Filter::deserialize(serde::de::value::StrDeserializer::new(other)),
    }
}

impl Input {
    fn noise<T>(&self, value: impl Fn(Synthetic, u64) -> T) -> Vec<T> {
        let noise = Synthetic::new("resize", self.seed);
        let n_values = self.source.0 * self.source.1 * 3;
        (0..n_values as u64).map(|i| value(noise, i)).collect()
    }

    fn smooth(&self) -> Vec<u8> {
        let (width, height) = self.source;
        let ramps = |x, y| [255 * x / width, 255 * y / height, 255 * x * y / (width * height)];
        (0..width * height).flat_map(|i| ramps(i % width, i / width)).map(|v| v as u8).collect()
    }

    fn bytes(&self) -> Image<u8> {
        let data = match self.image.as_str() {
            "noise" => self.noise(Synthetic::byte),
            "smooth" => self.smooth(),
            other => panic!("no image called {other}"),
        };
        Image::new(self.source.0, self.source.1, data).unwrap()
    }

    fn float(&self) -> Image<f32> {
        let data = match self.image.as_str() {
            "noise" => self.noise(Synthetic::uniform),
            "smooth" => self.smooth().into_iter().map(|v| f32::from(v) / 256.0).collect(),
            other => panic!("no image called {other}"),
        };
        Image::new(self.source.0, self.source.1, data).unwrap()
    }
}

fn golden() -> Golden {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/resize.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn float_images_are_torchvisions_to_3e_7() {
    let cases = golden().float;
    assert_eq!(cases.len(), 23 * 2 * 4);
    for case in cases {
        let Input {
            target: (width, height),
            filter,
            ..
        } = case.input;
        let image = case.input.float();
        let resized = resize_float(&image, width, height, filter, case.antialias).unwrap();
        assert_eq!((resized.width_px(), resized.height_px()), (width, height));
        let values = resized.data();
        let sample: Vec<f32> = values.iter().step_by(case.step).copied().collect();
        assert_eq!(sample.len(), case.sample.len());
        for (ours, theirs) in sample.iter().zip(&case.sample) {
            assert!(
                (ours - theirs).abs() <= 3e-7,
                "{:?} antialias {}: {ours} against {theirs}",
                case.input,
                case.antialias
            );
        }
        let mean = values.iter().map(|&v| f64::from(v)).sum::<f64>() / values.len() as f64;
        assert!((mean - case.mean).abs() <= 3e-7, "{:?}: mean {mean}", case.input);
    }
}

#[test]
fn eight_bit_images_are_pillows_to_the_bit() {
    let cases = golden().u8;
    assert_eq!(cases.len(), 23 * 2 * 3);
    for case in cases {
        let Input {
            target: (width, height),
            filter,
            ..
        } = case.input;
        let resized = resize_u8(&case.input.bytes(), width, height, filter).unwrap();
        assert_eq!((resized.width_px(), resized.height_px()), (width, height));
        match (case.values, case.sha256) {
            (Some(values), None) => assert_eq!(resized.data(), values, "{:?}", case.input),
            (None, Some(theirs)) => {
                let digest = Sha256::digest(resized.data());
                let ours: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
                assert_eq!(ours, theirs, "{:?}", case.input);
            }
            _ => panic!("{:?} has no expected values", case.input),
        }
    }
}

#[test]
fn shorter_sides_are_torchvisions() {
    let cases = golden().shorter_side;
    assert_eq!(cases.len(), 8);
    for case in cases {
        let (width, height) = case.source;
        assert_eq!(shorter_side_to(width, height, case.side), case.target);
    }
}
