//! What a study changes in the requests of its systems: the detectors, captioners and text encoders with which SEED is
//! computed (SEED, Sec. 5.2), and the configurations of BASIC, with different models that describe the stimuli and the
//! reconstructions, prompts and thresholds (BASIC, Sec. 4.3 and App. E), each a set of options of `score` for all systems.

use itertools::Itertools;
use neurogauge::core::{Input, InputPaths, ObservationKind, Side};
use neurogauge::formats::parser_words::plain;
use neurogauge::{CaptionerChoice, DetectorChoice, Error, GraphParser, ScoreRequest, VLM_KINDS};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const COMPONENTS: [&str; 3] = ["detector", "captioner", "text_encoder"];

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
    /// The choices by the names of the components in the configuration.
    pub(crate) fn by_component(&self) -> impl Iterator<Item = (&'static str, &Vec<ComponentChoice>)> {
        COMPONENTS.into_iter().zip([&self.detector, &self.captioner, &self.text_encoder])
    }

    pub(crate) fn by_component_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut Vec<ComponentChoice>)> {
        COMPONENTS.into_iter().zip([&mut self.detector, &mut self.captioner, &mut self.text_encoder])
    }

    /// Every combination; the last component changes fastest. Empty without choices.
    pub(crate) fn combinations(&self) -> Vec<Combination<'_>> {
        let chosen = self.by_component().filter(|(_, choices)| !choices.is_empty());
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

/// Runs BASIC for all systems under several configurations.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BasicStudy {
    /// The configurations, in the order of the tables.
    pub configurations: Vec<BasicConfiguration>,
    /// Names of configurations to cross: the stimuli as each describes them are compared with the reconstructions as
    /// every other one describes them (BASIC, Tables S11 and S12).
    pub cross: Vec<String>,
    /// Stems of the stimuli in the grid. Default: the first `examples.n`.
    pub stimuli: Vec<String>,
}

/// A set of options with which all systems are scored.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BasicConfiguration {
    pub name: String,
    /// Inputs that override a system's inputs. `{system}` in a path is the system's name.
    pub inputs: InputPaths,
    /// Options that override `[score]`, under the same names.
    pub score: Map<String, Value>,
}

impl BasicConfiguration {
    /// The request for a system under this configuration, given its usual request `asked`. If the configuration has
    /// captions or scene graphs, they replace both kinds of the system's own, so the system's `observations` folder is
    /// read only if a parser makes the graphs.
    pub(crate) fn request(&self, asked: &ScoreRequest, system: &str) -> Result<ScoreRequest, Error> {
        use ObservationKind::{Captions, Categories, Masks, SceneGraphs};
        let mut options = json!(asked);
        overlay(&mut options, &json!(self.score));
        let request = serde_json::from_value(options);
        let mut request: ScoreRequest = request.map_err(|error| Error::Usage(plain(&error.to_string(), "a table")))?;
        let says = |keys: &[&str]| keys.iter().any(|key| self.score.contains_key(*key));
        let has_options = |part: &str| self.score.get("options").is_some_and(|own| own.get(part).is_some());
        // Models behind a server of this configuration.
        let models = Some(request.vlm.clone()).filter(|_| says(&["vlm"])).unwrap_or_default();
        let makes = |kind| models.iter().any(|own| own.asks.is_empty() || own.asks.contains(&kind));
        let asks = |kind| makes(kind) && VLM_KINDS.iter().any(|(asked, _)| *asked == kind);
        let gives = |kind| asks(kind) || self.inputs.given(kind).next().is_some();
        let has_words = gives(Captions) || gives(SceneGraphs) || says(&["captioner"]);
        let has_masks = gives(Masks) || says(&["segmenter"]);
        if !says(&["metrics"]) {
            // The part of BASIC that it affects: all of it if it names both words and masks, or neither.
            let of_words = has_words || says(&["graph_parser", "phrase_encoder"]) || has_options("basic_h");
            let of_masks = has_masks || gives(Categories) || has_options("basic_l");
            let lists: &[&str] = match (of_words, of_masks) {
                (true, false) => &["basic_h_all"],
                (false, true) => &["basic_l_all"],
                _ => &["basic_h_all", "basic_l_all", "basic"],
            };
            request.metrics = Some(lists.iter().map(|list| (*list).to_owned()).collect());
        }
        request.captioner.take_if(|_| has_words && !says(&["captioner"]));
        request.segmenter.take_if(|_| has_masks && !says(&["segmenter"]));
        // The folder may have graphs of other captions.
        if has_words && request.graph_parser == GraphParser::File {
            request.inputs.set(Input::Observations, None);
        }
        let replaced =
            [(Captions, has_words), (SceneGraphs, has_words), (Masks, has_masks), (Categories, asks(Categories))];
        let replaced = replaced.into_iter().filter(|(_, is_replaced)| *is_replaced);
        for ((kind, _), side) in replaced.cartesian_product(Side::BOTH) {
            request.inputs.set(Input::Of(side, kind), None);
        }
        request.inputs = request.inputs.overridden(&self.inputs_of(system));
        Ok(request)
    }

    /// Its inputs, with the system's name in place of `{system}`.
    pub(crate) fn inputs_of(&self, system: &str) -> InputPaths {
        let mut inputs = self.inputs.clone();
        inputs.paths_mut().for_each(|path| *path = path_of(path, system));
        inputs
    }
}

/// A path with the system's name in place of `{system}`.
pub(crate) fn path_of(path: &Path, system: &str) -> PathBuf {
    path.to_string_lossy().replace("{system}", system).into()
}

/// Replaces each field of `options` by the same field of `over`; tables are merged field by field.
fn overlay(options: &mut Value, over: &Value) {
    match (options, over) {
        (Value::Object(fields), Value::Object(over)) => {
            over.iter().for_each(|(name, value)| overlay(fields.entry(name).or_insert(Value::Null), value));
        }
        (options, over) => options.clone_from(over),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use neurogauge::toml_from_str;

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

    #[test]
    fn files_of_a_configuration_replace_those_of_the_system() {
        let text = "name = '7B'\ninputs = { gt_captions = 'gt.json', recon_captions = '{system}.json' }\nscore.phrase_encoder = 'placeholder'\n";
        let configuration: BasicConfiguration = toml_from_str("study.toml".as_ref(), text).unwrap();
        let request = configuration.request(&ScoreRequest::default(), "MindEye2").unwrap();
        let captions = request.inputs.get(Input::named("recon_captions").unwrap()).unwrap();
        assert_eq!(captions.to_str(), Some("MindEye2.json"));
        assert_eq!(request.phrase_encoder, "placeholder");
        assert_eq!(request.metrics, Some(vec!["basic_h_all".to_owned()]));
    }
}
