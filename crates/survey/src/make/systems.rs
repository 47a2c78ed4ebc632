//! The pictures of all systems, paired with the stimuli.

use super::MakeRequest;
use super::clips::ClipOptions;
use crate::plan::{Material, RatedPair, Trial};
use itertools::Itertools;
use neurogauge::core::option_words::option;
use neurogauge::core::pair::{PairedStems, natural_cmp};
use neurogauge::core::{Finding, Image, Progress, Side};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::{Error, InputRecord, pair_images};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemImages {
    pub name: String,
    /// A folder of images, a `.npy` stack or a `.pt` file.
    pub path: PathBuf,
}

/// One system's pictures, paired with the stimuli.
struct System {
    name: String,
    source: ImageSource,
    /// Pairs by item, with all parts of each item.
    paired: PairedStems,
    stems: Vec<String>,
}

pub(super) struct Sources {
    gt: ImageSource,
    systems: Vec<System>,
    /// The stimuli that any system has, in natural order.
    stems: Vec<String>,
}

/// The stimuli that any of these systems has, in natural order.
fn stems_of(systems: &[System]) -> Vec<String> {
    let stems: BTreeSet<&String> = systems.iter().flat_map(|system| &system.stems).collect();
    stems.into_iter().cloned().sorted_by(|a, b| natural_cmp(a, b)).collect()
}

impl Sources {
    /// Opens the pictures, and reports what was assumed about them.
    pub(super) fn open(request: &MakeRequest) -> Result<(Self, Vec<Finding>), Error> {
        check_names(&request.recon)?;
        let gt = ImageSource::open(&request.gt)?;
        let mut findings = gt.settle(request.reading, "gt images")?;
        let systems = request.recon.iter().map(|system| {
            let source = ImageSource::open(&system.path)?;
            let subject = format!("images of {}", system.name);
            findings.extend(source.settle(request.reading, &subject)?);
            let (paired, found) = pair_images(&request.pairing, &gt, &source)?;
            findings.extend(found.into_iter().map(|found| found.about(&system.name)));
            let of_items = paired.clone().of_items().into_iter();
            Ok(System {
                name: system.name.clone(),
                source,
                stems: of_items.map(|pair| pair.stem).collect(),
                paired,
            })
        });
        let mut systems = systems.collect::<Result<Vec<System>, Error>>()?;
        let mut stems = stems_of(&systems);
        if let Some(n) = request.plan.consecutive {
            for (place, system) in systems.iter_mut().enumerate() {
                let own: Vec<&String> = stems.iter().skip(place * n).take(n).collect();
                system.stems.retain(|stem| own.contains(&stem));
                if system.stems.len() < n {
                    return Err(Error::Usage(format!(
                        "{}: {} has {} of its {n} stimuli, from number {} of {} on; show fewer of each system",
                        option("consecutive", &n.to_string()),
                        system.name,
                        system.stems.len(),
                        place * n + 1,
                        stems.len()
                    )));
                }
            }
            stems = stems_of(&systems);
        }
        Ok((Sources { gt, systems, stems }, findings))
    }

    pub(super) fn records(&self, progress: &dyn Progress) -> Result<Vec<InputRecord>, Error> {
        let mut records = vec![InputRecord::of_items("gt/images", &self.gt, progress)?];
        for system in &self.systems {
            records.push(InputRecord::of_items(format!("recon/images/{}", system.name), &system.source, progress)?);
        }
        Ok(records)
    }

    pub(super) fn material(&self) -> Material {
        let places: HashMap<&String, usize> = self.stems.iter().zip(0..).collect();
        let mut pairs: Vec<RatedPair> = Vec::new();
        for (system, of) in self.systems.iter().enumerate() {
            let stems = of.stems.iter().filter_map(|stem| places.get(stem));
            pairs.extend(stems.map(|&stem| RatedPair { stem, system }));
        }
        pairs.sort_unstable();
        Material {
            stems: self.stems.clone(),
            systems: self.systems.iter().map(|system| system.name.clone()).collect(),
            pairs,
        }
    }

    /// Every picture that can be shown, by system (`None` for stimuli) and stem.
    pub(super) fn pictures(&self, options: &ClipOptions) -> Vec<Picture<'_>> {
        let mut found = Vec::new();
        let mut of_gt = BTreeSet::new();
        let gt_times = self.gt.frame_times();
        for system in &self.systems {
            let recon_times = system.source.frame_times();
            let pairs = &system.paired.pairs;
            // Frames that are compared are shown for equally long.
            let time = |pair: usize| {
                let stems = [&self.gt, &system.source].map(ImageSource::stems);
                gt_times.of(&stems[0][pairs[pair].gt]).or_else(|| recon_times.of(&stems[1][pairs[pair].recon]))
            };
            let mut parts = Side::BOTH.map(|side| system.paired.parts_of_items(side));
            for stem in &system.stems {
                for (side, parts) in Side::BOTH.into_iter().zip(&mut parts) {
                    if side == Side::Gt && !of_gt.insert(stem) {
                        continue;
                    }
                    let parts = parts.remove(stem.as_str()).unwrap_or_default();
                    let longest = parts.iter().max_by_key(|part| part.places.len());
                    found.push(Picture {
                        system: (side == Side::Recon).then_some(&*system.name),
                        stem,
                        source: match side {
                            Side::Gt => &self.gt,
                            Side::Recon => &system.source,
                        },
                        parts: parts.iter().map(|part| options.places(part)).collect(),
                        n_frames: longest.map_or(0, |part| part.places.len()),
                        ms: longest.map_or_else(Vec::new, |part| options.ms(part, time)),
                    });
                }
            }
        }
        found
    }
}

/// One side of a pair, not read yet: an image, a clip, or several of them side by side.
pub(super) struct Picture<'a> {
    pub(super) system: Option<&'a str>,
    pub(super) stem: &'a str,
    source: &'a ImageSource,
    /// The views and samples, each with the indices of its frames; a still has one.
    pub(super) parts: Vec<Vec<usize>>,
    /// Number of frames of a clip, including those that are left out.
    pub(super) n_frames: usize,
    /// How long each frame is shown, ms; empty for stills.
    pub(super) ms: Vec<u32>,
}

impl Picture<'_> {
    /// Is it a clip?
    pub(super) fn moves(&self) -> bool {
        !self.ms.is_empty()
    }

    /// Loads the image at an index in 8 bits; floats are rounded, and values outside their range are clipped.
    pub(super) fn load(&self, place: usize) -> Result<Image<u8>, Error> {
        Ok(self.source.load_shown(place)?)
    }
}

/// System and stem of each picture in a trial.
pub(super) fn shown(trial: &Trial) -> [(Option<&str>, &str); 2] {
    [(None, &trial.stimulus), (trial.system.as_deref(), &trial.reconstruction)]
}

/// Checks the names of systems, which become parts of file names and ids.
fn check_names(systems: &[SystemImages]) -> Result<(), Error> {
    for (place, SystemImages { name, .. }) in systems.iter().enumerate() {
        let is_plain = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ' '));
        let is_name = is_plain && !name.starts_with(['.', ' ', '-']) && !name.ends_with([' ', '.']) && name.len() <= 80;
        if name.is_empty() || !is_name {
            return Err(Error::Usage(format!(
                "{name:?} is no name of a system: expected letters, digits, spaces and . - _, 80 at most, beginning with \
                 a letter, a digit or _"
            )));
        }
        let lower = name.to_lowercase();
        if systems[..place].iter().any(|other| other.name.to_lowercase() == lower) {
            return Err(Error::Usage(format!("two systems are called {name:?}; give them names of their own")));
        }
    }
    Ok(())
}
