//! Scores and ratings in the layout of SEED's release, and the average of its three columns as a metric.

use crate::support::*;
use std::io::Write;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub(super) const N: usize = 40;

/// The keys of SEED's `eval_metrics.npz`.
const KEYS: [&str; 10] =
    ["pixcorr", "ssim", "alexnet2", "alexnet5", "inception", "clip", "effnet", "swav", "obj_f1", "git_st"];

fn noise(of: u64, item: usize) -> f64 {
    f64::from(Synthetic::new("released", of).uniform(item as u64))
}

/// The similarity of a pair.
fn quality(item: usize) -> f64 {
    noise(99, item)
}

/// The scores of a metric; for `effnet` and `swav`, lower is better.
fn scores(place: usize) -> Vec<f64> {
    let share = 0.2 + 0.05 * place as f64;
    let similarity = |item: usize| share * quality(item) + (1.0 - share) * noise(place as u64, item);
    let is_distance = ["effnet", "swav"].contains(&KEYS[place]);
    let score = |item| match is_distance {
        true => 1.0 - similarity(item),
        false => similarity(item),
    };
    (0..N).map(score).collect()
}

/// Writes `eval_metrics.npz`: an array for each metric, with items by position.
pub(super) fn npz(dir: &Folder) {
    let mut archive = ZipWriter::new(fs::File::create(dir.join("eval_metrics.npz")).unwrap());
    for (place, key) in KEYS.iter().enumerate() {
        let (name, column) = (format!("{key}.npy"), dir.join("column.npy"));
        write_f64(&column, &[N as u64], &scores(place)).unwrap();
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(&fs::read(&column).unwrap()).unwrap();
    }
    archive.finish().unwrap();
}

/// Writes `ratings.csv` of five raters, a column for each; `{}` in `name` is replaced by the item's number.
pub(super) fn ratings(dir: &Folder, name: &str) {
    let mut text = "item,a,b,c,d,e\n".to_owned();
    for item in 0..N {
        text += &name.replace("{}", &item.to_string());
        for rater in 0..5 {
            let rating = 1.0 + 3.0 * quality(item) + 1.5 * noise(50 + rater, item);
            text += &format!(",{}", rating.round().clamp(1.0, 5.0));
        }
        text.push('\n');
    }
    dir.write("ratings.csv", text);
}

/// Scores and ratings of the same items.
fn released() -> Folder {
    let dir = folder();
    ratings(&dir, "{}");
    npz(&dir);
    dir
}

const META: &str = "meta --human ratings.csv --permutations 20 --no-figures --worst 2 --overwrite --out out";

fn metric<'a>(found: &'a Value, name: &str) -> &'a Value {
    let metrics = found["result"]["metrics"].list();
    let metric = metrics.iter().find(|metric| metric["name"] == name);
    metric.unwrap_or_else(|| panic!("{name} in {metrics:?}"))
}

fn difference<'a>(found: &'a Value, minuend: &str, subtrahend: &str) -> &'a Value {
    let all = found["result"]["differences"].list();
    let pair = all.iter().find(|d: &&Value| d["minuend"] == minuend && d["subtrahend"] == subtrahend);
    pair.unwrap_or_else(|| panic!("{minuend} - {subtrahend}"))
}

