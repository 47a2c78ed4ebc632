//! Draws the masks of single pairs over their images.

use crate::Error;
use crate::dataset::{Dataset, paired_images};
use crate::kinds::{MaskKind, ObservedKind, needs_of};
use crate::request::ScoreRequest;
use crate::run_folder::RunFolder;
use crate::selected::{Selected, Selection};
use neurogauge_core::option_words::option;
use neurogauge_core::{Image, Mask, Masks, Sides};
use neurogauge_formats::atomic_file;
use neurogauge_metrics::decoding::basic_l::{InstanceMatch, at_reference_size, match_instances};
use neurogauge_metrics::masks::{intersection, union, without};
use neurogauge_metrics::{MetricError, find};
use neurogauge_report::figures::{MaskOverlay, OverlayKind, OverlayMask, OverlayPanel};
use std::path::PathBuf;

/// Can the masks of the pairs with these stems be drawn?
pub(crate) fn check(stems: &[String], selection: &Selection, dataset: &Dataset) -> Result<(), Error> {
    let compares_masks =
        |selected: &Selected| selected.source.is_compared() && selected.metric.compute.kind() == Some(MaskKind::KIND);
    if !stems.is_empty() && !selection.metrics.iter().any(compares_masks) {
        return Err(none_compared());
    }
    match stems.iter().find(|stem| !dataset.stems.contains(stem)) {
        None => Ok(()),
        Some(stem) => Err(Error::Usage(format!(
            "{}: no pair has this stem; the first is {:?}",
            option("overlay", stem),
            dataset.stems.first().map_or("", String::as_str)
        ))),
    }
}

fn none_compared() -> Error {
    let needs = find("instance_iou").map(|metric| needs_of(metric).files);
    Error::Usage(format!(
        "{}: no masks are compared in this run; it needs {}",
        option("overlay", ""),
        needs.unwrap_or_default()
    ))
}

/// Draws `figures/masks_<stem>.png` for each of the stems, which were [`check`]ed.
pub(crate) fn write(
    stems: &[String],
    dataset: &Dataset,
    images: Option<&Sides<PathBuf>>,
    request: &ScoreRequest,
    folder: &RunFolder,
) -> Result<(), Error> {
    if stems.is_empty() {
        return Ok(());
    }
    let Some(masks) = MaskKind::of(dataset) else {
        return Err(none_compared());
    };
    let options = &request.options.basic_l;
    let open = |paths: &Sides<PathBuf>| paired_images(paths, request);
    let images = images.map(open).transpose()?;
    let asked = masks.pairs.iter().filter(|pair| stems.contains(&pair.stem));
    for pair in asked {
        let stem = &pair.stem;
        let gt = masks.sides.gt.load(pair.gt)?;
        let recon = masks.sides.recon.load(pair.recon)?;
        let failed = |source: MetricError| Error::Metric {
            pair: stem.clone(),
            metric: "instance_iou",
            source,
        };
        let recon = at_reference_size(&recon, gt.size_px, options).map_err(failed)?;
        let matched = match_instances(&gt, &recon, options).map_err(failed)?;
        let sides = Sides::of(|side| match &images {
            Some(images) => images.side(side).shown(stem),
            None => Ok(None),
        })?;
        let png = overlay(stem, (&gt, &recon), &matched, sides).map_err(failed)?.draw_png()?;
        let path = folder.root().join("figures").join(format!("masks_{stem}.png"));
        atomic_file::write(&path, &png)?;
    }
    Ok(())
}

fn overlay(
    stem: &str,
    (gt, recon): (&Masks, &Masks),
    matched: &InstanceMatch,
    images: Sides<Option<Image<u8>>>,
) -> Result<MaskOverlay, MetricError> {
    let of = |masks: &Masks, item: usize, label: String, kind: OverlayKind| OverlayMask {
        label,
        kind,
        mask: masks.items[item].mask.clone(),
    };
    let (mut of_gt, mut of_recon) = (Vec::new(), Vec::new());
    for &item in &matched.missed {
        let name = gt.items[item].name.clone();
        of_gt.push(of(gt, item, name, OverlayKind::Missing));
    }
    for &item in &matched.invented {
        let name = recon.items[item].name.clone();
        of_recon.push(of(recon, item, name, OverlayKind::MadeUp));
    }
    for (number, pair) in (1..).zip(&matched.matched) {
        let label = format!("{number} {}", gt.items[pair.gt].name);
        of_gt.push(of(gt, pair.gt, label.clone(), OverlayKind::Right));
        let label = format!("{label} {:.2}", pair.iou);
        of_recon.push(of(recon, pair.recon, label, OverlayKind::Right));
    }
    let both = both(&of_gt, &of_recon)?;
    let panel = |title: &str, image: Option<Image<u8>>, masks: Vec<OverlayMask>| OverlayPanel {
        title: title.to_owned(),
        size_px: gt.size_px,
        image,
        masks,
    };
    Ok(MaskOverlay {
        title: format!("Objects of {stem}"),
        caption: format!(
            "{} matched (the number is theirs on both sides, then their overlap), {} missing, {} made up. Objects are \
             matched one to one within names.",
            matched.matched.len(),
            matched.missed.len(),
            matched.invented.len()
        ),
        panels: vec![
            panel("stimulus", images.gt, of_gt),
            panel("reconstruction", images.recon, of_recon),
            panel("pixels of objects", None, both),
        ],
    })
}

/// The pixels of objects on both sides, only on the first side, and only on the second.
fn both(gt: &[OverlayMask], recon: &[OverlayMask]) -> Result<Vec<OverlayMask>, MetricError> {
    let gt = union(gt.iter().map(|overlay| &overlay.mask))?;
    let recon = union(recon.iter().map(|overlay| &overlay.mask))?;
    let mut parts: Vec<(OverlayKind, Mask)> = Vec::new();
    match (gt, recon) {
        (Some(gt), Some(recon)) => {
            parts.extend(intersection([&gt, &recon])?.map(|mask| (OverlayKind::Right, mask)));
            parts.push((OverlayKind::Missing, without(&gt, &recon)?));
            parts.push((OverlayKind::MadeUp, without(&recon, &gt)?));
        }
        (Some(gt), None) => parts.push((OverlayKind::Missing, gt)),
        (None, Some(recon)) => parts.push((OverlayKind::MadeUp, recon)),
        (None, None) => {}
    }
    let unlabelled = parts.into_iter().map(|(kind, mask)| OverlayMask {
        label: String::new(),
        kind,
        mask,
    });
    Ok(unlabelled.collect())
}
