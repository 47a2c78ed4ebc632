//! Computes what was published.

use super::record::{PreparedAs, Quantity, Statistics, WitnessInput};
use super::subject::{ImageTower, Subject};
use crate::detection::{DetectorPreprocessing, RawDetections};
use crate::graph_text::tidy;
use crate::observers::preprocess::IMAGENET;
use crate::preprocess::{Arithmetic, Preprocessing, ResizeStep};
use crate::torch_random::TorchGenerator;
use crate::{
    CaptionOptions, Captioner, GroundingDino, ImagePreset, LayerRequest, ModelError,
    NetworkCaptioner, ParserOptions, Pooling, SceneGraphParser, SentenceEncoder, TextEncoder,
};
use neurogauge_core::Image;
use neurogauge_formats::{FormatError, array_file, image_file};
use std::num::NonZeroUsize;
use std::path::Path;

/// What a model is given, ready.
pub(super) enum Prepared {
    Texts(Vec<String>),
    Image(Image<f32>),
}

/// What came of a quantity.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Measured {
    Numbers(Vec<f64>),
    Text(String),
}

/// Prepares an input for a model; `file` is where its file lies, if it is one.
pub(super) fn prepare(
    input: &WitnessInput,
    file: Option<&Path>,
    model: &str,
    subject: &Subject,
) -> Result<Prepared, ModelError> {
    let path = file.unwrap_or(Path::new(""));
    Ok(match input {
        WitnessInput::Texts(texts) => Prepared::Texts(texts.clone()),
        &WitnessInput::SeededNormal {
            seed,
            width_px,
            height_px,
        } => {
            let values =
                TorchGenerator::manual_seed(seed).normal(3 * width_px * height_px, 0.0, 1.0);
            Prepared::Image(channels_first(width_px, height_px, &values)?)
        }
        WitnessInput::Picture { prepared, .. } => {
            let picture = image_file::read_rgb8(path).map_err(|error| unreadable(path, &error))?;
            let picture = picture.to_unit_float();
            Prepared::Image(match (prepared, subject) {
                (Some(prepared), _) => steps(prepared).apply(&picture)?,
                (None, Subject::Detector(_)) => {
                    DetectorPreprocessing::mmdetection().apply(&picture)?.image
                }
                (None, _) => ImagePreset::Published
                    .preprocessing(model, None)?
                    .apply(&picture)?,
            })
        }
        WitnessInput::Array {
            channels_last,
            statistics,
            ..
        } => {
            let array = array_file::open(path).map_err(|error| unreadable(path, &error))?;
            let values = array.read_f32().map_err(|error| unreadable(path, &error))?;
            let sides: Vec<usize> = array.shape().iter().map(|&n| n as usize).collect();
            let image = match (channels_last, &sides[..]) {
                (false, &[1, 3, height_px, width_px]) => {
                    channels_first(width_px, height_px, &values)?
                }
                (true, &[1, height_px, width_px, 3]) => Image::new(width_px, height_px, values)?,
                _ => {
                    return Err(ModelError::MalformedFile {
                        path: path.to_owned(),
                        reason: format!("its shape is {sides:?}, expected that of one image"),
                    });
                }
            };
            Prepared::Image(match statistics {
                Some(statistics) => normalised(image, *statistics),
                None => image,
            })
        }
    })
}

