//! The page as a whole.

use crate::document::{Document, Download, LAYOUT, Observed, ScorePart};
use crate::html::{self, SectionHtml};
use crate::inputs::{self, Inputs, System};
use crate::jpeg::as_jpeg;
use crate::markdown_tables;
use crate::methods::methods;
use crate::pair_map::pair_map;
use crate::parts::evenly_spread;
use crate::request::{ImagePlacement, PageRequest, Section, SectionFigure};
use crate::results;
use crate::scores;
use crate::thumbnails::{LARGEST_PX, Thumbnails};
use crate::{by_cluster, comparison, confusers, near_misses, observed, overview, people, static_pairs};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use neurogauge::core::option_words::option;
use neurogauge::core::{Finding, Side, counted};
use neurogauge::formats::{IoResult, atomic_file};
use neurogauge::report::Format;
use neurogauge::{Error, LocalPaths, Progress, Report};
use std::collections::BTreeMap;
use std::path::Path;

const STYLE: &str = include_str!("../page/dist/page.css");
const SCRIPT: &str = include_str!("../page/dist/page.js");

/// A page, ready to be written.
#[derive(Debug)]
pub struct Page {
    pub html: String,
    /// Files to write beside the page: names, relative to its folder, and contents.
    pub beside: Vec<(String, Vec<u8>)>,
    pub findings: Vec<Finding>,
    pub done: String,
}

