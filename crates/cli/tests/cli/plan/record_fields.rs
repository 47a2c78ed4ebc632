//! `record_fields.tsv` lists the fields of `run.json`, which other programs read. `make written` updates the list. If a
//! field has disappeared or changed its type, the test fails, with `NEUROGAUGE_WRITE=1` too, until the number of the
//! record's schema is raised.

use crate::support::study_data::StudyData;
use crate::support::*;

/// Objects whose keys are names, not fields.
const MAPS: [&str; 3] = ["versions", "outputs", "request.inputs"];

/// A field: its types, and whether every containing object has it.
#[derive(Default)]
struct Field {
    types: BTreeSet<&'static str>,
    n: usize,
}

#[derive(Default)]
struct Fields {
    /// Fields by path; `[]` stands for any position of a list, `*` for any name.
    fields: BTreeMap<String, Field>,
    /// How often each object was seen, by path.
    n_objects: BTreeMap<String, usize>,
}

impl Fields {
    fn take(&mut self, path: &str, value: &Value) {
        match value {
            Value::Object(entries) => {
                *self.n_objects.entry(path.to_owned()).or_default() += 1;
                for (name, value) in entries {
                    let name = if MAPS.contains(&path) { "*" } else { name };
                    self.take_field(format!("{path}.{name}").trim_start_matches('.'), value);
                }
            }
            Value::Array(values) => {
                let place = format!("{path}[]");
                values.iter().for_each(|value| self.take_field(&place, value));
            }
            _ => {}
        }
    }

    fn take_field(&mut self, path: &str, value: &Value) {
        let field = self.fields.entry(path.to_owned()).or_default();
        field.types.extend(type_of(value));
        field.n += usize::from(!value.is_null());
        self.take(path, value);
    }

    /// Path, types, and `always` or `sometimes`, of each field.
    fn rows(&self) -> BTreeMap<String, String> {
        let row = |(path, field): (&String, &Field)| {
            let n = self.n_objects.get(path.rsplit_once('.').map_or("", |(holder, _)| holder)).copied().unwrap_or(0);
            let is_always = field.n >= n || path.ends_with(['*', ']']);
            let types: Vec<&str> = field.types.iter().copied().collect();
            let types = if types.is_empty() { vec!["nothing"] } else { types };
            let often = if is_always { "always" } else { "sometimes" };
            (path.clone(), format!("{}\t{often}", types.join(" or ")))
        };
        self.fields.iter().map(row).collect()
    }
}

fn type_of(value: &Value) -> Option<&'static str> {
    match value {
        Value::Null => None,
        Value::Bool(_) => Some("true or false"),
        Value::Number(number) if number.is_f64() => Some("number"),
        Value::Number(_) => Some("whole number"),
        Value::String(_) => Some("text"),
        Value::Array(_) => Some("list"),
        Value::Object(_) => Some("object"),
    }
}

/// Records of runs that together have every part of a record: given files, every observer, a pool, samples, unreadable
/// images.
fn records() -> (u64, Fields) {
    let dir = StudyData::new(3).dir;
    image_folders(&dir.join("drawn"), &["a", "b", "c"]);
    image_folders(&dir.join("more"), &["x", "y"]);
    dir.picture("single/gt/a.png", "a", 48, 4.0);
    for sample in ["a_1", "a_2"] {
        dir.picture(format!("single/recon/{sample}.png"), sample, 48, 9.0);
    }
    let placeholders = "--set image_models=placeholder --set text_encoder=placeholder";
    let all = "--captioner placeholder-captioner --detector placeholder-detector";
    let runs = [
        "score --gt gt --recon far/images --observations far/observations".to_owned(),
        format!(
            "score --gt drawn/gt --recon drawn/recon {placeholders} {all} --metrics seed,sdm,ssim --max-pixels 1000000"
        ),
        format!("score --gt drawn/gt --recon drawn/recon --pool more/gt {placeholders} --metrics clip_pool,effnet"),
        "score --gt single/gt --recon single/recon --parts {item}_{sample} --metrics pixcorr".to_owned(),
    ];
    let mut fields = Fields::default();
    for (place, run) in runs.iter().enumerate() {
        dir.succeed(&format!("{run} --out run{place}"));
        fields.take("", &record(&dir, place));
    }
    dir.write("drawn/gt/b.png", "no image");
    assert_eq!(dir.run("score --gt drawn/gt --recon drawn/recon --metrics pixcorr --out run9").code, 1);
    let record = record(&dir, 9);
    fields.take("", &record);
    (record["schema"].natural(), fields)
}

fn record(dir: &Folder, place: usize) -> Value {
    dir.json(format!("run{place}/run.json"))
}

const TO_DO: &str = "raise SCHEMA in crates/facade/src/run_record/mod.rs and run `make written`";

#[test]
fn fields_of_the_record_are_as_written() {
    let (schema, fields) = records();
    let found = fields.rows();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/plan/record_fields.tsv");
    let text = fs::read_to_string(&path).unwrap_or_default();
    let mut lines = text.lines();
    let known_schema: u64 = lines.next().map_or(0, |line| line.trim_start_matches("schema ").parse().unwrap());
    let known: BTreeMap<String, String> = lines
        .map(|line| line.split_once('\t').unwrap())
        .map(|(path, rest)| (path.to_owned(), rest.to_owned()))
        .collect();
    let changed = known.iter().filter(|(field, _)| schema == known_schema && found.get(*field) != known.get(*field));
    let changed: Vec<String> = changed
        .map(|(field, was)| match found.get(field) {
            None => format!("{field} ({was}) is gone"),
            Some(is) => format!("{field} was {was} and is {is}"),
        })
        .collect();
    assert!(changed.is_empty(), "run.json: {}: {TO_DO}", changed.join("; "));
    if std::env::var_os("NEUROGAUGE_WRITE").is_some() {
        let rows = found.iter().map(|(field, row)| format!("{field}\t{row}\n"));
        fs::write(&path, format!("schema {schema}\n{}", rows.collect::<String>())).unwrap();
        return;
    }
    let new: Vec<&String> = found.keys().filter(|field| !known.contains_key(*field)).collect();
    assert!(new.is_empty(), "run.json: {new:?} are new: run `make written`, which lists them");
    assert_eq!(schema, known_schema, "run `make written`");
}
