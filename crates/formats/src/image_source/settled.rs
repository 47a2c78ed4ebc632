//! Decisions about images before they are read: the meaning of floats and transparent pixels.

use super::{ImageSource, Origin};
use crate::image_file::{self, Transparency};
use crate::image_header::{self, ImageHeader};
use crate::{AtPath, FormatError, Problem};
use neurogauge_core::image::{Background, FloatScale, ImageReading, OutOfRange};
use neurogauge_core::inspection::content::{not_finite, several_pictures, transparent, turned};
use neurogauge_core::option_words::option;
use neurogauge_core::pair::listed;
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{Finding, Image};
use std::collections::BTreeSet;
use std::path::Path;

impl ImageSource {
    /// Decides how stored values become colours, and returns the assumptions that were made; `subject` names the
    /// images. This reads the headers of all files, and the pixels of images that are floats or may be transparent.
    /// Images without a decision are read as stored.
    ///
    /// # Errors
    /// Floats are far outside 0 to 1, or transparent pixels hide colours, and the request does not say how to read
    /// them. Errors of [`Self::load`].
    pub fn settle(&self, asked: ImageReading, subject: &str) -> Result<Vec<Finding>, FormatError> {
        let mut found = Vec::new();
        let reading = match &self.origin {
            Origin::Files { .. } => ImageReading {
                alpha: self.settled_alpha(asked.alpha, subject, &mut found)?,
                values: None,
            },
            Origin::Stack { layout, named_by, .. } => {
                found.extend(self.taken_for(*layout, named_by.as_deref(), subject));
                let values = match self.holds_floats() {
                    true => self.settled_values(asked.values, subject, &mut found)?,
                    false => None,
                };
                let alpha = match layout.has_alpha() {
                    true => {
                        let looked_at = self.transparencies(values.unwrap_or(FloatScale::AsTheyAre))?;
                        self.decided_alpha(asked.alpha, subject, (looked_at, self.len()), &mut found)?
                    }
                    false => None,
                };
                ImageReading { values, alpha }
            }
        };
        self.reading.get_or_init(|| reading);
        Ok(found)
    }

    fn settled_values(
        &self,
        asked: Option<FloatScale>,
        subject: &str,
        found: &mut Vec<Finding>,
    ) -> Result<Option<FloatScale>, FormatError> {
        let facts = |image: usize| {
            stop_if_asked();
            Ok(self.stored(image)?.0.facts())
        };
        let facts = parallel::try_map(self.len(), facts)?;
        let images = self.stems.iter().zip(&facts);
        let broken: Vec<&str> = images.filter(|(_, facts)| !facts.is_finite).map(|(stem, _)| stem.as_str()).collect();
        found.extend(not_finite(subject, (&broken, self.len())));
        let ranges = facts.iter().map(|facts| (facts.low, facts.high));
        let Some(beyond) = OutOfRange::of(ranges) else {
            return Ok(None);
        };
        found.push(match asked {
            Some(scale) => {
                let how = match scale {
                    FloatScale::Levels => "they are divided by 255",
                    FloatScale::Signed => "they are read as (x + 1) / 2",
                    FloatScale::Clipped => "they are clipped",
                    FloatScale::AsTheyAre => "they are compared as they are",
                };
                let evidence = option("values", scale.word()).to_string();
                Finding::note("pixel_values", subject, format!("{beyond}; {how}")).on_evidence(evidence)
            }
            None if beyond.is_other_scale() => {
                let likely = match beyond.likely_scale() {
                    scale @ (FloatScale::Levels | FloatScale::Signed) => scale,
                    _ => FloatScale::AsTheyAre,
                };
                let expected = format!(
                    "floats of 0 to 1, or the scale that is meant: 0..255, -1..1, clip or as-they-are, such as {}",
                    option("values", likely.word())
                );
                return Err(Problem::content(format!("images that need a scale: {beyond}"), expected).at(&self.path));
            }
            None => {
                let message = format!("{beyond}, which are compared as they are; image files would clip them");
                let advice = format!("{} clips them here", option("values", "clip"));
                Finding::warning("pixel_values", subject, message).advise(advice)
            }
        });
        Ok(asked)
    }

