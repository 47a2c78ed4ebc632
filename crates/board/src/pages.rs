//! The files of the site.

use crate::board::{Board, BoardTable, Cell, MetricColumn};
use crate::entry::Entry;
use crate::entry::slug;
use crate::ranks_figure;
use neurogauge::core::MetricSpec;
use neurogauge::core::hostile_text::for_html as escape;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;color:#1b1b1b;background:#fff}\
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.3rem .7rem;border-bottom:1px solid #ddd;text-align:right;vertical-align:top}\
td:first-child,th:first-child{text-align:left}th button{font:inherit;font-weight:600;border:0;background:none;cursor:pointer;padding:0}\
small{color:#555;display:block}.rank{font-weight:600}.wide{overflow-x:auto}code,pre{background:#f4f4f4;padding:.1rem .3rem}\
pre{overflow-x:auto;padding:.6rem}svg{max-width:100%;height:auto;font:12px system-ui,sans-serif}nav{margin-bottom:1rem}\
@media(prefers-color-scheme:dark){body{background:#161616;color:#e8e8e8}td,th{border-color:#444}small{color:#aaa}code,pre{background:#2a2a2a}\
a{color:#8ab4f8}th button{color:inherit}svg text{fill:#e8e8e8}}";

/// Sorts tables by the clicked heading, and hides tables of other subjects and columns of other metrics.
const SCRIPT: &str = "for(const h of document.querySelectorAll('th[data-n]')){const b=document.createElement('button');\
b.append(...h.childNodes);h.append(b);b.onclick=()=>{const t=h.closest('table'),n=h.cellIndex,\
v=r=>{const c=r.cells[n].dataset.v;return c===undefined?r.cells[n].textContent:+c},\
d=h.dataset.d==='1'?-1:1;h.dataset.d=d===1?'1':'';\
[...t.tBodies[0].rows].sort((a,b)=>{const x=v(a),y=v(b);if(typeof x!==typeof y)return typeof x==='number'?-1:1;\
return d*(x<y?1:x>y?-1:0)}).forEach(r=>t.tBodies[0].append(r))}}\
const f=document.getElementById('filters');if(f){f.hidden=false;const s=f.querySelector('[name=subject]'),m=f.querySelector('[name=metric]');\
f.oninput=()=>{for(const x of document.querySelectorAll('[data-subject]'))x.hidden=s.value!==''&&x.dataset.subject!==s.value;\
for(const x of document.querySelectorAll('[data-m]'))x.hidden=m.value!==''&&x.dataset.m!==m.value}}";

/// Each file of the site, with its name.
pub(crate) fn of(board: &Board) -> Vec<(String, String)> {
    let mut files = vec![("index.html".to_owned(), index(board))];
    let mut systems: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, entry) in board.entries.iter().enumerate() {
        systems.entry(&entry.card.system).or_default().push(place);
        files.push((format!("data/{}.csv", entry.file_stem()), pairs_csv(entry)));
    }
    for (system, places) in systems {
        let name = format!("system/{}.html", slug(system));
        files.push((name, system_page(board, system, &places)));
    }
    let columns = board.tables.iter().flat_map(|table| &table.columns);
    let metrics: BTreeMap<&str, MetricSpec> = columns
        .map(|column| (column.spec.id, column.spec))
        .collect();
    for (id, spec) in metrics {
        files.push((
            format!("metric/{}.html", slug(id)),
            metric_page(board, &spec),
        ));
    }
    files
}

fn page(board: &Board, heading: &str, up: &str, body: &str) -> String {
    let title = escape(&board.config.title);
    let nav = match up {
        "" => String::new(),
        up => format!("<nav><a href=\"{up}index.html\">{title}</a></nav>\n"),
    };
    let heading = escape(heading);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{heading}</title>\n<style>{STYLE}</style>\n{nav}<h1>{heading}</h1>\n{body}<script>{SCRIPT}</script>\n</html>\n"
    )
}

fn index(board: &Board) -> String {
    let mut body = format!("<p>{}</p>\n", escape(&board.config.about));
    let subjects: BTreeSet<&str> = board.tables.iter().map(|t| t.subject.as_str()).collect();
    let columns = board.tables.iter().flat_map(|table| &table.columns);
    let metrics: BTreeMap<&str, &str> = columns.map(|c| (c.spec.id, c.spec.label)).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(
        body,
        "<form id=\"filters\" hidden><label>subject <select name=\"subject\"><option value=\"\">all</option>{}</select></label> \
         <label>metric <select name=\"metric\"><option value=\"\">all</option>{}</select></label></form>",
        options(subjects.iter().map(|subject| (*subject, *subject))),
        options(metrics.iter().map(|(id, label)| (*id, *label)))
    );
    for table in &board.tables {
        body += &table_section(board, table);
    }
    body += "<p><small>Means with 95% intervals for new stimuli. Ranks: systems that the paired tests do not tell apart (5%, Holm's correction \
             over the differences of a metric) share ranks, so a span such as 1–2 means that either is possible. \
             “printed” is what the paper prints, and the difference of our value from it.</small></p>\n";
    page(board, &board.config.title, "", &body)
}

/// The choices of a list: value and name of each.
fn options<'a>(names: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let options = names.map(|(value, name)| {
        let (value, name) = (escape(value), escape(name));
        format!("<option value=\"{value}\">{name}</option>")
    });
    options.collect()
}

