//! Captions, boxes and masks of each side, by pair.

use crate::document::{BoxEntry, MaskEntry, Observed};
use crate::inputs::{Inputs, System, places};
use neurogauge::core::{Detection, Detections, InstanceMask, LabelList, Masks, Side};
use neurogauge::formats::FormatError;
use neurogauge::formats::item_source::ItemSource;

/// At most this many boxes per image are shown, the most confident ones.
const MOST_BOXES: usize = 20;
/// At most this many masks per image are shown, the most confident ones.
const MOST_MASKS: usize = 12;
/// Longer side of a mask, px.
const MASK_PX: u32 = 64;

/// Width and height of an image, if known.
pub(crate) type Size = Option<(f64, f64)>;

/// What a system's run observed on one side, for images of these sizes (by pair). Unreadable files are skipped.
pub(crate) fn of_side(inputs: &Inputs, system: &System, side: Side, sizes: &[Size]) -> Observed {
    let found = &system.reopened;
    let stems = &inputs.stems;
    let captions = found.captions.as_ref().map(|sides| {
        let texts = |stem: &String| sides.side(side).get(stem).map_or_else(Vec::new, |texts| texts.0.clone());
        stems.iter().map(texts).collect()
    });
    let record = &system.run.record;
    let boxes = found.detections.as_ref().map(|sides| {
        let source = sides.side(side);
        // A file with boxes of all images has fractions of width and height, which were read with this scale.
        let scale = (!source.path().is_dir()).then_some(record.request.box_scale_px);
        by_stem(stems, source.stems(), |pair, place| {
            let detections = source.load(place)?;
            let size = scale.or(detections.image_size_px).or(sizes.get(pair).copied().flatten());
            Ok(boxes(&detections, source.labels(), size))
        })
    });
    let masks = found.masks.as_ref().map(|sides| {
        let source = sides.side(side);
        by_stem(stems, source.stems(), |_, place| Ok(masks(&source.load(place)?)))
    });
    Observed { captions, boxes, masks }
}

/// What was observed of the stimuli, each from the first run that has the pair and observations of the kind.
pub(crate) fn of_stimuli(inputs: &Inputs, sizes: &[Size]) -> Observed {
    let of_system = |system: &System| of_side(inputs, system, Side::Gt, sizes);
    let mut all: Vec<Observed> = inputs.systems.iter().map(of_system).collect();
    Observed {
        captions: of_first(inputs, all.iter_mut().map(|own| own.captions.take())),
        boxes: of_first(inputs, all.iter_mut().map(|own| own.boxes.take())),
        masks: of_first(inputs, all.iter_mut().map(|own| own.masks.take())),
    }
}

/// What the first run that has a pair observed of it; `None` if no run observed anything.
fn of_first<T>(inputs: &Inputs, observed: impl Iterator<Item = Option<Vec<Vec<T>>>>) -> Option<Vec<Vec<T>>> {
    let known = inputs.systems.iter().zip(observed);
    let mut known: Vec<(&System, Vec<Vec<T>>)> = known.filter_map(|(system, found)| Some((system, found?))).collect();
    let of_pair = |pair: usize| {
        let first = known.iter_mut().find(|(system, _)| system.places[pair].is_some());
        first.map_or_else(Vec::new, |(_, found)| std::mem::take(&mut found[pair]))
    };
    let pairs: Vec<Vec<T>> = (0..inputs.stems.len()).map(of_pair).collect();
    (!known.is_empty()).then_some(pairs)
}

fn by_stem<T>(
    stems: &[String],
    known: &[String],
    load: impl Fn(usize, usize) -> Result<Vec<T>, FormatError>,
) -> Vec<Vec<T>> {
    let of_pair =
        |(pair, place): (usize, Option<usize>)| place.and_then(|place| load(pair, place).ok()).unwrap_or_default();
    places(stems, known).into_iter().enumerate().map(of_pair).collect()
}

/// The most confident boxes, as fractions of width and height; without a position if the image size is unknown.
fn boxes(detections: &Detections, labels: &LabelList, size: Size) -> Vec<BoxEntry> {
    let mut items: Vec<_> = detections.items.iter().collect();
    items.sort_by(|a, b| b.score.total_cmp(&a.score));
    let share = |value: f64, of: f64| (1000.0 * (value / of).clamp(0.0, 1.0)).round() / 1000.0;
    let entry = |item: &&Detection| {
        let bbox = item.bbox.upright();
        let at = match size {
            Some((width, height)) if width > 0.0 && height > 0.0 => {
                [share(bbox.x0, width), share(bbox.y0, height), share(bbox.x1, width), share(bbox.y1, height)]
            }
            _ => [0.0; 4],
        };
        let name = labels.names().get(item.category)?;
        Some(BoxEntry {
            at,
            name: name.clone(),
            score: Some((1000.0 * item.score).round() / 1000.0),
        })
    };
    items.iter().filter_map(entry).take(MOST_BOXES).collect()
}

/// The most confident masks, reduced in size.
fn masks(masks: &Masks) -> Vec<MaskEntry> {
    let (first, second) = masks.size_px;
    let longer = first.max(second).max(1);
    let shrunk = |px: u32| {
        let px = u64::from(px) * u64::from(MASK_PX.min(longer)) / u64::from(longer);
        u32::try_from(px).unwrap_or(MASK_PX).max(1)
    };
    let mut items: Vec<_> = masks.items.iter().collect();
    items.sort_by(|a, b| b.score.total_cmp(&a.score));
    let entry = |item: &&InstanceMask| {
        let (height, width) = (shrunk(item.mask.height_px()), shrunk(item.mask.width_px()));
        let small = item.mask.resized(height, width).ok()?;
        Some(MaskEntry {
            name: item.name.clone(),
            width,
            height,
            runs: small.runs().to_vec(),
        })
    };
    items.iter().filter_map(entry).take(MOST_MASKS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge::core::{BoxXyxy, Mask};

    #[test]
    fn boxes_are_shares_of_their_image_and_the_most_certain_come_first() {
        let found = |score: f64, x0: f64| Detection {
            category: 1,
            score,
            bbox: BoxXyxy::of([x0, 0.0, 50.0, 500.0]),
        };
        let detections = Detections::of(vec![found(0.2, 0.0), found(0.91234, 25.0)], None);
        let labels = LabelList::new("test", ["a", "dog"]);
        let shown = boxes(&detections, &labels, Some((100.0, 200.0)));
        assert_eq!(shown[0].at, [0.25, 0.0, 0.5, 1.0]);
        assert_eq!((shown[0].name.as_str(), shown[0].score), ("dog", Some(0.912)));
        assert_eq!(shown[1].at[0], 0.0);
        assert_eq!(boxes(&detections, &labels, None)[0].at, [0.0; 4]);
    }

    #[test]
    fn masks_are_shrunk_with_their_proportions() {
        let mask = Mask::from_pixels(128, 256, |x, _| x < 128).unwrap();
        let bbox = mask.bounding_box();
        let item = InstanceMask {
            name: "half".into(),
            score: 1.0,
            bbox,
            mask,
        };
        let found = masks(&Masks::of((256, 128), vec![item], None));
        assert_eq!((found[0].width, found[0].height), (64, 32));
        // Masks are stored by columns, so the left half is the first half of the pixels.
        assert_eq!(found[0].runs, [0, 32 * 32, 32 * 32]);
    }
}
