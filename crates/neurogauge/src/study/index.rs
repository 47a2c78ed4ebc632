//! `study.md`: every table with its figure, and what is not there.

use super::exhibit::{Exhibit, ExhibitPicture};
use super::record::StudyRecord;
use crate::Error;
use neurogauge_report::{Cell, Sheet};

/// The page.
pub(super) fn markdown(record: &StudyRecord, exhibits: &[Exhibit]) -> Result<String, Error> {
    let mut page = String::from("# Study\n\n");
    page.push_str(&systems(record).markdown());
    for exhibit in exhibits {
        page.push_str(&format!(
            "\n## {}: {}\n\n",
            exhibit.paper,
            plain(&exhibit.about)
        ));
        if let Some(table) = &exhibit.table {
            page.push_str(&table.markdown()?);
            page.push('\n');
        }
        if let Some(picture) = &exhibit.picture {
            let ending = match picture {
                ExhibitPicture::Drawn(_) => "svg",
                ExhibitPicture::Images(_) => "png",
            };
            let name = &exhibit.name;
            page.push_str(&format!("![{name}](figures/{name}.{ending})\n\n"));
        }
        let links = exhibit
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
pub(super) fn text(
    record: &StudyRecord,
    exhibits: &[Exhibit],
    width: Option<usize>,
) -> Result<String, Error> {
    let mut out = String::new();
    for exhibit in exhibits {
        if let Some(table) = &exhibit.table {
            out.push_str(&format!("{}: {}\n", exhibit.paper, table.text(width)?));
            out.push('\n');
        }
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

fn systems(record: &StudyRecord) -> Sheet {
    let rows = record.systems.iter().map(|system| {
        let rated = record
            .rated
            .iter()
            .find(|rated| rated.system == system.name);
        let raters = rated.map_or(Cell::Missing, |rated| Cell::Count(rated.n_raters));
        vec![
            Cell::Text(system.name.clone()),
            Cell::Count(system.n_pairs),
            raters,
            Cell::Text(system.run.clone()),
        ]
    });
    Sheet {
        title: "Systems".to_owned(),
        headings: ["System", "pairs", "raters", "run"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
        notes: vec![
            "Everything that was computed, and from what, stands in study.json and in the run.json of each run.".to_owned(),
        ],
    }
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
