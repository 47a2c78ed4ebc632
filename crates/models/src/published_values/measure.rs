//! Computes the published quantities.

use super::prepare::{LabelledPictures, Prepared};
use super::record::{MaskAsk, MasksOf, Quantity};
use super::subject::{ImageTower, Subject};
use crate::architectures::sam2::Sam2;
use crate::observers::detection::RawDetections;
use crate::observers::scene_graph_parsing::graph_text::tidy;
use crate::observers::segmentation::{MaskPoint, MaskPrompt, PointLabel, SegmenterInput};
use crate::{
    CaptionOptions, Captioner, DeviceChoice, GroundingDino, ImageModel, ImagePreset, LayerRequest, Lpips, LpipsHeads,
    ModelError, NetworkCaptioner, ParserOptions, SceneGraphParser, SentenceEncoder, TextEncoder,
};
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{BoxXyxy, Image};
use neurogauge_formats::image_file;
use std::num::NonZeroUsize;
use std::path::Path;

/// Number of pictures in memory at a time.
const BATCH: usize = 64;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Measured {
    Numbers(Vec<f64>),
    Text(String),
}

/// Computes a quantity; `None` if this kind of model cannot compute it for this input.
pub(super) fn measure(
    subject: &Subject,
    input: &Prepared,
    quantity: &Quantity,
) -> Result<Option<Measured>, ModelError> {
    Ok(match (subject, input) {
        (Subject::Sentences(encoder), Prepared::Texts(texts)) => {
            of_sentences(encoder, texts, quantity)?.map(Measured::Numbers)
        }
        (Subject::Parser(parser), Prepared::Texts(texts)) => of_parser(parser, texts, quantity)?.map(Measured::Text),
        (Subject::Segmenter(segmenter), Prepared::ForMasks(image)) => {
            of_segmenter(segmenter, image, quantity)?.map(Measured::Numbers)
        }
        (Subject::Images(tower), Prepared::Ids(ids)) => of_token_ids(tower, ids, quantity)?.map(Measured::Numbers),
        (Subject::Images(tower), Prepared::Pairs { pairs, heads }) => match (quantity, heads) {
            (Quantity::CosineDistances { layer }, _) => Some(Measured::Numbers(cosine_distances(tower, layer, pairs)?)),
            (Quantity::Lpips, Some(heads)) => {
                let lpips = Lpips::load(&tower.local, LpipsHeads::open(heads)?, DeviceChoice::Cpu)?;
                Some(Measured::Numbers(distances(&lpips, pairs)?))
            }
            _ => None,
        },
        (Subject::Images(tower), Prepared::Classes(pictures)) => match quantity {
            Quantity::TopOneAccuracy { layer } => {
                let share = accuracy(tower.model.as_ref(), layer, pictures)?;
                Some(Measured::Numbers(vec![100.0 * share]))
            }
            _ => None,
        },
        (Subject::Images(tower), Prepared::Image(image)) => of_images(tower, image, quantity)?.map(Measured::Numbers),
        (Subject::Captioner(captioner), Prepared::Image(image)) => of_captioner(captioner, image, quantity)?,
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
        let sum =
            |&[a, b]: &[usize; 2]| rows[a].iter().zip(&rows[b]).map(|(&a, &b)| of(f64::from(a), f64::from(b))).sum();
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

fn of_parser(parser: &SceneGraphParser, texts: &[String], quantity: &Quantity) -> Result<Option<String>, ModelError> {
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

/// The output of a layer for each image.
fn rows(model: &dyn ImageModel, layer: &str, images: &[Image<f32>]) -> Result<Vec<Vec<f64>>, ModelError> {
    let found = model.features(images, &[LayerRequest::whole(layer)])?.swap_remove(0);
    let rows = found.values.chunks(found.n_features.max(1));
    Ok(rows.map(|row| row.iter().copied().map(f64::from).collect()).collect())
}

fn of_images(tower: &ImageTower, image: &Image<f32>, quantity: &Quantity) -> Result<Option<Vec<f64>>, ModelError> {
    let of = |layer: &str| rows(tower.model.as_ref(), layer, std::slice::from_ref(image)).map(|rows| rows.concat());
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
        Quantity::MeanOfUnit { layer } => vec![mean_of_unit(&of(layer)?)],
        Quantity::TopClasses { layer, n } => top(&of(layer)?, *n),
        Quantity::TopSet { layer, n } => {
            let mut classes = top(&of(layer)?, *n);
            classes.sort_by(f64::total_cmp);
            classes
        }
        Quantity::TextLogits { layer, texts } => {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            logits(&of(layer)?, &tower.texts(&texts)?)
        }
        Quantity::TokenLogits { layer, ids } => logits(&of(layer)?, &tower.texts_of_ids(ids)?.concat()),
        _ => return Ok(None),
    }))
}

fn norm(values: &[f64]) -> f64 {
    values.iter().map(|v| v * v).sum::<f64>().sqrt()
}

fn mean_of_unit(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / norm(values) / values.len() as f64
}

fn cosine(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() / norm(a) / norm(b)
}

/// 100 times the cosines between an image and texts, whose vectors are concatenated.
fn logits(image: &[f64], texts: &[f32]) -> Vec<f64> {
    let texts: Vec<f64> = texts.iter().copied().map(f64::from).collect();
    texts.chunks(image.len().max(1)).map(|row| 100.0 * cosine(row, image)).collect()
}

fn of_token_ids(tower: &ImageTower, ids: &[Vec<u32>], quantity: &Quantity) -> Result<Option<Vec<f64>>, ModelError> {
    let vectors = tower.texts_of_ids(ids)?;
    let wide = |row: &Vec<f32>| row.iter().copied().map(f64::from).collect();
    let rows: Vec<Vec<f64>> = vectors.iter().map(wide).collect();
    Ok(of_text_rows(&rows, quantity))
}

/// Quantities computed from the vectors of texts.
pub(super) fn of_text_rows(rows: &[Vec<f64>], quantity: &Quantity) -> Option<Vec<f64>> {
    Some(match quantity {
        Quantity::BeforeNorm { text, at } => picked(rows.get(*text)?, at),
        Quantity::Cosines(pairs) => {
            let of = |&[a, b]: &[usize; 2]| Some(cosine(rows.get(a)?, rows.get(b)?));
            pairs.iter().map(of).collect::<Option<_>>()?
        }
        Quantity::MeanOfUnit { .. } => rows.iter().map(|row| mean_of_unit(row)).collect(),
        _ => return None,
    })
}

pub(super) fn distances(lpips: &Lpips, pairs: &[[Image<f32>; 2]]) -> Result<Vec<f64>, ModelError> {
    pairs.iter().map(|[a, b]| Ok(lpips.compare(a, b)?.total())).collect()
}

/// One minus the cosine between a layer's vectors for the two pictures of each pair. Pictures get the model's published
/// preprocessing.
fn cosine_distances(tower: &ImageTower, layer: &str, pairs: &[[Image<f32>; 2]]) -> Result<Vec<f64>, ModelError> {
    let steps = ImagePreset::Published.preprocessing(&tower.local.identity().id, None)?;
    let vector = |picture: &Image<f32>| {
        Ok::<_, ModelError>(rows(tower.model.as_ref(), layer, &[steps.apply(picture)?])?.concat())
    };
    pairs.iter().map(|[a, b]| Ok(1.0 - cosine(&vector(a)?, &vector(b)?))).collect()
}

/// The share of pictures whose own class has the largest value.
pub(super) fn accuracy(
    model: &dyn ImageModel,
    layer: &str,
    LabelledPictures {
        pictures,
        n_classes,
        steps,
    }: &LabelledPictures,
) -> Result<f64, ModelError> {
    let read = |path: &Path| {
        let picture = image_file::read_rgb8(path).map_err(|error| ModelError::malformed(path, error))?;
        steps.apply(&picture.to_unit_float())
    };
    let mut n_right = 0;
    for batch in pictures.chunks(BATCH) {
        stop_if_asked();
        let images = parallel::try_map_each(batch, |(path, _)| read(path))?;
        for (row, (path, class)) in rows(model, layer, &images)?.into_iter().zip(batch) {
            if row.len() != *n_classes {
                let n_outputs = row.len();
                let classes = path.parent().and_then(Path::parent).unwrap_or(path);
                return Err(ModelError::malformed(
                    classes,
                    format!(
                        "it holds {n_classes} folders of classes, expected {n_outputs}, one for each class of the model"
                    ),
                ));
            }
            n_right += usize::from(top(&row, 1) == [*class as f64]);
        }
    }
    Ok(n_right as f64 / pictures.len() as f64)
}

fn of_segmenter(segmenter: &Sam2, image: &SegmenterInput, quantity: &Quantity) -> Result<Option<Vec<f64>>, ModelError> {
    let (prompts, masks) = match quantity {
        Quantity::MaskScores { prompts, masks } | Quantity::MaskCorner { prompts, masks, .. } => (prompts, *masks),
        _ => return Ok(None),
    };
    let prompts: Vec<MaskPrompt> = prompts.iter().map(asked).collect();
    let found = segmenter.candidates(image, &prompts)?;
    let of_prompts = found.iter().map(|candidates| {
        let order = match masks {
            MasksOf::Chosen => vec![candidates.chosen],
            MasksOf::Three => (1..candidates.overlaps.len()).collect(),
            MasksOf::ThreeByScore => {
                let mut order: Vec<usize> = (1..candidates.overlaps.len()).collect();
                let overlap = |i: usize| candidates.overlaps[i];
                order.sort_by(|&a, &b| overlap(b).total_cmp(&overlap(a)));
                order
            }
        };
        match quantity {
            Quantity::MaskCorner { side, .. } => {
                let first = order.first().map(|&mask| &candidates.logits[mask]);
                let n_columns = first.map_or(0, Vec::len).isqrt().max(1);
                let rows = first.into_iter().flat_map(|logits| logits.chunks(n_columns));
                rows.take(*side).flat_map(|row| row.iter().take(*side)).copied().map(f64::from).collect()
            }
            _ => order.iter().map(|&mask| candidates.overlaps[mask]).map(f64::from).collect::<Vec<f64>>(),
        }
    });
    Ok(Some(of_prompts.flatten().collect()))
}

fn asked(ask: &MaskAsk) -> MaskPrompt {
    match *ask {
        MaskAsk::Point([x, y]) => MaskPrompt::Points(vec![MaskPoint {
            x,
            y,
            label: PointLabel::Object,
        }]),
        MaskAsk::Box([x0, y0, x1, y1]) => MaskPrompt::Box(BoxXyxy { x0, y0, x1, y1 }),
    }
}

fn picked(values: &[f64], at: &[usize]) -> Vec<f64> {
    at.iter().map(|&i| values.get(i).copied().unwrap_or(f64::NAN)).collect()
}

/// Indices of the largest values, the largest first.
fn top(values: &[f64], n: usize) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    order.into_iter().take(n).map(|class| class as f64).collect()
}

