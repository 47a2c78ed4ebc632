//! `neurogauge meta`: figures, worst cases with their images, classes.

use crate::support::*;

/// Mean ratings are 1, 3, 3, 5 and 2; `flip` exchanges the best and the worst.
const RATINGS: &str = "item,x,y\na,1,1\nb,2,4\nc,3,3\nd,5,5\ne,2,2\n";
const SCORES: &str = "item,flip,near/far\na,0.9,0.1\nb,0.5,0.5\nc,0.6,0.4\nd,0.1,0.9\ne,0.3,0.2\n";
const LABELS: &str = "item,gt,recon\na,egret,egret\nb,dog,cat\nc,dog,dog\nd,cat,dog\ne,dog,dog\n";

const META: &str = "meta --human r.csv --metrics m.csv --higher-is-better flip,near/far --resamples 50 --overwrite";

fn survey() -> Folder {
    let dir = folder();
    dir.write("r.csv", RATINGS);
    dir.write("m.csv", SCORES);
    dir
}

/// The figures of a result.
fn names(dir: &Folder, out: &str) -> String {
    if dir.has(format!("{out}/figures")) {
        dir.names(format!("{out}/figures")).join(" ")
    } else {
        String::new()
    }
}

#[test]
fn figures_are_drawn_the_same_by_any_number_of_threads() {
    let dir = survey();
    dir.succeed(&format!("{META} --out one --threads 1"));
    dir.succeed(&format!("{META} --out eight --threads 8"));
    assert_snapshot!(names(&dir, "one"), @"agreement.png agreement.svg averages_calibrated_accuracy.png averages_calibrated_accuracy.svg averages_kendall_tau_b.png averages_kendall_tau_b.svg averages_pearson.png averages_pearson.svg averages_spearman.png averages_spearman.svg differences.png differences.svg scatter.png scatter.svg");
    for name in names(&dir, "one").split(' ') {
        let read = |out: &str| dir.bytes(format!("{out}/figures/{name}"));
        assert!(read("one") == read("eight"), "{name}");
    }
    contains(&dir.read("one/figures/scatter.svg"), &["near/far ↑"]);
    // Figures of an earlier run are removed; other files remain.
    dir.write("one/figures/mine.png", "mine");
    dir.succeed(&format!("{META} --out one --no-figures"));
    assert_eq!(names(&dir, "one"), "mine.png");

    // The message names what cannot be shown.
    dir.write("l.csv", "item,gt,recon\nz,1,1\n");
    let table = r#"
    --classes l.csv
      exit 1, stderr: error: l.csv: no item of it was rated: it has "z", r.csv has "a", "b", "c", ...; ids must be the same in both
    --classes absent
      exit 1, stderr: error: absent: not found; expected a table (.csv, .tsv, .txt) with the columns item, gt_label and recon_label, or two .npy matrices of logits, of the stimuli and of the reconstructions
    --gt absent
      exit 1, stderr: error: absent: not found; expected a folder of images, a .npy, .npz, .pt, .mat or .hdf5 file
    --worst-metrics typo
      exit 2, stderr: error: worst cases are asked for of "typo", which is not a metric here; there are flip, near/far
    --worst-others-agree 2
      exit 2, stderr: error: other metrics are asked to agree to 2 of the ranking; expected a number from 0 to 1, such as 0.1
    --worst-groups absent.csv
      exit 1, stderr: error: absent.csv: not found; expected a table (.csv, .tsv, .txt) with the columns item and group
    --worst-groups r.csv
      exit 1, stderr: error: r.csv: no column is called one of group, cluster, class, label, category; rename one; the columns are ["item", "x", "y"]
    --worst-groups {group}-*
      exit 2, stderr: error: --worst-groups '{group}-*': no rated item is in a group by it; expected items such as "a", "b", "c"
    --worst-groups {stem}
      exit 2, stderr: error: invalid value '{stem}' for '--worst-groups <FILE|PATTERN>': "{stem}": expected what items are called, with {group} in it once and at most one *, not side by side, such as {group}_*
    "#;
    dir.refuses(&format!("{META} --out out"), "out", table);
}

