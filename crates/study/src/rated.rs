//! Compares metrics with people, for each system with rated reconstructions: as it was scored, with other detectors,
//! captioners and text encoders (SEED, Fig. 3), and Object F1 with other things that count (Table 4).

use crate::config::{StudyConfig, StudyRatings};
use crate::configurations::Combination;
use crate::runs::{Job, System, is_stand_in, of_system};
use crate::shown::{COMPOSITE, held_against_people, label, parts};
use itertools::Itertools;
use neurogauge::core::option_words::{ConfigTable, in_table};
use neurogauge::core::{Input, Side};
use neurogauge::formats::metric_table;
use neurogauge::metrics::decoding::objects::Variant;
use neurogauge::report::marked;
use neurogauge::stats::meta::MetricAgreement;
use neurogauge::stats::{RankDifference, rank_differences};
use neurogauge::{Error, Report, ScoreRequest, file_name};
use neurogauge_meta::{
    CombinationRequest, CombineWhen, MetaRequest, MetaRun, MetricRole, RatingScale, WorstCaseRequest, meta, oriented,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::Path;

/// The options of `neurogauge meta` that a study has.
const RATINGS: ConfigTable = ConfigTable {
    name: "its [[ratings]]",
    keys: &[
        "item-column",
        "rater-column",
        "value-column",
        "join",
        "pairs",
        "scale",
        "missing",
        "lower-is-better",
        "higher-is-better",
    ],
};

const COUNTED: [Variant; 4] = [Variant::Existence, Variant::Size, Variant::Location, Variant::Number];
const OBJECT_F1: &str = "object_f1";

/// A metric, and the ranks of every rated pair by it and by people.
pub(crate) type Ranks = (String, Vec<Option<RankDifference>>);

#[derive(Debug)]
pub(crate) struct Rated<'a> {
    pub(crate) system: &'a System,
    pub(crate) ratings: &'a StudyRatings,
    /// Path relative to the study's folder.
    pub(crate) place: String,
    pub(crate) ranks: Vec<Ranks>,
    pub(crate) meta: MetaRun,
}

/// A row of what is held against people. `key` is its name among published values; it is empty for a quantity that the
/// paper does not have, such as one from a placeholder.
pub(crate) fn row(shown: &str, key: &str, own: &impl Serialize) -> Value {
    let mut row = json!(own);
    row["shown"] = json!(shown);
    row["plain"] = json!(shown.trim_end_matches('†'));
    row["key"] = json!(key);
    row
}

/// A request with a system's ratings, to be completed.
pub(crate) fn request(config: &StudyConfig, ratings: &StudyRatings) -> MetaRequest {
    MetaRequest {
        human: ratings.file.clone(),
        item_column: ratings.item_column.clone(),
        rater_column: ratings.rater_column.clone(),
        value_column: ratings.value_column.clone(),
        join: ratings.join.clone(),
        pairs: ratings.pairs,
        scale: ratings.scale.map(|(low, high)| RatingScale::Ends(low, high)),
        missing: ratings.missing.clone(),
        options: config.meta,
        combinations: combined(false),
        ..MetaRequest::default()
    }
}

fn combined(is_on: bool) -> CombinationRequest {
    CombinationRequest {
        when: if is_on { CombineWhen::On } else { CombineWhen::Off },
        ..CombinationRequest::default()
    }
}

impl<'a> Job<'a> {
    /// Compares the metrics of each rated system with people, as `neurogauge meta` does, with the same files.
    pub(crate) fn rated(&self, systems: &'a [System]) -> Result<Vec<Rated<'a>>, Error> {
        let ratings = systems.iter().filter_map(|system| Some((system, self.config.ratings_of(&system.name)?)));
        ratings
            .map(|(system, ratings)| self.rate(system, ratings).map_err(of_system(&system.name)))
            .collect()
    }

    fn rate(&self, system: &'a System, ratings: &'a StudyRatings) -> Result<Rated<'a>, Error> {
        let mut only = held_against_people(self.config, &system.run.scores);
        let parts = parts(&system.run.scores).into_iter().map(str::to_owned);
        let worst_of: Vec<String> = parts.filter(|part| only.contains(part)).collect();
        let inputs = &system.run.record.request.inputs;
        let there = |input| inputs.get(input).filter(|path| path.exists()).map(Path::to_owned);
        for path in &ratings.scores {
            let table = metric_table::read_by(path, ratings.item_column.as_deref())?;
            only.extend(table.metrics.into_iter().map(|(name, _)| name));
        }
        let request = MetaRequest {
            metrics: [system.run.folder.root().to_owned()].into_iter().chain(ratings.scores.clone()).collect(),
            combinations: combined(only.len() > 1),
            worst_cases: WorstCaseRequest {
                n: self.config.examples.n,
                others_agree: (worst_of.len() > 1).then_some(self.config.examples.others_agree),
                metrics: worst_of,
                groups: None,
                gt: there(Input::GT),
                recon: there(Input::RECON),
                reading: system.run.record.request.reading,
            },
            only,
            first_keeps_names: true,
            lower_is_better: ratings.lower_is_better.clone(),
            higher_is_better: ratings.higher_is_better.clone(),
            classes: ratings.classes.clone(),
            ..request(self.config, ratings)
        };
        let meta = in_table(&RATINGS, || meta(&request))?;
        let place = format!("meta/{}", system.file_name);
        let folder = self.settings.out.join(&place);
        meta.write_figures(&folder, self.drawing)?;
        meta.write(&folder, self.settings.latex)?;
        let items = &meta.items;
        let ranks = items.metrics.iter();
        let ranks = ranks.map(|own| Ok((own.name.clone(), rank_differences(&oriented(own), &items.human)?)));
        Ok(Rated {
            ranks: ranks.collect::<Result<_, Error>>()?,
            system,
            ratings,
            place,
            meta,
        })
    }