/// Makes the page of finished runs.
///
/// # Errors
/// Folders without a finished run or result, runs that share no pair or no metric. Anything that cannot be shown, such
/// as missing images, is a warning.
pub fn page(request: &PageRequest, progress: &dyn Progress) -> Result<Page, Error> {
    if request.runs.is_empty() && request.results().next().is_some() {
        return page_without_runs(request);
    }
    let inputs = Inputs::read(&request.runs, &request.names)?;
    let scores = ScorePart::of(&inputs, &request.metrics);
    let mut findings = Vec::new();
    let human = people::human(&inputs, &request.meta, &mut findings)?;
    let (methods, copies) = methods(Some((&inputs, &scores)), request)?;
    let names = inputs.names();
    let title = match &request.title {
        Some(title) => title.clone(),
        None => format!("{}: {} pairs", names.join(", "), inputs.stems.len()),
    };

    let mut document = Document {
        layout: LAYOUT,
        title: title.clone(),
        headline: scores.headline(),
        systems: names,
        stems: inputs.stems.clone(),
        human,
        stimuli: observed::of_stimuli(&inputs, &[]),
        details: inputs.systems.iter().map(scores::details).collect(),
        identification: confusers::identifications(&inputs, &scores.metrics, &mut findings),
        near_misses: near_misses::of_systems(&inputs, &mut findings),
        copies,
        downloads: downloads(&inputs, &request.files)?,
        ..Document::default()
    };
    document.map = pair_map(&inputs, &scores.metrics, &document.identification);
    // Boxes are fractions of images whose sizes are only known after reading them; for the estimated size of the page,
    // they need no sizes.
    let observed = |sizes: &Thumbnails| -> Vec<Observed> {
        let of_system = |(place, system): (usize, &System)| {
            let sizes = sizes.sizes.get(place).map_or(&[][..], Vec::as_slice);
            observed::of_side(&inputs, system, Side::Recon, sizes)
        };
        inputs.systems.iter().enumerate().map(of_system).collect()
    };
    document.reconstructions = observed(&Thumbnails::default());
    let score_bytes = inputs.stems.len() * inputs.systems.len() * scores.metrics.len() * 20;
    let over_subjects = inputs::over_subjects(request)?;
    let more = request.sections.iter().map(|section| (section.id, section.heading.as_str(), content(section)));
    let mut more: Vec<SectionHtml<'_>> = more.collect();
    if let Some(found) = &over_subjects {
        let markdown = found.print(Format::Markdown, None)?;
        more.push(("subjects", "Means over subjects", markdown_tables::to_html(&markdown)));
    }
    let more_bytes: usize = more.iter().map(|(.., content)| content.0.len()).sum();
    let other_bytes = html::script_json(&document)?.len() + score_bytes + more_bytes + SCRIPT.len();
    let headline = scores.headline();
    let order = evenly_spread(&static_pairs::ordered(&scores, 0, headline), inputs.stems.len());
    let thumbnails = Thumbnails::of(&inputs, request, other_bytes, &order, progress)?;
    document.stimuli = observed::of_stimuli(&inputs, &thumbnails.stimulus_sizes);
    document.reconstructions = observed(&thumbnails);
    let by = scores.metrics.get(headline).map_or("name", |metric| metric.label.as_str());
    findings.extend(image_warnings(&inputs, request, &thumbnails, by));

    let mut other_sections = results::sections(request, Some((&inputs, &thumbnails)), &mut findings)?;
    let beside_clusters = beside_clusters(&inputs, request)?;
    if let Some((.., content)) = other_sections.iter_mut().find(|(id, ..)| *id == "audit") {
        let question = "How much of these runs' identification does the cluster give alone?";
        *content = html! { (content) (results::folded(question, None, &beside_clusters)) };
    }
    let overview = overview::section((&inputs, over_subjects.as_ref()), &scores, &thumbnails, &findings);
    // Inputs that could not be opened are reported in the overview and by the command.
    findings.extend(inputs.systems.iter().flat_map(|system| &system.reopened.findings).cloned());
    let pairs = static_pairs::section(&inputs, &scores, &thumbnails);
    let is_static = |content: &Markup| html! { div.static { (content) } };
    let mut sections = vec![("overview", "Overview", overview)];
    sections.extend(more);
    let without_script =
        html! { p { "The script of this page draws the distributions; the overview has means and intervals." } };
    sections.extend([
        ("pairs", "Pairs", is_static(&pairs)),
        ("distributions", "Distributions", is_static(&without_script)),
    ]);
    if inputs.systems.len() > 1 || scores.metrics.len() > 1 {
        sections.push(("comparison", "Comparison", comparison::section(&inputs, &scores)));
    }
    let by_dimension = comparison::by_dimension(&inputs)?;
    if !by_dimension.0.is_empty() {
        sections.push(("dimensions", "Dimensions", by_dimension));
    }
    let curves = inputs.systems.iter().filter_map(|system| Some((&system.name, system.run.curve()?)));
    let curves =
        html! { @for (name, curve) in curves { p { b { (name) } } (markdown_tables::to_html(&curve.markdown())) } };
    if !curves.0.is_empty() {
        sections.push(("trials", "Averaged trials", curves));
    }
    sections.extend(other_sections);
    sections.push(("methods", "Methods", methods));
    document.scored = scores;
    let images = match thumbnails.side_px {
        0 => String::new(),
        _ => html::script_json(&thumbnails.images)?,
    };
    let data = html::script_json(&document)?;
    let html = filled(&title, &sections, [&data, &images, SCRIPT], request);
    let (n, n_runs) = (document.stems.len(), document.systems.len());
    let systems = match &over_subjects {
        Some(found) => format!("{n_runs} runs of {}", counted(found.systems.len(), "system")),
        None => counted(n_runs, "system"),
    };
    let shown = match thumbnails.side_px {
        0 => "without images".to_owned(),
        px if px < LARGEST_PX && request.thumbnail_px.is_none() => format!(
            "images of {px} px, the largest that a page of this size can hold (--linked has {LARGEST_PX} px, in a folder beside it; \
             --thumbnail-size any size)"
        ),
        px => format!("images of {px} px"),
    };
    Ok(Page {
        done: format!("{n} pairs of {systems}, {shown}, {:.1} MB", html.len() as f64 / 1e6),
        html,
        beside: thumbnails.files,
        findings,
    })
}

