//! Ratings and scores whose items have different names.

use super::released::{N, npz, ratings};
use crate::support::*;

const META: &str =
    "meta --metrics eval_metrics.npz --permutations 5 --combinations off --no-figures --worst 0 --overwrite";

#[test]
fn the_join_that_would_match_items_is_offered_or_taken_and_recorded() {
    let dir = folder();
    npz(&dir);
    let meta = format!("{META} --human ratings.csv");
    let mut offered = String::new();
    for (name, join) in [
        ("https://x.org/gt/{}.png", "stem"),
        ("img_00{}.jpg", "number"),
        ("s1_gt_{}", "s1_gt_{stem}"),
        ("pairs/{}/recon2.png", "pairs/{stem}/recon2.png"),
    ] {
        ratings(&dir, name);
        let ran = dir.run(&format!("{meta} --out out"));
        if join == "stem" {
            // Names that are equal without folder and ending leave no question.
            let said = r#"by name without folder and ending ("0" is "https://x.org/gt/0.png")"#;
            assert!(ran.stderr.contains(said), "{ran}");
            assert_eq!(dir.json("out/meta.json")["result"]["metrics"][0]["n_items"], N);
            dir.remove("out");
        } else {
            offered += &format!("{ran}\n");
        }
        assert!(!dir.has("out"));
        dir.succeed(&format!("{meta} --out out --join {join}"));
        let found = dir.json("out/meta.json");
        assert_eq!(found["result"]["metrics"][0]["n_items"], N);
        assert_eq!(found["request"]["join"], join);
        dir.remove("out");
    }
    assert_snapshot!(offered, @r#"
    exit 1, stderr: error: eval_metrics.npz: no item of it was rated: it has "0", "1", "2", ..., ratings.csv has "img_000.jpg", "img_001.jpg", "img_002.jpg", ...; --join number would join 40 of the 40 rated items
    exit 1, stderr: error: eval_metrics.npz: no item of it was rated: it has "0", "1", "2", ..., ratings.csv has "s1_gt_0", "s1_gt_1", "s1_gt_2", ...; --join 's1_gt_{stem}' would join 40 of the 40 rated items
    exit 1, stderr: error: eval_metrics.npz: no item of it was rated: it has "0", "1", "2", ..., ratings.csv has "pairs/0/recon2.png", "pairs/1/recon2.png", "pairs/2/recon2.png", ...; --join 'pairs/{stem}/recon2.png' would join 40 of the 40 rated items
    "#);
    // With all, an item without ratings or without scores is an error.
    ratings(&dir, "{}");
    let text = dir.read("ratings.csv");
    let few: Vec<&str> = text.lines().take(30).collect();
    dir.write("few.csv", few.join("\n"));
    assert_snapshot!(dir.run(&format!("{META} --human few.csv --pairs all --out few")), @"exit 1, stderr: error: eval_metrics.npz: 11 of 40 items were not rated (29, 30, 31, ...); --pairs shared leaves them out");
    // Numbers keep the scores with their items, in any order.
    ratings(&dir, "{}");
    dir.succeed(&format!("{meta} --out exact"));
    ratings(&dir, "00{}.png");
    dir.succeed(&format!("{meta} --join number --out out"));
    let [exact, joined] = ["exact/meta.json", "out/meta.json"].map(|file| dir.json(file));
    assert_eq!(exact["result"]["metrics"], joined["result"]["metrics"]);
    assert!(exact["request"].get("join").is_none());
}

#[test]
fn labels_of_classes_join_as_scores_do() {
    let dir = folder();
    ratings(&dir, "https://x.org/{}.png");
    npz(&dir);
    let lines: String = (0..N).map(|item| format!("{item},a,{}\n", ["a", "b"][item % 2])).collect();
    dir.write("labels.csv", format!("item,gt_label,recon_label\n{lines}"));
    dir.succeed(&format!("{META} --human ratings.csv --join stem --classes labels.csv --out out"));
    assert_eq!(dir.json("out/meta.json")["classes"]["n_labelled"], N);
}

#[test]
fn items_that_a_join_cannot_distinguish_are_both_named() {
    let dir = folder();
    let twice = "item,x,y\ngt/0.png,1,2\nrecon/0.png,2,2\nelse/1.png,3,1\n";
    dir.write("twice.csv", twice);
    npz(&dir);
    ratings(&dir, "x{}y1");
    // The message only suggests what would work.
    let table = r#"
    --human twice.csv --join stem
      exit 1, stderr: error: twice.csv: the rated items "gt/0.png" and "recon/0.png" are the same item when items are joined by stem; expected at most one of each (a pattern that keeps them apart may help, such as mindeye2_{stem})
    --human twice.csv
      exit 1, stderr: error: eval_metrics.npz: no item of it was rated: it has "0", "1", "2", ..., twice.csv has "else/1.png", "gt/0.png", "recon/0.png"; ids must be the same in both
    --human twice.csv --join stems
      exit 2, stderr: error: invalid value 'stems' for '--join <HOW|PATTERN>': "stems": expected exact, stem, number, or what the rated items are called, with {stem} or {number} in it once, such as mindeye2_{stem}
    --human ratings.csv --join number
      exit 1, stderr: error: eval_metrics.npz: no item of it was rated: it has "0", "1", "2", ..., ratings.csv has "x0y1", "x1y1", "x2y1", ...; --join 'x{stem}y1' would join 40 of the 40 rated items
    "#;
    dir.refuses(&format!("{META} --out out"), "out", table);
}

#[test]
fn an_export_of_google_forms_is_held_against_released_scores() {
    let dir = folder();
    ratings(&dir, "{}");
    npz(&dir);
    let text = dir.read("ratings.csv");
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    // A line for each person, a column for each item.
    let mut form = "Timestamp".to_owned();
    for row in &rows {
        form += &format!(",How similar? [{}.png]", row[0]);
    }
    form.push('\n');
    for rater in 1..=5 {
        let own: Vec<&str> = rows.iter().map(|row| row[rater]).collect();
        form += &format!("2026/01/0{rater} 10:00:00 am,{}\n", own.join(","));
    }
    dir.write("form.csv", form);
    let ran = dir.succeed(&format!("{META} --human form.csv --join stem --out out"));
    ran.says(&["form.csv: read as an export of Google Forms: 40 items, a rater for each line"]);
    dir.succeed(&format!("{META} --human ratings.csv --out expected"));
    let result = |out: &str| dir.json(format!("{out}/meta.json"))["result"].clone();
    assert_eq!(result("out"), result("expected"));
}

#[test]
fn an_array_of_raters_by_items_is_doubted() {
    let dir = folder();
    let ratings: Vec<f64> = (0..30).map(|at| f64::from(at * 7 % 11)).collect();
    write_f64(&dir.join("swapped.npy"), &[3, 10], &ratings).unwrap();
    write_f64(&dir.join("right.npy"), &[10, 3], &ratings).unwrap();
    let scores = |name: &str| -> String {
        let lines = (0..10).map(|item| format!("{name}{item},{}\n", f64::from(item * 5 % 7) / 8.0));
        format!("item,ssim\n{}", lines.collect::<String>())
    };
    dir.write("numbered.csv", scores(""));
    dir.write("named.csv", scores("cat"));
    let mut said = String::new();
    for (human, metrics) in [("right", "numbered"), ("swapped", "numbered"), ("swapped", "named")] {
        let out = format!("{human} {metrics}").replace(' ', "_");
        let ran = dir.run(&format!("meta --human {human}.npy --metrics {metrics}.csv --out {out}"));
        said += &format!("{human} {metrics}, exit {}\n{}", ran.code, ran.messages());
    }
    assert_snapshot!(said, @"
    right numbered, exit 0
    note: right.npy: each item is taken to show another stimulus (0, 1, 2, ...); if several show the same one, --stimulus-column NAME or --stimulus-pattern PATTERN says which, or intervals are too narrow
    right_numbered: 1 metric held against 3 raters
    swapped numbered, exit 0
    warning: swapped.npy: its shape (3, 10) is read as 3 items by 10 raters, and numbered.csv has scores of 10 items; if its rows are raters, save the transpose of shape (10, 3) (ratings.T in NumPy)
    warning: numbered.csv: 7 of 10 items were not rated and are left out (3, 4, 5, ...)
    note: swapped.npy: each item is taken to show another stimulus (0, 1, 2); if several show the same one, --stimulus-column NAME or --stimulus-pattern PATTERN says which, or intervals are too narrow
    swapped_numbered: 1 metric held against 10 raters
    swapped named, exit 1
    error: swapped.npy: its shape (3, 10) is read as 3 items by 10 raters, and named.csv has scores of 10 items; if its rows are raters, save the transpose of shape (10, 3) (ratings.T in NumPy)
    ");
}

#[test]
fn decimal_commas_are_refused_with_the_number_as_it_is_written_here() {
    let dir = folder();
    let table = |header: &str, value: &str| {
        format!("{header}\n{}", (0..6).map(|item| format!("{item};{value}{item}\n")).collect::<String>())
    };
    dir.write("ratings.csv", table("item;ann", "4,"));
    dir.write("points.csv", table("item;ann", "4."));
    dir.write("scores.csv", table("item;ssim", "0,"));
    dir.write("fine.csv", table("item;ssim", "0."));
    let said = dir.refusals(
        "meta --out out",
        &["--human ratings.csv --metrics fine.csv", "--human points.csv --metrics scores.csv"],
        "out",
    );
    assert_snapshot!(said, @r#"
    --human ratings.csv --metrics fine.csv
      exit 1, stderr: error: ratings.csv:2: column "ann" holds "4,0"; expected a rating, a finite number up to 1e100 (empty, NA or NaN where it is missing; --scale 'WORD,...' for words); decimals need a point: 4.0
    --human points.csv --metrics scores.csv
      exit 1, stderr: error: scores.csv:2: column "ssim" holds "0,0"; expected a score, a finite number up to 1e100 (empty, NA or NaN where it is missing); decimals need a point: 0.0
    "#);
}
