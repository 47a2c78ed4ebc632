//! Opens what a selection needs and nothing else.

use super::shared_stems::SharedStems;
use super::{Dataset, InputRecord, Paired};
use crate::Error;
use crate::locate::{Located, Sides};
use crate::progress::Progress;
use crate::request::ScoreRequest;
use crate::selection::{Origin, Selection};
use neurogauge_core::pair::pair_by_stem;
use neurogauge_core::{Captions, LabelList, Outcome, Pair, Side, Undefined};
use neurogauge_formats::detections::DetectionSource;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::{captions, features};
use neurogauge_metrics::Compute;
use std::collections::HashMap;
use std::path::PathBuf;

impl Dataset {
    /// Opens, pairs and hashes the inputs behind the selected metrics.
    pub(crate) fn open(
        selection: &Selection,
        located: Located,
        request: &ScoreRequest,
        labels: &LabelList,
        progress: &dyn Progress,
    ) -> Result<Dataset, Error> {
        let mut opening = Opening {
            dataset: Dataset {
                stand_ins: located.stand_ins.keys().cloned().collect(),
                ..Dataset::default()
            },
            stems: SharedStems::default(),
            progress,
        };
        let mut official = located.official;
        let mut seen = Vec::new();
        for selected in &selection.metrics {
            let kind = std::mem::discriminant(&selected.metric.compute);
            let first_of_kind = !seen.contains(&kind);
            match (&selected.origin, &selected.metric.compute) {
                (Origin::Imported, _) => {
                    if let Some(layout) = &official
                        && let Some(values) = layout.recorded(selected.metric.spec.id)
                    {
                        opening.imported(selected.metric.spec.id, values)?;
                    }
                }
                (Origin::Features(model), _) => {
                    if let Some((folders, _)) = &located.features {
                        opening.features(model, folders)?;
                    }
                }
                (Origin::Computed, Compute::Pixels(_)) if first_of_kind => {
                    if let Some(paths) = &located.images {
                        opening.images(paths)?;
                    }
                }
                (Origin::Computed, Compute::Detections(_)) if first_of_kind => {
                    let sides = match (&located.detections, &mut official) {
                        (Some(paths), _) => Some(open_detections(paths, labels, request)?),
                        (None, Some(layout)) => layout.take_detections().map(|(gt, recon)| {
                            Sides { gt, recon }
                        }),
                        (None, None) => None,
                    };
                    if let Some(sides) = sides {
                        opening.detections(sides)?;
                    }
                }
                (Origin::Computed, Compute::Captions(_)) if first_of_kind => {
                    let paths = located.captions.clone().or_else(|| {
                        official.as_ref().and_then(|layout| {
                            let (gt, recon) = layout.caption_paths()?;
                            Some(Sides { gt, recon })
                        })
                    });
                    if let Some(paths) = paths {
                        opening.captions(&paths)?;
                    }
                }
                (Origin::Computed, _) => {}
            }
            if selected.origin == Origin::Computed {
                seen.push(kind);
            }
        }
        opening.dataset.stems = opening.stems.into_stems();
        Ok(opening.dataset)
    }
}

struct Opening<'a> {
    dataset: Dataset,
    stems: SharedStems,
    progress: &'a dyn Progress,
}

