//! Finds the images: stimuli, and the reconstructions of each system.

use crate::GalleryRequest;
use crate::captions::{self, ByStem};
use neurogauge::core::option_words::option;
use neurogauge::core::pair::{Axis, listed, natural_cmp};
use neurogauge::core::{Finding, Image, counted, first_names};
use neurogauge::formats::image_source::ImageSource;
use neurogauge::formats::recipe;
use neurogauge::{Error, LevelMasks, Run, RunFolder, load_run, pair_images};
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub(crate) struct System {
    pub(crate) name: String,
    source: ImageSource,
    /// The index of each stimulus's reconstruction.
    places: HashMap<String, usize>,
    pub(crate) run: Option<Run>,
    /// The stimuli of its run, if those that are shown come from elsewhere.
    own_gt: Option<ImageSource>,
    /// The masks of its run, if masks are shown.
    pub(crate) masks: Option<LevelMasks>,
    /// Captions by the stem of the reconstruction, or of its stimulus.
    captions: ByStem,
    /// Captions of its run's stimuli.
    gt_captions: ByStem,
}

pub(crate) struct Systems {
    gt: ImageSource,
    gt_captions: ByStem,
    pub(crate) systems: Vec<System>,
    /// Stems of the stimuli that every system has, in natural order.
    pub(crate) stems: Vec<String>,
    /// Number of stimuli that some system lacks.
    pub(crate) n_left_out: usize,
    /// The axes of the items' parts; of each item one image is shown.
    pub(crate) axes: BTreeSet<Axis>,
    pub(crate) findings: Vec<Finding>,
}

/// The error if no system is a run and no stimuli are given; a system's path may be misspelt.
fn without_stimuli(request: &GalleryRequest) -> Error {
    if let Some((name, path)) = request.systems.iter().find(|(_, path)| !ImageSource::exists(path)) {
        return Error::Usage(format!(
            "{name}={}: no such folder or file; expected the folder of a finished run, or a folder, .npy stack or .pt file of \
             reconstructions",
            path.display()
        ));
    }
    Error::Usage(format!(
        "no stimuli: none of the systems is the folder of a finished run, whose stimuli would be shown; give them with {}",
        option("gt", "PATH")
    ))
}

impl Systems {
    pub(crate) fn open(request: &GalleryRequest) -> Result<Self, Error> {
        check_names(request)?;
        let mut findings = Vec::new();
        let mut gt = request.gt.as_deref().map(ImageSource::open).transpose()?;
        if let Some(gt) = &gt {
            findings.extend(gt.settle(request.reading, "gt images")?);
        }
        let mut axes = BTreeSet::new();
        // Runs are opened first, since the stimuli may come from a run.
        let mut systems: Vec<Option<System>> = request.systems.iter().map(|_| None).collect();
        for (system, (name, path)) in systems.iter_mut().zip(&request.systems) {
            if !RunFolder::is_at(path) {
                continue;
            }
            let run = load_run(path)?;
            axes.extend(run.record.parts.iter().flat_map(|parts| &parts.axes));
            let reopened = run.reopen();
            findings.extend(reopened.findings);
            findings.extend(run.record.findings.iter().filter(|found| found.code == recipe::STAND_IN).cloned());
            let captions = reopened.captions.unwrap_or_default();
            let masks = reopened.masks.filter(|_| request.masks);
            let images = reopened.images.ok_or_else(|| {
                Error::Usage(format!(
                    "{}: the images that this run compared cannot be opened; give {name} as the folder of its reconstructions",
                    path.display()
                ))
            })?;
            let own_gt = match gt {
                Some(_) => Some(images.gt),
                None => {
                    gt = Some(images.gt);
                    None
                }
            };
            *system = Some(System {
                name: name.clone(),
                places: by_stem(images.recon.stems()),
                source: images.recon,
                captions: captions.recon,
                gt_captions: captions.gt,
                masks: masks.map(|sides| LevelMasks::of(&run, sides)),
                run: Some(run),
                own_gt,
            });
        }
        let mut of_items = BTreeMap::new();
        let mut gt = gt.ok_or_else(|| without_stimuli(request))?;
        for (system, (name, path)) in systems.iter_mut().zip(&request.systems).filter(|(system, _)| system.is_none()) {
            let source = ImageSource::open(path)?;
            findings.extend(source.settle(request.reading, &format!("images of {name}"))?);
            let (paired, found) = pair_images(&request.pairing, &gt, &source)?;
            findings.extend(found.into_iter().map(|found| found.about(name)));
            axes.extend(&paired.axes);
            let pairs = paired.of_items();
            let of_gt = pairs.iter().map(|pair| (pair.stem.clone(), pair.gt));
            of_items.extend(of_gt.filter(|_| request.pairing.parts.is_some()));
            let places = pairs.into_iter().map(|pair| (pair.stem, pair.recon));
            *system = Some(System {
                name: name.clone(),
                places: places.collect(),
                source,
                run: None,
                own_gt: None,
                masks: None,
                captions: ByStem::new(),
                gt_captions: ByStem::new(),
            });
        }
        if !of_items.is_empty() {
            let (stems, places): (Vec<String>, Vec<usize>) = of_items.into_iter().unzip();
            gt.select(&places, stems);
        }
        let mut systems: Vec<System> = systems.into_iter().flatten().collect();
        let every = |stem: &&String| systems.iter().all(|system| system.places.contains_key(*stem));
        let mut stems: Vec<String> = gt.stems().iter().filter(every).cloned().collect();
        stems.sort_by(|a, b| natural_cmp(a, b));
        if stems.is_empty() {
            return Err(Error::Usage(format!(
                "{}: no stimulus has a reconstruction of every system",
                gt.path().display()
            )));
        }
        let mut gt_captions = ByStem::new();
        if request.shows_captions() {
            let of_gt: Vec<&str> = gt.stems().iter().map(String::as_str).collect();
            let file = request.caption_file(GalleryRequest::STIMULI);
            gt_captions = captions::of_images(file, &gt, &of_gt, &mut findings)?.unwrap_or_default();
            for system in &mut systems {
                system.read_captions(request, &of_gt, &mut findings)?;
            }
        }
        Ok(Systems {
            gt_captions,
            axes,
            n_left_out: gt.len() - stems.len(),
            gt,
            systems,
            stems,
            findings,
        })
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.systems.iter().map(|system| system.name.clone()).collect()
    }