fn unreadable(path: &Path, error: &FormatError) -> ModelError {
    ModelError::MalformedFile {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}

fn channels_first(
    width_px: usize,
    height_px: usize,
    values: &[f32],
) -> Result<Image<f32>, ModelError> {
    let n_places = width_px * height_px;
    let pixels = (0..n_places).flat_map(|place| (0..3).map(move |c| values[c * n_places + place]));
    Ok(Image::new(width_px, height_px, pixels.collect())?)
}

fn normalised(mut image: Image<f32>, statistics: Statistics) -> Image<f32> {
    let (mean, std) = numbers(statistics);
    for pixel in image.data_mut().chunks_exact_mut(3) {
        for ((value, mean), std) in pixel.iter_mut().zip(mean).zip(std) {
            *value = (*value - mean) / std;
        }
    }
    image
}

fn numbers(statistics: Statistics) -> ([f32; 3], [f32; 3]) {
    match statistics {
        Statistics::Imagenet => IMAGENET,
    }
}

fn steps(prepared: &PreparedAs) -> Preprocessing {
    let (mean, std) = numbers(prepared.statistics);
    Preprocessing {
        resize: vec![ResizeStep::ShorterSide(prepared.shorter_px)],
        filter: prepared.filter,
        antialias: true,
        arithmetic: Arithmetic::EightBit,
        centre_crop_px: prepared.crop_px,
        mean,
        std,
    }
}

/// Computes a quantity; `None` where a model of this kind has none of this input.
pub(super) fn measure(
    subject: &Subject,
    input: &Prepared,
    quantity: &Quantity,
) -> Result<Option<Measured>, ModelError> {
    Ok(match (subject, input) {
        (Subject::Sentences(encoder), Prepared::Texts(texts)) => {
            of_sentences(encoder, texts, quantity)?.map(Measured::Numbers)
        }
        (Subject::Parser(parser), Prepared::Texts(texts)) => {
            of_parser(parser, texts, quantity)?.map(Measured::Text)
        }
        (Subject::Images(tower), Prepared::Image(image)) => {
            of_images(tower, image, quantity)?.map(Measured::Numbers)
        }
        (Subject::Captioner(captioner), Prepared::Image(image)) => {
            of_captioner(captioner, image, quantity)?
        }
        (Subject::Detector(detector), Prepared::Image(image)) => {
            of_detector(detector, image, quantity)?.map(Measured::Numbers)
        }
        _ => None,
    })
}

fn of_sentences(
    encoder: &SentenceEncoder,
    texts: &[String],
    quantity: &Quantity,
) -> Result<Option<Vec<f64>>, ModelError> {
    let unit = || {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let values = encoder.encode(&texts, &|_| {})?;
        let rows = values.chunks(encoder.n_features());
        Ok::<_, ModelError>(rows.map(<[f32]>::to_vec).collect::<Vec<_>>())
    };
    let of_pairs = |pairs: &[[usize; 2]], of: &dyn Fn(f64, f64) -> f64| {
        let rows = unit()?;
        let sum = |&[a, b]: &[usize; 2]| {
            let both = rows[a].iter().zip(&rows[b]);
            both.map(|(&a, &b)| of(f64::from(a), f64::from(b))).sum()
        };
        Ok(Some(pairs.iter().map(sum).collect()))
    };
    match quantity {
        Quantity::Cosines(pairs) => of_pairs(pairs, &|a, b| a * b),
        Quantity::NegativeManhattan(pairs) => of_pairs(pairs, &|a, b| -(a - b).abs()),
        Quantity::BeforeNorm { text, at } => {
            let vector = encoder.before_norm(&texts[*text])?;
            Ok(Some(at.iter().map(|&i| f64::from(vector[i])).collect()))
        }
        _ => Ok(None),
    }
}

fn of_parser(
    parser: &SceneGraphParser,
    texts: &[String],
    quantity: &Quantity,
) -> Result<Option<String>, ModelError> {
    let &Quantity::Facts {
        n_beams,
        max_new_tokens,
    } = quantity
    else {
        return Ok(None);
    };
    let options = ParserOptions {
        n_beams: NonZeroUsize::new(n_beams).unwrap_or(NonZeroUsize::MIN),
        max_new_tokens,
        ..ParserOptions::default()
    };
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let parsed = parser.parse(&texts, &options, &|_| {})?;
    let parsed: Vec<&str> = parsed.iter().map(|graph| graph.text.as_str()).collect();
    Ok(Some(tidy(&parsed.join(" , "))))
}

fn of_images(
    tower: &ImageTower,
    image: &Image<f32>,
    quantity: &Quantity,
) -> Result<Option<Vec<f64>>, ModelError> {
    let of = |layer: &str| {
        let request = LayerRequest {
            layer: layer.to_owned(),
            pooling: Pooling::None,
        };
        let found = tower
            .model
            .features(std::slice::from_ref(image), &[request])?;
        let values = found.into_iter().flat_map(|matrix| matrix.values);
        Ok::<Vec<f64>, ModelError>(values.map(f64::from).collect())
    };
    let norm = |values: &[f64]| values.iter().map(|v| v * v).sum::<f64>().sqrt();
    Ok(Some(match quantity {
        Quantity::Layer { name, at } if at.is_empty() => of(name)?,
        Quantity::Layer { name, at } => picked(&of(name)?, at),
        Quantity::Softmax { layer, at } => {
            let logits = of(layer)?;
            let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let powers: Vec<f64> = logits.iter().map(|v| (v - largest).exp()).collect();
            let sum: f64 = powers.iter().sum();
            picked(&powers, at).into_iter().map(|v| v / sum).collect()
        }
        Quantity::Sum { layer } => vec![of(layer)?.iter().sum()],
        Quantity::MeanOfUnit { layer } => {
            let values = of(layer)?;
            vec![values.iter().sum::<f64>() / norm(&values) / values.len() as f64]
        }
        Quantity::TopClasses { layer, n } => top(&of(layer)?, *n),
        Quantity::TopSet { layer, n } => {
            let mut classes = top(&of(layer)?, *n);
            classes.sort_by(f64::total_cmp);
            classes
        }
        Quantity::TextLogits { layer, texts } => {
            let image = of(layer)?;
            let of_image = norm(&image);
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let rows = tower.texts(&texts)?;
            let cosine = |row: &[f32]| {
                let both = row.iter().zip(&image);
                both.map(|(&a, b)| f64::from(a) * b).sum::<f64>() / of_image
            };
            rows.chunks(image.len())
                .map(|row| 100.0 * cosine(row))
                .collect()
        }
        _ => return Ok(None),
    }))
}

fn picked(values: &[f64], at: &[usize]) -> Vec<f64> {
    at.iter()
        .map(|&i| values.get(i).copied().unwrap_or(f64::NAN))
        .collect()
}

/// Places of the largest values, the largest first.
fn top(values: &[f64], n: usize) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    order
        .into_iter()
        .take(n)
        .map(|class| class as f64)
        .collect()
}

