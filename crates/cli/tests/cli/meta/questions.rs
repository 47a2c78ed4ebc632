//! `neurogauge meta`: one rater, several questions in one table, and exports of Mechanical Turk.

use crate::support::*;

const SCORES: &str = "item,ssim\na,0.1\nb,0.3\nc,0.2\nd,0.4\ne,0.9\n";
const GROUPED: &str = "item,sem_1,sem_2,perc_1,perc_2\na,1,1,5,4\nb,2,3,4,4\nc,3,2,3,3\nd,4,4,2,1\ne,5,5,1,2\n";

fn meta(dir: &Folder, ratings: &str, more: &str) -> Ran {
    dir.write("r.csv", ratings);
    dir.write("m.csv", SCORES);
    let _ = fs::remove_dir_all(dir.join("out"));
    let quick = "--permutations 20 --no-figures --combinations off";
    dir.run(&format!("meta --human r.csv --metrics m.csv --out out {quick} {more}"))
}

fn tau(dir: &Folder, question: &str) -> f64 {
    let tau = &dir.json(format!("out/{question}meta.json"))["result"]["metrics"][0]["statistics"][2]["value"];
    tau.number()
}

#[test]
fn no_metric_is_best_where_all_run_against_the_ratings() {
    let dir = folder();
    let said = meta(&dir, "item,p1,p2\na,5,5\nb,3,4\nc,4,3\nd,2,2\ne,1,1\n", "").stdout;
    assert!(said.starts_with("It is not shown that ssim agrees with people: Kendall τ-b -0."), "{said}");
    assert!(said.contains("If 1 is the best answer of this survey"));
}