    /// The unchanged stem, or an error that names the side without it.
    pub(crate) fn check_stem(&self, stem: &str) -> Result<(), Error> {
        if !self.gt.stems().iter().any(|known| known == stem) {
            return Err(Error::Usage(format!(
                "{}: no stimulus has the stem {stem:?}; there are {}",
                self.gt.path().display(),
                listed(self.gt.stems().iter().map(String::as_str))
            )));
        }
        match self.systems.iter().find(|system| !system.places.contains_key(stem)) {
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

    /// For each system, a sentence if its run had other images under these stems than the stimuli that are shown.
    pub(crate) fn differing_stimuli(&self, stems: &[String]) -> Result<Vec<String>, Error> {
        let mut notes = Vec::new();
        for system in &self.systems {
            let Some(own_gt) = &system.own_gt else {
                continue;
            };
            let mut n = 0;
            for stem in stems {
                let own = own_gt.shown(stem).ok().flatten();
                n += usize::from(own.is_some() && own != self.stimulus(stem)?);
            }
            if n > 0 {
                notes.push(format!(
                    "Stimuli differ: in {} shown here, {} was scored against another stimulus.",
                    counted(n, "pair"),
                    system.name
                ));
            }
        }
        Ok(notes)
    }

    /// The images of a system's pair, in the form for metrics.
    pub(crate) fn pair(&self, system: &System, stem: &str) -> Result<[Image<f32>; 2], Error> {
        let place = self.gt.stems().iter().position(|known| known == stem);
        Ok([self.gt.load(place.unwrap_or_default())?, system.source.load(system.place(stem))?])
    }

    /// The first caption of a stimulus, from its own file or otherwise from any run.
    pub(crate) fn stimulus_caption(&self, stem: &str) -> Option<&str> {
        let of_runs = self.systems.iter().map(|system| &system.gt_captions);
        [&self.gt_captions].into_iter().chain(of_runs).find_map(|captions| first(captions, stem))
    }
}

impl System {
    fn place(&self, stem: &str) -> usize {
        self.places.get(stem).copied().unwrap_or_default()
    }

    pub(crate) fn reconstruction(&self, stem: &str) -> Result<Image<u8>, Error> {
        Ok(self.source.load_shown(self.place(stem))?)
    }

    /// The first caption of the reconstruction of a stimulus.
    pub(crate) fn caption(&self, stem: &str) -> Option<&str> {
        let own = self.source.stems().get(self.place(stem))?;
        first(&self.captions, own).or_else(|| first(&self.captions, stem))
    }

    /// Reads the captions of a named file, or of the file beside images without a run.
    fn read_captions(
        &mut self,
        request: &GalleryRequest,
        of_gt: &[&str],
        findings: &mut Vec<Finding>,
    ) -> Result<(), Error> {
        let file = request.caption_file(&self.name);
        if file.is_none() && self.run.is_some() {
            return Ok(());
        }
        let own = self.source.stems().iter().map(String::as_str);
        let stems: Vec<&str> = own.chain(of_gt.iter().copied()).collect();
        if let Some(found) = captions::of_images(file, &self.source, &stems, findings)? {
            self.captions = found;
        }
        Ok(())
    }
}

fn first<'a>(captions: &'a ByStem, stem: &str) -> Option<&'a str> {
    captions.get(stem)?.0.first().map(|caption| caption.trim())
}

fn by_stem(stems: &[String]) -> HashMap<String, usize> {
    stems.iter().cloned().zip(0..).collect()
}

fn check_names(request: &GalleryRequest) -> Result<(), Error> {
    let names: Vec<&str> = request.systems.iter().map(|(name, _)| name.as_str()).collect();
    let known: BTreeSet<&str> = names.iter().copied().collect();
    if names.is_empty() || known.len() < names.len() {
        return Err(Error::Usage(format!(
            "a gallery shows one system or more, each with a name of its own; found {names:?}"
        )));
    }
    let captioned = request.caption_files.iter().map(|(name, _)| name.as_str());
    let mut strangers = captioned.filter(|name| *name != GalleryRequest::STIMULI && !known.contains(name));
    if let Some(name) = strangers.next() {
        return Err(Error::Usage(format!(
            "captions of {name:?}: no system is called so; there are {}, and {} for the stimuli",
            first_names(&names),
            GalleryRequest::STIMULI
        )));
    }
    match &request.by_system {
        Some(name) if !known.contains(name.as_str()) => {
            Err(Error::Usage(format!("{name:?} is no system here; there are {}", first_names(&names))))
        }
        _ => Ok(()),
    }
}