fn of_captioner(
    captioner: &NetworkCaptioner,
    image: &Image<f32>,
    quantity: &Quantity,
) -> Result<Option<Measured>, ModelError> {
    match quantity {
        Quantity::FirstLogits(at) => {
            let logits = captioner.first_logits(image)?;
            let logits: Vec<f64> = logits.into_iter().map(f64::from).collect();
            Ok(Some(Measured::Numbers(picked(&logits, at))))
        }
        &Quantity::Caption { max_new_tokens } => {
            let options = CaptionOptions {
                max_new_tokens,
                ..CaptionOptions::default()
            };
            let captions = captioner.caption(std::slice::from_ref(image), &options, &|_| {})?;
            Ok(captions.into_iter().next().map(Measured::Text))
        }
        _ => Ok(None),
    }
}

fn of_detector(
    detector: &GroundingDino,
    image: &Image<f32>,
    quantity: &Quantity,
) -> Result<Option<Vec<f64>>, ModelError> {
    let look = |prompt: &str| detector.detect(image, &detector.tokens(prompt)?);
    Ok(Some(match quantity {
        Quantity::QueryLogits {
            prompt,
            queries,
            tokens,
        } => {
            let raw = look(prompt)?;
            let rows = raw.logits.chunks(raw.n_tokens).take(*queries);
            rows.flat_map(|row| row.iter().take(*tokens))
                .map(|&v| f64::from(v))
                .collect()
        }
        Quantity::QueryBoxes {
            prompt,
            queries,
            sides,
        } => {
            let raw = look(prompt)?;
            let boxes = raw.boxes.iter().take(*queries);
            boxes
                .flat_map(|sizes| sizes.iter().take(*sides))
                .map(|&v| f64::from(v))
                .collect()
        }
        Quantity::FoundScores { prompt, threshold } => found(&look(prompt)?, *threshold)
            .into_iter()
            .map(|(score, _)| score)
            .collect(),
        Quantity::FoundBoxes { prompt, threshold } => {
            let found = found(&look(prompt)?, *threshold);
            found.into_iter().flat_map(|(_, corners)| corners).collect()
        }
        _ => return Ok(None),
    }))
}

/// Score and corners of the queries above a threshold, in their order.
fn found(raw: &RawDetections, threshold: f64) -> Vec<(f64, [f64; 4])> {
    let rows = raw.logits.chunks(raw.n_tokens.max(1)).zip(&raw.boxes);
    let scored = rows.map(|(logits, whole)| {
        let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let [x, y, width, height] = whole.map(f64::from);
        let corners = [
            x - width / 2.0,
            y - height / 2.0,
            x + width / 2.0,
            y + height / 2.0,
        ];
        (1.0 / (1.0 + (-f64::from(largest)).exp()), corners)
    });
    scored.filter(|(score, _)| *score > threshold).collect()
}
