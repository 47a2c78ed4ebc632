//! What a study would need: weights, memory, and hours.

use crate::config::StudyConfig;
use crate::pages::with_number;
use crate::published::papers;
use crate::runs::{self, plan};
use itertools::Itertools;
use neurogauge::core::ObservationKind;
use neurogauge::models::ModelEntry;
use neurogauge::{Error, RunSettings, answer_of_section, load_run};
use neurogauge_exhibits::Paper;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// Seconds that a model takes for an image on two cores, by what it makes: GIT-large, MM-Grounding-DINO Swin-T (Swin-L
/// takes some three times as long), SAM 2.1 large, and EfficientNet, AlexNet, Inception, CLIP and SwAV together, from
/// the page of benchmarks.
const SECONDS: [(ObservationKind, f64); 4] = [
    (ObservationKind::Captions, 1.1),
    (ObservationKind::Detections, 5.1),
    (ObservationKind::Masks, 47.4),
    (ObservationKind::Features, 0.2),
];

/// Lines that begin with the same words.
fn lines(before: &str, lines: impl Iterator<Item = impl Display>) -> String {
    lines.map(|line| format!("{before}{line}\n")).collect()
}

impl StudyConfig {
    /// What scoring the systems would observe, with which weights, in how many hours; what is not at hand; which exhibits
    /// the papers would have and which not; and the conventions. Nothing is observed, downloaded or written.
    ///
    /// # Errors
    /// Errors of the configuration, and those of scoring that come before the first item is observed.
    pub fn dry_run(&self, settings: &RunSettings) -> Result<String, Error> {
        self.check()?;
        let (mut metrics, mut here, mut conventions) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
        let mut with_weights_here = self.clone();
        with_weights_here.keep_known_models(settings)?;
        let (mut text, mut seconds, mut weights) = (String::new(), 0.0, BTreeMap::<&str, &ModelEntry>::new());
        for system in &self.systems {
            let (name, is_rated) = (&system.name, self.ratings_of(&system.name).is_some());
            let rated = if is_rated { ", rated" } else { "" };
            if let Some(run) = &system.run {
                text += &format!("{name}: finished run {}{rated}\n", run.display());
                here.extend(load_run(run)?.record.metrics.into_iter().map(|metric| metric.id));
                continue;
            }
            let plan = plan(&self.request_of(system), settings)?;
            let own = plan.record.metrics.iter().map(|metric| metric.id.as_str()).join(", ");
            let explained = plan.record.explain();
            let steps = explained.lines().take_while(|line| !line.starts_with("compare"));
            text += &format!("{name}: {} pairs{rated}\n{}", plan.record.n_pairs, lines("  ", steps));
            text += &format!("  compare by {own}\n  memory: {}\n", plan.memory.words());
            for metric in &plan.record.metrics {
                metrics.insert(metric.id.clone());
                let answers =
                    metric.conventions.iter().map(|id| (id.clone(), answer_of_section(id, &plan.record.request)));
                conventions.extend(answers);
            }
            let known = runs::plan(&with_weights_here.request_of(system), settings).ok();
            here.extend(known.into_iter().flat_map(|known| known.record.metrics).map(|metric| metric.id));
            // Models that would add a metric, and those that were asked for.
            let left_out = plan.record.plan.left_out.iter().filter_map(|left| left.model.as_deref());
            let left_out = left_out.filter_map(|model| neurogauge::models::find(model).ok());
            weights.extend(left_out.chain(plan.missing_weights).map(|entry| (entry.id, entry)));
            for step in &plan.record.plan.steps {
                let kind = step.makes();
                let of_item = SECONDS.iter().find(|(own, _)| *own == kind).map_or(0.0, |(_, seconds)| *seconds);
                let items =
                    step.parts.iter().map(|part| part.n_items - part.n_cached.unwrap_or_default().min(part.n_items));
                // Matrices of one model are of the same images.
                seconds += of_item * items.max().unwrap_or_default() as f64;
            }
        }
        let bytes: u64 = weights.values().map(|entry| entry.size().bytes).sum();
        let fetch = |entry: &&ModelEntry| format!("{0} ({1}): neurogauge models fetch {0}", entry.id, entry.size());
        text += &format!("weights that would add something: {:.1} GB\n", bytes as f64 / 1e9);
        text += &lines("  ", weights.values().map(fetch));
        text += &format!("models: roughly {:.1} hours on two cores, each image once\n", seconds / 3600.0);
        let left_out = self.left_out.iter().map(|found| format!("{}: {}", found.subject, found.message));
        text += &lines("not here: ", left_out);
        let known = self.takes();
        let lacks = |wanted: &String| match known.iter().find(|(name, ..)| name == wanted) {
            Some((_, is_there, words)) => (!is_there).then(|| (*words).to_owned()),
            None if wanted.split('|').any(|id| here.contains(id)) => None,
            None => {
                let is_planned = wanted.split('|').any(|id| metrics.contains(id));
                let weights = if is_planned { "weights for " } else { "" };
                Some(format!("{weights}the metric {}", wanted.replace('|', " or ")))
            }
        };
        let papers = papers(self)?;
        let planned = papers
            .iter()
            .flat_map(Paper::planned)
            .map(|(paper, shows, takes)| (with_number(&shows, &paper), takes.iter().filter_map(lacks).join(", and ")));
        let planned = planned.collect_vec();
        for (item, needs) in &planned {
            text += &match needs.as_str() {
                "" => format!("would make {item}\n"),
                // Another exhibit of the same item takes less.
                _ if planned.contains(&(item.clone(), String::new())) => String::new(),
                needs => format!("would not make {item}: needs {needs}\n"),
            };
        }
        Ok(text + &lines("convention ", conventions.iter().map(|(id, answer)| format!("{id}: {answer}"))))
    }

    /// What exhibits take besides metrics: is it there, and what is it in words?
    fn takes(&self) -> [(&'static str, bool, &'static str); 8] {
        let n_datasets = self.systems.iter().filter_map(|system| system.dataset.as_ref()).unique().count();
        let has_classes = self.ratings.iter().any(|ratings| !ratings.classes.is_empty());
        let is_named = self.systems.iter().any(|system| system.published.is_some());
        [
            ("ratings", !self.ratings.is_empty(), "human ratings of a system"),
            ("second ratings", self.ratings.len() > 1, "human ratings of a second system"),
            ("classes", has_classes, "classes of the images in [[ratings]]"),
            ("choices", self.choices.combinations().len() > 1, "two choices of a component in [[choices]]"),
            ("configurations", self.basic.is_some(), "[[basic.configurations]]"),
            ("data sets", n_datasets > 1, "systems of two data sets (`dataset`)"),
            ("published", is_named, "the name of a system in the paper (`published`)"),
            ("audit", self.audit.is_some(), "[audit]"),
        ]
    }
}
