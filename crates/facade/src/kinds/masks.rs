//! Masks of objects, parts and background, with one pair of files in memory per thread, and the categories of their
//! names.

use super::{Needs, ObservedKind, PairKind, add_observed};
use crate::Error;
use crate::compute::{Computed, Context, Loaded, content, sameness};
use crate::dataset::{Dataset, Entries, InputRecord, Opening, Paired, listed, stems_in};
use crate::execute::{Places, StepOutput};
use crate::observers::masks::{DEFAULT_MASK_DETECTOR, DEFAULT_SEGMENTER, MaskPrompts};
use crate::option_names::OBSERVATIONS;
use neurogauge_core::option_words::option;
use neurogauge_core::{Finding, Masks, ObservationKind, Role, Side, Sides, Undefined};
use neurogauge_formats::categorisation::CategorisationSource;
use neurogauge_formats::masks::MaskSource;
use neurogauge_metrics::decoding::basic_l::names_at_no_level;
use neurogauge_metrics::{Metric, PairFunction};
use std::path::PathBuf;

pub(crate) struct MaskKind;

impl ObservedKind for MaskKind {
    const KIND: ObservationKind = ObservationKind::Masks;
    type Items = MaskSource;

    fn open(files: Option<&Sides<PathBuf>>, opening: &mut Opening<'_>) -> Result<(), Error> {
        let Some(paths) = files else { return Ok(()) };
        let categories = opening.categories()?;
        let opened = MaskSource::open_both(paths, opening.request.pairing.pairs)?;
        let with_categories = |masks: MaskSource, of: &Option<CategorisationSource>| match of {
            Some(of) => masks.with_categories(of.clone()),
            None => Ok(masks),
        };
        let sides = Sides {
            gt: with_categories(opened.gt, &categories.gt)?,
            recon: with_categories(opened.recon, &categories.recon)?,
        };
        let masks = opening.paired(Self::KIND, sides)?;
        opening.record(Self::KIND, &masks.sides)?;
        opening.dataset.add(Self::KIND, masks);
        match opening.located.has(ObservationKind::Categories) {
            true => opening.kind(ObservationKind::Images),
            false => Ok(()),
        }
    }

    fn reopen(_outputs: &[StepOutput], places: &Places, dataset: &mut Dataset) -> Result<(), Error> {
        let (Some(asked), Some(images)) = (dataset.resources.asked_categories.clone(), dataset.images()) else {
            return Ok(());
        };
        let own_stems = Sides::new(stems_in(&images.sides.gt, &asked.gt), stems_in(&images.sides.recon, &asked.recon));
        let are_observed = dataset.resources.has_observed_categories;
        add_observed::<Self>(dataset, |_, side, stems| {
            let folder = places.folder(side.into(), Self::KIND);
            let masks = MaskSource::of_stems(&folder, stems, own_stems.side(side).clone());
            let categories = asked.side(side).clone();
            Ok(match are_observed {
                true => masks.with_observed_categories(categories),
                false => masks.with_categories(categories)?,
            })
        })
    }

    /// Models need the names of the things in the images.
    fn needs(_metric: &Metric) -> Needs {
        Needs {
            models: vec![DEFAULT_MASK_DETECTOR, DEFAULT_SEGMENTER],
            is_of_images: false,
            to_give: vec![format!("masks of both sides (or categories and {})", option("masks", "MODEL"))],
            options: " --observations observations/",
            ..Needs::of_both_sides(Self::KIND, format_args!("{OBSERVATIONS}, with gt/masks and recon/masks"))
        }
    }

    fn compare(context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
        let metrics = context.functions::<PairFunction<Masks>>(Self::KIND);
        let (Some(masks), Some(pairs), false) = (Self::of(context.dataset), Self::pairs(context), metrics.is_empty())
        else {
            return Ok(());
        };
        let options = &context.request.options;
        let seen = pairs.compared(
            &metrics,
            computed,
            |function, _, Sides { gt, recon }| function(gt, recon, options),
            |_, Sides { gt, recon }| {
                let names = gt.items.iter().chain(&recon.items).map(|mask| mask.name.as_str());
                Look {
                    stray: names_at_no_level(&gt, &recon, &options.basic_l).into_iter().find(|name| !name.is_empty()),
                    n_masks: names.clone().count(),
                    n_unlabelled: names.filter(|name| name.is_empty()).count(),
                    contents: Sides::new(content(&gt.items), content(&recon.items)),
                }
            },
        )?;
        let contents = |side: Side| seen.iter().map(move |look| *look.as_ref().ok()?.contents.side(side));
        let same = Side::BOTH.map(|side| sameness(side, Self::KIND.noun(), contents(side)));
        let looks: Vec<&Look> = seen.iter().flatten().collect();
        let found = [unlabelled(&looks), strays(&looks, seen.len())];
        computed.findings.extend(no_categories(&masks.sides));
        computed.findings.extend(same.into_iter().chain(found).flatten());
        Ok(())
    }
}

impl PairKind for MaskKind {
    type Item<'a> = Masks;
    const READS_FILES: bool = true;

