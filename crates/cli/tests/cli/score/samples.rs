//! Items with several samples: neither uncounted samples nor equal samples change anything.

use crate::support::*;

const N_ITEMS: usize = 12;
const N_SAMPLES: usize = 3;
const N_FEATURES: usize = 20;

/// Numbers between -1 and 1 that only depend on their positions.
fn noise(row: usize, column: usize) -> f32 {
    let mixed = (row * 7919 + column * 104_729 + 13).wrapping_mul(2_654_435_761) >> 7;
    (mixed % 2001) as f32 / 1000.0 - 1.0
}

fn stimulus(item: usize) -> Vec<f32> {
    (0..N_FEATURES).map(|column| noise(item, column)).collect()
}

fn reconstruction(item: usize, sample: usize) -> Vec<f32> {
    let row = 1000 + item * N_SAMPLES + sample;
    let own = stimulus(item).into_iter().enumerate();
    own.map(|(column, value)| 0.25 * value + noise(row, column)).collect()
}

const WORDS: [&str; 8] = ["a", "dog", "cat", "runs", "on", "grass", "red", "birds"];

fn caption(seed: usize, n_words: usize) -> String {
    let word = |place: usize| WORDS[(noise(seed, place).abs() * 7.99) as usize];
    (0..n_words).map(word).collect::<Vec<_>>().join(" ")
}

/// A system's folder: `samples` lists the sample of each item, and its name after the item's.
fn system(dir: &Folder, name: &str, samples: &[(usize, usize, String)]) {
    let ids: Vec<String> = (0..N_ITEMS).map(|item| item.to_string()).collect();
    let write = |side: &str, ids: Vec<String>, rows: Vec<Vec<f32>>| {
        let found = Features::new(ids, N_FEATURES, rows.concat()).unwrap();
        features::write(&dir.join(format!("{name}/{side}")), "clip", &found).unwrap();
    };
    write("gt", ids, (0..N_ITEMS).map(stimulus).collect());
    let names = samples.iter().map(|(.., name)| name.clone()).collect();
    write("recon", names, samples.iter().map(|(item, sample, _)| reconstruction(*item, *sample)).collect());
    let references = (0..N_ITEMS).map(|item| (item.to_string(), json!([caption(item, 6)])));
    let references: Map<String, Value> = references.collect();
    let decoded = samples.iter().map(|(item, sample, name)| {
        let own = caption(*item, 4);
        (name.clone(), json!(format!("{own} {}", caption(500 + item * 3 + sample, 3))))
    });
    let decoded: Map<String, Value> = decoded.collect();
    dir.write(&format!("{name}/refs.json"), json!(references).to_string());
    dir.write(&format!("{name}/decoded.json"), json!(decoded).to_string());
}

fn chosen(item: usize) -> usize {
    (item * 5 + 1) % N_SAMPLES
}

/// `samples` has three for each item; `alone` only has the chosen one; `same` has it three times.
fn systems() -> Folder {
    let dir = folder();
    let all = |sample_of: &dyn Fn(usize, usize) -> usize| -> Vec<(usize, usize, String)> {
        let places = (0..N_ITEMS * N_SAMPLES).map(|place| (place / N_SAMPLES, place % N_SAMPLES));
        places.map(|(item, s)| (item, sample_of(item, s), format!("{item}_{s}"))).collect()
    };
    system(&dir, "samples", &all(&|_, sample| sample));
    system(&dir, "same", &all(&|item, _| chosen(item)));
    let alone = (0..N_ITEMS).map(|item| (item, chosen(item), item.to_string()));
    system(&dir, "alone", &alone.collect::<Vec<_>>());
    let rows = (0..N_ITEMS).map(|item| format!("{item},{}\n", chosen(item)));
    dir.write("chosen.csv", format!("item,sample\n{}", rows.collect::<String>()));
    dir
}

