//! The detectors, captioners and text encoders with which SEED is computed (SEED, Sec. 5.2).

use itertools::Itertools;
use neurogauge::core::{Input, ObservationKind, Side};
use neurogauge::{CaptionerChoice, DetectorChoice, ScoreRequest};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The choices for each component; an empty list keeps the component of the system's run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ComponentChoices {
    pub detector: Vec<ComponentChoice>,
    pub captioner: Vec<ComponentChoice>,
    pub text_encoder: Vec<ComponentChoice>,
}

/// A choice for a component: a model that runs here, or files from another model. With neither, it is the component of
/// the system's run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ComponentChoice {
    pub name: String,
    /// Id of a detector, a captioner or a text encoder.
    pub model: Option<String>,
    pub gt: Option<PathBuf>,
    /// Detections or captions of each system's reconstructions, by the system's name.
    pub recon: BTreeMap<String, PathBuf>,
}

/// The names of the choices for components that have choices, and each component with its choice.
pub(crate) type Combination<'a> = (String, Vec<(&'static str, &'a ComponentChoice)>);

impl ComponentChoices {
    /// The components, by their names in the configuration.
    pub(crate) fn by_component(&self) -> [(&'static str, &[ComponentChoice]); 3] {
        [("detector", &self.detector), ("captioner", &self.captioner), ("text_encoder", &self.text_encoder)]
    }

    pub(crate) fn by_component_mut(&mut self) -> [(&'static str, &mut Vec<ComponentChoice>); 3] {
        [
            ("detector", &mut self.detector),
            ("captioner", &mut self.captioner),
            ("text_encoder", &mut self.text_encoder),
        ]
    }

    /// Every combination; the last component changes fastest. Empty without choices.
    pub(crate) fn combinations(&self) -> Vec<Combination<'_>> {
        let chosen = self.by_component().into_iter().filter(|(_, choices)| !choices.is_empty());
        let choices = chosen.map(|(component, choices)| choices.iter().map(move |choice| (component, choice)));
        let combinations = choices.multi_cartesian_product().filter(|choices| !choices.is_empty());
        combinations
            .map(|choices| (choices.iter().map(|(_, choice)| &choice.name).join(" + "), choices))
            .collect()
    }
}

impl ComponentChoice {
    /// Puts the choice into the request of a system: its model, or its files instead of what the system has.
    pub(crate) fn apply(&self, component: &str, system: &str, request: &mut ScoreRequest) {
        if self.model.is_none() && self.gt.is_none() {
            return;
        }
        let model = self.model.clone();
        let kind = match component {
            "detector" => {
                request.detector = model.map(DetectorChoice::of);
                ObservationKind::Detections
            }
            "captioner" => {
                request.captioner = model.map(CaptionerChoice::of);
                ObservationKind::Captions
            }
            _ => return request.text_encoder = model.unwrap_or_default(),
        };
        request.inputs.set(Input::Of(Side::Gt, kind), self.gt.clone());
        request.inputs.set(Input::Of(Side::Recon, kind), self.recon.get(system).cloned());
    }

    pub(crate) fn paths_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        self.gt.iter_mut().chain(self.recon.values_mut())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(name: &str) -> ComponentChoice {
        ComponentChoice {
            name: name.to_owned(),
            ..ComponentChoice::default()
        }
    }

    #[test]
    fn combinations_are_all_of_them_in_order() {
        let choices = ComponentChoices {
            detector: vec![choice("d"), choice("e")],
            captioner: Vec::new(),
            text_encoder: vec![choice("t"), choice("u")],
        };
        let labels: Vec<String> = choices.combinations().into_iter().map(|(label, _)| label).collect();
        assert_eq!(labels, ["d + t", "d + u", "e + t", "e + u"]);
        assert!(ComponentChoices::default().combinations().is_empty());
    }

    #[test]
    fn a_choice_replaces_what_the_system_has_and_nothing_else() {
        let mut detector = choice("yolo");
        detector.gt = Some("yolo/gt".into());
        detector.recon.insert("a".into(), "yolo/a".into());
        let mut of_model = choice("mm");
        of_model.model = Some("mm_grounding_dino_swin_t".to_owned());
        let mut captioner = choice("other");
        captioner.model = Some("git_base_coco".into());
        let choices = ComponentChoices {
            detector: vec![detector, of_model],
            captioner: vec![captioner],
            text_encoder: vec![choice("as given")],
        };
        let mut request = ScoreRequest::default();
        let path = |input: &str, request: &ScoreRequest| {
            let input = Input::named(input).unwrap();
            request.inputs.get(input).map(|path| path.display().to_string())
        };
        let captions = Input::named("gt_captions").unwrap();
        request.inputs.set(captions, Some("captions.json".into()));
        let before = request.clone();
        let apply = |place: usize, request: &mut ScoreRequest| {
            let (_, combination) = &choices.combinations()[place];
            combination.iter().for_each(|(component, choice)| choice.apply(component, "a", request));
        };
        apply(0, &mut request);
        assert_eq!(path("recon_detections", &request), Some("yolo/a".into()));
        assert_eq!(path("gt_captions", &request), None);
        assert_eq!(request.captioner.clone().unwrap().model, "git_base_coco");
        assert_eq!(request.text_encoder, before.text_encoder);
        apply(1, &mut request);
        assert_eq!(path("recon_detections", &request), None);
        assert_eq!(request.detector.unwrap().model, "mm_grounding_dino_swin_t");
    }
}
