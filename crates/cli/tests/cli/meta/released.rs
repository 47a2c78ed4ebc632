//! Scores and ratings in the layout of SEED's release, and the average of its three columns as a metric.

use crate::support::arguments::meta;
use crate::support::{folder, record_of, refused, succeed, write};
use neurogauge::core::synthetic::Synthetic;
use neurogauge::formats::npy;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub(super) const N: usize = 40;

/// The keys of SEED's `eval_metrics.npz`.
const KEYS: [&str; 10] = [
    "pixcorr",
    "ssim",
    "alexnet2",
    "alexnet5",
    "inception",
    "clip",
    "effnet",
    "swav",
    "obj_f1",
    "git_st",
];

fn noise(of: u64, item: usize) -> f64 {
    f64::from(Synthetic::new("released", of).uniform(item as u64))
}

/// The similarity of the pair.
fn quality(item: usize) -> f64 {
    noise(99, item)
}

/// The scores of a metric; of `effnet` and `swav` lower is better.
fn scores(place: usize) -> Vec<f64> {
    let share = 0.2 + 0.05 * place as f64;
    let similarity =
        |item: usize| share * quality(item) + (1.0 - share) * noise(place as u64, item);
    let is_distance = ["effnet", "swav"].contains(&KEYS[place]);
    let score = |item| match is_distance {
        true => 1.0 - similarity(item),
        false => similarity(item),
    };
    (0..N).map(score).collect()
}

/// `eval_metrics.npz`: an array for each metric, items by their place.
pub(super) fn npz(dir: &Path) -> PathBuf {
    let path = dir.join("eval_metrics.npz");
    let mut archive = ZipWriter::new(fs::File::create(&path).unwrap());
    for (place, key) in KEYS.iter().enumerate() {
        let file = dir.join("column.npy");
        npy::write_f64(&file, &[N as u64], &scores(place)).unwrap();
        archive
            .start_file(format!("{key}.npy"), SimpleFileOptions::default())
            .unwrap();
        archive.write_all(&fs::read(&file).unwrap()).unwrap();
    }
    archive.finish().unwrap();
    path
}

/// Five raters, a column for each; `name` has `{}` where the number of the item is.
pub(super) fn ratings(dir: &Path, name: &str) -> PathBuf {
    let mut text = "item,a,b,c,d,e\n".to_owned();
    for item in 0..N {
        text += &name.replace("{}", &item.to_string());
        for rater in 0..5 {
            let rating = 1.0 + 3.0 * quality(item) + 1.5 * noise(50 + rater, item);
            text += &format!(",{}", rating.round().clamp(1.0, 5.0));
        }
        text.push('\n');
    }
    let path = dir.join("ratings.csv");
    write(&path, &text);
    path
}

const QUICK: [&str; 5] = ["--permutations", "20", "--no-figures", "--worst", "2"];

fn metric<'a>(found: &'a Value, name: &str) -> &'a Value {
    let metrics = found["result"]["metrics"].as_array().unwrap();
    let metric = metrics.iter().find(|metric| metric["name"] == name);
    metric.unwrap_or_else(|| panic!("{name} in {metrics:?}"))
}

fn difference<'a>(found: &'a Value, minuend: &str, subtrahend: &str) -> &'a Value {
    let all = found["result"]["differences"].as_array().unwrap();
    let pair = all
        .iter()
        .find(|d| d["minuend"] == minuend && d["subtrahend"] == subtrahend);
    pair.unwrap_or_else(|| panic!("{minuend} - {subtrahend}"))
}

#[track_caller]
fn alike(found: &Value, expected: &Value) {
    let fields = ["value", "interval", "p_value"];
    let numbers = |value: &Value| -> Vec<f64> {
        let figures = value["statistics"].as_array().unwrap().iter();
        let cells = figures.flat_map(|figure| fields.map(|field| figure[field].clone()));
        let flat = cells.flat_map(|cell| match cell {
            Value::Array(ends) => ends,
            other => vec![other],
        });
        flat.filter_map(|cell| cell.as_f64()).collect()
    };
    let (found, expected) = (numbers(found), numbers(expected));
    assert!(found.len() >= 16 && found.len() == expected.len());
    for (a, b) in found.iter().zip(&expected) {
        assert!((a - b).abs() < 1e-9, "{found:?} {expected:?}");
    }
}

/// The average, computed elsewhere, as one more metric.
fn seed_by_hand(dir: &Path) -> PathBuf {
    let (object_f1, cap_sim, effnet) = (scores(8), scores(9), scores(6));
    let mut text = "item,by_hand\n".to_owned();
    for item in 0..N {
        let seed = (object_f1[item] + cap_sim[item] + (1.0 - effnet[item])) / 3.0;
        text += &format!("{item},{seed}\n");
    }
    let path = dir.join("seed.csv");
    write(&path, &text);
    path
}

