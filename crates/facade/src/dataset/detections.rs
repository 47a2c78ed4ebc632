//! Detections from files: what their labels mean, and the unit of their boxes.

use super::opening::Opening;
use crate::Error;
use crate::option_names::LABELS;
use neurogauge_core::option_words::option;
use neurogauge_core::{Finding, LabelList, ObservationKind, Sides};
use neurogauge_formats::detections::{BoxUnits, DetectionSource, Seen};
use std::path::PathBuf;

/// The highest number of a label without a name. More is no place in a list.
const MOST_NUMBERS: i64 = 100_000;

impl Opening<'_> {
    /// Opens the detections of both sides, and the images if a metric needs their size.
    pub(super) fn detections(&mut self, kind: ObservationKind, paths: Option<&Sides<PathBuf>>) -> Result<(), Error> {
        let is_official = paths.is_none();
        let sides = match (paths, &mut self.located.official) {
            (Some(paths), _) => Some(Sides::of(|side| {
                let box_scale_px = self.request.box_scale_px;
                DetectionSource::open(paths.side(side), self.labels, box_scale_px)
            })?),
            (None, Some((_, layout))) => {
                let gt = layout.gt_detections.take();
                gt.zip(layout.recon_detections.take()).map(|(gt, recon)| Sides { gt, recon })
            }
            (None, None) => None,
        };
        if let Some(sides) = sides {
            let mut paired = self.paired(kind, sides)?;
            self.read_as(&mut paired.sides, is_official)?;
            self.dataset.detections = Some(paired);
        }
        let needs_size = self.request.options.objects.variant.needs_image_size();
        if needs_size && self.request.image_size_px.is_none() {
            self.kind(ObservationKind::Images)?;
        }
        Ok(())
    }

    /// Decides what labels mean and the unit of boxes (conventions `labels`, `box-scale`).
    fn read_as(&mut self, sides: &mut Sides<DetectionSource>, is_official: bool) -> Result<(), Error> {
        let seen = Sides {
            gt: sides.gt.seen()?,
            recon: sides.recon.seen()?,
        };
        match self.request.box_units {
            Some(BoxUnits::Pixels) => {}
            Some(BoxUnits::Shares) => {
                sides.gt.set_shares(self.request.box_scale_px);
                sides.recon.set_shares(self.request.box_scale_px);
            }
            None => {
                let of = option("box-scale", "WxH").to_string();
                sides.gt.check_pixels(&seen.gt, &of)?;
                sides.recon.check_pixels(&seen.recon, &of)?;
            }
        }
        let labels = self.meaning(&seen.gt.and(seen.recon), is_official)?;
        sides.gt.set_labels(labels.clone());
        sides.recon.set_labels(labels.clone());
        self.dataset.labels = labels;
        Ok(())
    }

    /// The list whose places the labels are.
    fn meaning(&mut self, seen: &Seen, is_official: bool) -> Result<LabelList, Error> {
        if seen.unnamed.is_none() {
            let names = seen.names_of_numbers.as_deref();
            return Ok(match names.filter(|_| self.request.labels.is_empty()) {
                Some(names) => LabelList::of_names(names),
                None => self.labels.clone(),
            });
        }
        let by_number = seen.most_frequent(&|label| label.to_string());
        let is_said = !self.request.labels.is_empty();
        if is_said || is_official {
            let list = self.labels;
            let name = |label: i64| match usize::try_from(label).map(|place| list.names().get(place)) {
                Ok(Some(name)) => format!("{label} {name}"),
                _ => label.to_string(),
            };
            let message = format!(
                "labels are numbers without names, and are read as {}; the most frequent ones are {}",
                list.id(),
                seen.most_frequent(&name)
            );
            let finding = Finding::note("label_names", "detections", message);
            self.dataset.find(match is_said {
                true => finding,
                false => finding.on_evidence("SEED's layout").advise(format!("{LABELS} names another list")),
            });
            return Ok(list.clone());
        }
        let highest = seen.numbers.keys().next_back().copied().unwrap_or_default();
        if highest > MOST_NUMBERS || self.reads_names || seen.has_names || seen.names_of_numbers.is_some() {
            seen.refuse_unnamed()?;
        }
        self.dataset.find(
            Finding::note(
                "label_names",
                "detections",
                format!("labels are numbers without names ({by_number}), and are compared as numbers"),
            )
            .advise(format!("{LABELS} says what they mean")),
        );
        Ok(LabelList::of_numbers(usize::try_from(highest).unwrap_or_default()))
    }
}