    /// SEED under every combination of components.
    pub(crate) fn components(&self, rated: &Rated<'_>) -> Result<Vec<Value>, Error> {
        let (system, combinations) = (rated.system, self.config.choices.combinations());
        let component = |(number, (label, choices)): (usize, &Combination<'_>)| {
            let what = format!("components {number} of {}: {label}", combinations.len());
            let place = format!("components/{}/{number:02}-{}", system.file_name, file_name(label));
            let mut asked = system.request(self.config);
            choices.iter().for_each(|(component, choice)| choice.apply(component, &system.name, &mut asked));
            self.variant(rated, COMPOSITE, (label, "", &what), &place, asked)
        };
        (1..).zip(&combinations).map(component).collect()
    }

    /// Object F1 by what counts, if boxes and images are known.
    pub(crate) fn objects(&self, rated: &Rated<'_>) -> Result<Vec<Value>, Error> {
        let (system, first) = (rated.system, rated.system.run.scores.pairs.first());
        let boxes = first.map(|stem| system.views.detections(Side::Gt, stem)).transpose()?.flatten();
        let counted = COUNTED.into_iter().filter(|_| boxes.is_some() && system.views.has_images());
        let object = |variant: Variant| {
            let shown = [Variant::Existence.id(), variant.id()].iter().unique().join(" + ");
            let what = format!("{} by {shown}", label(OBJECT_F1));
            let place = format!("objects/{}/{}", system.file_name, variant.id());
            let mut asked = system.request(self.config);
            asked.options.objects.variant = variant;
            self.variant(rated, OBJECT_F1, (&shown, variant.id(), &what), &place, asked)
        };
        counted.map(object).collect()
    }

    /// Compares one metric of a changed run with people; `key` is its name among published values, `what` says of messages
    /// what is changed.
    fn variant(
        &self,
        rated: &Rated<'_>,
        metric: &str,
        (label, key, what): (&str, &str, &str),
        place: &str,
        mut asked: ScoreRequest,
    ) -> Result<Value, Error> {
        let what = format!("{}, {what}", rated.system.name);
        self.progress.note(&what);
        asked.metrics = Some(vec![metric.to_owned()]);
        let held = || {
            let run = self.score(&asked, place)?;
            let metrics = rated.by(self.config, &self.settings.out.join(place), &[metric.to_owned()])?;
            Ok((run, metrics))
        };
        let (run, metrics) = held().map_err(of_system(what))?;
        let (stand_in, measured) = (is_stand_in(&run, metric), metrics.first());
        let own = json!({
            "system": rated.system.name, "label": label, "run": place, "fingerprint": run.record.fingerprint,
            "stand_in": stand_in, "n_items": measured.map_or(0, |own| own.n_items),
            "statistics": measured.map_or(&[][..], |own| &own.statistics),
        });
        Ok(row(&marked(label, stand_in), if stand_in { "" } else { key }, &own))
    }
}

impl Rated<'_> {
    /// Some metrics of a run, compared with the system's ratings.
    pub(crate) fn by(&self, config: &StudyConfig, run: &Path, only: &[String]) -> Result<Vec<MetricAgreement>, Error> {
        let mut request = request(config, self.ratings);
        (request.metrics, request.only) = (vec![run.to_owned()], only.to_vec());
        Ok(meta(&request)?.record.result.metrics)
    }

    /// The name of a metric in tables, followed by its file if the run has a metric of the same name, with a dagger if it
    /// uses a placeholder model.
    pub(crate) fn labelled(&self, name: &str) -> String {
        let role = self.role(name);
        let of_file = role.and_then(|role| Some((role, name.strip_prefix(&role.column)?)));
        let shown = of_file.map_or_else(|| label(name), |(role, of_file)| label(&role.column) + of_file);
        marked(&shown, self.is_stand_in(name))
    }

    pub(crate) fn is_stand_in(&self, name: &str) -> bool {
        let mut findings = self.meta.record.findings.iter();
        findings.any(|warning| warning.code == "stand_in" && warning.subject == name)
            || is_stand_in(&self.system.run, name)
    }

    pub(crate) fn ranks_by(&self, metric: &str) -> Option<&Ranks> {
        self.ranks.iter().find(|(name, _)| name == metric)
    }

    fn role(&self, name: &str) -> Option<&MetricRole> {
        self.meta.record.metrics.iter().find(|role| role.name == name)
    }

    /// Is a metric from the files with other scores?
    pub(crate) fn is_further(&self, name: &str) -> bool {
        let run = self.system.run.folder.root().display().to_string();
        self.role(name).is_some_and(|role| role.source != run)
    }

    /// The id of the paper's quantity that a metric measures: EffNet with SEED's preprocessing is the paper's EffNet,
    /// and a placeholder's metric measures none of them. A metric from a file has its id in the registry.
    pub(crate) fn own<'b>(&'b self, id: &'b str) -> &'b str {
        match id {
            _ if self.is_stand_in(id) => "",
            // For example SEED's released scores, beside those of the run.
            _ if self.is_further(id) => self.role(id).and_then(|role| role.registry_id).unwrap_or(id),
            "effnet_official" => "effnet",
            "effnet" if self.system.run.scores.column("effnet_official").is_some() => "",
            id => id,
        }
    }
}
