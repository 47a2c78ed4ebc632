//! Exhibits of a user's own paper, from its folder.

#![allow(clippy::unwrap_used)]

use neurogauge::report::figures::Bar;
use neurogauge::report::{Cell, Table};
use neurogauge_exhibits::{MadeFigure, Paper, Records};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn folder(exhibits: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("published")).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("exhibits.toml", exhibits);
    write("published/systems.tsv", "system\tssim\ttau\nA\t0.40\t0.3\nB\t0.20\t-\n");
    let values = [
        "path\tplace\tof\tquantity\tvalue\tlow\thigh\tstatistic",
        "/study/systems/name=A/metrics/id=ssim\tTable 1\tA\tssim\t0.40\t0.3\t0.5",
        "/study/systems/name=A/metrics/id=tau\tTable 1\tA\ttau\t0.3",
        "/study/systems/name=B/metrics/id=ssim\tTable 1\tB\tssim\t0.20",
        "/study/systems/name=B/metrics/id=tau\tTable 1\tB\ttau\t-",
        "/study/systems/*/pairs/*\tSection 2\t\tmedian of pairs\t3.1\t\t\tmedian",
    ];
    write("published/values.tsv", &values.join("\n"));
    folder
}

fn study() -> Value {
    json!({
        "systems": [
            {"name": "A", "metrics": [{"id": "ssim", "mean": 0.45, "interval": [0.4, 0.5]}, {"id": "tau", "mean": 0.25}],
             "pairs": [1.0, 2.0, 4.0, 9.0]},
            {"name": "B", "metrics": [{"id": "ssim", "mean": 0.125, "interval": null}], "pairs": []},
        ],
        "note": null,
    })
}

const EXHIBITS: &str = r#"
cite = "Somebody (2026)"

[[exhibit]]
name = "table1"
from = "study"
place = "Table 1"
title = "Systems"
rows = "/study/systems/*"
columns = [
    { heading = "system", value = "name" },
    { heading = "SSIM", value = "metrics/id=ssim" },
    { heading = "published", value = "/published/systems/system={name}/ssim", kind = "number" },
    { heading = "median", value = "pairs/*", statistic = "median", decimals = 1 },
    { heading = "{id}", each = "/study/systems/0/metrics/id=tau", value = "~/metrics/id={id}/mean" },
]
notes = ["{/study/note}", ["n = {/study/systems/0/pairs/0}", ", {/study/note}"], { each = "/study/systems/*", text = "{name}: {pairs/*}" }]

[exhibit.figure]
kind = "bars"
y_label = "SSIM"
marks = [{ of = "/study/systems/*", row = "{name}", value = "metrics/id=ssim" }]

[[exhibit]]
name = "table2"
from = "study"
place = "Table 2"
title = "By metric"
rows = "/study/systems/*/metrics/*"
pivot = [{ heading = "system", text = "{../../name}" }]
columns = [{ heading = "{id}", value = "mean" }]

[[exhibit]]
name = "table3"
from = "meta"
place = "Table 3"
title = "People"
shows = "agreement with people"
needs = "human ratings: --human FILE"
rows = "/meta/metrics/*"
columns = [{ heading = "metric", value = "name" }]

[[erratum]]
place = "Table 1"
says = "Table 1 and the text differ"
concerns = ["Table 1: tau"]
"#;

#[test]
fn tables_figures_and_published_values_are_made_of_a_folder() {
    let folder = folder(EXHIBITS);
    let paper = Paper::read(folder.path()).unwrap();
    let records = Records::default().with("study", &study()).unwrap();
    let made = paper.make(&records, None).unwrap();
    let table = |place: usize| made.exhibits[place].table.as_ref().unwrap();
    assert_eq!(table(0).csv(), "system,SSIM,published,median,tau\nA,0.45,0.4,3.0,0.25\nB,0.125,0.2,,\n");
    assert_eq!(table(0).notes, ["n = 1", "A: 1, 2, 4, 9"]);
    let text = table(0).text(None);
    // The paper's decimals, and those of the column.
    assert!(["0.450 [0.400, 0.500]", " 0.40 ", " 3.0 "].iter().all(|cell| text.contains(cell)), "{text}");
    assert_eq!(table(1).csv(), "system,ssim,tau\nA,0.45,0.25\nB,0.125,\n");
    let Some(MadeFigure::Bars(bars)) = &made.exhibits[0].figure else {
        panic!("{:?}", made.exhibits[0].figure)
    };
    assert_eq!(
        (bars.title.as_str(), bars.groups.as_slice()),
        ("Systems", ["A".to_owned(), "B".to_owned()].as_slice())
    );
    assert_eq!(bars.bars, [[Bar::estimate(0.45, Some((0.4, 0.5)))], [Bar::estimate(0.125, None)]]);
    assert_eq!((made.absent.len(), made.absent[0].paper.as_str()), (1, "Table 3"));
    assert!(paper.has_figure("study", "table1") && !paper.has_figure("study", "table2"));

    let beside = paper.beside(&records).unwrap();
    let of = |own: &Value| json!([own["of"], own["quantity"], own["published"], own["decimals"]]);
    // The paper prints no tau of B.
    let expected =
        json!([["A", "ssim", 0.4, 2], ["A", "tau", 0.3, 1], ["B", "ssim", 0.2, 2], ["", "median of pairs", 3.1, 1]]);
    assert_eq!(beside.iter().map(of).collect::<Value>(), expected);
    assert!((beside[0]["difference"].as_f64().unwrap() - 0.05).abs() < 1e-12);
    assert_eq!((&beside[0]["interval"], &beside[0]["erratum"]), (&json!([0.4, 0.5]), &Value::Null));
    assert_eq!((&beside[0]["published_interval"], &beside[3]["here"]), (&json!([0.3, 0.5]), &json!(3.0)));
    assert_eq!(beside[1]["erratum"], "Table 1 and the text differ");
}

