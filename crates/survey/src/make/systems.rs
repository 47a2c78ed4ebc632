//! The pictures of all systems, paired with the stimuli.

use super::MakeRequest;
use crate::plan::{Material, RatedPair, Trial};
use neurogauge::core::option_words::option;
use neurogauge::core::pair::natural_cmp;
use neurogauge::core::{Image, Pair, Progress};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::{Error, InputRecord};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

/// The reconstructions of one system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemImages {
    /// Its name.
    pub name: String,
    /// A folder of images, a `.npy` stack or a `.pt` file.
    pub path: PathBuf,
}

/// One system's pictures, paired with the stimuli.
struct System {
    name: String,
    source: ImageSource,
    pairs: Vec<Pair>,
}

/// All pictures.
pub(super) struct Sources {
    gt: ImageSource,
    systems: Vec<System>,
    /// The stimuli that any system has, in natural order.
    stems: Vec<String>,
}

impl Sources {
    pub(super) fn open(request: &MakeRequest) -> Result<Self, Error> {
        check_names(&request.recon)?;
        let gt = ImageSource::open(&request.gt)?;
        let systems = request.recon.iter().map(|system| {
            let source = ImageSource::open(&system.path)?;
            let paired = gt.paired_with(&source, &request.pairing);
            let paired = paired.map_err(|error| Error::Pairing {
                what: "images",
                gt: request.gt.clone(),
                recon: system.path.clone(),
                remedy: error.remedy(|name, value| option(name, value).to_string()),
                source: error.into(),
            })?;
            Ok(System {
                name: system.name.clone(),
                source,
                pairs: paired.of_items(),
            })
        });
        let systems = systems.collect::<Result<Vec<System>, Error>>()?;
        let stems: BTreeSet<&String> = systems
            .iter()
            .flat_map(|system| system.pairs.iter().map(|pair| &pair.stem))
            .collect();
        let mut stems: Vec<String> = stems.into_iter().cloned().collect();
        stems.sort_by(|a, b| natural_cmp(a, b));
        Ok(Sources { gt, systems, stems })
    }

    pub(super) fn records(&self, progress: &dyn Progress) -> Result<Vec<InputRecord>, Error> {
        let mut records = vec![InputRecord::of_items("gt/images", &self.gt, progress)?];
        for system in &self.systems {
            records.push(InputRecord::of_items(
                format!("recon/images/{}", system.name),
                &system.source,
                progress,
            )?);
        }
        Ok(records)
    }

    pub(super) fn material(&self) -> Material {
        let places: HashMap<&String, usize> = self.stems.iter().zip(0..).collect();
        let mut pairs: Vec<RatedPair> = Vec::new();
        for (system, of) in self.systems.iter().enumerate() {
            let stems = of.pairs.iter().filter_map(|pair| places.get(&pair.stem));
            pairs.extend(stems.map(|&stem| RatedPair { stem, system }));
        }
        pairs.sort_unstable();
        Material {
            stems: self.stems.clone(),
            systems: self
                .systems
                .iter()
                .map(|system| system.name.clone())
                .collect(),
            pairs,
        }
    }

    /// Every picture that can be shown, by system (`None` for stimuli) and stem.
    pub(super) fn pictures(&self) -> Vec<Picture<'_>> {
        let mut found = Vec::new();
        let mut of_gt = BTreeSet::new();
        for system in &self.systems {
            for pair in &system.pairs {
                if of_gt.insert(&pair.stem) {
                    found.push(Picture {
                        system: None,
                        stem: &pair.stem,
                        source: &self.gt,
                        place: pair.gt,
                    });
                }
                found.push(Picture {
                    system: Some(&system.name),
                    stem: &pair.stem,
                    source: &system.source,
                    place: pair.recon,
                });
            }
        }
        found
    }
}

/// One picture, not read yet.
pub(super) struct Picture<'a> {
    pub(super) system: Option<&'a str>,
    pub(super) stem: &'a str,
    source: &'a ImageSource,
    place: usize,
}

impl Picture<'_> {
    /// Loads it in 8 bits; floats are rounded, and values outside of their range are clipped.
    pub(super) fn load(&self) -> Result<Image<u8>, Error> {
        if let Some(image) = self.source.load_u8(self.place)? {
            return Ok(image);
        }
        let image = self.source.load(self.place)?;
        let levels = image
            .data()
            .iter()
            .map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8);
        let (width_px, height_px) = (image.width_px(), image.height_px());
        Image::new(width_px, height_px, levels.collect())
            .map_err(|error| Error::Usage(error.to_string()))
    }
}

/// Which pictures a trial shows: system and stem of each.
pub(super) fn shown(trial: &Trial) -> [(Option<&str>, &str); 2] {
    [
        (None, &trial.stimulus),
        (trial.system.as_deref(), &trial.reconstruction),
    ]
}

/// Names become parts of file names and of ids.
fn check_names(systems: &[SystemImages]) -> Result<(), Error> {
    for (place, SystemImages { name, .. }) in systems.iter().enumerate() {
        let is_plain = name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ' '));
        let is_name = is_plain
            && !name.starts_with(['.', ' ', '-'])
            && !name.ends_with([' ', '.'])
            && name.len() <= 80;
        if name.is_empty() || !is_name {
            return Err(Error::Usage(format!(
                "{name:?} is no name of a system: expected letters, digits, spaces and . - _, 80 at most, beginning with \
                 a letter, a digit or _"
            )));
        }
        let lower = name.to_lowercase();
        if systems[..place]
            .iter()
            .any(|other| other.name.to_lowercase() == lower)
        {
            return Err(Error::Usage(format!(
                "two systems are called {name:?}; give them names of their own"
            )));
        }
    }
    Ok(())
}