fn table_section(board: &Board, table: &BoardTable) -> String {
    let n_pairs = table
        .entries
        .first()
        .map_or(0, |&e| board.entries[e].run.scores.pairs.len());
    let subject = escape(&table.subject);
    let mut text = format!(
        "<section data-subject=\"{subject}\">\n<h2>{subject}: {}, {n_pairs} stimuli</h2>\n<div class=\"wide\"><table>\n<thead><tr><th data-n>system</th>",
        escape(table.protocol)
    );
    for MetricColumn { spec, .. } in &table.columns {
        let _ = write!(
            text,
            "<th data-n data-m=\"{}\">{} {}</th>",
            escape(spec.id),
            escape(spec.label),
            spec.direction.arrow()
        );
    }
    text += "</tr></thead>\n<tbody>\n";
    for (row, &entry) in table.entries.iter().enumerate() {
        let system = &board.entries[entry].card.system;
        let link = format!("system/{}.html", slug(system));
        let _ = write!(
            text,
            "<tr><td><a href=\"{link}\">{}</a></td>",
            escape(system)
        );
        for column in &table.columns {
            let (spec, place) = (&column.spec, format!("{link}#{}", slug(&table.subject)));
            text += &match &column.cells[row] {
                None => format!("<td data-m=\"{}\">–</td>", escape(spec.id)),
                Some(cell) => cell_of(spec, cell, &place),
            };
        }
        text += "</tr>\n";
    }
    text += "</tbody></table></div>\n<p>Metrics: ";
    let links = table.columns.iter().map(|column| {
        let (id, label) = (slug(column.spec.id), escape(column.spec.label));
        format!("<a href=\"metric/{id}.html\">{label}</a>")
    });
    text += &links.collect::<Vec<String>>().join(", ");
    text + "</p>\n" + &ranks_figure::of(board, table) + "</section>\n"
}

fn number(spec: &MetricSpec, value: f64) -> String {
    format!("{value:.*}", spec.decimals)
}

fn interval(spec: &MetricSpec, cell: &Cell) -> String {
    cell.estimate.interval.map_or(String::new(), |(low, high)| {
        format!("[{}, {}]", number(spec, low), number(spec, high))
    })
}

fn rank(cell: &Cell) -> String {
    match cell.ranks {
        None => String::new(),
        Some((best, worst)) if best == worst => format!("{best}"),
        Some((best, worst)) => format!("{best}–{worst}"),
    }
}