#[track_caller]
fn alike(found: &Value, expected: &Value) {
    let fields = ["value", "interval", "p_value"];
    let numbers = |value: &Value| -> Vec<f64> {
        let figures = value["statistics"].list().iter();
        let flat = figures.flat_map(|figure| fields.map(|field| figure[field].clone())).flat_map(|cell| match cell {
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

/// `seed.csv`: the average computed independently, as one more metric.
fn seed_by_hand(dir: &Folder, name: &str) {
    let (object_f1, cap_sim, effnet) = (scores(8), scores(9), scores(6));
    let mut text = format!("item,{name}\n");
    for item in 0..N {
        let seed = (object_f1[item] + cap_sim[item] + (1.0 - effnet[item])) / 3.0;
        text += &format!("{item},{seed}\n");
    }
    dir.write("seed.csv", text);
}

#[test]
fn a_composite_is_a_line_as_any_metric_and_is_compared_with_them() {
    let dir = released();
    seed_by_hand(&dir, "by_hand");
    let meta = format!(
        "{META} --metrics eval_metrics.npz seed.csv --composite seed=obj_f1+git_st+effnet --higher-is-better by_hand"
    );
    let ran = dir.succeed(&format!("{meta} -v"));
    let found = dir.json("out/meta.json");
    alike(metric(&found, "seed"), metric(&found, "by_hand"));
    alike(difference(&found, "seed", "effnet"), &{
        // The same with exchanged sides, for the column.
        let mut other = difference(&found, "effnet", "by_hand").clone();
        for figure in other["statistics"].as_array_mut().unwrap() {
            let negative = |value: &Value| Value::from(-value.number());
            figure["value"] = negative(&figure["value"]);
            if let Value::Array(ends) = figure["interval"].clone() {
                figure["interval"] = Value::from(vec![negative(&ends[1]), negative(&ends[0])]);
            }
        }
        other
    });
    let role = found["metrics"].list().last().unwrap();
    assert_eq!([&role["name"], &role["direction_from"]], ["seed", "composite"]);
    let average = "seed: average of obj_f1 + git_st + effnet (raw scores).";
    contains(&ran.stdout, &["\nseed ↑ ", "seed - effnet", average]);
    // The average has SEED's scale: distances count as 1 minus themselves.
    let worst = found["worst_cases"]["metrics"].list();
    let case = &worst.iter().find(|metric| metric["metric"] == "seed").unwrap()["cases"][0];
    let item: usize = case["item"].text().parse().unwrap();
    let expected = (scores(8)[item] + scores(9)[item] + 1.0 - scores(6)[item]) / 3.0;
    assert!((case["score"].number() - expected).abs() < 1e-12);
    // Pairwise averages and weights only use the metrics.
    let labels = &found["combinations"]["averages"]["labels"];
    assert!(!labels.list().contains(&"seed".into()));
    assert_snapshot!(dir.run(&format!("{meta} --composite ssim=clip+swav")), @r#"exit 2, stderr: error: composite "ssim": a metric has this name already; expected another name"#);
}

#[test]
fn stated_directions_hold_for_the_parts_of_a_composite() {
    let dir = released();
    let run = |more: &str| {
        dir.succeed(&format!("{META} --metrics eval_metrics.npz --composite two=clip+ssim {more}"));
        metric(&dir.json("out/meta.json"), "two")["statistics"][3]["value"].number()
    };
    assert!((run("") + run("--lower-is-better clip,ssim")).abs() < 1e-12);

    // A composite can be among the examined metrics.
    let composite = "--composite seed=obj_f1+git_st+effnet --only seed,clip";
    dir.succeed(&format!("{META} --metrics eval_metrics.npz {composite}"));
    let found = dir.json("out/meta.json");
    let names: Vec<&Value> = found["result"]["metrics"].list().iter().map(|metric| &metric["name"]).collect();
    assert_eq!(names, ["clip", "effnet", "obj_f1", "git_st", "seed"]);
}

#[test]
fn seed_is_a_line_where_its_parts_are_there_and_it_is_not() {
    let dir = released();
    let ran = dir.succeed(&format!("{META} --metrics eval_metrics.npz -v"));
    let found = dir.json("out/meta.json");
    let metrics = found["result"]["metrics"].list();
    assert_eq!(metrics.last().unwrap()["name"], "SEED");
    difference(&found, "SEED", "effnet");
    // The answer comes first, then the agreement of metrics, then that of raters. The numbers are a regression
    // snapshot.
    let first = ran.stdout.lines().next().unwrap();
    assert_snapshot!(first, @"It is not shown which metric agrees best with people: Kendall τ-b 0.751 [0.661, 0.841] for SEED and 0.691 [0.596, 0.786] for git_st (difference 0.061 [-0.034, 0.155], p = 1.000; Holm, 55 differences). A perfect metric would have about 0.890, because the human scores are noisy themselves.");
    let page = dir.read("out/meta.md");
    assert_eq!(page.lines().next().unwrap(), first.replace('[', "\\[").replace(']', "\\]").replace('_', "\\_"));
    let place = |text: &str| ran.stdout.find(text).unwrap_or_else(|| panic!("{text}"));
    assert!(place("Agreement of metrics with people") < place("Agreement of 5 raters"));

    seed_by_hand(&dir, "seed");
    dir.succeed(&format!("{META} --metrics eval_metrics.npz seed.csv"));
    assert_eq!(dir.json("out/meta.json")["result"]["metrics"].list().len(), KEYS.len() + 1);
}

#[test]
fn metrics_of_two_sources_are_named_by_either_name() {
    let dir = released();
    let lines: String = (0..N).map(|item| format!("{item},{}\n", quality(item))).collect();
    dir.write("mine.csv", format!("item,effnet\n{lines}"));
    let meta = format!("{META} --metrics mine.csv eval_metrics.npz");
    let shown = |more: &str| {
        dir.succeed(&format!("{meta} {more}"));
        let found = dir.json("out/meta.json");
        let worst = found["worst_cases"]["metrics"].list().iter();
        worst.map(|metric| metric["metric"].clone()).collect::<Vec<Value>>()
    };
    let both = ["effnet (mine)", "effnet (eval_metrics)"];
    assert_eq!(shown("--worst-metrics effnet"), both);
    // SEED has one source.
    let found = dir.json("out/meta.json");
    let role = found["metrics"].list().last().unwrap();
    let average = "average of obj_f1 + git_st + effnet (eval_metrics) (raw scores)";
    assert_eq!([&role["name"], &role["source"]], ["SEED", average]);
    assert_eq!(role["registry_id"], "seed");
    let named = shown("--worst-metrics 'effnet (mine),clip'");
    assert_eq!(named, ["effnet (mine)", "clip"]);
    assert_snapshot!(dir.refusals(&meta, &["--worst-metrics efnet", "--composite two=effnet+clip"], "other"), @r#"
    --worst-metrics efnet
      exit 2, stderr: error: worst cases are asked for of "efnet", which is not a metric here (did you mean "effnet (mine)"?); there are SEED, effnet (mine), pixcorr and 9 more
    --composite two=effnet+clip
      exit 2, stderr: error: composite "two": "effnet" could be any of effnet (mine), effnet (eval_metrics); name one of them
    "#);
    assert_eq!(shown("--composite 'two=effnet (eval_metrics)+clip' --worst-metrics two"), ["two"]);
}