    fn settled_alpha(
        &self,
        asked: Option<Background>,
        subject: &str,
        found: &mut Vec<Finding>,
    ) -> Result<Option<Background>, FormatError> {
        let headers = self.headers()?;
        let name = |file: &Path| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let with = |has: fn(&ImageHeader) -> bool| -> Vec<String> {
            headers.iter().filter(|(_, header)| has(header)).map(|(file, _)| name(file)).collect()
        };
        let finding = |of: fn(&str, (&[&str], usize)) -> Option<Finding>, files: &[String]| {
            let files: Vec<&str> = files.iter().map(String::as_str).collect();
            of(subject, (&files, headers.len()))
        };
        found.extend(finding(turned, &with(|header| header.is_turned)));
        found.extend(finding(several_pictures, &with(|header| header.has_more_pictures)));
        let with_alpha: Vec<&Path> =
            headers.iter().filter(|(_, header)| header.has_alpha).map(|(file, _)| *file).collect();
        let looked_at = parallel::map_each(&with_alpha, |file| {
            stop_if_asked();
            // Faults of a file are found when it is read for the comparison.
            let transparency = image_file::transparency(file).unwrap_or(Transparency::None);
            (name(file), transparency)
        });
        self.decided_alpha(asked, subject, (looked_at, headers.len()), found)
    }

    /// The transparency of each image of a stack with alpha.
    fn transparencies(&self, scale: FloatScale) -> Result<Vec<(String, Transparency)>, FormatError> {
        let level = |value: f32| (scale.to_unit(value) * 255.0).round() as u8;
        let levels = |values: Vec<f32>| values.into_iter().map(level).collect::<Vec<u8>>();
        parallel::try_map(self.len(), |index| {
            stop_if_asked();
            let (image, alpha) = match self.stored_u8(index)? {
                Some(stored) => stored,
                None => {
                    let (image, alpha) = self.stored(index)?;
                    let (width_px, height_px) = (image.width_px(), image.height_px());
                    let image = Image::new(width_px, height_px, levels(image.into_data())).at(&self.path)?;
                    (image, alpha.map(levels))
                }
            };
            let transparency = Transparency::of(&image, &alpha.unwrap_or_default());
            Ok((self.stems[index].clone(), transparency))
        })
    }

    /// Decides about the transparency of some of `n_images` images, which are named.
    fn decided_alpha(
        &self,
        asked: Option<Background>,
        subject: &str,
        (looked_at, n_images): (Vec<(String, Transparency)>, usize),
        found: &mut Vec<Finding>,
    ) -> Result<Option<Background>, FormatError> {
        let (mut plain, mut hiding) = (Vec::new(), Vec::new());
        for (file, transparency) in looked_at {
            match transparency {
                Transparency::None => {}
                Transparency::OnOneColour => plain.push(file),
                Transparency::HidesColours => hiding.push(file),
            }
        }
        if plain.is_empty() && hiding.is_empty() {
            return Ok(None);
        }
        if let Some(background) = asked {
            let message = format!(
                "{} of {} have transparent pixels, which {}",
                plain.len() + hiding.len(),
                n_images,
                match background {
                    Background::White => "are put on white",
                    Background::Black => "are put on black",
                    Background::AsStored => "count as if they were not",
                }
            );
            let evidence = option("alpha", background.word()).to_string();
            found.push(Finding::note("transparency", subject, message).on_evidence(evidence));
            return Ok(asked);
        }
        if hiding.is_empty() {
            let plain: Vec<&str> = plain.iter().map(String::as_str).collect();
            found.extend(transparent(subject, (&plain, n_images)));
            return Ok(None);
        }
        let found = format!(
            "transparent pixels that hide colours: in {} of {} images ({}), other colours lie below them than a background has",
            hiding.len(),
            n_images,
            listed(hiding.iter().map(String::as_str))
        );
        let expected = format!(
            "opaque images, or what they lie on: white, black, or as-stored to see what is below, such as {}",
            option("alpha", Background::White.word())
        );
        Err(Problem::content(found, expected).at(&self.path))
    }

    /// The header of each image file; clips and videos have no header.
    fn headers(&self) -> Result<Vec<(&Path, ImageHeader)>, FormatError> {
        let Origin::Files { files, .. } = &self.origin else {
            return Ok(Vec::new());
        };
        let files: BTreeSet<&Path> = self.places.iter().map(|place| files[*place].path.as_path()).collect();
        let files: Vec<&Path> = files.into_iter().collect();
        parallel::try_map_each(&files, |file| Ok((*file, image_header::read(file)?)))
    }
}
