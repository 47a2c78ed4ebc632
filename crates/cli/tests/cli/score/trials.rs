//! Reconstructions that are trials: each is identified, trials are averaged per image, and features over trials.

use crate::support::*;

const N_IMAGES: usize = 12;
const N_FEATURES: usize = 10;

/// Numbers between -1 and 1 that only depend on their positions.
fn noise(row: usize, column: usize) -> f32 {
    let mixed = (row * 7919 + column * 104_729 + 13).wrapping_mul(2_654_435_761) >> 7;
    (mixed % 2001) as f32 / 1000.0 - 1.0
}

fn stimulus(image: usize) -> Vec<f32> {
    (0..N_FEATURES).map(|column| noise(image, column)).collect()
}

fn trial(place: usize) -> Vec<f32> {
    let own = stimulus(place % N_IMAGES).into_iter().enumerate();
    own.map(|(column, value)| 0.6 * value + noise(100 + place, column)).collect()
}

/// Three trials of each image, in the order of their recording, whose names say nothing; `trials.csv` says what they show.
fn recorded() -> Folder {
    let dir = folder();
    let write = |side: &str, ids: Vec<String>, rows: Vec<Vec<f32>>| {
        let found = Features::new(ids, N_FEATURES, rows.concat()).unwrap();
        features::write(&dir.join(side), "clip", &found).unwrap();
    };
    write(
        "gt",
        (0..N_IMAGES).map(|image| format!("img{image:02}")).collect(),
        (0..N_IMAGES).map(stimulus).collect(),
    );
    let names: Vec<String> = (0..3 * N_IMAGES).map(|place| format!("t{}", 500 + 7 * place)).collect();
    let shown = names.iter().enumerate().map(|(place, name)| format!("{name},img{:02}\n", place % N_IMAGES));
    dir.write("trials.csv", format!("trial,image\n{}", shown.collect::<String>()));
    write("recon", names, (0..3 * N_IMAGES).map(trial).collect());
    dir
}

fn pearson(a: &[f64], b: &[f64]) -> f64 {
    let mean = |row: &[f64]| row.iter().sum::<f64>() / row.len() as f64;
    let (of_a, of_b) = (mean(a), mean(b));
    let product =
        |x: &[f64], mx: f64, y: &[f64], my: f64| x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>();
    product(a, of_a, b, of_b) / (product(a, of_a, a, of_a) * product(b, of_b, b, of_b)).sqrt()
}

/// The share of other stimuli that are less correlated with this row than the image's own.
fn identified(image: usize, row: &[f64]) -> f64 {
    let to = |other: usize| pearson(row, &stimulus(other).into_iter().map(f64::from).collect::<Vec<f64>>());
    let n_worse = (0..N_IMAGES).filter(|&other| other != image && to(other) < to(image)).count();
    n_worse as f64 / (N_IMAGES - 1) as f64
}

/// The mean features of these trials.
fn mean_of(trials: &[usize]) -> Vec<f64> {
    let sum = |column: usize| trials.iter().map(|&place| f64::from(trial(place)[column])).sum::<f64>();
    (0..N_FEATURES).map(|column| sum(column) / trials.len() as f64).collect()
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    values.iter().sum::<f64>() / values.len() as f64
}

const SCORE: &str = "score --gt features=gt --recon features=recon --metrics clip";