#[test]
fn one_figure_for_each_item_is_a_survey_of_one_rater() {
    let dir = folder();
    let ratings = "item,mos\na,1.2\nb,2.5\nc,3.1\nd,3.9\ne,4.8\n";
    let ran = meta(&dir, ratings, "-v");
    let about = [
        "It is not shown",
        "ssim ↑   ",
        "(ceiling)   ",
        " mos ",
        "these raters",
        "two raters",
        "of raters",
        "out: 1",
    ];
    assert_snapshot!(lines_with(&ran.to_string(), &about), @"
    It is not shown that ssim agrees with people: Kendall τ-b 0.800 [-0.107, 1.000], and one random order in 20 reaches 0.800.
    ssim ↑               0.900          0.900        0.800    0.868     0.900  0.0000  5
    (ceiling)                -              -            -        -         -       -  -
    Intervals: new items of this kind, these raters.
    (one rater): without mos (no item was rated by two raters)
    Agreement of raters (only their mean is known) on 5 items (0 ratings missing)
    Intraclass correlations: no item was rated by two raters
    Krippendorff's α, ordinal: no item was rated by two raters
    Krippendorff's α, interval: no item was rated by two raters
    ssim ↑       0.900 [0.447, 1.000]  0.800 [-0.107, 1.000]  0.800 [-0.107, 1.000]
    (ceiling)                       -                      -                      -
    warning: r.csv: mos is taken as the mean rating of each item, so how well raters agree is unknown; --rater-columns NAME,NAME if other columns are raters
    out: 1 metric held against mean ratings
    ");
    let figure = &dir.json("out/meta.json")["result"]["metrics"][0]["statistics"][1];
    assert!(figure["interval"][0].number() < figure["value"].number());
}

#[test]
fn columns_in_groups_are_warned_of_and_patterns_make_questions_of_them() {
    let dir = folder();
    assert_snapshot!(meta(&dir, GROUPED, "").messages(), @"
    warning: r.csv: the names of the 4 rater columns fall into groups: sem_* (2), perc_* (2). If these are questions, their ratings are not to be averaged; evaluate them one after the other: --rater-columns 'sem_*' --rater-columns 'perc_*'
    note: r.csv: 4 columns are taken as raters: sem_1, sem_2, perc_1 and 1 more
    note: r.csv: each item is taken to show another stimulus (a, b, c, ...); if several show the same one, --stimulus-column NAME or --stimulus-pattern PATTERN says which, or intervals are too narrow
    out: 1 metric held against 4 raters
    ");

    assert_snapshot!(meta(&dir, GROUPED, "--rater-columns sem_* --rater-columns likeness=perc_*").messages(), @"
    question sem
    note: r.csv: each item is taken to show another stimulus (a, b, c, ...); if several show the same one, --stimulus-column NAME or --stimulus-pattern PATTERN says which, or intervals are too narrow
    out/sem: 1 metric held against 2 raters
    question likeness
    note: r.csv: each item is taken to show another stimulus (a, b, c, ...); if several show the same one, --stimulus-column NAME or --stimulus-pattern PATTERN says which, or intervals are too narrow
    out/likeness: 1 metric held against 2 raters
    ");
    assert!(tau(&dir, "sem/") > 0.0 && tau(&dir, "likeness/") < 0.0);
    assert!(!dir.has("out/meta.json"));

    meta(&dir, GROUPED, "--rater-columns perc_*").done();
    assert!(tau(&dir, "") < 0.0);
    assert_snapshot!(meta(&dir, GROUPED, "--rater-columns other_*"), @r#"exit 1, stderr: error: r.csv: no column is called "other_*" (* stands for any letters); the columns are ["item", "sem_1", "sem_2"] and 2 more"#);
}

#[test]
fn an_export_of_mechanical_turk_is_recognised() {
    let dir = folder();
    let mut ratings = String::from(
        "HITId,AssignmentStatus,WorkerId,Input.image,Input.prompt,Answer.clarity,Answer.likeness,Answer.comment\n",
    );
    for (place, item) in ["a", "b", "c", "d", "e"].into_iter().enumerate() {
        for worker in 0..2 {
            let (clear, like) = (place + 1, 5 - place);
            ratings += &format!("h,Approved,W{worker},{item},p,{clear},{like},fine\n");
        }
    }
    ratings.push_str("h,Rejected,W9,a,p,5,5,fine\n");
    assert_snapshot!(meta(&dir, &ratings, "").messages(), @"
    question clarity
    warning: r.csv: 1 rejected assignment left out
    note: r.csv: each item is taken to show another stimulus (a, b, c, ...); if several show the same one, --stimulus-column NAME or --stimulus-pattern PATTERN says which, or intervals are too narrow
    out/clarity: 1 metric held against 2 raters
    question likeness
    warning: r.csv: 1 rejected assignment left out
    note: r.csv: each item is taken to show another stimulus (a, b, c, ...); if several show the same one, --stimulus-column NAME or --stimulus-pattern PATTERN says which, or intervals are too narrow
    out/likeness: 1 metric held against 2 raters
    ");
    assert!(tau(&dir, "clarity/") > 0.0 && tau(&dir, "likeness/") < 0.0);
    meta(&dir, &ratings, "--value-column Answer.likeness").done();
    assert!(tau(&dir, "") < 0.0);

    let unclear = ratings.replace("Input.image", "Input.left").replace(",p,", ",q,").replacen(",q,", ",r,", 1);
    assert_snapshot!(meta(&dir, &unclear, ""), @r#"
    exit 1, stderr:
    question clarity
    error: r.csv: Input.left, Input.prompt could all be the item; name the right one, or several that make up an item: --item-column Input.left,Input.prompt
    "#);
}

#[test]
fn an_item_of_several_columns_is_offered_where_it_would_help() {
    assert_snapshot!(meta(&folder(), "item,system,rater,value\na,one,x,1\na,two,x,2\n", ""), @r#"exit 1, stderr: error: r.csv:3: the rating of item "a" by rater "x" is in line 2 already; keep one of them, or, if it takes several columns to tell the items apart, name them all: --item-column item,system"#);
}