/// What the paper printed, and what our value has more.
fn printed(spec: &MetricSpec, cell: &Cell) -> String {
    let Some(printed) = cell.printed else {
        return String::new();
    };
    let shown = number(spec, printed);
    match &cell.estimate.value {
        Ok(value) if number(spec, *value) == shown => format!("{shown} (the same)"),
        Ok(value) => format!("{shown} ({:+.*})", spec.decimals, value - printed),
        Err(_) => shown,
    }
}

fn cell_of(spec: &MetricSpec, cell: &Cell, link: &str) -> String {
    let id = escape(spec.id);
    let value = match &cell.estimate.value {
        Ok(value) => value,
        Err(reason) => {
            return format!(
                "<td data-m=\"{id}\"><small>{}</small></td>",
                escape(&reason.to_string())
            );
        }
    };
    let rank = match rank(cell) {
        none if none.is_empty() => none,
        rank => format!(" <span class=\"rank\">#{rank}</span>"),
    };
    let printed = match printed(spec, cell) {
        none if none.is_empty() => none,
        printed => format!("<small>printed {printed}</small>"),
    };
    format!(
        "<td data-m=\"{id}\" data-v=\"{value}\"><a href=\"{link}\">{}</a>{rank}<small>{}</small>{printed}</td>",
        number(spec, *value),
        interval(spec, cell)
    )
}

fn system_page(board: &Board, system: &str, places: &[usize]) -> String {
    let mut body = String::new();
    for &place in places {
        let entry = &board.entries[place];
        let subject = escape(&entry.card.subject);
        let _ = writeln!(
            body,
            "<h2 id=\"{}\">{subject}: {}</h2>\n<dl>{}</dl>",
            slug(&entry.card.subject),
            escape(entry.protocol_id()),
            card(entry)
        );
        body += "<table><thead><tr><th data-n>metric</th><th data-n>value</th><th>interval</th><th>rank</th><th>pairs</th><th>printed</th></tr></thead>\n<tbody>\n";
        for table in board
            .tables
            .iter()
            .filter(|table| table.entries.contains(&place))
        {
            let row = table
                .entries
                .iter()
                .position(|&e| e == place)
                .unwrap_or_default();
            for column in &table.columns {
                let Some(cell) = &column.cells[row] else {
                    continue;
                };
                let spec = &column.spec;
                let value = match &cell.estimate.value {
                    Ok(value) => number(spec, *value),
                    Err(reason) => escape(&reason.to_string()),
                };
                let _ = writeln!(
                    body,
                    "<tr><td><a href=\"../metric/{}.html\">{}</a></td><td>{value}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                    slug(spec.id),
                    escape(spec.label),
                    interval(spec, cell),
                    rank(cell),
                    cell.estimate.n,
                    printed(spec, cell)
                );
            }
        }
        body += "</tbody></table>\n";
        let _ = writeln!(
            body,
            "<p>Every pair: <a href=\"../data/{0}.csv\">{0}.csv</a></p>\n<p>To compute it again from its inputs, from the folder of the \
             entry:</p>\n<pre>neurogauge board verify {1}</pre>\n<p>Inputs</p>\n<table><tbody>",
            entry.file_stem(),
            escape(
                &entry
                    .folder
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
            )
        );
        for input in &entry.run.record.provenance.inputs {
            let _ = writeln!(
                body,
                "<tr><td>{}</td><td>{} items</td><td><code>{}</code></td></tr>",
                escape(&input.role),
                input.items.len(),
                escape(&input.sha256)
            );
        }
        body += "</tbody></table>\n";
    }
    page(board, system, "../", &body)
}