#[test]
fn worst_cases_are_listed_and_shown() {
    let dir = survey();
    image_folders(dir.path(), &["a", "b", "c"]);
    assert_snapshot!(dir.succeed(&format!("{META} --out out --gt gt --recon recon --worst 3")).messages(), @"
    warning: gt: no image of a worst case (d)
    warning: recon: no image of a worst case (d)
    note: r.csv: 2 columns are taken as raters: x, y
    note: r.csv: each item is taken to show another stimulus (a, b, c, ...); if several show the same one, --stimulus-column NAME or --stimulus-pattern PATTERN says which, or intervals are too narrow
    out: 2 metrics held against 2 raters
    ");
    let found = dir.json("out/meta.json");
    let flip = &found["worst_cases"]["metrics"][0];
    let cases = flip["cases"].list();
    let items: Vec<&Value> = cases.iter().map(|case| &case["item"]).collect();
    // a is last for people and first for the metric; d is the reverse. e is 4th in both; c is 2nd and 2.5th.
    assert_eq!(items, ["a", "d", "b"]);
    let other = &found["worst_cases"]["metrics"][1];
    assert_eq!(other["cases"].list().len(), 2, "ranked alike is no case");
    assert_eq!([&flip["cases"][0]["metric_rank"], &flip["cases"][0]["human_rank"]], [1.0, 5.0]);
    assert_eq!([&flip["cases"][0]["difference"], &flip["cases"][1]["difference"]], [1.0, -1.0]);
    assert_eq!(flip["cases"][2]["difference"], -0.125);
    contains(&dir.read("out/meta.md"), &["### Worst cases"]);
    let drawn = names(&dir, "out");
    assert!(drawn.ends_with(" worst-flip.png worst-near_far.png"), "{drawn}");

    // near/far orders all but b and c like people, and these nearly.
    dir.succeed(&format!("{META} --out out --worst-others-agree 0"));
    let found = dir.json("out/meta.json");
    assert_eq!(found["worst_cases"]["metrics"][0]["n_eligible"], 3);
    assert_eq!(found["request"]["worst_cases"]["others_agree"], 0.0);
    assert!(!names(&dir, "out").contains("worst"));
    dir.succeed(&format!("{META} --out out --worst 0"));
    assert_eq!(dir.json("out/meta.json")["worst_cases"], Value::Null);
}

#[test]
fn worst_cases_of_groups_are_shown_group_by_group() {
    let dir = survey();
    image_folders(dir.path(), &["a", "b", "c", "d"]);
    // e belongs to no group.
    dir.write("g.csv", "item,group\na,low\nb,low\nc,high\nd,high\n");
    dir.succeed(&format!("{META} --out out --gt gt --recon recon --worst 1 --worst-groups g.csv"));
    let found = dir.json("out/meta.json");
    assert!(check_outcomes(&dir.join("out")) > 10);
    assert_eq!(found["request"]["worst_cases"]["groups"], "g.csv");
    assert_eq!(found["inputs"][2]["role"], "worst_groups");
    let flip = &found["worst_cases"]["metrics"][0];
    let cases = flip["cases"].list();
    assert_eq!(cases.iter().map(|c| [&c["group"], &c["item"]]).collect::<Vec<_>>(), [["high", "d"], ["low", "a"]]);
    // Rank differences of a, b, c and d are 1, -0.125, 0.125 and -1.
    let groups = flip["groups"].list();
    let number = |value: &Value| value.number();
    let of = |group: &Value| [number(&group["difference"]["value"]), number(&group["distance"])];
    assert_eq!(groups[0]["group"], "high");
    close(&of(&groups[0]), &[-0.4375, 0.5625]);
    close(&of(&groups[1]), &[0.4375, 0.5625]);
    assert_eq!(groups[1]["difference"]["n"], 2);
    let tables = dir.read("out/meta.md").split_whitespace().collect::<Vec<&str>>().join(" ");
    contains(
        &tables,
        &["### Groups of items that a metric and people rank differently", "| Metric | Group | Item"],
    );
    assert!(names(&dir, "out").contains("worst_groups.svg"));
    assert!(dir.read("out/figures/worst_groups.svg").contains("as people"));

    // A pattern for ids does the same.
    for (file, text) in [("r.csv", RATINGS), ("m.csv", SCORES)] {
        let named = text.lines().map(|line| match line.split_once(',') {
            Some(("a" | "b", _)) => format!("low_{line}\n"),
            Some(("c" | "d", _)) => format!("high_{line}\n"),
            _ => format!("{line}\n"),
        });
        dir.write(file, named.collect::<String>());
    }
    dir.succeed(&format!("{META} --out named --worst 1 --worst-groups '{{group}}_*'"));
    assert_eq!(dir.json("named/meta.json")["worst_cases"]["metrics"][0]["groups"], flip["groups"]);
}

#[test]
fn pairs_of_the_same_class_are_set_against_the_others() {
    let dir = survey();
    dir.write("l.csv", LABELS);
    contains(&dir.succeed(&format!("{META} -v --out out --classes l.csv")).stdout, &["same - different"]);
    let found = dir.json("out/meta.json");
    assert_eq!(found["inputs"][2]["role"], "classes");
    let flip = &found["classes"]["metrics"][0];
    assert_eq!([&flip["n_same"], &flip["n_different"]], [3, 2]);
    let same = |of: &str| flip[of]["same"]["value"].number();
    // Human means are 1, 3, 3, 5, 2: mean 2.8, deviation sqrt(1.76); the same class has 1, 3, 2.
    let expected = (2.0 - 2.8) / 1.76_f64.sqrt();
    // Scores are 0.9, 0.5, 0.6, 0.1, 0.3: mean 0.48, deviation sqrt(0.0736); the same class has 0.9, 0.6, 0.3.
    let metric = (0.6 - 0.48) / 0.0736_f64.sqrt();
    close(&["human_score", "metric_score", "overestimate"].map(same), &[expected, metric, metric - expected]);
    assert!(names(&dir, "out").contains("classes.svg"));
}
