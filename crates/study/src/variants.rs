//! Runs of rated systems with something changed, compared with people: SEED with other detectors, captioners and text
//! encoders (SEED, Fig. 3), and Object F1 with other things that count (Table 4).

use crate::choices::{Component, ComponentChoices};
use crate::config::StudyConfig;
use crate::rated::{Rated, request};
use crate::rows::{Rows, needs};
use crate::scoring::{below, is_stand_in, of_system};
use crate::shown_metrics::{COMPOSITE, label};
use neurogauge::core::Side;
use neurogauge::metrics::decoding::objects::Variant;
use neurogauge::report::marked;
use neurogauge::stats::meta::StatisticEstimate;
use neurogauge::{Error, Progress, RunSettings, ScoreRequest, file_name, score};
use neurogauge_meta::{MetaRequest, meta};
use serde::Serialize;
use serde_json::{Map, Value, json};

const OBJECT_F1: &str = "object_f1";

const COUNTED: [(Variant, &str); 4] = [
    (Variant::Existence, "existence"),
    (Variant::Size, "existence + size"),
    (Variant::Location, "existence + location"),
    (Variant::Number, "existence + number"),
];

/// One changed run of a system.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct VariantRun {
    system: String,
    /// The names of the choices, or what counts.
    label: String,
    /// The chosen detector, captioner and text encoder, where there is a choice.
    #[serde(flatten)]
    choices: Map<String, Value>,
    /// Path of its run, relative to the study's folder.
    run: String,
    fingerprint: String,
    /// Does it use a placeholder model?
    stand_in: bool,
    /// Number of rated pairs with a score.
    n_items: usize,
    /// How well it agrees with people.
    statistics: Vec<StatisticEstimate>,
    /// Its name among published values.
    #[serde(skip)]
    key: &'static str,
}

/// How the changed runs of a study are made.
#[derive(Clone, Copy)]
pub(crate) struct Varying<'a> {
    pub(crate) config: &'a StudyConfig,
    pub(crate) rated: &'a [Rated<'a>],
    pub(crate) settings: &'a RunSettings,
    pub(crate) progress: &'a dyn Progress,
}

impl Varying<'_> {
    /// SEED under every combination of components, for every rated system.
    pub(crate) fn components(&self) -> Result<Vec<VariantRun>, Error> {
        let combinations = self.config.choices.combinations();
        let mut found = Vec::new();
        for rated in self.rated {
            for (place, combination) in combinations.iter().enumerate() {
                let (system, label) = (&rated.system.name, combination.label());
                let n = combinations.len();
                self.progress.note(&format!("{system}, components {} of {n}: {label}", place + 1));
                let run = format!("components/{}/{:02}-{}", rated.system.file_name, place + 1, file_name(&label));
                let change = |asked: &mut ScoreRequest| combination.apply(system, asked);
                let one = self.run(rated, COMPOSITE, (label.clone(), ""), run, change);
                let mut one = one.map_err(of_system(format!("{system} with {label}")))?;
                for component in Component::ALL {
                    one.choices.insert(component.key().to_owned(), json!(combination.name_of(component)));
                }
                found.push(one);
            }
        }
        Ok(found)
    }

    /// Object F1 by what counts, for every rated system whose boxes and images are known.
    pub(crate) fn objects(&self) -> Result<Vec<VariantRun>, Error> {
        let mut found = Vec::new();
        for rated in self.rated {
            let system = rated.system;
            let has_boxes = match system.run.scores.pairs.first() {
                Some(stem) => system.views.detections(Side::Gt, stem)?.is_some(),
                None => false,
            };
            for (variant, shown) in COUNTED.into_iter().filter(|_| has_boxes && system.views.has_images()) {
                self.progress.note(&format!("{}, {} by {shown}", system.name, label(OBJECT_F1)));
                let run = format!("objects/{}/{}", system.file_name, variant.id());
                let change = |asked: &mut ScoreRequest| asked.options.objects.variant = variant;
                let one = self.run(rated, OBJECT_F1, (shown.to_owned(), variant.id()), run, change);
                found.push(one.map_err(of_system(format!("{}, Object F1 by what it counts", system.name)))?);
            }
        }
        Ok(found)
    }

    /// Compares one metric of a changed run with people.
    fn run(
        &self,
        rated: &Rated<'_>,
        metric: &str,
        (label, key): (String, &'static str),
        place: String,
        change: impl FnOnce(&mut ScoreRequest),
    ) -> Result<VariantRun, Error> {
        let settings = below(self.settings, &place);
        let mut asked = rated.system.request(self.config);
        change(&mut asked);
        asked.metrics = Some(vec![metric.to_owned()]);
        let run = score(&asked, &settings, self.progress)?;
        let meta = meta(&MetaRequest {
            metrics: vec![settings.out.clone()],
            only: vec![metric.to_owned()],
            ..request(self.config, rated.ratings)
        })?;
        let measured = meta.record.result.metrics.into_iter().next();
        let (n_items, statistics) = measured.map_or_else(Default::default, |own| (own.n_items, own.statistics));
        Ok(VariantRun {
            system: rated.system.name.clone(),
            label,
            choices: Map::new(),
            run: place,
            fingerprint: run.record.fingerprint.clone(),
            stand_in: is_stand_in(&run, metric),
            n_items,
            statistics,
            key,
        })
    }
}

/// A row for each changed run of a rated system.
fn rows(runs: &[VariantRun], rated: &Rated<'_>) -> Rows {
    let mut rows = Rows::default();
    for run in runs.iter().filter(|run| run.system == rated.system.name) {
        let key = if run.stand_in { "" } else { run.key };
        rows.add(&marked(&run.label, run.stand_in), key, &run.statistics, run.n_items);
    }
    rows
}

/// Object F1 combined with size, location and number of objects.
pub(crate) fn object_rows(runs: &[VariantRun], rated: &Rated<'_>) -> Result<Value, Error> {
    match rows(runs, rated) {
        rows if rows.len() == 0 => needs("boxes and images of both sides"),
        rows => Ok(rows.value()),
    }
}

/// SEED with each combination of components.
pub(crate) fn component_rows(
    choices: &ComponentChoices,
    runs: &[VariantRun],
    rated: &Rated<'_>,
) -> Result<Value, Error> {
    let rows = rows(runs, rated);
    if rows.len() < 2 {
        return needs(
            "two or more choices of a component: [[choices.detector]], [[choices.captioner]] or \
             [[choices.text_encoder]], each with what it found or a model that runs here",
        );
    }
    let mut rows = rows.value();
    // The components that differ, in the order of the names.
    let chosen = choices.by_component().into_iter().filter(|(_, choices)| !choices.is_empty());
    let names: Vec<String> = chosen.map(|(component, _)| component.key().replace('_', " ")).collect();
    let mut names = names.join(" + ");
    if let Some(first) = names.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    rows["components"] = json!(names);
    Ok(rows)
}
