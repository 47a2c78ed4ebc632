//! Batches and exports for Mechanical Turk.

use super::questionnaires::*;
use crate::support::*;

#[test]
fn a_crowd_has_tasks_whose_export_is_read() {
    let dir = stimuli_and_systems();
    let record = make(&dir, "survey", "--mturk-images https://example.org/p/ --repeats 2 --attention-checks 4");
    let batch = dir.read("survey/mturk/batch.csv");
    let tasks = record["tasks"].list();
    assert_eq!((tasks.len(), batch.lines().count()), (24 + 4 + 8, 37));
    for line in batch.lines().skip(1) {
        for address in line.split(',').skip(1) {
            let name = address.strip_prefix("https://example.org/p/").unwrap();
            assert!(dir.join("survey/mturk/images").join(name).exists(), "{name}");
        }
    }
    contains(&dir.read("survey/mturk/template.html"), &["src=\"${stimulus}\"", "name=\"perceptual\" value=\"5\""]);

    // One worker's answers are in a column, the other's in one column for each point; one assignment was rejected.
    let export = |is_marked: bool, worker: &str| {
        let of_points = |value: &dyn Fn(u64) -> String| {
            let values: Vec<String> = (1..=5).map(value).collect();
            values.join(",")
        };
        let answers = |rating: u64| match is_marked {
            true => of_points(&|point| (point == rating).to_string()),
            false => rating.to_string(),
        };
        let columns = |question: &str| match is_marked {
            true => of_points(&|point| format!("Answer.{question}.{point}")),
            false => format!("Answer.{question}"),
        };
        let line = |worker: &str, task: &Value, rating: u64| {
            let (id, answers) = (strings(task, "id"), answers(rating));
            format!("{worker},{id},{answers},{answers}\n")
        };
        let (semantic, perceptual) = (columns("semantic"), columns("perceptual"));
        let mut text = format!("WorkerId,AssignmentStatus,Input.item,{semantic},{perceptual}\n");
        let approved = format!("{worker},Approved");
        text.extend(tasks.iter().map(|task| line(&approved, task, rating(task))));
        text + &line("X,Rejected", &tasks[0], 1)
    };
    dir.write("answers/a.csv", export(false, "W1"));
    dir.write("answers/b.csv", export(true, "W2"));
    assert_snapshot!(dir.succeed(READ).messages(), @"
    warning: answers/a.csv: 1 rejected assignment left out
    warning: answers/b.csv: 1 rejected assignment left out
    warning: ratings: 24 of 24 pairs have fewer than the 3 raters that were planned; the fewest are 2
    ratings: ratings of 24 pairs by 2 of 2 raters; next: neurogauge meta --human ratings/ratings-one.csv --value-column semantic,perceptual --metrics RUN-OF-one
    ");
    let found = dir.json("ratings/read.json");
    contains(
        &found["findings"].to_string(),
        &["taken_for", "0 results of the survey's pages, 2 sittings in tables"],
    );
    let [first, second] = [&found["raters"][0], &found["raters"][1]];
    assert_eq!([&first["rater"], &second["rater"]], ["W1", "W2"]);
    assert_eq!([&second["n_pairs"], &second["n_checks"]], [24, 8]);
    assert_eq!(first["failed"], json!([]));
    assert_eq!(found["raters_per_pair"], json!([2, 2]));
    let ratings = dir.read("ratings/ratings.csv");
    assert_eq!(ratings.lines().count(), 49);
    assert!(ratings.contains("\n3/one,W2,4,4,3,one\n"), "{ratings}");
    let batch = "survey read survey/mturk/batch.csv --survey survey --out ratings";
    assert_snapshot!(dir.run(batch), @r#"exit 1, stderr: error: survey/mturk/batch.csv: holds no column "WorkerId"; expected an export of Mechanical Turk, of the batch that the survey wrote"#);

    // Each task shows its own pictures.
    for size in [16, 8] {
        let crowd = "--mturk-images https://example.org --image-format png --image-size";
        let record = make(&dir, &size.to_string(), &format!("{crowd} {size}"));
        let batch = dir.read(format!("{size}/mturk/batch.csv"));
        for (task, line) in record["tasks"].list().iter().zip(batch.lines().skip(1)) {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells[0], strings(task, "id"));
            let sides = [("gt", "stimulus"), (task["system"].as_str().unwrap_or("gt"), "reconstruction")];
            for ((folder, field), address) in sides.into_iter().zip(&cells[1..]) {
                let name = address.rsplit('/').next().unwrap();
                let file = dir.join(format!("{size}/mturk/images/{name}"));
                let found = read_rgb8(&file).unwrap();
                assert_eq!((found.width_px(), found.height_px()), (size, size));
                let original = dir.join(format!("{folder}/{}.png", strings(task, field)));
                assert_eq!(found == read_rgb8(&original).unwrap(), size == 16, "{file:?}");
            }
        }
    }
}

#[test]
fn an_assignment_in_two_exports_counts_once() {
    let dir = stimuli_and_systems();
    let record = make(&dir, "survey", "--mturk-images https://example.org/p/ --repeats 2 --attention-checks 4");
    let tasks = record["tasks"].list().iter();
    let lines: Vec<String> = tasks
        .map(|task| {
            let (id, rating) = (strings(task, "id"), rating(task));
            format!("W1,{id},{rating},{rating}\n")
        })
        .collect();
    let export =
        |lines: &[String]| "WorkerId,Input.item,Answer.semantic,Answer.perceptual\n".to_owned() + &lines.concat();
    dir.write("answers/all.csv", export(&lines));
    dir.succeed(READ);
    let once = dir.json("ratings/read.json");
    // The batch was also downloaded before it was complete.
    dir.write("answers/early.csv", export(&lines[..10]));
    let again = dir.succeed("survey read answers --survey survey --out again");
    let warning = "warning: answers/early.csv: 10 assignments left out, since the same worker's answers to the same task were read before\n";
    assert!(again.messages().contains(warning), "{}", again.messages());
    let twice = dir.json("again/read.json");
    for part in ["raters", "consistency", "raters_per_pair"] {
        assert_eq!(once[part], twice[part], "{part}");
    }
    assert_eq!(dir.read("ratings/ratings.csv"), dir.read("again/ratings.csv"));
}
