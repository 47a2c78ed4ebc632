//! Pictures of the reconstructions that are most like a training stimulus.

use crate::AuditRecord;
use crate::feature_set::FeatureSet;
use crate::items::Items;
use neurogauge::Error;
use neurogauge::formats::FormatError;
use neurogauge::formats::image_source::ImageSource;
use neurogauge::report::figures::{ContactSheet, SheetRow};

/// The most rows of the sheet.
const MOST: usize = 12;

/// The worst copies, and the sources of their pictures.
#[derive(Debug)]
pub(crate) struct Copies {
    /// The given images: reconstructions, stimuli, training stimuli.
    sides: Vec<(&'static str, usize, ImageSource)>,
    cases: Vec<Case>,
    n_copies: usize,
}

/// A reconstruction that is closer to a training stimulus than to its own.
#[derive(Debug)]
struct Case {
    /// The ids of the reconstruction, its stimulus, and the nearest training stimulus.
    ids: [String; 3],
    own: f64,
    nearest: f64,
}

impl Copies {
    /// The copies with the largest gap first; `None` without images or without copies. The images are moved out of
    /// `items`.
    pub(crate) fn of(items: &mut Items) -> Option<Copies> {
        let own = items.own_similarities()?;
        let decoded = items.decoded.as_ref()?;
        let nearest = items.of_decoded.iter().enumerate();
        let mut cases: Vec<Case> = nearest
            .filter_map(|(item, found)| {
                let (row, nearest) = found.nearest?;
                (nearest > own[item]).then(|| Case {
                    ids: [
                        decoded.ids[items.decoded_rows[item]].clone(),
                        items.test.ids[items.test_rows[item]].clone(),
                        items.train.ids[row].clone(),
                    ],
                    own: own[item],
                    nearest,
                })
            })
            .collect();
        cases.sort_by(|a, b| (b.nearest - b.own).total_cmp(&(a.nearest - a.own)));
        let n_copies = cases.len();
        cases.truncate(MOST);
        let sides = [
            ("reconstruction", items.decoded.as_mut()),
            ("stimulus", Some(&mut items.test)),
            ("nearest in training", Some(&mut items.train)),
        ];
        let take = |set: Option<&mut FeatureSet>| set.and_then(|set| set.images.take());
        let sides: Vec<_> = (sides.into_iter().enumerate())
            .filter_map(|(place, (name, set))| Some((name, place, take(set)?)))
            .collect();
        (!sides.is_empty() && !cases.is_empty()).then_some(Copies { sides, cases, n_copies })
    }

    pub(crate) fn sheet(&self, record: &AuditRecord) -> Result<ContactSheet, Error> {
        let mut rows = Vec::new();
        for case in &self.cases {
            let images = self.sides.iter().map(|(_, place, source)| source.shown(&case.ids[*place]));
            rows.push(SheetRow {
                images: images.collect::<Result<_, FormatError>>()?,
                lines: vec![
                    case.ids[1].clone(),
                    format!("{}: {:.3}", record.marked("to its own stimulus"), case.own),
                    format!("{}: {:.3}", record.marked("to the nearest in training"), case.nearest),
                    format!("nearest in training: {}", case.ids[2]),
                ],
            });
        }
        let shown = match self.n_copies > self.cases.len() {
            true => format!(" The {} with the largest difference are shown.", self.cases.len()),
            false => String::new(),
        };
        Ok(ContactSheet {
            title: "Reconstructions nearer to a training picture than to their own stimulus".to_owned(),
            columns: self.sides.iter().map(|(name, ..)| (*name).to_owned()).collect(),
            rows,
            caption: record.noted(format!(
                "{} of {} reconstructions, by similarity of features.{shown}",
                self.n_copies, record.n_test
            )),
        })
    }
}