fn of_captioner(
    captioner: &NetworkCaptioner,
    image: &Image<f32>,
    quantity: &Quantity,
) -> Result<Option<Measured>, ModelError> {
    match quantity {
        Quantity::FirstLogits(at) => {
            let logits: Vec<f64> = captioner.first_logits(image)?.into_iter().map(f64::from).collect();
            Ok(Some(Measured::Numbers(picked(&logits, at))))
        }
        &Quantity::Caption {
            max_new_tokens,
            n_beams,
        } => {
            let options = CaptionOptions {
                n_beams: NonZeroUsize::new(n_beams).unwrap_or(NonZeroUsize::MIN),
                max_new_tokens,
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
            rows.flat_map(|row| row.iter().take(*tokens)).map(|&v| f64::from(v)).collect()
        }
        Quantity::QueryBoxes { prompt, queries, sides } => {
            let raw = look(prompt)?;
            raw.boxes
                .iter()
                .take(*queries)
                .flat_map(|sizes| sizes.iter().take(*sides))
                .map(|&v| f64::from(v))
                .collect()
        }
        Quantity::FoundScores { prompt, threshold } => {
            found(&look(prompt)?, *threshold).into_iter().map(|(score, _)| score).collect()
        }
        Quantity::FoundBoxes { prompt, threshold } => {
            found(&look(prompt)?, *threshold).into_iter().flat_map(|(_, corners)| corners).collect()
        }
        _ => return Ok(None),
    }))
}

/// Score and corners of the queries with a score above the threshold, in their order.
fn found(raw: &RawDetections, threshold: f64) -> Vec<(f64, [f64; 4])> {
    let rows = raw.logits.chunks(raw.n_tokens.max(1)).zip(&raw.boxes);
    let scored = rows.map(|(logits, whole)| {
        let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let [x, y, width, height] = whole.map(f64::from);
        let corners = [x - width / 2.0, y - height / 2.0, x + width / 2.0, y + height / 2.0];
        (1.0 / (1.0 + (-f64::from(largest)).exp()), corners)
    });
    scored.filter(|(score, _)| *score > threshold).collect()
}