#[test]
fn trials_are_identified_averaged_per_image_and_by_their_mean_features() {
    let dir = recorded();
    let printed = dir.succeed(&format!("{SCORE} --trials trials.csv --averaged 1,2,3 --out run")).stdout;
    let trials_of = |image: usize| [image, image + N_IMAGES, image + 2 * N_IMAGES];
    let by_trial = |image: usize| mean(trials_of(image).into_iter().map(|place| identified(image, &mean_of(&[place]))));
    for (image, found) in dir.values("run", "clip").into_iter().enumerate() {
        assert!((found - by_trial(image)).abs() < 1e-12, "{image}");
    }
    let record = dir.json("run/run.json");
    let point = |place: usize| record["averaged"][place].clone();
    let value = |place: usize| point(place)["value"].number();
    // All three trials: one mean for each image.
    let of_means = mean((0..N_IMAGES).map(|image| identified(image, &mean_of(&trials_of(image)))));
    assert!((value(2) - of_means).abs() < 1e-12, "{} {of_means}", value(2));
    // Single trials and pairs of trials, drawn at random: near the mean over all draws.
    let of_pairs = mean((0..N_IMAGES).flat_map(|image| {
        let own = trials_of(image);
        [[0, 1], [0, 2], [1, 2]].map(|pair| identified(image, &mean_of(&pair.map(|place| own[place]))))
    }));
    assert!((value(0) - mean((0..N_IMAGES).map(by_trial))).abs() < 0.05 && (value(1) - of_pairs).abs() < 0.05);
    assert!(value(0) < value(1) && value(1) < value(2));
    assert_eq!((point(1)["n_trials"].number(), point(1)["n_images"].number()), (2.0, 12.0));
    assert!(point(2)["interval"].list()[0].number() < of_means);
    contains(&printed, &["12 items with 36 pairs of samples", "Identification by averaged trials"]);
    contains(
        &printed,
        &["Features of so many trials of an image are averaged (no brain responses and no pictures)"],
    );
    dir.succeed("report run --out report.html");
    for file in ["run/summary.md", "run/summary.tex", "report.html"] {
        assert!(dir.read(file).contains("Identification by averaged trials"), "{file}");
    }
    contains(
        &dir.read("report.html"),
        &["each value is a mean over the samples of an item, which have ranks of their own"],
    );
    let csv = dir.read("run/summary.csv");
    let row = csv.lines().find(|line| line.contains(",clip trials=3,")).unwrap();
    assert_eq!(row.split(',').nth(2).unwrap().parse::<f64>().unwrap(), value(2), "{csv}");

    // The mean of all trials is scored as if it had been given alone.
    let ids = (0..N_IMAGES).map(|image| format!("img{image:02}")).collect();
    let rows: Vec<f64> = (0..N_IMAGES).flat_map(|image| mean_of(&trials_of(image))).collect();
    let rows: Vec<f32> = rows.into_iter().map(|value| value as f32).collect();
    features::write(&dir.join("means"), "clip", &Features::new(ids, N_FEATURES, rows).unwrap()).unwrap();
    dir.succeed("score --gt features=gt --recon features=means --metrics clip --out means_run");
    let alone = dir.summary("means_run")["clip"]["interval"].clone();
    for (own, alone) in point(2)["interval"].list().iter().zip(alone.list()) {
        assert!((own.number() - alone.number()).abs() < 1e-9, "{own} {alone}");
    }
    // Names that say what they show give the same, with any number of threads.
    let names = (0..3 * N_IMAGES).map(|place| format!("img{:02}_rep{}", place % N_IMAGES, place / N_IMAGES));
    let found = Features::new(names.collect(), N_FEATURES, (0..3 * N_IMAGES).flat_map(trial).collect()).unwrap();
    features::write(&dir.join("named"), "clip", &found).unwrap();
    let named = SCORE.replace("=recon", "=named");
    dir.succeed(&format!("{named} --parts '{{item}}_rep{{sample}}' --averaged 1,2,3 --threads 1 --out named_run"));
    assert_eq!(dir.json("named_run/run.json")["averaged"], record["averaged"]);
    assert_eq!(dir.summary("named_run")["clip"]["interval"], dir.summary("run")["clip"]["interval"]);
}

#[test]
fn images_with_other_numbers_of_trials_and_many_ways() {
    let dir = recorded();
    let names = (0..30).map(|place| format!("img{:02}_rep{}", place % N_IMAGES, place / N_IMAGES));
    let found = Features::new(names.collect(), N_FEATURES, (0..30).flat_map(trial).collect()).unwrap();
    features::write(&dir.join("recon"), "clip", &found).unwrap();
    let shown: String = (0..30)
        .map(|place| format!("img{0:02}_rep{1},img{0:02}\n", place % N_IMAGES, place / N_IMAGES))
        .collect();
    dir.write("trials.csv", format!("trial,image\n{shown}"));
    let run = dir.succeed(&format!("{SCORE} --trials trials.csv --averaged 2,3 --set n_way=5 --out run"));
    let record = dir.json("run/run.json");
    assert_eq!(record["averaged"][0]["n_images"], 12);
    assert_eq!(record["averaged"][1]["n_images"], 6);
    contains(&run.stdout, &["Rows with different numbers of images are not of the same images."]);
}