/// Identification accuracies compared with what clusters give alone; a table for each different set of clusters.
fn beside_clusters(inputs: &Inputs, request: &PageRequest) -> Result<Markup, Error> {
    let runs: Vec<_> = inputs.systems.iter().map(|system| (system.name.as_str(), &system.run)).collect();
    let mut shown: Vec<by_cluster::Clusters> = Vec::new();
    let mut tables = Vec::new();
    for folder in &request.audit {
        let clusters = by_cluster::clusters_of(folder)?;
        if !shown.contains(&clusters) {
            tables.extend(by_cluster::beside_clusters(&runs, folder)?);
            shown.push(clusters);
        }
    }
    Ok(html! { @for table in tables { (markdown_tables::to_html(&table.markdown())) } })
}

/// A page that has only results of other commands, without a script.
fn page_without_runs(request: &PageRequest) -> Result<Page, Error> {
    let mut findings = Vec::new();
    let mut sections = results::sections(request, None, &mut findings)?;
    let names: Vec<String> = request.results().map(|(_, folder)| results::name(folder)).collect();
    let subject = sections.first().map_or("", |(_, heading, _)| *heading);
    let title = request.title.clone().unwrap_or_else(|| match request.align.is_empty() {
        true => format!("{}: {}", names.join(", "), subject.to_lowercase()),
        false => format!("{}: recovery of response dimensions", names.join(", ")),
    });
    sections.push(("methods", "Methods", methods(None, request)?.0));
    let html = filled(&title, &sections, ["null", "", ""], request);
    Ok(Page {
        done: format!("{}, {:.1} MB", counted(names.len(), "result"), html.len() as f64 / 1e6),
        html,
        beside: Vec::new(),
        findings,
    })
}

fn filled(
    title: &str,
    sections: &[SectionHtml<'_>],
    [data, images, script]: [&str; 3],
    request: &PageRequest,
) -> String {
    let beside = match request.images {
        ImagePlacement::Beside => " 'self' file:",
        _ => "",
    };
    let policy = format!(
        "default-src 'none'; img-src data: blob:{beside}; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        html::policy_hash(STYLE),
        html::policy_hash(script)
    );
    let paths = local_paths(request);
    let shown = |text: &str| PreEscaped(paths.shortened(text));
    let title = shown(&html! { (title) }.0);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header.top {
                    h1 { (title) }
                    nav aria-label="Sections" {
                        @for (id, heading, _) in sections { a href={ "#" (id) } { (heading) } }
                    }
                }
                main {
                    @for (id, heading, content) in sections {
                        section id=(id) aria-labelledby={ (id) "-title" } {
                            h2 id={ (id) "-title" } { (heading) }
                            (shown(&content.0))
                        }
                    }
                }
                script type="application/json" id="data" { (shown(data)) }
                script type="application/json" id="images" { (PreEscaped(images)) }
                script { (PreEscaped(script)) }
            }
        }
    };
    page.into_string()
}

/// The paths in the request and in the records of the results.
fn local_paths(request: &PageRequest) -> LocalPaths {
    let mut paths = LocalPaths::default();
    let runs = request.runs.iter().map(|folder| ("run", folder));
    for (command, folder) in runs.chain(request.results()) {
        paths.add(folder);
        paths.add_record(&std::fs::read_to_string(folder.join(format!("{command}.json"))).unwrap_or_default());
    }
    request.files.iter().for_each(|(_, text)| paths.add_record(text));
    request.out.ancestors().take(2).for_each(|path| paths.add(path));
    paths
}

fn content(section: &Section) -> Markup {
    let drawn = |figure: &SectionFigure, about: &str| match figure {
        SectionFigure::Svg(svg) => html::figure("image/svg+xml", svg.as_bytes(), about, None),
        SectionFigure::Png(png) => match as_jpeg(png).filter(|jpeg| jpeg.len() < png.len()) {
            Some(jpeg) => html::figure("image/jpeg", &jpeg, about, None),
            None => html::figure("image/png", png, about, None),
        },
    };
    html! {
        @for part in &section.parts {
            (markdown_tables::to_html(&part.markdown))
            @for (about, figure) in &part.figures { (drawn(figure, about)) }
        }
    }
}