#[test]
fn a_composite_may_be_among_the_metrics_to_look_at() {
    let dir = folder();
    let (human, metrics) = (ratings(dir.path(), "{}"), npz(dir.path()));
    let out = dir.path().join("out");
    let only = [
        "--composite",
        "seed=obj_f1+git_st+effnet",
        "--only",
        "seed,clip",
    ];
    succeed(&[&meta(&human, &[&metrics], &out, &QUICK)[..], &only].concat());
    let found = record_of(&out, "meta.json");
    let names = found["result"]["metrics"].as_array().unwrap().iter();
    let names: Vec<&Value> = names.map(|metric| &metric["name"]).collect();
    assert_eq!(names, ["clip", "effnet", "obj_f1", "git_st", "seed"]);
}

#[test]
fn a_composite_is_a_line_as_any_metric_and_is_compared_with_them() {
    let dir = folder();
    let (human, metrics, by_hand) = (
        ratings(dir.path(), "{}"),
        npz(dir.path()),
        seed_by_hand(dir.path()),
    );
    let out = dir.path().join("out");
    let composite = [
        "--composite",
        "seed=obj_f1+git_st+effnet",
        "--higher-is-better",
        "by_hand",
    ];
    let args = [
        &meta(&human, &[&metrics, &by_hand], &out, &QUICK)[..],
        &composite,
    ]
    .concat();
    let ran = succeed(&args);
    let found = record_of(&out, "meta.json");
    alike(metric(&found, "seed"), metric(&found, "by_hand"));
    alike(difference(&found, "seed", "effnet"), &{
        // The same the other way round, of the column.
        let mut other = difference(&found, "effnet", "by_hand").clone();
        for figure in other["statistics"].as_array_mut().unwrap() {
            let negative = |value: &Value| Value::from(-value.as_f64().unwrap());
            figure["value"] = negative(&figure["value"]);
            if let Value::Array(ends) = figure["interval"].clone() {
                figure["interval"] = Value::from(vec![negative(&ends[1]), negative(&ends[0])]);
            }
        }
        other
    });
    let metrics_of = found["metrics"].as_array().unwrap();
    let role = metrics_of.last().unwrap();
    assert_eq!(
        (&role["name"], &role["direction_from"]),
        (&"seed".into(), &"composite".into())
    );
    assert!(ran.stdout.contains("\nseed ↑ "), "{}", ran.stdout);
    assert!(ran.stdout.contains("seed - effnet"), "{}", ran.stdout);
    assert!(
        ran.stdout
            .contains("seed: average of obj_f1 + git_st + effnet (raw scores)."),
        "{}",
        ran.stdout
    );
    // The average is of SEED's scale: distances count as 1 minus themselves.
    let worst = found["worst_cases"]["metrics"].as_array().unwrap();
    let worst = worst
        .iter()
        .find(|metric| metric["metric"] == "seed")
        .unwrap();
    let case = &worst["cases"][0];
    let item: usize = case["item"].as_str().unwrap().parse().unwrap();
    let expected = (scores(8)[item] + scores(9)[item] + 1.0 - scores(6)[item]) / 3.0;
    assert!((case["score"].as_f64().unwrap() - expected).abs() < 1e-12);
    // Pairwise averages and weights are of the metrics only.
    let labels = &found["combinations"]["averages"]["labels"];
    assert!(!labels.as_array().unwrap().contains(&"seed".into()));
    refused(
        &[&args[..], &["--composite", "ssim=clip+swav"]].concat(),
        2,
        &["composite \"ssim\": a metric has this name already"],
    );
}

#[test]
fn stated_directions_hold_for_the_parts_of_a_composite() {
    let dir = folder();
    let (human, metrics) = (ratings(dir.path(), "{}"), npz(dir.path()));
    let run = |name: &str, more: &[&str]| {
        let out = dir.path().join(name);
        let args = [&QUICK[..], &["--composite", "two=clip+ssim"], more].concat();
        succeed(&meta(&human, &[&metrics], &out, &args));
        let found = record_of(&out, "meta.json");
        metric(&found, "two")["statistics"][3]["value"]
            .as_f64()
            .unwrap()
    };
    let both = ["--lower-is-better", "clip,ssim"];
    assert!((run("up", &[]) + run("down", &both)).abs() < 1e-12);
}