impl Opening<'_> {
    fn pair(&mut self, what: &'static str, gt: &[String], recon: &[String]) -> Result<Vec<Pair>, Error> {
        let pairs =
            pair_by_stem(gt, recon).map_err(|source| Error::Pairing { what, source })?;
        self.stems.agree(what, &pairs)?;
        Ok(pairs)
    }

    fn images(&mut self, paths: &Sides<PathBuf>) -> Result<(), Error> {
        let sides = Sides {
            gt: ImageSource::open(&paths.gt)?,
            recon: ImageSource::open(&paths.recon)?,
        };
        let pairs = self.pair("images", sides.gt.stems(), sides.recon.stems())?;
        for side in Side::BOTH {
            let source = sides.side(side);
            self.dataset.inputs.push(InputRecord::of_items(
                format!("{}/images", side.folder()),
                source.path(),
                source.stems(),
                |index| source.content_hash(index),
                self.progress,
            )?);
        }
        self.dataset.images = Some(Paired { sides, pairs });
        Ok(())
    }

    fn detections(&mut self, sides: Sides<DetectionSource>) -> Result<(), Error> {
        let pairs = self.pair("detections", sides.gt.stems(), sides.recon.stems())?;
        for side in Side::BOTH {
            let source = sides.side(side);
            self.dataset.inputs.push(InputRecord::of_items(
                format!("{}/detections", side.folder()),
                source.path(),
                source.stems(),
                |index| source.content_hash(index),
                self.progress,
            )?);
        }
        self.dataset.detections = Some(Paired { sides, pairs });
        Ok(())
    }

    fn captions(&mut self, paths: &Sides<PathBuf>) -> Result<(), Error> {
        let sides = Sides { gt: captions::read(&paths.gt)?, recon: captions::read(&paths.recon)? };
        if let Some((stem, several)) = sides.recon.iter().find(|(_, c)| c.0.len() != 1) {
            return Err(Error::CaptionCount {
                path: paths.recon.clone(),
                stem: stem.clone(),
                found: several.0.len(),
                expected: "a reconstruction has one (only stimuli may have several references)",
            });
        }
        let stems_of = |list: &[(String, Captions)]| -> Vec<String> {
            list.iter().map(|(stem, _)| stem.clone()).collect()
        };
        let pairs = self.pair("captions", &stems_of(&sides.gt), &stems_of(&sides.recon))?;
        for side in Side::BOTH {
            let role = format!("{}/captions", side.folder());
            self.dataset.inputs.push(InputRecord::of_file(role, paths.side(side))?);
        }
        self.dataset.captions = Some(Paired { sides, pairs });
        Ok(())
    }

    fn features(&mut self, model: &str, folders: &Sides<PathBuf>) -> Result<(), Error> {
        let file = |side: Side| folders.side(side).join(format!("{model}.npy"));
        let read = |side: Side| features::read(&file(side), &folders.side(side).join("ids.json"));
        let sides = Sides { gt: read(Side::Gt)?, recon: read(Side::Recon)? };
        if sides.gt.n_features() != sides.recon.n_features() {
            return Err(Error::FeatureWidth {
                path: file(Side::Recon),
                gt: sides.gt.n_features(),
                recon: sides.recon.n_features(),
            });
        }
        let pairs = self.pair("features", sides.gt.ids(), sides.recon.ids())?;
        for side in Side::BOTH {
            for path in [file(side), folders.side(side).join("ids.json")] {
                let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let role = format!("{}/features/{name}", side.folder());
                if self.dataset.input(&role).is_none() {
                    self.dataset.inputs.push(InputRecord::of_file(role, &path)?);
                }
            }
        }
        self.dataset.features.push((model.to_owned(), Paired { sides, pairs }));
        Ok(())
    }

    fn imported(&mut self, id: &'static str, values: &RecordedValues) -> Result<(), Error> {
        let by_stem: HashMap<&str, f64> =
            values.values.iter().map(|(stem, value)| (stem.as_str(), *value)).collect();
        let stems: Vec<String> = values.values.iter().map(|(stem, _)| stem.clone()).collect();
        let pairs = self.pair("recorded values", &stems, &stems)?;
        let outcomes: Vec<Outcome> = pairs
            .iter()
            .map(|pair| match by_stem.get(pair.stem.as_str()) {
                Some(value) if value.is_finite() => Ok(*value),
                _ => Err(Undefined::Recorded("recorded as NaN".into())),
            })
            .collect();
        self.dataset.inputs.push(InputRecord::of_file(format!("recorded/{id}"), &values.path)?);
        self.dataset.imported.push((id, outcomes));
        Ok(())
    }
}

fn open_detections(
    paths: &Sides<PathBuf>,
    labels: &LabelList,
    request: &ScoreRequest,
) -> Result<Sides<DetectionSource>, Error> {
    Ok(Sides {
        gt: DetectionSource::open(&paths.gt, labels, request.box_scale_px)?,
        recon: DetectionSource::open(&paths.recon, labels, request.box_scale_px)?,
    })
}