/// Each run's summary file, and other files.
fn downloads(inputs: &Inputs, files: &[(String, String)]) -> Result<BTreeMap<String, Download>, Error> {
    let of_system = |(place, system): (usize, &System)| -> Result<(String, Download), Error> {
        let path = system.run.folder.root().join("summary.json");
        let text = std::fs::read_to_string(&path).when("reading", &path)?;
        let name = match inputs.systems.len() {
            1 => "summary.json".to_owned(),
            _ => format!("summary of {}.json", system.name.replace(['/', '\\'], "_")),
        };
        Ok((format!("summary{place}"), Download { name, text }))
    };
    let further = files.iter().enumerate().map(|(place, (name, text))| {
        let (name, text) = (name.clone(), text.clone());
        Ok((format!("file{place}"), Download { name, text }))
    });
    inputs.systems.iter().enumerate().map(of_system).chain(further).collect()
}

/// Warnings about the images; `by` is the metric whose order decides for which pairs parts are shown.
fn image_warnings(inputs: &Inputs, request: &PageRequest, thumbnails: &Thumbnails, by: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    if thumbnails.n_unreadable > 0 {
        let message = format!("{} could not be read and are not shown", thumbnails.n_unreadable);
        found.push(Finding::warning("unreadable_images", "images", message));
    }
    let n_pairs = inputs.stems.len();
    if let Some(n_shown) = thumbnails.n_with_parts.filter(|n| *n < n_pairs) {
        let message = match n_shown {
            0 => "the frames, views and samples of items are left out, since they would make the page too large; of each item one image is \
                  shown"
                .to_owned(),
            n => format!(
                "the frames, views and samples of {n} of {n_pairs} pairs are shown, evenly spread over the order by {by}, since those of \
                 all would make the page too large; of each other pair one image is shown"
            ),
        };
        found.push(Finding::warning("parts_not_shown", "images", message));
    }
    if thumbnails.side_px > 0 && !request.blurred && may_be_nsd(inputs) {
        let message = format!(
            "these may be images of the Natural Scenes Dataset, whose terms do not let you pass them on; to send the page to \
             somebody without access, make it with {} or {}",
            option("no-images", ""),
            option("blur", "")
        );
        found.push(Finding::warning("images_may_be_nsd", "images", message));
    }
    found
}

/// Do names or numbers look like those of the Natural Scenes Dataset?
fn may_be_nsd(inputs: &Inputs) -> bool {
    let is_number = [982, 1000, 515, 907].contains(&inputs.stems.len());
    let names_it = |text: &str| {
        let text = text.to_ascii_lowercase();
        text.contains("nsd") || text.starts_with("shared")
    };
    let mut paths = inputs.systems.iter().flat_map(|system| &system.run.record.provenance.inputs);
    is_number
        || inputs.stems.first().is_some_and(|stem| names_it(stem))
        || paths.any(|input| input.role == "gt/images" && names_it(&input.path))
}

impl Page {
    /// Writes the page, and the files beside it first. An existing page is replaced only if `overwrite` is set.
    ///
    /// # Errors
    /// [`Error::Usage`] if the file exists, files that cannot be written.
    pub fn write(&self, out: &Path, overwrite: bool) -> Result<(), Error> {
        let is_there = |path: &Path, content: &[u8]| match std::fs::read(path) {
            Ok(known) => Some(known == content),
            Err(_) => path.exists().then_some(false),
        };
        if is_there(out, self.html.as_bytes()) == Some(false) && !overwrite {
            return Err(Error::Usage(format!(
                "{}: is there already and is not what this command would write; choose another {}, or say {}",
                out.display(),
                option("out", ""),
                option("overwrite", "")
            )));
        }
        let folder = out.parent().unwrap_or(Path::new(""));
        for (name, content) in &self.beside {
            atomic_file::write(&folder.join(name), content)?;
        }
        Ok(atomic_file::write(out, self.html.as_bytes())?)
    }
}
