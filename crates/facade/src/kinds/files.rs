//! Kinds with one file for all images of a side.

use super::{Needs, ObservedKind, PairKind, add_observed};
use crate::Error;
use crate::compute::{Computed, Context, Loaded};
use crate::dataset::{Dataset, Entries, Opening, Paired};
use crate::execute::{Places, StepOutput};
use neurogauge_core::pair::Form;
use neurogauge_core::{Captions, ObservationKind, Side, Sides, Undefined};
use neurogauge_formats::{FormatError, json};
use neurogauge_metrics::{Metric, PairFunction};
use std::any::Any;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The form of a file for all images of a side.
pub(super) const BY_STEM: &str = "an entry for each stem";

/// The content of a file about one image; the default stands for an image that the file lacks.
pub(crate) trait Entry: Default + Clone + Any + Send + Sync {
    type Item: Sync + 'static;

    fn item(&self) -> Option<&Self::Item>;
}

impl<T: Clone + Any + Send + Sync> Entry for Option<T> {
    type Item = T;

    fn item(&self) -> Option<&T> {
        self.as_ref()
    }
}

impl Entry for Captions {
    type Item = Captions;

    fn item(&self) -> Option<&Captions> {
        (!self.0.is_empty()).then_some(self)
    }
}

/// A kind with one file for all images of a side.
pub(crate) trait FileKind {
    const KIND: ObservationKind;
    type Entry: Entry;

    fn read(path: &Path) -> Result<Vec<(String, Self::Entry)>, FormatError>;

    /// The entries of a file that a user gave.
    fn entries(path: &Path) -> Result<Entries<Self::Entry>, FormatError> {
        Ok(Entries(Self::read(path)?, Form::usual(BY_STEM)))
    }

    /// Refuses files that cannot be compared.
    fn check(_sides: &Sides<Entries<Self::Entry>>, _paths: &Sides<PathBuf>) -> Result<(), Error> {
        Ok(())
    }

    /// See [`ObservedKind::open_for`].
    fn open_for(_metric: Option<&Metric>, opening: &mut Opening<'_>) -> Result<(), Error> {
        opening.kind(Self::KIND)
    }

    /// See [`ObservedKind::needs`].
    fn needs(_metric: &Metric) -> Needs {
        Needs::of_file(Self::KIND)
    }

    /// See [`ObservedKind::compare`]; by default, compares by functions of two items.
    fn compare(context: &Context<'_>, computed: &mut Computed) -> Result<(), Error>
    where
        Self: Sized,
    {
        let metrics = context.functions::<PairFunction<<Self::Entry as Entry>::Item>>(Self::KIND);
        let Some(pairs) = Self::pairs(context) else {
            return Ok(());
        };
        let options = &context.request.options;
        pairs.compare(&metrics, computed, |function, _, items| function(items.gt, items.recon, options))
    }

    /// A hash of an item's content; `None` if it has none.
    fn content(item: &<Self::Entry as Entry>::Item) -> Option<u64>;

    /// The reason why a pair has no value if this side has no item.
    fn absent(side: Side) -> Undefined {
        Undefined::Because(format!("no {} of the {side}", Self::KIND.noun()).into())
    }
}

impl<K: FileKind> ObservedKind for K {
    const KIND: ObservationKind = K::KIND;
    type Items = Entries<K::Entry>;

    fn open(files: Option<&Sides<PathBuf>>, opening: &mut Opening<'_>) -> Result<(), Error> {
        let Some(paths) = files else { return Ok(()) };
        let sides = Sides::of(|side| K::entries(paths.side(side)))?;
        K::check(&sides, paths)?;
        let paired = opening.paired_file(K::KIND, paths, sides, K::KIND.sides())?;
        opening.dataset.add(K::KIND, paired);
        Ok(())
    }

    fn reopen(_outputs: &[StepOutput], places: &Places, dataset: &mut Dataset) -> Result<(), Error> {
        add_observed::<K>(dataset, |_, side, stems| match K::KIND.sides().contains(&side) {
            true => observed::<K>(&places.file(side.into(), K::KIND), stems),
            false => Ok(Entries(Vec::new(), Form::usual(BY_STEM))),
        })
    }

    fn open_for(metric: Option<&Metric>, opening: &mut Opening<'_>) -> Result<(), Error> {
        K::open_for(metric, opening)
    }

    fn needs(metric: &Metric) -> Needs {
        K::needs(metric)
    }

    fn compare(context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
        K::compare(context, computed)
    }

    fn contents(items: &Self::Items) -> Vec<Option<u64>> {
        items.0.iter().map(|(_, entry)| K::content(entry.item()?)).collect()
    }
}

impl<K: FileKind> PairKind for K {
    type Item<'a> = &'a <K::Entry as Entry>::Item;

    fn load<'a>(items: &'a Paired<Self::Items>, place: usize, side: Side, _: &Context<'a>) -> Loaded<Self::Item<'a>> {
        let (_, entry) = &items.sides.side(side).0[items.pairs[place].of(side)];
        Ok(entry.item().ok_or_else(|| K::absent(side)))
    }
}

/// The entries of these stems in a file written by an observer. If every item failed, the file is empty or missing.
pub(crate) fn observed<K: FileKind>(path: &Path, stems: &[String]) -> Result<Entries<K::Entry>, Error> {
    let is_empty = |path: &Path| {
        let entries = json::read::<HashMap<String, serde_json::Value>>(path);
        entries.is_ok_and(|entries| entries.is_empty())
    };
    let mut found: HashMap<String, K::Entry> = match path.exists() && !is_empty(path) {
        true => K::read(path)?.into_iter().collect(),
        false => HashMap::new(),
    };
    let entries = stems.iter().map(|stem| (stem.clone(), found.remove(stem).unwrap_or_default()));
    Ok(Entries(entries.collect(), Form::usual(BY_STEM)))
}

/// Makes the entries of a file optional.
pub(super) fn known<T>(entries: Vec<(String, T)>) -> Vec<(String, Option<T>)> {
    entries.into_iter().map(|(stem, entry)| (stem, Some(entry))).collect()
}