fn card(entry: &Entry) -> String {
    let card = &entry.card;
    let lines = [
        ("authors", &card.authors),
        ("paper", &card.paper),
        ("code", &card.code),
        ("data", &card.data),
        ("licence", &card.licence),
        ("printed values", &card.printed_in),
    ];
    let given = lines
        .into_iter()
        .filter_map(|(name, text)| Some((name, text.as_deref()?)));
    given
        .map(|(name, text)| {
            let shown = match text.starts_with("https://") {
                true => format!("<a href=\"{0}\">{0}</a>", escape(text)),
                false => escape(text),
            };
            format!("<dt>{name}</dt><dd>{shown}</dd>")
        })
        .collect()
}

fn metric_page(board: &Board, spec: &MetricSpec) -> String {
    let mut body = format!(
        "<p>{}. {} Conventions: {}.</p>\n",
        escape(spec.about),
        match spec.direction {
            neurogauge::core::Direction::Higher => "Higher is better.",
            neurogauge::core::Direction::Lower => "Lower is better.",
        },
        escape(&spec.conventions.join(", "))
    );
    for table in &board.tables {
        let Some(column) = table
            .columns
            .iter()
            .find(|column| column.spec.id == spec.id)
        else {
            continue;
        };
        let _ = writeln!(
            body,
            "<h2>{}: {}</h2>\n<table><thead><tr><th data-n>system</th><th data-n>value</th><th>interval</th><th data-n>rank</th><th>printed</th></tr></thead>\n<tbody>",
            escape(&table.subject),
            escape(table.protocol)
        );
        for (&entry, cell) in table.entries.iter().zip(&column.cells) {
            let Some(cell) = cell else {
                continue;
            };
            let system = &board.entries[entry].card.system;
            let (value, sorted) = match &cell.estimate.value {
                Ok(value) => (number(spec, *value), format!(" data-v=\"{value}\"")),
                Err(reason) => (escape(&reason.to_string()), String::new()),
            };
            let _ = writeln!(
                body,
                "<tr><td><a href=\"../system/{}.html#{}\">{}</a></td><td{sorted}>{value}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                slug(system),
                slug(&table.subject),
                escape(system),
                interval(spec, cell),
                rank(cell),
                printed(spec, cell)
            );
        }
        body += "</tbody></table>\n";
        if column.differences.is_empty() {
            continue;
        }
        body += "<table><thead><tr><th data-n>difference</th><th data-n>value</th><th>interval</th><th data-n>p (Holm)</th></tr></thead>\n<tbody>\n";
        for found in &column.differences {
            let shown = |value: Option<f64>| {
                value.map_or("–".to_owned(), |value| {
                    format!("{value:+.*}", spec.decimals)
                })
            };
            let ends = found.interval.map_or(String::new(), |(low, high)| {
                format!("[{}, {}]", shown(Some(low)), shown(Some(high)))
            });
            let p = found.p_holm.map_or("–".to_owned(), |p| format!("{p:.4}"));
            let _ = writeln!(
                body,
                "<tr><td>{} − {}</td><td>{}</td><td>{ends}</td><td>{p}</td></tr>",
                escape(&found.minuend),
                escape(&found.subtrahend),
                shown(found.difference)
            );
        }
        body += "</tbody></table>\n";
    }
    page(board, spec.label, "../", &body)
}

/// The scores of every pair, with the decoded caption where the run had captions.
fn pairs_csv(entry: &Entry) -> String {
    let scores = &entry.run.scores;
    let captions = entry.run.reopen().captions;
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut text = "pair".to_owned();
    for (id, _) in &scores.columns {
        text = text + "," + id;
    }
    text += match captions {
        Some(_) => ",caption\n",
        None => "\n",
    };
    for (place, pair) in scores.pairs.iter().enumerate() {
        text += &quoted(pair);
        for (_, outcomes) in &scores.columns {
            text.push(',');
            if let Ok(value) = &outcomes[place] {
                let _ = write!(text, "{value}");
            }
        }
        if let Some(captions) = &captions {
            let found = captions
                .recon
                .get(pair)
                .and_then(|captions| captions.0.first());
            text = text + "," + &quoted(found.map_or("", String::as_str));
        }
        text.push('\n');
    }
    text
}
