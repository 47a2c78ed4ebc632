//! Pages without the paths of the machine on which they were made.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Absolute paths that a page could show. Pages, which others see, show the last part of each: the paths tell who made
/// them and where, and results in another folder are the same.
///
/// ```
/// use neurogauge::LocalPaths;
/// let mut paths = LocalPaths::default();
/// paths.add("/home/ann/runs/mine".as_ref());
/// paths.add_record(r#"{"inputs": [{"path": "/data/nsd/gt"}], "request": {"human": "/home/ann/r&d.csv"}}"#);
/// let page = "score --gt /data/nsd/gt --out /home/ann/runs/mine, /home/ann/r&amp;d.csv, /data/nsd/gt/1.png, a/data/nsd/gt";
/// let shown = "score --gt gt --out mine, r&amp;d.csv, gt/1.png, a/data/nsd/gt";
/// # #[cfg(unix)]
/// assert_eq!(paths.shortened(page), shown);
/// ```
#[derive(Debug, Default)]
pub struct LocalPaths(BTreeSet<String>);

/// Where records of all commands have paths.
#[derive(Deserialize)]
struct Recorded {
    #[serde(default)]
    inputs: Vec<RecordedInput>,
    #[serde(default)]
    request: Value,
    #[serde(default)]
    config: Value,
}

#[derive(Deserialize)]
struct RecordedInput {
    path: String,
}

impl LocalPaths {
    /// Adds a path, unless it is relative. One at the root says nothing about anybody, and may be a text as well.
    pub fn add(&mut self, path: &Path) {
        let is_below_a_folder = path.parent().is_some_and(|folder| folder.file_name().is_some());
        if path.is_absolute() && is_below_a_folder {
            self.0.insert(path.display().to_string().trim_end_matches(['/', '\\']).to_owned());
        }
    }

    /// Adds the inputs and options of a command's record, as JSON; what is none has no paths.
    pub fn add_record(&mut self, json: &str) {
        let Ok(record) = serde_json::from_str::<Recorded>(json) else {
            return;
        };
        record.inputs.iter().for_each(|input| self.add(Path::new(&input.path)));
        self.add_texts(&record.request);
        self.add_texts(&record.config);
    }

    fn add_texts(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.add(Path::new(text)),
            Value::Array(values) => values.iter().for_each(|value| self.add_texts(value)),
            Value::Object(fields) => fields.values().for_each(|value| self.add_texts(value)),
            _ => {}
        }
    }

    /// A page or a text of it, in HTML or JSON, with the last part of each path, and `.` for the working folder of others.
    pub fn shortened(&self, page: &str) -> String {
        let last = |path: &str| Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut known: Vec<(String, String)> = self.0.iter().map(|path| (path.clone(), last(path))).collect();
        let folder = std::env::current_dir().unwrap_or_default();
        known.extend(folder.file_name().map(|_| (folder.join("").display().to_string(), "./".to_owned())));
        let forms: [fn(&str) -> String; 3] = [str::to_owned, in_html, in_json];
        let mut known: Vec<(String, String)> =
            known.iter().flat_map(|(path, shown)| forms.map(|form| (form(path), form(shown)))).collect();
        known.sort_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        known.dedup();
        let starts: BTreeSet<&str> = known.iter().map(|(path, _)| first_folder(path)).collect();
        let mut places: Vec<usize> =
            starts.iter().flat_map(|start| page.match_indices(start).map(|(at, _)| at)).collect();
        places.sort_unstable();
        let (mut shown, mut done) = (String::with_capacity(page.len()), 0);
        for at in places {
            // The middle of a longer path or of encoded bytes is no path.
            let is_within = page[..at].ends_with(|c: char| c.is_alphanumeric() || "/\\_-.~+".contains(c));
            let found = known.iter().find(|(path, _)| page[at..].starts_with(path));
            if let Some((path, name)) = found.filter(|_| at >= done && !is_within) {
                shown.extend([&page[done..at], name]);
                done = at + path.len();
            }
        }
        shown + &page[done..]
    }
}

/// A path up to its second separator.
fn first_folder(path: &str) -> &str {
    let second = path.match_indices(['/', '\\']).nth(1);
    second.map_or(path, |(at, _)| &path[..at])
}

fn in_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn in_json(text: &str) -> String {
    Value::from(text).to_string().trim_matches('"').replace('<', "\\u003c")
}
