//! Where the images are: stimuli, and the reconstructions of each system.

use crate::GalleryRequest;
use neurogauge::core::option_words::option;
use neurogauge::core::pair::natural_cmp;
use neurogauge::core::{Captions, Image, Warning};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::{Error, Run, load_run};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

/// A system's reconstructions.
pub(crate) struct System {
    pub(crate) name: String,
    source: ImageSource,
    /// The place of the reconstruction of each stimulus.
    places: HashMap<String, usize>,
    pub(crate) run: Option<Run>,
    /// Of stimuli and of reconstructions, by the stimulus's stem.
    captions: Option<[HashMap<String, Captions>; 2]>,
}

/// All images.
pub(crate) struct Systems {
    gt: ImageSource,
    pub(crate) systems: Vec<System>,
    /// Of the stimuli that every system has, in natural order.
    pub(crate) stems: Vec<String>,
    /// Of the others.
    pub(crate) n_left_out: usize,
    pub(crate) warnings: Vec<Warning>,
}

/// Is it the folder of a finished run?
fn is_run(path: &Path) -> bool {
    path.join("run.json").is_file()
}

impl Systems {
    pub(crate) fn open(request: &GalleryRequest) -> Result<Self, Error> {
        check_names(request)?;
        let mut warnings = Vec::new();
        let mut gt = request.gt.as_deref().map(ImageSource::open).transpose()?;
        let mut of_folders = Vec::new();
        let mut systems = Vec::new();
        for (place, (name, path)) in request.systems.iter().enumerate() {
            if !is_run(path) {
                of_folders.push(place);
                continue;
            }
            let run = load_run(path)?;
            let reopened = run.reopen();
            warnings.extend(reopened.warnings);
            let images = reopened.images.ok_or_else(|| {
                Error::Usage(format!(
                    "{}: the images that this run compared cannot be opened; give {name} as the folder of its reconstructions",
                    path.display()
                ))
            })?;
            if gt.is_none() {
                gt = Some(images.gt);
            }
            systems.push((
                place,
                System {
                    name: name.clone(),
                    places: by_stem(images.recon.stems()),
                    source: images.recon,
                    captions: reopened.captions.map(|sides| [sides.gt, sides.recon]),
                    run: Some(run),
                },
            ));
        }
        let gt = gt.ok_or_else(|| {
            Error::Usage(format!(
                "where are the stimuli? give {}, or a system as the folder of its run",
                option("gt", "DIR")
            ))
        })?;
        for place in of_folders {
            let (name, path) = &request.systems[place];
            let source = ImageSource::open(path)?;
            let paired = request.pairing.pair(gt.stems(), source.stems());
            let paired = paired.map_err(|error| Error::Pairing {
                what: "images",
                gt: gt.path().to_owned(),
                recon: path.clone(),
                remedy: error.remedy(|name, value| option(name, value).to_string()),
                source: error.into(),
            })?;
            let places = paired.pairs.into_iter().map(|pair| (pair.stem, pair.recon));
            systems.push((
                place,
                System {
                    name: name.clone(),
                    places: places.collect(),
                    source,
                    run: None,
                    captions: None,
                },
            ));
        }
        systems.sort_by_key(|(place, _)| *place);
        let systems: Vec<System> = systems.into_iter().map(|(_, system)| system).collect();
        let every = |stem: &&String| {
            systems
                .iter()
                .all(|system| system.places.contains_key(*stem))
        };
        let mut stems: Vec<String> = gt.stems().iter().filter(every).cloned().collect();
        stems.sort_by(|a, b| natural_cmp(a, b));
        if stems.is_empty() {
            return Err(Error::Usage(format!(
                "{}: no stimulus has a reconstruction of every system",
                gt.path().display()
            )));
        }
        Ok(Systems {
            n_left_out: gt.len() - stems.len(),
            gt,
            systems,
            stems,
            warnings,
        })
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.systems
            .iter()
            .map(|system| system.name.clone())
            .collect()
    }

    /// The stem as it is, or an error that says who lacks it.
    pub(crate) fn check_stem(&self, stem: &str) -> Result<(), Error> {
        if !self.gt.stems().iter().any(|known| known == stem) {
            return Err(Error::Usage(format!(
                "{}: no stimulus has the stem {stem:?}; there are {}",
                self.gt.path().display(),
                examples(self.gt.stems())
            )));
        }
        match self
            .systems
            .iter()
            .find(|system| !system.places.contains_key(stem))
        {
            Some(system) => Err(Error::Usage(format!(
                "{}: {} has no reconstruction of {stem:?}",
                system.source.path().display(),
                system.name
            ))),
            None => Ok(()),
        }
    }

    pub(crate) fn stimulus(&self, stem: &str) -> Result<Option<Image<u8>>, Error> {
        Ok(self.gt.shown(stem)?)
    }

    /// The image of each pair of a system, as metrics take it.
    pub(crate) fn pair(&self, system: &System, stem: &str) -> Result<[Image<f32>; 2], Error> {
        let place = self.gt.stems().iter().position(|known| known == stem);
        Ok([
            self.gt.load(place.unwrap_or_default())?,
            system.source.load(system.place(stem))?,
        ])
    }

    /// The first caption of a stimulus that any run has.
    pub(crate) fn stimulus_caption(&self, stem: &str) -> Option<&str> {
        self.systems
            .iter()
            .find_map(|system| system.caption(0, stem))
    }
}

impl System {
    fn place(&self, stem: &str) -> usize {
        self.places.get(stem).copied().unwrap_or_default()
    }

    pub(crate) fn reconstruction(&self, stem: &str) -> Result<Image<u8>, Error> {
        Ok(self.source.load_shown(self.place(stem))?)
    }

    /// The first caption of a stimulus (side 0) or of its reconstruction (side 1).
    pub(crate) fn caption(&self, side: usize, stem: &str) -> Option<&str> {
        let captions = self.captions.as_ref()?[side].get(stem)?;
        captions.0.first().map(|caption| caption.trim())
    }
}

fn by_stem(stems: &[String]) -> HashMap<String, usize> {
    stems.iter().cloned().zip(0..).collect()
}

fn check_names(request: &GalleryRequest) -> Result<(), Error> {
    let names: Vec<&str> = request
        .systems
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    let distinct: HashSet<&&str> = names.iter().collect();
    if names.is_empty() || distinct.len() < names.len() {
        return Err(Error::Usage(format!(
            "a gallery shows one system or more, each with a name of its own; found {names:?}"
        )));
    }
    let known: BTreeSet<&str> = names.iter().copied().collect();
    match &request.by_system {
        Some(name) if !known.contains(name.as_str()) => Err(Error::Usage(format!(
            "{name:?} is no system here; there are {}",
            names.join(", ")
        ))),
        _ => Ok(()),
    }
}

/// The first few of some names.
fn examples(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(5).map(String::as_str).collect();
    let more = if names.len() > shown.len() {
        ", ..."
    } else {
        ""
    };
    format!("{}{more}", shown.join(", "))
}
