//! `neurogauge list`: what the program knows by name.

use crate::args::*;
use crate::output;
use neurogauge::core::counted;
use neurogauge::metrics::find;
use neurogauge::models::registry::{MODELS, ModelEntry, Source, did_you_mean, find as find_model};
use neurogauge::models::vlm::{BuiltInPrompt, PROMPTS};
use neurogauge::models::weights::{WeightOptions, locate};
use neurogauge::report::{Cell, Format, Table};
use neurogauge::{Error, Protocol, RELEASED, ReleasedCode, RunSettings, described_conventions, ids_sha256, load_run};
use neurogauge_guide::catalogue::{CatalogueEntry, metric_catalogue, page, tables};
use serde_json::{Map, Value, json};

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// What is listed
    #[arg(value_enum)]
    pub(crate) what: Listed,
    /// Only these; of metrics also lists such as nsd8. A single metric is described in full, and a single prompt's text
    /// is printed. Of protocols also finished runs, to say which protocol each is of
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableOrJson,
    /// Look for model weights in this folder (also: NEUROGAUGE_WEIGHTS), to say which are on this machine
    #[arg(long, value_name = "DIR")]
    pub(crate) weights: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Listed {
    /// What each needs, which way is better, its chance level, and what is missing here
    Metrics,
    /// Which released code at which commit each equals, what it decides, where the code differs from what it says
    Presets,
    /// The test sets of the field: the stimuli and their order, the subjects, the papers that use them
    Protocols,
    /// What models behind a server are asked
    Prompts,
    /// What decides the numbers of metrics, and by which options
    Conventions,
    /// Licences, sizes, papers, and where the weights are
    Models,
}

