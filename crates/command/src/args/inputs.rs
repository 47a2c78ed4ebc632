//! The inputs of `neurogauge score`.

use super::*;
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::error::{Error as ClapError, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, value_parser};
use neurogauge::core::{ObservationKind, Side};
use neurogauge::models::registry::did_you_mean;
use neurogauge::{Input, InputPaths};
use serde::de::{Deserializer, Error as _};
use serde_json::Value;
use std::collections::BTreeMap;

/// The two folders of images as positional arguments, which replace `--gt PATH` and `--recon PATH`.
pub(crate) const BY_PLACE: &str = "both";

/// The options of inputs that are not observations, the names of their values, and their help.
const FURTHER: &[(&str, &str, &str)] = &[
    ("wordnet", "DIR", "Folder of WordNet 3.0 [default: WNSEARCHDIR, else where packages install it]"),
    (
        "punkt",
        "DIR",
        "Folder of Punkt's English parameters (tokenizers/punkt_tab/english of nltk_data), by which captions are \
         split into sentences before they are parsed or tagged [default: rules of our own]",
    ),
    (
        "tagger",
        "DIR",
        "Folder of a perceptron tagger's weights (taggers/averaged_perceptron_tagger_eng of nltk_data), for \
         --set basic_noun_filter",
    ),
    (
        "chosen-samples",
        "FILE",
        "The sample of each item that was chosen without looking at the stimulus: a table with the columns item and \
         sample. Only these count",
    ),
    (
        "pool",
        "PATH",
        "Other images (a folder, a stack), or a folder of their feature matrices: identification is repeated among \
         them, which is the same task for every system. Images are looked at as those of the pairs are",
    ),
];

/// What `--gt` and `--recon` take: a path of images, or `KIND=PATH`.
#[derive(Debug, Clone)]
pub(crate) struct SideInput(Input, PathBuf);

impl SideInput {
    fn read(side: Side, path: PathBuf) -> Result<Self, String> {
        let named = path.to_str().and_then(|text| text.split_once('='));
        let Some((word, file)) = named.filter(|(word, _)| !word.contains(['/', '\\'])) else {
            return Ok(SideInput(Input::Of(side, ObservationKind::Images), path));
        };
        let kinds = ObservationKind::GIVEN.into_iter().filter(|kind| kind.sides().contains(&side));
        match kinds.clone().find(|kind| kind.id() == word.replace('-', "_")) {
            Some(kind) => Ok(SideInput(Input::Of(side, kind), file.into())),
            // A name may contain =.
            None if path.exists() => Ok(SideInput(Input::Of(side, ObservationKind::Images), path)),
            None => {
                let words: Vec<String> = kinds.map(word_of_kind).collect();
                let known: Vec<&str> = words.iter().map(String::as_str).collect();
                let nearest = did_you_mean(word, &known);
                Err(format!("no kind of files is called {word:?}{nearest}; expected one of {}", known.join(", ")))
            }
        }
    }
}

/// A kind as options have it: `scene-graphs`.
pub(crate) fn word_of_kind(kind: ObservationKind) -> String {
    kind.id().replace('_', "-")
}

/// How an input is given if it is of a kind: `--gt captions=FILE`.
pub(crate) fn of_kind(name: &str, value: &str) -> Option<String> {
    match Input::named(&name.replace('-', "_"))? {
        Input::Of(side, kind) if kind != ObservationKind::Images => {
            let value = if value.is_empty() { kind.options().0 } else { value };
            Some(format!("--{} {}={value}", side.folder(), word_of_kind(kind)))
        }
        _ => None,
    }
}

/// The paths of inputs: of all, or only those that `--gt` and `--recon` give.
#[derive(Debug, Default)]
pub(crate) struct Inputs<const ALL: bool> {
    pub(crate) paths: InputPaths,
}

pub(crate) type InputArgs = Inputs<true>;
pub(crate) type SideArgs = Inputs<false>;

