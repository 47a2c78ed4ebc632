//! The inputs of `neurogauge score`.

use super::*;
use clap::{Arg, ArgMatches, Command, FromArgMatches, value_parser};
use neurogauge::{Input, InputPaths};
use serde::de::{Deserializer, Error as _};
use serde_json::Value;
use std::collections::BTreeMap;

/// The two folders of images as positional arguments, instead of `--gt` and `--recon`.
pub(crate) const BY_PLACE: &str = "both";

/// The option of each input, the name of its value, and its help.
const INPUTS: &[(&str, &str, &str)] = &[
    (
        "gt",
        "PATH",
        "Stimuli, instead of GT: a folder of images, an .npy stack (N,H,W,3) or a .pt tensor file",
    ),
    ("recon", "PATH", "Reconstructions, instead of RECON, likewise"),
    (
        "observations",
        "DIR",
        "Folder with gt/ and recon/ inside (detections/, captions.json, scene_graphs.json, \
         vlm_categories.json, image_texts.json, masks/, features/; recon/vqa_scores.json), or SEED's evaluations/<model>/",
    ),
    (
        "gt-captions",
        "FILE",
        "Captions of the stimuli: JSON {\"stem\": \"text\"} or {\"stem\": [\"text\", ...]}, or SEED's \
         .npy",
    ),
    ("recon-captions", "FILE", "Captions of the reconstructions"),
    (
        "gt-detections",
        "PATH",
        "Detections in the stimuli: a folder of mmdetection JSON, or one JSON of boxes by category",
    ),
    ("recon-detections", "PATH", "Detections in the reconstructions"),
    (
        "gt-vlm-categories",
        "FILE",
        "Categories that a vision-language model names in the stimuli: JSON {\"stem\": \"dog, frisbee\"} \
         or {\"stem\": [\"dog\", ...]}",
    ),
    ("recon-vlm-categories", "FILE", "The same in the reconstructions"),
    (
        "gt-image-texts",
        "FILE",
        "Texts that are written in the stimuli, as a vision-language model reads them: JSON {\"stem\": [\"EXIT\", ...]}, [] for none",
    ),
    ("recon-image-texts", "FILE", "The same in the reconstructions"),
    (
        "gt-masks",
        "PATH",
        "Masks of the stimuli: a folder of Grounded SAM 2's JSON or of PNG label maps with labels.json, \
         or one JSON of COCO's instances",
    ),
    ("recon-masks", "PATH", "Masks of the reconstructions"),
    (
        "gt-categories",
        "PATH",
        "Which names of the stimuli's masks are objects, parts and background (BASIC's categorisation): a \
         folder of <stem>.json, each such as {\"foreground_objects\": [{\"object\": \"dog\", \"parts\": [\"head\"]}], \
         \"background_elements\": [{\"element\": \"sky\"}]}, or one JSON of such entries by stem, {\"<stem>\": {...}}",
    ),
    ("recon-categories", "PATH", "The same of the reconstructions' masks, in the same form"),
    ("gt-features", "DIR", "Folder of feature matrices of the stimuli: <model>.npy and ids.json"),
    ("recon-features", "DIR", "Folder of feature matrices of the reconstructions"),
    (
        "gt-scene-graphs",
        "FILE",
        "Scene graphs of the stimuli's captions: JSON {\"stem\": {\"objects\": [..], \"attributes\": \
         {..}, \"relations\": [..]}}, or text (.txt)",
    ),
    ("recon-scene-graphs", "FILE", "Scene graphs of the reconstructions' captions"),
    (
        "vqa-scores",
        "FILE",
        "VQA scores made elsewhere, for vqa_score: JSON {\"stem\": 0.83}, the probability of yes when a model is asked whether the \
         reconstruction shows what the stimulus's caption says",
    ),
    ("wordnet", "DIR", "Folder of WordNet 3.0 [default: WNSEARCHDIR, else where packages install it]"),
    (
        "punkt",
        "DIR",
        "Folder of Punkt's English parameters (tokenizers/punkt_tab/english of nltk_data), by which \
         captions are split into sentences before they are parsed or tagged [default: rules of our own]",
    ),
    (
        "tagger",
        "DIR",
        "Folder of a perceptron tagger's weights (taggers/averaged_perceptron_tagger_eng of nltk_data), \
         for --basic-noun-filter",
    ),
    (
        "chosen-samples",
        "FILE",
        "The sample of each item that was chosen without looking at the stimulus: a table with the columns item and sample. Only \
         these count",
    ),
    (
        "pool",
        "PATH",
        "Other images (a folder, a stack), or a folder of their feature matrices: identification is \
         repeated among them, which is the same task for every system. Images are looked at as those of \
         the pairs are",
    ),
];

/// The paths from these options.
#[derive(Debug, Default)]
pub(crate) struct InputArgs {
    pub(crate) paths: InputPaths,
}

/// Picks the inputs from all options.
impl<'de> Deserialize<'de> for InputArgs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let options = BTreeMap::<String, Value>::deserialize(deserializer)?.into_iter();
        let inputs = options.filter_map(|(name, value)| Some((Input::named(&name)?, value)));
        let path = |(input, value)| Ok((input, serde_json::from_value(value)?));
        let paths = inputs.map(path).collect::<Result<_, serde_json::Error>>().map_err(D::Error::custom)?;
        Ok(InputArgs { paths })
    }
}

impl Args for InputArgs {
    fn augment_args(command: Command) -> Command {
        let both = Arg::new(BY_PLACE)
            .value_names(["GT", "RECON"])
            .num_args(2)
            .display_order(0)
            .value_parser(value_parser!(PathBuf))
            .conflicts_with_all(["gt", "recon"])
            .help(
                "Stimuli and reconstructions: folders of images, .npy stacks (N,H,W,3) or .pt tensor files; files pair up by \
                 stem",
            );
        let command = command.arg(both);
        INPUTS.iter().fold(command, |command, (name, value, help)| {
            let path = value_parser!(PathBuf);
            let arg = Arg::new(*name).long(*name).value_name(*value);
            command.arg(arg.help(*help).value_parser(path))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for InputArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let named = |(name, _, _): &(&str, &str, &str)| {
            let path = matches.get_one::<PathBuf>(name)?;
            Some((Input::named(&name.replace('-', "_"))?, path.clone()))
        };
        let mut paths: InputPaths = INPUTS.iter().filter_map(named).collect();
        let both = matches.get_many::<PathBuf>(BY_PLACE).into_iter().flatten();
        for (input, path) in [Input::GT, Input::RECON].into_iter().zip(both) {
            paths.set(input, Some(path.clone()));
        }
        Ok(InputArgs { paths })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let given = Self::from_arg_matches(matches)?;
        self.paths = self.paths.overridden(&given.paths);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_has_an_option() {
        let names: Vec<String> = Input::all().map(|input| input.to_string()).collect();
        let mut options: Vec<String> = INPUTS.iter().map(|(name, _, _)| name.replace('-', "_")).collect();
        assert!(names.iter().all(|name| options.contains(name)));
        options.dedup();
        assert_eq!(options.len(), names.len());
    }
}