    fn load(items: &Paired<MaskSource>, place: usize, side: Side, _: &Context<'_>) -> Loaded<Masks> {
        let (masks, index) = (items.sides.side(side), items.pairs[place].of(side));
        Ok(match masks.has(index) {
            true => Ok(masks.load(index)?),
            false => Err(Undefined::Because(format!("no {} of the {side}", Self::KIND.noun()).into())),
        })
    }
}

/// Facts about both sides of a pair.
struct Look {
    /// A name that is not in any list of its categories.
    stray: Option<String>,
    n_masks: usize,
    n_unlabelled: usize,
    contents: Sides<Option<u64>>,
}

fn unlabelled(looks: &[&Look]) -> Option<Finding> {
    let n_unlabelled: usize = looks.iter().map(|look| look.n_unlabelled).sum();
    let n_masks: usize = looks.iter().map(|look| look.n_masks).sum();
    let message = format!(
        "{n_unlabelled} of {n_masks} masks have no label, since no word of the prompt fits their box well enough; where there \
         are categories they count at no level"
    );
    (n_unlabelled > 0).then(|| Finding::warning("unlabelled_masks", "masks", message))
}

fn strays(looks: &[&Look], n_pairs: usize) -> Option<Finding> {
    let strays: Vec<&str> = looks.iter().filter_map(|look| look.stray.as_deref()).collect();
    let message = format!(
        "{} of {n_pairs} pairs have masks whose names are in no list of their categories, and which count at no \
         level: {}",
        strays.len(),
        listed(strays.iter().copied())
    );
    (!strays.is_empty()).then(|| Finding::warning("names_without_category", "masks", message))
}

/// A warning that no categories were given for the names of masks.
fn no_categories(masks: &Sides<MaskSource>) -> Option<Finding> {
    let message = match (masks.gt.categories().is_some(), masks.recon.categories().is_some()) {
        (true, _) => return None,
        (false, true) => {
            "only the reconstructions have categories (recon/categories.json); names that those lack count at no level"
        }
        (false, false) => {
            "no categories were given (gt/categories.json), so every name counts as a foreground object: there is no \
             background and there are no parts, and BASIC-L, which needs parts, has no value"
        }
    };
    Some(Finding::warning("no_categories", "masks", message))
}

/// Categories of the things in images, for existing masks or for masks that will be made.
pub(crate) struct CategoryKind;

impl ObservedKind for CategoryKind {
    const KIND: ObservationKind = ObservationKind::Categories;
    /// Empty: masks hold their categories.
    type Items = Entries<()>;

    /// Adds observed categories to existing masks, or keeps them for masks that will be made.
    fn reopen(_outputs: &[StepOutput], places: &Places, dataset: &mut Dataset) -> Result<(), Error> {
        let found = Sides::of(|side| CategorisationSource::open_observed(&places.file(side.into(), Self::KIND)))?;
        dataset.resources.has_observed_categories = true;
        match dataset.take(MaskKind::KIND) {
            None => {
                let resources = &mut dataset.resources;
                resources.asked_categories = asked(Some(found.gt), Some(found.recon), resources.mask_prompts);
            }
            Some(Paired { sides, pairs }) => {
                let (gt, recon): (MaskSource, MaskSource) = (sides.gt, sides.recon);
                let sides =
                    Sides::new(gt.with_observed_categories(found.gt), recon.with_observed_categories(found.recon));
                dataset.add(MaskKind::KIND, Paired { sides, pairs });
            }
        }
        Ok(())
    }
}

/// The categories whose masks are made in the images of both sides.
fn asked(
    gt: Option<CategorisationSource>,
    recon: Option<CategorisationSource>,
    prompts: MaskPrompts,
) -> Option<Sides<CategorisationSource>> {
    let recon = match prompts {
        MaskPrompts::Own => recon,
        MaskPrompts::Stimulus => gt.clone(),
    };
    gt.zip(recon).map(|(gt, recon)| Sides { gt, recon })
}

impl Opening<'_> {
    /// Opens the categories whose masks will be made, for images of both sides that are already open.
    pub(super) fn asked_categories(&mut self) -> Result<(), Error> {
        if self.located.has(ObservationKind::Categories) {
            return Ok(()); // they will be asked for
        }
        let Sides { gt, recon } = self.categories()?;
        self.dataset.resources.asked_categories = asked(gt, recon, self.dataset.resources.mask_prompts);
        Side::BOTH.into_iter().try_for_each(|side| self.dataset.mask_names_of(side).map(|_| ()))
    }

    /// Opens the categories of the sides that have them, and records what was read.
    pub(super) fn categories(&mut self) -> Result<Sides<Option<CategorisationSource>>, Error> {
        let categories = Sides::of(|side| {
            let path = self.located.categories.side(side).as_ref();
            path.map(|path| CategorisationSource::open(path)).transpose()
        })?;
        for side in Side::BOTH {
            if let Some(categories) = categories.side(side) {
                let role = Role::new(side, ObservationKind::Categories).to_string();
                let hashes = categories.content_hashes()?;
                self.dataset.find(Finding::read_as(role.as_str(), CategorisationSource::HOLDS));
                let record = InputRecord::of_hashes(role, categories.path(), hashes);
                self.dataset.inputs.push(record);
            }
        }
        Ok(categories)
    }
}
