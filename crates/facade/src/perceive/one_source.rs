//! The one source of images or captions that `perceive` observes.

use super::PerceiveRequest;
use crate::Error;
use crate::dataset::mask_names;
use crate::execute::{Images, Places, StepInputs, StepOutput};
use crate::kinds::{CaptionKind, observed};
use neurogauge_core::pair::Form;
use neurogauge_core::{Captions, Finding, ImageSet, ObservationKind, Progress, Role, counted};
use neurogauge_formats::categorisation::CategorisationSource;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::input_record::InputRecord;
use neurogauge_formats::{captions, recipe};
use neurogauge_language::{PunktParameters, WordNet};
use neurogauge_models::segmentation::MaskNames;
use std::collections::BTreeSet;

/// One folder of images, and their observations.
#[derive(Default)]
pub(super) struct OneSource {
    pub(super) images: Option<(ImageSource, InputRecord)>,
    captions: Option<Vec<(String, Captions)>>,
    categories: Option<CategorisationSource>,
    /// Did a step of this call make the categories? If so, an image may have none.
    has_observed_categories: bool,
    /// The kinds made by a placeholder.
    stand_ins: BTreeSet<ObservationKind>,
}

impl OneSource {
    pub(super) fn of_images(images: (ImageSource, InputRecord)) -> Self {
        OneSource {
            images: Some(images),
            ..OneSource::default()
        }
    }

    /// Opens the inputs; `taken` gets what they were taken for.
    pub(super) fn open(
        request: &PerceiveRequest,
        taken: &mut Vec<Finding>,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let source = request.images.as_deref().map(ImageSource::open);
        let with_record = |source: ImageSource| {
            for found in source.settle(request.reading, &source.path().display().to_string())? {
                found.tell(progress);
            }
            let record = InputRecord::of_items(Role::IMAGES, &source, progress)?;
            Ok::<_, Error>((source, record))
        };
        let images = source.transpose()?.map(with_record).transpose()?;
        let categories = request.categories.as_deref().map(CategorisationSource::open).transpose()?;
        let captions = request.captions.as_deref().filter(|_| request.parser.is_some());
        let given = [
            (ObservationKind::Captions, captions),
            (ObservationKind::Categories, request.categories.as_deref()),
            (ObservationKind::Detections, request.boxes.as_deref()),
        ];
        let mut stand_ins = BTreeSet::new();
        for (kind, path) in given {
            stand_ins.extend(path.map(|path| recipe::mark_of(path, kind)).transpose()?.flatten().map(|_| kind));
            if let Some(recipe) = path.and_then(|path| recipe::beside(path, kind)) {
                let words = format!("how the {} were made", kind.noun());
                taken.push(Finding::read_as(recipe.display().to_string(), words));
            }
        }
        let captions = captions.map(captions::read_described).transpose()?;
        let parser = request.parser.as_ref();
        let read = [
            images.as_ref().map(|(source, _)| {
                Finding::read_as("images", format!("{}, {}", counted(source.len(), "image"), source.form()))
            }),
            captions.as_ref().map(|file| {
                let form = Form::of(&file.form, "captions by stem").words;
                Finding::read_as("captions", format!("of {}, {form}", counted(file.captions.len(), "image")))
            }),
            categories.as_ref().map(|_| Finding::read_as("categories", CategorisationSource::HOLDS)),
            parser
                .and_then(|choice| choice.punkt.as_ref())
                .map(|_| Finding::read_as("punkt", PunktParameters::HOLDS)),
            parser
                .and_then(|choice| choice.wordnet.as_ref())
                .map(|_| Finding::read_as("wordnet", WordNet::HOLDS)),
        ];
        taken.extend(read.into_iter().flatten());
        Ok(OneSource {
            stand_ins,
            captions: captions.map(|file| file.captions),
            categories,
            has_observed_categories: false,
            images,
        })
    }
}

impl StepInputs for OneSource {
    fn image_sets(&self) -> Vec<ImageSet> {
        vec![ImageSet::Alone]
    }

    fn is_stand_in(&self, role: Role) -> bool {
        // For steps, masks of given boxes are made from images alone.
        self.stand_ins.contains(&role.kind) || self.stand_ins.contains(&ObservationKind::Detections)
    }

    fn n_items(&self, role: Role) -> usize {
        let images = self.images.as_ref().map_or(0, |(source, _)| source.len());
        match role.kind {
            ObservationKind::Captions => self.captions.as_ref().map_or(images, Vec::len),
            _ => images,
        }
    }

    fn images(&self, _of: ImageSet) -> Option<Images<'_>> {
        let (source, record) = self.images.as_ref()?;
        // The frames of a clip are in one folder, one file or one row of a stack.
        let are_frames = source.stems().iter().all(|stem| stem.contains('/'));
        Some(Images {
            source,
            record,
            are_frames,
        })
    }

    fn captions(&self, _of: ImageSet) -> Option<&[(String, Captions)]> {
        self.captions.as_deref()
    }

    fn captions_of_stimuli(&self, _of: ImageSet) -> Option<Vec<Option<String>>> {
        None
    }

    fn mask_names(&self, _of: ImageSet) -> Result<Option<Vec<Option<MaskNames>>>, Error> {
        let (Some((source, _)), Some(categories)) = (&self.images, &self.categories) else {
            return Ok(None);
        };
        if self.has_observed_categories {
            return Ok(Some(source.stems().iter().map(|stem| categories.find(stem).map(MaskNames::of)).collect()));
        }
        Ok(Some(mask_names(source, categories, false)?))
    }

    fn open(&mut self, outputs: &[StepOutput], places: &Places) -> Result<(), Error> {
        let Some(role) = outputs.first().map(|output| output.writes) else {
            return Ok(());
        };
        let path = places.file(role.of, role.kind);
        match (role.kind, &self.images) {
            (ObservationKind::Captions, Some((source, _))) => {
                self.captions = Some(observed::<CaptionKind>(&path, source.stems())?.0);
            }
            (ObservationKind::Categories, _) => {
                self.categories = Some(CategorisationSource::open_observed(&path)?);
                self.has_observed_categories = true;
            }
            _ => {}
        }
        Ok(())
    }
}