#[test]
fn a_wrong_field_is_told_with_its_exhibit_and_those_that_there_are() {
    let records = Records::default().with("study", &study()).unwrap();
    for (right, wrong, message) in [
        (
            "value = \"name\"",
            "value = \"nam\"",
            "\"Table 1 table1\": `nam`: no field \"nam\" (did you mean \"name\"?); there are: name, metrics, pairs",
        ),
        (
            "/study/systems/*\"\ncolumns",
            "/stud/systems/*\"\ncolumns",
            "\"Table 1 table1\": `/stud/systems/*`: no record \"stud\" (did you mean \"study\"?)",
        ),
        (
            "row = \"{name}\"",
            "row = \"{title}\"",
            "\"Table 1 table1\": `title`: no field \"title\"; there are: name",
        ),
    ] {
        let folder = folder(&EXHIBITS.replacen(right, wrong, 1));
        let error = Paper::read(folder.path()).unwrap().make(&records, None).unwrap_err().to_string();
        assert!(error.contains(message) && error.contains("exhibits.toml: "), "{error}");
    }
    let unknown = folder(&EXHIBITS.replacen("rows =", "row =", 1));
    let error = Paper::read(unknown.path()).unwrap_err().to_string();
    assert!(error.contains("exhibits.toml:9: unknown key `row`"), "{error}");
}

/// A path to several values is a mark for each, or with statistics one for all; a place without any has none.
#[test]
fn marks_are_of_all_values_at_a_path() {
    let mark = "of = \"/study/systems/*\", panel = \"scores\", row = \"{name} (n = {pairs/*:n})\", value = \"pairs/*\", if = \"pairs\"";
    let statistics = "statistics = [\"median\", \"lower-quartile\", \"upper-quartile\"]";
    let folder = folder(&format!(
        "cite = \"\"\n[[exhibit]]\nname = \"scores\"\n[exhibit.figure]\nkind = \"intervals\"\nmarks = [{{ {mark}, {statistics} }}, {{ as = \
         \"point\", {mark} }}]\n"
    ));
    let records = Records::default().with("study", &study()).unwrap();
    let mut made = Paper::read(folder.path()).unwrap().make(&records, None).unwrap();
    let Some(MadeFigure::Intervals(figure)) = made.exhibits.remove(0).figure else {
        panic!("no intervals")
    };
    assert_eq!(figure.rows, ["A (n = 4)"]);
    let panel = &figure.panels[0];
    // numpy: median and quantile(0.25), quantile(0.75) of [1, 2, 4, 9].
    assert_eq!((panel.dots[0].value, panel.dots[0].interval), (3.0, Some((1.75, 5.25))));
    assert_eq!(
        (panel.dots.len(), panel.points.as_slice()),
        (1, [(0, 1.0), (0, 2.0), (0, 4.0), (0, 9.0)].as_slice())
    );
}

/// The sections, tables and figures that a text refers to: `Figures 4D and 6` to Figure 4 and Figure 6.
fn references(text: &str) -> Vec<String> {
    let (mut kind, mut found) = (None, Vec::new());
    for word in text.split(|letter: char| !letter.is_alphanumeric() && letter != '.') {
        let word = word.trim_end_matches('.');
        let is_number = word.starts_with(|letter: char| letter.is_ascii_digit());
        let is_letter = word.len() == 1 && word.starts_with(|letter: char| letter.is_ascii_uppercase());
        match (word, kind) {
            ("Appendix" | "Appendices", _) => kind = Some("Appendix"),
            ("Figure" | "Figures", _) => kind = Some("Figure"),
            ("Table" | "Tables", _) => kind = Some("Table"),
            ("Section" | "Sections", _) => kind = Some("Section"),
            ("" | "and" | "to", _) => {}
            (_, Some("Appendix")) if is_letter => found.push(format!("Appendix {word}")),
            (_, Some(own)) if is_number && own != "Appendix" => {
                let number = word.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
                found.push(format!("{own} {number}"));
            }
            // The panels of a figure.
            (_, Some("Figure")) if is_letter => {}
            _ => kind = None,
        }
    }
    found
}