/// Selects the inputs among all options.
impl<'de> Deserialize<'de> for InputArgs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let options = BTreeMap::<String, Value>::deserialize(deserializer)?.into_iter();
        let inputs = options.filter_map(|(name, value)| Some((Input::named(&name)?, value)));
        let path = |(input, value)| Ok((input, serde_json::from_value(value)?));
        let paths = inputs.map(path).collect::<Result<_, serde_json::Error>>().map_err(D::Error::custom)?;
        Ok(InputArgs { paths })
    }
}

impl<const ALL: bool> Args for Inputs<ALL> {
    fn augment_args(mut command: Command) -> Command {
        if ALL {
            let help = "Stimuli and reconstructions: folders of images, .npy stacks (N,H,W,3) or .pt tensor files; files \
                        pair up by stem";
            let both = Arg::new(BY_PLACE).value_names(["GT", "RECON"]).num_args(2).display_order(0);
            command = command.arg(both.value_parser(value_parser!(PathBuf)).help(help));
        }
        let (_, help) = ObservationKind::Images.options();
        for (side, help) in Side::BOTH.into_iter().zip(help) {
            let parser = PathBufValueParser::new().try_map(move |path| SideInput::read(side, path));
            let help = format!(
                "{help}. KIND=PATH gives what was observed in them, such as captions=FILE; --help observations lists all \
                 kinds. May be repeated"
            );
            let arg = Arg::new(side.folder()).long(side.folder()).value_name("[KIND=]PATH").action(ArgAction::Append);
            command = command.arg(arg.help_heading("Inputs").help(help).value_parser(parser));
        }
        if !ALL {
            return command;
        }
        let files = ObservationKind::files_in_folder();
        let observations = format!("Folder with gt/ and recon/ inside ({files}), or SEED's evaluations/<model>/");
        let further = FURTHER.iter().map(|(name, value, help)| ("Observations", *name, *value, (*help).to_owned()));
        let paths = [("Inputs", "observations", "DIR", observations)].into_iter().chain(further);
        paths.fold(command, |command, (heading, name, value, help)| {
            let arg = Arg::new(name).long(name).value_name(value).help_heading(heading);
            command.arg(arg.help(help).value_parser(value_parser!(PathBuf)))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const ALL: bool> FromArgMatches for Inputs<ALL> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, ClapError> {
        let refused = |words: String| Err(ClapError::raw(ErrorKind::ArgumentConflict, words));
        let given = |input: Input| {
            let name = input.to_string().replace('_', "-");
            Some((input, matches.try_get_one::<PathBuf>(&name).ok().flatten()?.clone()))
        };
        let mut paths: InputPaths = Input::all().filter_map(given).collect();
        for side in Side::BOTH {
            for SideInput(input, path) in matches.get_many::<SideInput>(side.folder()).into_iter().flatten() {
                if paths.get(*input).is_some() {
                    return refused(format!("{} is given twice\n", input.flag()));
                }
                paths.set(*input, Some(path.clone()));
            }
        }
        let both = matches.try_get_many::<PathBuf>(BY_PLACE).ok().flatten().into_iter().flatten();
        for (input, path) in [Input::GT, Input::RECON].into_iter().zip(both) {
            if paths.get(input).is_some() {
                return refused(format!("the argument '[GT] [RECON]' cannot be used with '--{input} <PATH>'\n"));
            }
            paths.set(input, Some(path.clone()));
        }
        Ok(Inputs { paths })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), ClapError> {
        let given = Self::from_arg_matches(matches)?;
        self.paths = self.paths.overridden(&given.paths);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_can_be_given() {
        let command = InputArgs::augment_args(Command::new("inputs"));
        for input in Input::all() {
            let option = match input {
                Input::Of(side, _) => side.folder().to_owned(),
                input => input.to_string().replace('_', "-"),
            };
            assert!(command.get_arguments().any(|arg| arg.get_id() == option.as_str()), "{input}");
        }
    }
}