#[test]
fn seed_is_a_line_where_its_parts_are_there_and_it_is_not() {
    let dir = folder();
    let (human, metrics) = (ratings(dir.path(), "{}"), npz(dir.path()));
    let out = dir.path().join("out");
    let ran = succeed(&meta(&human, &[&metrics], &out, &QUICK));
    let found = record_of(&out, "meta.json");
    let ran_last = found["result"]["metrics"]
        .as_array()
        .unwrap()
        .last()
        .unwrap();
    assert_eq!(ran_last["name"], "SEED");
    difference(&found, "SEED", "effnet");
    // The answer comes first, then the agreement of metrics, then the agreement of raters.
    let first = ran.stdout.lines().next().unwrap();
    assert!(
        first.starts_with("SEED agrees best with people: Kendall τ-b 0.")
            && first.contains(" one rater's 0.")
            && first.contains(" Next is ")
            && first.contains("(difference 0.")
            && first.ends_with("], so it may be chance)."),
        "{first}"
    );
    let page = fs::read_to_string(out.join("meta.md")).unwrap();
    assert_eq!(
        page.lines().next().unwrap(),
        first
            .replace('[', "\\[")
            .replace(']', "\\]")
            .replace('_', "\\_")
    );
    let place = |text: &str| ran.stdout.find(text).unwrap_or_else(|| panic!("{text}"));
    assert!(place("Agreement of metrics with people") < place("Agreement of 5 raters"));

    let seed = dir.path().join("run.csv");
    write(
        &seed,
        &fs::read_to_string(seed_by_hand(dir.path()))
            .unwrap()
            .replace("by_hand", "seed"),
    );
    let with_seed = dir.path().join("with");
    succeed(&meta(&human, &[&metrics, &seed], &with_seed, &QUICK));
    let found = record_of(&with_seed, "meta.json");
    assert_eq!(
        found["result"]["metrics"].as_array().unwrap().len(),
        KEYS.len() + 1
    );
}

#[test]
fn metrics_of_two_sources_are_named_by_either_name() {
    let dir = folder();
    let (human, metrics) = (ratings(dir.path(), "{}"), npz(dir.path()));
    let mine = dir.path().join("mine.csv");
    let lines: String = (0..N)
        .map(|item| format!("{item},{}\n", quality(item)))
        .collect();
    write(&mine, &format!("item,effnet\n{lines}"));
    let out = dir.path().join("out");
    let shown = |more: &[&str]| -> Vec<String> {
        let sources = [mine.as_path(), metrics.as_path()];
        succeed(&[&meta(&human, &sources, &out, &QUICK)[..], more].concat());
        let found = record_of(&out, "meta.json");
        let worst = found["worst_cases"]["metrics"].as_array().unwrap().iter();
        worst
            .map(|metric| metric["metric"].as_str().unwrap().to_owned())
            .collect()
    };
    let both = ["effnet (mine)", "effnet (eval_metrics)"];
    assert_eq!(shown(&["--worst-metrics", "effnet"]), both);
    // SEED is of one source.
    let found = record_of(&out, "meta.json");
    let role = found["metrics"].as_array().unwrap().last().unwrap();
    let average = "average of obj_f1 + git_st + effnet (eval_metrics) (raw scores)";
    assert_eq!(
        (&role["name"], &role["source"]),
        (&"SEED".into(), &average.into())
    );
    assert_eq!(role["registry_id"], "seed");
    assert_eq!(
        shown(&["--worst-metrics", "effnet (mine),clip"]),
        ["effnet (mine)", "clip"]
    );
    let sources = [mine.as_path(), metrics.as_path()];
    let args = meta(&human, &sources, &out, &QUICK);
    refused(
        &[&args[..], &["--worst-metrics", "efnet"]].concat(),
        2,
        &[
            "\"efnet\", which is no metric here",
            "there are SEED, effnet (mine), pixcorr, ",
            "effnet (eval_metrics)",
        ],
    );
    refused(
        &[&args[..], &["--composite", "two=effnet+clip"]].concat(),
        2,
        &["\"effnet\" could be any of effnet (mine), effnet (eval_metrics); name one of them"],
    );
    let named = ["--composite", "two=effnet (eval_metrics)+clip"];
    assert_eq!(
        shown(&[&named[..], &["--worst-metrics", "two"]].concat()),
        ["two"]
    );
}

#[test]
fn one_metric_and_none_have_sentences_of_their_own() {
    let dir = folder();
    let path = dir.path().join("one.csv");
    write(&path, "item,mine\n0,0.1\n1,0.4\n2,0.3\n3,0.9\n");
    let human = dir.path().join("h.csv");
    write(&human, "item,a,b\n0,1,1\n1,2,3\n2,3,2\n3,5,5\n");
    let out = dir.path().join("out");
    let args = [&QUICK[..], &["--higher-is-better", "mine"]].concat();
    let ran = succeed(&meta(&human, &[&path], &out, &args));
    let first = ran.stdout.lines().next().unwrap();
    assert!(
        first.starts_with("mine agrees with people: Kendall τ-b "),
        "{first}"
    );
    write(&path, "item,mine\n0,1\n1,1\n2,1\n3,1\n");
    let ran = succeed(&meta(&human, &[&path], &out, &args));
    let first = ran.stdout.lines().next().unwrap();
    assert_eq!(
        first,
        "No metric has a Kendall τ-b with people; the notes below the table say why."
    );
}