/// A name, and what there is to say about it under a few words.
type Entry = (String, Vec<(&'static str, String)>);

/// The widest readable line.
const WIDEST: usize = 100;

pub(crate) fn run(args: &ListArgs) -> Result<(), Error> {
    let (ids, is_json) = (args.ids.as_slice(), args.format == TableOrJson::Json);
    match args.what {
        Listed::Metrics => metrics(args, is_json),
        Listed::Presets => {
            let codes = chosen(RELEASED, |code| code.name, ids, "preset")?;
            match is_json {
                true => output::json(&codes),
                false => print(codes.into_iter().map(of_preset).collect(), false),
            }
        }
        Listed::Protocols if ids.iter().any(|id| Protocol::find(id).is_none()) => protocols_of_runs(ids, is_json),
        Listed::Protocols => {
            let protocols = chosen(Protocol::all(), |protocol| protocol.id.as_str(), ids, "protocol")?;
            match is_json {
                true => output::json(&protocols),
                false => print(protocols.into_iter().map(of_protocol).collect(), false),
            }
        }
        Listed::Prompts => match ids {
            [id] => output::data(&format!("{}\n", BuiltInPrompt::find(id).map_err(Error::Usage)?.text())),
            _ => {
                let table = prompts(&chosen(PROMPTS.as_slice(), |prompt| prompt.id, ids, "prompt")?);
                match is_json {
                    true => output::document(&table.json()),
                    false => output::data(&table.text(output::width())),
                }
            }
        },
        Listed::Conventions => {
            let all = described_conventions();
            let found = chosen(&all, |(id, _)| *id, ids, "convention")?;
            print(found.into_iter().map(|(id, facts)| ((*id).to_owned(), facts.clone())).collect(), is_json)
        }
        Listed::Models => {
            let options = WeightOptions::given(args.weights.as_deref(), false);
            let models = match ids {
                [] => MODELS.iter().collect(),
                _ => ids.iter().map(|id| find_model(id)).collect::<Result<Vec<_>, _>>()?,
            };
            print(models.into_iter().map(|model| of_model(model, &options)).collect(), is_json)
        }
    }
}

/// The items with these names, in the order asked for; without names, all of them.
fn chosen<'a, T>(
    all: &'a [T],
    name_of: impl Fn(&'a T) -> &'a str,
    names: &[String],
    noun: &str,
) -> Result<Vec<&'a T>, Error> {
    let find = |name: &String| {
        all.iter().find(|item| name_of(item) == name).ok_or_else(|| {
            let known: Vec<&str> = all.iter().map(&name_of).collect();
            let nearest = did_you_mean(name, &known);
            Error::Usage(format!("no {noun} is called {name:?}{nearest}; `neurogauge list {noun}s` lists all"))
        })
    };
    match names {
        [] => Ok(all.iter().collect()),
        _ => names.iter().map(find).collect(),
    }
}

fn print(entries: Vec<Entry>, is_json: bool) -> Result<(), Error> {
    if is_json {
        let objects = entries.into_iter().map(|(id, lines)| {
            let lines = lines.into_iter().map(|(label, value)| (label.replace(' ', "_"), json!(value)));
            [("id".to_owned(), json!(id))].into_iter().chain(lines).collect::<Map<_, _>>()
        });
        return output::json(&objects.collect::<Vec<_>>());
    }
    let labels = entries.iter().flat_map(|(_, lines)| lines).map(|(label, _)| label.len());
    let width = labels.max().unwrap_or(0) + 2;
    let texts = entries.iter().map(|(id, lines)| {
        let lines = lines.iter().map(|(label, value)| format!("  {label:width$}{value}\n"));
        format!("{id}\n{}", lines.collect::<String>())
    });
    output::data(&texts.collect::<Vec<String>>().join("\n"))
}

fn metrics(args: &ListArgs, is_json: bool) -> Result<(), Error> {
    let names: Vec<&str> = args.ids.iter().map(String::as_str).collect();
    let settings = RunSettings {
        weights: args.weights.clone(),
        ..RunSettings::default()
    };
    let entries = metric_catalogue(&names, &settings)?;
    match (names.as_slice(), entries.as_slice()) {
        _ if is_json => output::json(&entries.iter().map(with_missing).collect::<Vec<_>>()),
        ([id], [entry]) if find(id).is_some() => {
            let width = output::width().unwrap_or(WIDEST).min(WIDEST);
            output::styled_data(&page(entry, width))
        }
        _ => {
            let tables = Table::render_all(&tables(&entries), Format::Table, output::width());
            output::data(&format!("{}\n\n{tables}", counted(entries.len(), "metric")))
        }
    }
}

fn with_missing(entry: &CatalogueEntry) -> Value {
    let mut object = json!(entry);
    object["missing"] = json!(entry.missing());
    object
}

fn of_preset(code: &ReleasedCode) -> Entry {
    let commit = code.commit.get(..10).unwrap_or(code.commit);
    let mut lines = vec![
        ("code", format!("{} {commit}, {}", code.repository, code.file)),
        ("checked", code.checked.to_owned()),
        ("decides", code.decides.to_owned()),
        ("metrics", code.metrics.join(", ")),
    ];
    lines.extend((!code.differs.is_empty()).then(|| ("note", code.differs.to_owned())));
    (code.name.to_owned(), lines)
}

fn of_protocol(protocol: &Protocol) -> Entry {
    let mut lines = vec![
        ("stimuli", format!("{}: {}", protocol.n_stimuli, protocol.stimuli)),
        ("ids", format!("{}, SHA-256 {}", protocol.ids, protocol.ids_sha256)),
        ("subjects", protocol.subjects.clone()),
        ("used by", protocol.used_by.clone()),
    ];
    lines.extend(protocol.known.iter().map(|known| ("known", format!("{} = {}", known.role, known.what))));
    (protocol.id.clone(), lines)
}

fn protocols_of_runs(runs: &[String], is_json: bool) -> Result<(), Error> {
    let (mut objects, mut text) = (Vec::new(), String::new());
    for path in runs {
        let run = load_run(path.as_ref())?;
        let (pairs, n) = (&run.scores.pairs, run.scores.pairs.len());
        let found = Protocol::of(pairs, &run.record.provenance.inputs).map(|(_, found)| found);
        let protocol = found.as_ref().map(|found| (&found.id, found.by));
        text += &match protocol {
            Some((id, by)) => format!("{path}: {n} pairs, {id} {}\n", by.label()),
            None => format!("{path}: {n} pairs, of no known protocol\n"),
        };
        let (id, by) = protocol.unzip();
        objects.push(json!({"run": path, "pairs": n, "ids_sha256": ids_sha256(pairs), "protocol": id, "by": by}));
    }
    match is_json {
        true => output::json(&objects),
        false => output::data(&text),
    }
}

/// One line for each prompt.
fn prompts(prompts: &[&BuiltInPrompt]) -> Table {
    let notes = ["`neurogauge list prompts ID` prints the text. The first of each kind is asked where none is named"];
    Table::of(format!("{} prompts", prompts.len()), prompts)
        .column("id", |prompt| Cell::text(prompt.id))
        .column("version", |prompt| Cell::text(prompt.version.to_string()))
        .column("asks for", |prompt| Cell::text(prompt.makes.noun()))
        .column("from", |prompt| Cell::text(prompt.source))
        .noted(notes.map(str::to_owned).to_vec())
}

fn of_model(model: &ModelEntry, options: &WeightOptions) -> Entry {
    let (weights, revision) = (model.weights(), model.revision);
    let source = match model.source {
        Source::Hub(repository) => format!("{repository} at {revision}"),
        Source::Web(folder) => format!("{folder}/{} ({revision})", weights.path),
        Source::Archive { address, .. } => format!("{address} ({revision})"),
    };
    let place = match (locate(model, options), &model.source) {
        (Ok(Some(found)), _) => found.dir.display().to_string(),
        (Ok(None), Source::Archive { .. }) => "not here; `neurogauge models fetch` says how to get it".into(),
        (Ok(None), _) => "not here; `neurogauge models fetch` downloads it".into(),
        (Err(error), _) => error.to_string(),
    };
    let mut lines = vec![
        ("purpose", model.purpose.to_owned()),
        ("source", format!("{}, {source}", model.architecture)),
        ("licence", format!("{}, {}, sha256 {}", model.licence, model.size(), weights.sha256)),
    ];
    lines.extend(model.terms.map(|terms| ("terms", terms.to_owned())));
    lines.extend([("paper", model.citation.to_owned()), ("weights", place)]);
    (model.id.to_owned(), lines)
}
