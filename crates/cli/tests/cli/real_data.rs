//! Real reconstructions, captions and boxes against the field's own tools (`reference/real_data.py`).
//!
//! The repository does not contain the data: without them, the tests print that and pass.

use crate::support::*;

fn golden(file: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/real_data")).join(file)
}

fn golden_json(file: &str) -> Value {
    serde_json::from_slice(&fs::read(golden(file)).unwrap()).unwrap()
}

/// The largest difference between two columns.
fn largest_difference(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn pixels_of_brain_diffuser_s_reconstructions() {
    let Some(data) = shared_data("brain-diffuser") else {
        return;
    };
    let dir = folder();
    for (system, pairs) in golden_json("pixels.json").fields() {
        let data = arg(&data);
        dir.succeed(&format!("score {data}/gt {data}/{system} --out {system}"));
        let pairs = pairs.list();
        assert_eq!(dir.scores(system).pairs, pairs.iter().map(|p| p["stem"].text()).collect::<Vec<_>>());
        for (metric, tolerance) in [("pixcorr", 1e-6), ("ssim", 1e-5)] {
            let expected: Vec<f64> = pairs.iter().map(|p| p[metric].number()).collect();
            let difference = largest_difference(&dir.values(system, metric), &expected);
            println!("{system} {metric}: differs by up to {difference:.1e}");
            assert!(difference < tolerance, "{system} {metric}: {difference:e}");
        }
    }
}

/// Writes the captions of the first `n_stems` stimuli.
fn write_first(n_stems: usize, captions: &Path, target: &Path) {
    let all: Map<String, Value> = serde_json::from_slice(&fs::read(captions).unwrap()).unwrap();
    let is_wanted = |stem: &str| stem.parse::<usize>().unwrap() < n_stems;
    let first: Map<String, Value> = all.into_iter().filter(|(stem, _)| is_wanted(stem)).collect();
    write(target, &serde_json::to_string(&first).unwrap());
}

/// Scores every method on the first `n_stems` stimuli, compares each value with the golden, and compares the methods.
fn captions_of_brainhub(n_stems: usize) {
    let Some(data) = shared_data("brainhub/captions") else {
        return;
    };
    let dir = folder();
    let methods = golden_json("cap_sim_methods.json");
    let methods: Vec<&str> = methods.list().iter().filter_map(Value::as_str).collect();
    let (shape, table) = npy::read_f64(&golden("cap_sim.npy")).unwrap();
    let weights = weights();
    write_first(n_stems, &data.join("reference_coco.json"), &dir.join("gt.json"));
    let run = dir.join("run");
    for (method, expected) in methods.iter().zip(table.chunks(shape[1] as usize)) {
        write_first(n_stems, &data.join(format!("{method}.json")), &dir.join("recon.json"));
        // In one folder, so that the reference captions are embedded once: each run intentionally replaces the previous
        // one.
        let captions = "--gt captions=gt.json --recon captions=recon.json";
        dir.succeed(&format!("score {captions} --out run --weights {} --overwrite", arg(&weights)));
        let last = &dir.scores(&run).pairs[n_stems - 1];
        assert_eq!(*last, (n_stems - 1).to_string(), "numeric order");
        let difference = largest_difference(&dir.values(&run, "cap_sim"), &expected[..n_stems]);
        println!("{method}: differs by up to {difference:.1e}");
        assert!(difference < 1e-5, "{method}: {difference:e}");
        let kept = dir.join(method);
        for file in ["run.json", "scores.parquet"] {
            fs::create_dir_all(&kept).unwrap();
            fs::copy(run.join(file), kept.join(file)).unwrap();
        }
    }

    let text = dir.succeed(&format!("compare {} --format json", methods.join(" "))).stdout;
    let comparison: Value = serde_json::from_str(&text).unwrap();
    let mut ranked: Vec<(f64, f64, &str)> = comparison["rows"]
        .list()
        .iter()
        .map(|row| {
            let estimate = &row["estimates"][0];
            let number = |value: &Value| value.number();
            let (rank, mean) = (number(&estimate["rank"]["rank"]), number(&estimate["value"]));
            (rank, mean, row["system"].text())
        })
        .collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(ranked.is_sorted_by(|a, b| a.1 > b.1), "{ranked:?}");
    let systems: Vec<&str> = ranked.iter().map(|system| system.2).collect();
    let by_golden = {
        let mean = |row: usize| table[row * shape[1] as usize..][..n_stems].iter().sum::<f64>();
        let mut rows: Vec<usize> = (0..methods.len()).collect();
        rows.sort_by(|&a, &b| mean(b).total_cmp(&mean(a)));
        rows.into_iter().map(|row| methods[row]).collect::<Vec<_>>()
    };
    assert_eq!(systems, by_golden);
    let notes = ["95% intervals for new stimuli (studentised bootstrap over pairs, 2000 resamples)"];
    assert_eq!(comparison["notes"], serde_json::json!(notes));
}

#[test]
fn captions_of_brainhub_s_methods_and_their_ranks() {
    captions_of_brainhub(150);
}

#[test]
#[ignore = "embeds 12000 captions, which takes minutes without optimisation"]
fn captions_of_brainhub_s_methods_and_their_ranks_on_all_stimuli() {
    captions_of_brainhub(982);
}

#[test]
fn boxes_of_brainhub() {
    let Some(data) = shared_data("brainhub/boxes") else {
        return;
    };
    let dir = folder();
    let data = arg(&data);
    let boxes = format!("--gt detections={data}/reference_coco.json --recon detections={data}/umbrae-subj01.json");
    dir.succeed(&format!("score --out run {boxes}"));
    let expected: Vec<f64> = serde_json::from_value(golden_json("object_f1.json")).unwrap();
    let difference = largest_difference(&dir.values("run", "object_f1"), &expected);
    println!("object_f1: differs by up to {difference:.1e}");
    assert!(difference < 1e-12, "{difference:e}");
}
