//! The inputs of `neurogauge score`.

use super::*;
use clap::{Arg, ArgMatches, Command, FromArgMatches, value_parser};
use neurogauge::core::{ObservationKind, Side};
use neurogauge::{Input, InputPaths};
use serde::de::{Deserializer, Error as _};
use serde_json::Value;
use std::collections::BTreeMap;

/// The two folders of images as positional arguments, which replace `--gt` and `--recon`.
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

/// The option of each input, the name of its value, and its help.
fn options() -> impl Iterator<Item = (String, &'static str, String)> {
    let of_kind = |kind: ObservationKind| {
        let (value, help) = kind.options();
        let of_side =
            move |(side, help): (&Side, &&str)| (Input::Of(*side, kind).to_string(), value, (*help).to_owned());
        kind.sides().iter().zip(help).map(of_side)
    };
    let observations = format!(
        "Folder with gt/ and recon/ inside ({}), or SEED's evaluations/<model>/",
        ObservationKind::files_in_folder()
    );
    let observations = (Input::Observations.to_string(), "DIR", observations);
    let further = FURTHER.iter().map(|(name, value, help)| ((*name).to_owned(), *value, (*help).to_owned()));
    let [images, others @ ..] = ObservationKind::GIVEN;
    let first = of_kind(images).chain([observations]);
    let all = first.chain(others.into_iter().flat_map(of_kind)).chain(further);
    all.map(|(name, value, help)| (name.replace('_', "-"), value, help))
}

/// The paths from these options.
#[derive(Debug, Default)]
pub(crate) struct InputArgs {
    pub(crate) paths: InputPaths,
}

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
        options().fold(command, |command, (name, value, help)| {
            let heading = match name.as_str() {
                "gt" | "recon" | "observations" => "Inputs",
                _ => "Observations",
            };
            let arg = Arg::new(name.clone()).long(name).value_name(value).help_heading(heading);
            command.arg(arg.help(help).value_parser(value_parser!(PathBuf)))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for InputArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |input: Input| {
            let name = input.to_string().replace('_', "-");
            Some((input, matches.get_one::<PathBuf>(&name)?.clone()))
        };
        let mut paths: InputPaths = Input::all().filter_map(given).collect();
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
        let mut options: Vec<String> = options().map(|(name, _, _)| name.replace('-', "_")).collect();
        assert!(names.iter().all(|name| options.contains(name)));
        options.dedup();
        assert_eq!(options.len(), names.len());
    }
}
