//! Images: opened with the order of their stack, their grid and their parts, and compared by pixels and networks.

use super::{Needs, ObservedKind};
use crate::Error;
use crate::compute::{Computed, Context, perceptual, pixels};
use crate::dataset::{Opening, order_of_stack};
use crate::lpips::where_heads_are;
use crate::option_names::{GT, LPIPS_HEADS_FILE, RECON};
use neurogauge_core::option_words::option;
use neurogauge_core::pair::Pairing;
use neurogauge_core::{Finding, ObservationKind, Side, Sides};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_metrics::{Compute, Metric};
use neurogauge_models::LpipsNet;
use std::path::PathBuf;

pub(crate) struct ImageKind;

impl ObservedKind for ImageKind {
    const KIND: ObservationKind = ObservationKind::Images;
    type Items = ImageSource;

    fn open(files: Option<&Sides<PathBuf>>, opening: &mut Opening<'_>) -> Result<(), Error> {
        let Some(paths) = files else { return Ok(()) };
        let sides = Sides::of(|side| ImageSource::open(paths.side(side)))?;
        opening.times = Sides::new(sides.gt.frame_times(), sides.recon.frame_times());
        let images = opening.paired(Self::KIND, sides)?;
        for side in Side::BOTH {
            let subject = format!("{} images", side.folder());
            let found = images.sides.side(side).settle(opening.request.reading, &subject)?;
            opening.dataset.findings.extend(found);
        }
        opening.record(Self::KIND, &images.sides)?;
        if opening.request.pairing.order.is_none() {
            let found = order_of_stack(&images.sides, &images.pairs)?;
            opening.dataset.findings.extend(found);
        }
        for side in Side::BOTH {
            let source = images.sides.side(side);
            let parts = parts_as_items(side, source, &opening.request.pairing);
            for finding in grid_of(side, source).into_iter().chain(parts) {
                opening.dataset.find(finding);
            }
        }
        opening.dataset.add(Self::KIND, images);
        Ok(())
    }

    fn needs(metric: &Metric) -> Needs {
        let images = format!("images of both sides ({GT}, {RECON})");
        let Compute::Perceptual { model } = metric.compute else {
            return Needs::of_files(images);
        };
        let nets = LpipsNet::ALL.into_iter().filter(|net| net.metric() == model);
        Needs {
            instead: where_heads_are(model),
            models: nets.map(LpipsNet::backbone).collect(),
            to_give: vec![format!("its linear heads ({LPIPS_HEADS_FILE})")],
            options: " --lpips-heads heads.pth",
            ..Needs::of_files(format!("{images}, the weights of its network and its linear heads ({LPIPS_HEADS_FILE})"))
        }
    }

    fn compare(context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
        pixels::compute(context, computed)?;
        perceptual::compute(context, computed)
    }
}

/// A note about the grid in which a side's pictures are arranged.
fn grid_of(side: Side, images: &ImageSource) -> Option<Finding> {
    let message = format!("they are pictures of a grid: {}", images.grid()?);
    Some(Finding::note("grid", format!("{} images", side.folder()), message))
}

/// A warning if each frame of clips or folders, or each image of a stack with an additional axis, counts as an item.
fn parts_as_items(side: Side, images: &ImageSource, pairing: &Pairing) -> Option<Finding> {
    let (group, n) = images.groups().filter(|_| pairing.parts.is_none())?;
    let groups = match n {
        1 => format!("one {group}"),
        n => format!(
            "{n} {}",
            group.replacen("row", "rows", 1).replacen("clip", "clips", 1).replacen("folder", "folders", 1)
        ),
    };
    let message = format!(
        "they are the {} images of {groups}, and each of them counts as an item, as if it were independent of the others",
        images.len()
    );
    let subject = format!("{} images", side.folder());
    let advice = format!("{} makes one item of each", option("parts", "frame"));
    Some(Finding::warning("parts_as_items", subject, message).advise(match group {
        "clip" => advice,
        _ => format!("{advice} (frame, view or sample)"),
    }))
}
