//! `study.md`: every table with its figure, and what is missing.

use crate::paper_item::PaperItem;
use crate::record::{StudyRecord, SystemRecord};
use neurogauge::Error;
use neurogauge::report::{Cell, Format, TextTable};

/// The page.
pub(crate) fn markdown(record: &StudyRecord, paper_items: &[PaperItem]) -> Result<String, Error> {
    let mut page = String::from("# Study\n\n");
    page.push_str(&systems(record).markdown());
    for paper_item in paper_items {
        page.push_str(&format!(
            "\n## {}: {}\n\n",
            paper_item.paper,
            plain(&paper_item.about)
        ));
        page.push_str(&paper_item.table.render(Format::Markdown, None)?);
        page.push('\n');
        if let Some(ending) = paper_item.figure_endings.first() {
            let name = &paper_item.name;
            page.push_str(&format!("![{name}](figures/{name}.{ending})\n\n"));
        }
        let links = paper_item
            .files()
            .into_iter()
            .map(|file| format!("[{file}]({file})"));
        page.push_str(&format!(
            "Files: {}\n",
            links.collect::<Vec<_>>().join(", ")
        ));
    }
    if !record.absent.is_empty() {
        page.push_str("\n## Not here\n\n");
        for absent in &record.absent {
            let about = match absent.about.as_str() {
                "" => String::new(),
                about => format!(" ({})", plain(about)),
            };
            page.push_str(&format!(
                "- {}{about}: needs {}\n",
                absent.paper,
                plain(&absent.needs)
            ));
        }
    }
    if !record.warnings.is_empty() {
        page.push_str("\n## To be known\n\n");
        for warning in &record.warnings {
            page.push_str(&format!("- {}\n", plain(&warning.to_string())));
        }
    }
    Ok(page)
}

/// The same for a terminal of `width` columns, without figures.
pub(crate) fn text(
    record: &StudyRecord,
    paper_items: &[PaperItem],
    width: Option<usize>,
) -> Result<String, Error> {
    let mut out = String::new();
    for paper_item in paper_items {
        let table = paper_item.table.render(Format::Table, width)?;
        out.push_str(&format!("{}: {table}\n\n", paper_item.paper));
    }
    for absent in &record.absent {
        let about = if absent.about.is_empty() { "" } else { " of " };
        out.push_str(&format!(
            "{}{about}{} is not here: it needs {}\n",
            absent.paper, absent.about, absent.needs
        ));
    }
    Ok(out)
}

fn systems(record: &StudyRecord) -> TextTable {
    let raters = |system: &SystemRecord| {
        let rated = record
            .rated
            .iter()
            .find(|rated| rated.system == system.name);
        rated.map_or(Cell::Missing, |rated| Cell::Count(rated.n_raters))
    };
    TextTable::of("Systems", &record.systems)
        .column("System", |system| Cell::text(&system.name))
        .column("pairs", |system| Cell::Count(system.n_pairs))
        .column("raters", |system| raters(system))
        .column("run", |system| Cell::text(&system.run))
        .noted(vec![
            "Everything that was computed, and from what, stands in study.json and in the run.json of each run.".to_owned(),
        ])
}

/// Words in a line of Markdown.
fn plain(words: &str) -> String {
    let marked = |c: char| matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '|' | '#');
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        if marked(c) {
            out.push('\\');
        }
        out.push(if c == '\n' { ' ' } else { c });
    }
    out
}
