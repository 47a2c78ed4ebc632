//! `neurogauge meta`: several systems with the same stimuli.

use crate::support::*;

const N_STIMULI: u32 = 8;
const SENTENCE: &str = "Intervals: new stimuli of this kind, these raters; 24 items of 8 stimuli.";

/// Three systems; `id` makes an item's id from system and stimulus.
fn run(dir: &Folder, id: fn(&str, u32) -> String, more: &str) -> (Value, Ran) {
    let mut ratings = "item,shown,rater,value\n".to_owned();
    let mut scores = "item,ssim\n".to_owned();
    for (system, better) in [("a", 0), ("b", 1), ("c", 2)] {
        for stimulus in 0..N_STIMULI {
            let (item, quality) = (id(system, stimulus), (stimulus * 5) % 8 + better);
            for (rater, bonus) in [("x", stimulus % 2), ("y", 0)] {
                let value = quality + bonus;
                ratings += &format!("{item},picture {stimulus},{rater},{value}\n");
            }
            let score = quality * 10 + (stimulus * 3 + better * 7) % 23;
            scores += &format!("{item},{score}\n");
        }
    }
    dir.write("r.csv", ratings);
    dir.write("m.csv", scores);
    let _ = fs::remove_dir_all(dir.join("out"));
    let ran = dir.run(&format!("meta --human r.csv --metrics m.csv --out out {more}"));
    let record = fs::read(dir.join("out/meta.json")).unwrap_or(b"null".to_vec());
    (serde_json::from_slice(&record).unwrap(), ran)
}

fn system_first(system: &str, stimulus: u32) -> String {
    format!("{system}/{stimulus}")
}

fn stimulus_first(system: &str, stimulus: u32) -> String {
    format!("{stimulus}_{system}")
}

fn interval(record: &Value) -> [f64; 2] {
    let interval = &record["result"]["metrics"][0]["statistics"][2]["interval"];
    [0, 1].map(|end| interval[end].number())
}

#[test]
fn items_of_a_stimulus_are_drawn_together() {
    let dir = folder();
    let (auto, ran) = run(&dir, system_first, "-v");
    assert!(ran.stdout.contains(SENTENCE), "{ran}");
    assert!(ran.stdout.contains("the jackknife over stimuli"));
    assert_eq!(auto["result"]["n_stimuli"], N_STIMULI);
    assert_eq!(auto["request"]["stimuli"], "auto");
    type Id = fn(&str, u32) -> String;
    let pattern = |pattern: &str| serde_json::json!({ "pattern": pattern });
    let column = serde_json::json!({"column": "shown"});
    for (id, more, stimuli) in [
        (system_first as Id, "--stimulus-pattern */{stimulus}", pattern("*/{stimulus}")),
        (system_first, "--stimulus-column shown", column),
        (stimulus_first, "--stimulus-pattern {stimulus}_*", pattern("{stimulus}_*")),
    ] {
        let (record, ran) = run(&dir, id, more);
        assert!(ran.stdout.contains(SENTENCE), "{ran}");
        assert_eq!(record["request"]["stimuli"], stimuli);
        let both = interval(&record).into_iter().zip(interval(&auto));
        both.for_each(|(own, auto)| assert!((own - auto).abs() < 1e-12, "{own} {auto}"));
    }
}

#[test]
fn items_that_look_clustered_and_are_not_drawn_so_have_a_warning() {
    let dir = folder();
    let independent = "--stimuli independent";
    let (record, ran) = run(&dir, system_first, independent);
    assert_snapshot!(ran.messages(), @"
    warning: r.csv: items look as if several were of one stimulus (a/0, a/1, a/2, ...), and are taken as independent, as --stimuli independent says: intervals are too narrow if those of a stimulus are alike
    out: 1 metric held against 2 raters
    ");
    assert_eq!(record["result"]["n_stimuli"], Value::Null);
    assert_eq!(record["request"]["stimuli"], "independent");
    assert!(!ran.stdout.contains(SENTENCE));
    // Systems share a third of their stimuli: by chance, or the same ones.
    let in_part = |system: &str, n: u32| {
        let first = 5 * (u32::from(system.as_bytes()[0]) - u32::from(b'a'));
        format!("{system}_{}", first + n)
    };
    let (record, ran) = run(&dir, in_part, "");
    assert_snapshot!(ran.messages(), @"
    warning: r.csv: items look as if several were of one stimulus (a_0, a_1, a_2, ...), and are taken as independent: intervals are too narrow if those of a stimulus are alike. --stimulus-pattern '{stimulus}_*' or --stimulus-pattern '*_{stimulus}' says which part is the stimulus
    out: 1 metric held against 2 raters
    ");
    assert_eq!(record["result"]["n_stimuli"], Value::Null);
    let (record, ran) = run(&dir, stimulus_first, independent);
    assert_snapshot!(ran.messages(), @"
    warning: r.csv: items look as if several were of one stimulus (0_a, 0_b, 0_c, ...), and are taken as independent, as --stimuli independent says: intervals are too narrow if those of a stimulus are alike
    out: 1 metric held against 2 raters
    ");
    assert_eq!(record["result"]["n_stimuli"], Value::Null);
}

#[test]
fn what_ids_tell_of_stimuli_is_said() {
    let dir = folder();
    let (record, ran) = run(&dir, stimulus_first, "");
    assert_eq!(record["result"]["n_stimuli"], N_STIMULI);
    let said = "items of one stimulus are drawn together; that of \"0_a\" is taken to be \"0\" (3 kinds of ids share 8 such parts)";
    assert!(ran.stderr.contains(said), "{ran}");
    // Plain numbers do not show systems; groups may be systems.
    let number = |system: &str, n: u32| format!("{}{n}", u32::from(system.as_bytes()[0]));
    let unknown = "each item is taken to show another stimulus (970, 971, 972, ...); if several show the same one, --stimulus-column NAME or";
    let (_, ran) = run(&dir, number, "");
    assert!(ran.stderr.contains(unknown), "{ran}");
    assert!(!ran.stderr.contains("warning: r.csv: each item"), "{ran}");
    let (_, ran) = run(&dir, number, "--group-column shown");
    assert!(ran.stderr.contains("warning: r.csv: each item"), "{ran}");
}

#[test]
fn a_pattern_that_an_item_does_not_follow_is_an_error() {
    let wrong = |more: &str| run(&folder(), system_first, more).1;
    assert_snapshot!(wrong("--stimulus-pattern b/{stimulus}"), @r#"exit 2, stderr: error: r.csv: the item "a/0" is not called as --stimulus-pattern 'b/{stimulus}' says; expected a pattern that all rated items follow, with {stimulus} where the stimulus is named and * where anything may be"#);
    assert_snapshot!(wrong("--stimulus-pattern {stem}"), @r#"exit 2, stderr: error: invalid value '{stem}' for '--stimulus-pattern <PATTERN>': "{stem}": expected what items are called, with {stimulus} in it once and at most one *, not side by side, such as */{stimulus}"#);
    assert_snapshot!(wrong("--stimulus-column shown --stimuli auto"), @"
    exit 2, stderr:
    error: the argument '--stimulus-column <NAME>' cannot be used with '--stimuli <STIMULI>'

    Usage: neurogauge meta --human <FILE> --metrics <FILE|RUN>... --out <DIR> --stimulus-column <NAME>
    ");
}
