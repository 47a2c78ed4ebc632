//! `neurogauge check`.

use crate::args::*;
use crate::output;
use crate::progress_bars::Bars;
use neurogauge::core::{Finding, counted as plural};
use neurogauge::report::{Cell, Table};
use neurogauge::{Error, ExplainedMetric, Explanation, InputCheck, ScoreRequest, SideCheck, Supposition, check};

/// The conventions that decide how inputs are read, and what explained metrics are computed with.
const CONVENTIONS: &[&str] = &["values", "alpha", "stack_order", "frames", "on_missing", "box_units", "image_models"];

#[derive(Debug, Args)]
#[command(mut_arg("set", only(CONVENTIONS)))]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) pairing: PairingArgs,
    #[command(flatten)]
    pub(crate) set: SetArgs,
    /// Names behind the label indices of detections, as for score
    #[arg(long, value_name = "LIST")]
    pub(crate) labels: Option<String>,
    /// Look for a common mistake that explains these images (range, channels, alpha, transposition, order of files, resizing
    /// of released codes), and, with a published value, for one that explains the number; models need their weights
    #[arg(long, value_name = "METRIC[=VALUE],...", num_args = 0..=1, value_delimiter = ',', default_missing_value = EXPLAINED)]
    pub(crate) explain: Option<Vec<ExplainedMetric>>,
    /// Print JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

/// What is computed if no metric is named.
const EXPLAINED: &str = "pixcorr,ssim";

pub(crate) fn run(args: &CheckArgs) -> Result<(), Error> {
    let request = ScoreRequest {
        inputs: args.inputs.paths.clone(),
        labels: args.labels.clone().unwrap_or_default(),
        ..args.set.request(&args.pairing)?
    };
    let found = check(&request, args.explain.as_deref(), &Bars::default())?;
    if args.json {
        output::json(&found)?;
    } else {
        output::data(&table(&found).text(output::width()))?;
        if let Some(explained) = &found.explanation {
            output::data(&suppositions(explained).text(output::width()))?;
        }
    }
    match found.n_problems() {
        0 => Ok(()),
        1 => Err(Error::Data(
            "`neurogauge score` would end with an error: 1 of the findings above is a problem".to_owned(),
        )),
        n => Err(Error::Data(format!(
            "`neurogauge score` would end with an error: {n} of the findings above are problems"
        ))),
    }
}

/// If there are images, one line for each property with both sides next to each other; the findings follow.
fn table(found: &InputCheck) -> Table {
    type Property = (&'static str, fn(&SideCheck) -> Cell);
    let properties: [Property; 11] = [
        ("from", |side| Cell::text(&side.path)),
        ("images", |side| Cell::text(side.n_images.to_string())),
        ("different images", |side| Cell::text(side.n_distinct.to_string())),
        ("without a partner", |side| Cell::text(side.n_without_partner.to_string())),
        ("stems, in order", |side| Cell::text(format!("{} to {}", side.stems.0, side.stems.1))),
        ("sizes, px", |side| Cell::text(sizes(side))),
        ("values", |side| match side.range {
            Some((low, high)) => Cell::text(format!("{low} to {high}")),
            None => Cell::Missing,
        }),
        ("stored as", |side| {
            let kinds: Vec<_> = side.encodings.iter().map(|(kind, n)| (kind.clone(), *n)).collect();
            Cell::text(counted(&kinds))
        }),
        ("grey", |side| Cell::text(side.n_grey.to_string())),
        ("of one colour", |side| Cell::text(side.n_constant.to_string())),
        ("with transparency", |side| Cell::text(side.n_transparent.to_string())),
    ];
    let findings = found.findings.iter().map(|finding| format!("{}: {finding}", finding.severity));
    let is_fine = !found.findings.iter().any(Finding::is_shown);
    let nothing = is_fine.then(|| "no problems found".to_owned());
    let mut title = plural(found.n_pairs, "pair");
    if found.gt.is_some() {
        title.push_str(" of images");
    }
    if let Some(n_items) = found.n_items {
        title.push_str(&format!(", of {}", plural(n_items, "item")));
    }
    let notes = nothing.into_iter().chain(findings).collect();
    let (Some(gt), Some(recon)) = (&found.gt, &found.recon) else {
        return Table::of(title, [(); 0]).noted(notes);
    };
    Table::of(title, properties)
        .column("", |(name, _)| Cell::text(*name))
        .column("gt", |(_, of)| of(gt))
        .column("recon", |(_, of)| of(recon))
        .noted(notes)
}

/// The files as they are, what they show, and what fits the published values.
fn suppositions(explained: &Explanation) -> Table {
    let is_told =
        |found: &&Supposition| found.mistakes.is_empty() || found.shown.is_some() || found.fits(&explained.metrics);
    let mut table = Table::of("Suspected mistakes", explained.suppositions.iter().filter(is_told))
        .column("if", |found| match found.mistakes.is_empty() {
            true => Cell::text("the files are as they should be"),
            false => Cell::text(found.mistakes.join(" and ")),
        })
        .column("files", |found| match (found.shown, found.mistakes.is_empty()) {
            (Some((factor, _)), _) => Cell::text(format!("show it: {factor:.1} times nearer")),
            (None, true) => Cell::Missing,
            (None, false) => Cell::text("do not show it"),
        });
    for (place, metric) in explained.metrics.iter().enumerate() {
        table = table.column(metric.id, move |found| Cell::number(found.values[place].map(|(mean, _)| mean)));
        if let Some(published) = metric.published {
            let heading = format!("{published} is off by, SE");
            table = table.column(heading, move |found| Cell::number(found.off_by(place, published)).decimals(1));
        }
    }
    table.column("mended by", |found| Cell::text(found.remedies.join("; "))).noted(explained.in_words())
}

/// The sizes of the images; if there are many, only the smallest and the largest.
fn sizes(side: &SideCheck) -> String {
    const SHOWN: usize = 4;
    let size = |(width, height): (usize, usize)| format!("{width} x {height}");
    if side.sizes_px.len() <= SHOWN {
        let sizes: Vec<_> = side.sizes_px.iter().map(|&(px, n)| (size(px), n)).collect();
        return counted(&sizes);
    }
    let all = || side.sizes_px.iter().map(|(px, _)| *px);
    let area = |(width, height): &(usize, usize)| width * height;
    let ends = all().min_by_key(area).zip(all().max_by_key(area));
    ends.map_or_else(String::new, |(least, most)| {
        format!("{} different, {} to {}", side.sizes_px.len(), size(least), size(most))
    })
}

/// Kinds, with the number of each if there are several.
fn counted(kinds: &[(String, usize)]) -> String {
    match kinds {
        [(only, _)] => only.clone(),
        kinds => {
            let counts: Vec<String> = kinds.iter().map(|(kind, n)| format!("{kind} ({n})")).collect();
            counts.join(", ")
        }
    }
}