fn score(dir: &Folder, system: &str, out: &str, options: &str) -> Value {
    let line = format!(
        "score --gt features={system}/gt --recon features={system}/recon --gt captions={system}/refs.json --recon \
         captions={system}/decoded.json --metrics clip,cider,bleu_1,bleu_4,rouge_l --out {out} --overwrite {options}"
    );
    dir.succeed(&line);
    dir.summary(out)
}

/// The numbers in a summary.
fn numbers(of: &Value) -> Vec<f64> {
    let entries = of.fields().values().flat_map(|entry| {
        let interval = entry["interval"].list();
        [&entry["value"], &interval[0], &interval[1], &entry["n"]]
    });
    entries.map(|number| number.number()).collect()
}

#[test]
fn samples_that_do_not_count_or_are_the_same_change_nothing() {
    let dir = systems();
    for options in [
        "",
        "--preset mirage",
        "--preset mindeye2",
        "--set n_way=8 --set top_k=2",
        "--set identification_direction=stimulus",
        "--set identification_copies=keep",
    ] {
        let alone = numbers(&score(&dir, "alone", "alone_run", options));
        let parts = "--parts '{item}_{sample}'";
        let with_chosen = format!("{options} {parts} --chosen-samples chosen.csv");
        close(&numbers(&score(&dir, "samples", "chosen_run", &with_chosen)), &alone);
        for samples in ["", "--set samples=best:2"] {
            // Among the reconstructions of a system, three equal samples are three distractors.
            if options.contains("stimulus") {
                continue;
            }
            close(&numbers(&score(&dir, "same", "same_run", &format!("{options} {parts} {samples}"))), &alone);
        }
        // The same holds for differences.
        let other = format!("{options} {parts}");
        score(&dir, "samples", "mean_run", &other);
        let difference = |run: &str| {
            let compared = dir.succeed(&format!("compare {run} mean_run --format json")).json();
            let differences = compared["differences"].clone();
            let rows = differences.list().iter().map(|row| {
                let ends = row["interval"].as_array().cloned().unwrap_or_default();
                [row["difference"].clone(), row["p_value"].clone()].into_iter().chain(ends)
            });
            rows.flatten().filter_map(|number| number.as_f64()).collect::<Vec<f64>>()
        };
        close(&difference("chosen_run"), &difference("alone_run"));
    }
}

/// If systems differ in the samples that count, it is reported.
#[test]
fn compare_says_whose_samples_count() {
    let dir = systems();
    score(&dir, "alone", "alone_run", "");
    score(&dir, "samples", "best_run", "--parts '{item}_{sample}' --set samples=best:2");
    score(&dir, "samples", "mean_run", "--parts '{item}_{sample}'");
    assert_snapshot!(lines_with(&dir.succeed("compare best_run mean_run alone_run").stdout, &["samples differ"]), @"
    samples differ: the score of an item is the expected best of 2 samples for best_run, and the mean over samples for mean_run
    samples differ: the score of an item is the expected best of 2 samples for best_run, and that of its only reconstruction for alone_run
    ");

    // MIRAGE does not count the right image itself, so a perfect decoder, chance and the interval of `compare` are
    // lower by 1 / 11.
    let found = score(&dir, "alone", "alone_run", "--preset mirage");
    score(&dir, "same", "same_run", "--preset mirage --parts '{item}_{sample}'");
    let chance = found["clip"]["chance"].number();
    assert!((chance - (0.5 - 1.0 / 11.0)).abs() < 1e-12);
    let table = dir.succeed("compare alone_run same_run --metrics clip").stdout;
    let interval = found["clip"]["interval"].list().iter().map(|end| format!("{:.3}", end.number()));
    let interval = interval.collect::<Vec<_>>().join(", ");
    assert_eq!(table.matches(&format!("[{interval}]")).count(), 2, "{interval}\n{table}");
    assert!(table.contains(&format!("{chance:.3}")), "{table}");
}