#[test]
fn trials_that_do_not_fit_are_named() {
    let dir = recorded();
    dir.write("two.csv", "trial,image\nt500,img00\nt500,img01\n");
    dir.write("few.csv", "trial,image\nt500,img00\n");
    dir.write("rows.txt", "img00\n".repeat(36));
    dir.write("other.csv", dir.read("trials.csv").replace("img03", "cow"));
    let more = dir.read("trials.csv") + "t1,img00\nt2,img00\nt3,img00\nt4,img00\n";
    dir.write("more.csv", more);
    let options = [
        "--trials trials.csv --averaged 4",
        "--averaged 2",
        "--trials trials.csv --averaged 2 --set samples=best:2",
        "--trials two.csv",
        "--trials few.csv",
        "--trials rows.txt",
        "--trials other.csv",
        "--trials trials.csv --parts sample",
        "--trials trials.csv --averaged 2 --metrics clip_correlation",
    ];
    dir.succeed(&format!("{SCORE} --trials more.csv --out more"))
        .says(&["warning: more.csv: 4 lines of trials that are absent, which are left out: t1, t2, t3, ..."]);
    let said = options.map(|options| {
        let line = match options {
            "--averaged 2" => SCORE.replace("=recon", "=gt"),
            _ if options.contains("--metrics") => SCORE.replace(" --metrics clip", ""),
            _ => SCORE.to_owned(),
        };
        format!("{options}\n  {}\n", dir.run(&format!("{line} {options} --out out")))
    });
    assert_snapshot!(said.concat(), @r#"
    --trials trials.csv --averaged 4
      exit 2, stderr: error: --averaged 4: 0 images have 4 trials or more (the most is 3), fewer than --set n_way=2; average fewer trials, or lower the other
    --averaged 2
      exit 2, stderr: error: --averaged 2: items have no trials, or also views or frames; expected --trials FILE, or --parts PATTERN with {sample} alone
    --trials trials.csv --averaged 2 --set samples=best:2
      exit 2, stderr: error: --averaged 2: all trials are averaged; leave out --set samples=best:2
    --trials two.csv
      exit 1, stderr: error: two.csv:3: trial "t500" is in line 2 already; keep one of them
    --trials few.csv
      exit 1, stderr: error: pairing features: few.csv: 35 of the trials have no line: t507, t514, t521, ...; it has t500; expected a line for each trial (gt: [DIR]/gt/ids.json, recon: few.csv)
    --trials rows.txt
      exit 1, stderr: error: pairing features: rows.txt: it goes by the rows of an array, and the trials have names: t500, t507, t514, ...; expected a table with the columns trial,image (gt: [DIR]/gt/ids.json, recon: rows.txt)
    --trials other.csv
      exit 1, stderr: error: pairing features: 1 of the gt stems has no partner among the recon stems: img03; every stem must be on both sides; the recon stems without a partner are cow; --pairs shared scores the 11 on both sides (gt: [DIR]/gt/ids.json, recon: other.csv)
    --trials trials.csv --parts sample
      exit 2, stderr:
    error: the argument '--trials <FILE>' cannot be used with '--parts <PATTERN>'

    Usage: neurogauge score --gt <[KIND=]PATH> --recon <[KIND=]PATH> --metrics <LIST> --trials <FILE> --out <RUN> [GT] [RECON]
    --trials trials.csv --averaged 2 --metrics clip_correlation
      exit 2, stderr: error: --averaged 2: only features are averaged, for metrics of identification (alexnet2, clip, MODEL:LAYER), and none is computed; a mean of pictures or texts is no reconstruction
    "#);
}