/// What built-in papers say of sections, tables and figures exists, and errata concern values that they print.
#[test]
fn references_are_to_headings_of_the_paper() {
    assert_eq!(references("Section 4, Table 3"), ["Section 4", "Table 3"]);
    assert_eq!(references("Figures 4D and 12A, B"), ["Figure 4", "Figure 12"]);
    assert_eq!(references("Appendix B, block ablation of 2 layers"), ["Appendix B"]);
    let error = Paper::built_in("recovry").unwrap_err().to_string();
    assert!(error.contains("no paper \"recovry\": built in are recovery"), "{error}");
    for paper in Paper::all() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("papers").join(&paper.name);
        let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
        let (text, exhibits) = (read("headings.tsv"), read("exhibits.toml"));
        let headings: Vec<&str> = text.lines().filter_map(|line| Some(line.split_once('\t')?.0)).collect();
        let printed = paper.published("values").iter().filter_map(|row| row["place"].as_str());
        // Of exhibits and errata.
        let places: Vec<&str> = exhibits.lines().filter_map(|line| line.strip_prefix("place = ")).collect();
        for place in places.iter().copied().chain(printed) {
            for reference in references(place) {
                assert!(headings.contains(&reference.as_str()), "{}: {place:?} refers to {reference}", paper.name);
            }
        }
        assert!(places.len() > 3 && !paper.cite.is_empty());
    }
    let paper = Paper::built_in("recovery").unwrap();
    for concerned in paper.errata.iter().flat_map(|own| &own.concerns) {
        let is_it = |row: &&Value| {
            format!("{}: {}", row["place"].as_str().unwrap(), row["quantity"].as_str().unwrap()) == *concerned
        };
        assert_eq!(paper.published("values").iter().filter(is_it).count(), 1, "{concerned}");
    }
}

const EACH: &str = r#"
name = "Ours"
cite = "Somebody (2026)"

[[exhibit]]
name = "pairs_{name}"
from = "study"
place = "Figure 1"
shows = "pairs"
about = "{name}"
needs = "a system"
lacks = "{lacking?}"
each = "/study/systems/*"
title = "Pairs of {name}: {~/pair}"
rows = "pairs?/*"
row_if = "/published/systems/system={../../name}/ssim"
columns = [
    { heading = "pair", value = "pair" },
    { heading = "score", value = "score" },
    { heading = "difference", value = "score", less = "/published/systems/system={../../name}/ssim", decimals = 2 },
]
lines = [{ each = "lines/*", text = "{}" }]

[[exhibit]]
name = "made"
from = "study"
place = ""
table = "{/study/table}"
"#;

/// One exhibit for each system: its pairs and lines, the difference from what is printed, a note on placeholders; what a
/// system lacks is said of it; and a table that the command made is taken as it is.
#[test]
fn an_exhibit_may_be_of_each_of_several() {
    let folder = folder(EACH);
    let paper = Paper::read(folder.path()).unwrap();
    let study = json!({"table": "own", "systems": [
        {"name": "A", "pairs": [{"pair": "p†", "score": 0.65, "lines": ["one", "two"]}]},
        {"name": "B", "lacking": "boxes"},
        {"name": "C", "pairs": [{"pair": "q", "score": 0.5, "lines": []}]},
    ]});
    let own = Table::of("Own", [1.0]).column("n", |n| Cell::number(*n)).noted(Vec::new());
    let records = Records::default()
        .with("study", &study)
        .unwrap()
        .with_tables([("own".to_owned(), own.clone())].into());
    let made = paper.make(&records, Some("study")).unwrap();
    let [pairs, table] = made.exhibits.as_slice() else {
        panic!("{:?}", made.exhibits)
    };
    assert_eq!(
        (pairs.name.as_str(), pairs.about.as_str(), pairs.paper.clone()),
        ("pairs_A", "A", "Ours Figure 1".to_owned())
    );
    let text = pairs.table.as_ref().unwrap().text(None);
    let expected = "Pairs of A: p†\n\npair  score  difference\np†    0.650        0.25\n\n† rests on a placeholder model: the number shows that the \
                    pipeline runs and means nothing else.\n";
    assert_eq!(text, expected);
    assert_eq!(
        (pairs.pairs[0].pair.as_str(), pairs.pairs[0].lines.as_slice()),
        ("p†", ["one".to_owned(), "two".to_owned()].as_slice())
    );
    assert_eq!(table.table.as_ref(), Some(&own));
    let absent: Vec<_> = made.absent.iter().map(|own| (own.about.as_str(), own.needs.as_str())).collect();
    assert_eq!(absent, [("B", "boxes")]);
    // Without any system, what would add one.
    let none = Records::default().with("study", &json!({"table": null, "systems": []})).unwrap();
    let absent = paper.make(&none, None).unwrap().absent;
    assert_eq!((absent[0].about.as_str(), absent[0].needs.as_str()), ("", "a system"));
}
