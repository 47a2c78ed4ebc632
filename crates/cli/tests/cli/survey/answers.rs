//! Answers become ratings.

use super::questionnaires::*;
use crate::support::*;
use neurogauge::formats::ratings;
use neurogauge::formats::ratings::RatingColumns;

#[test]
fn answers_become_ratings_that_meta_reads() {
    let dir = stimuli_and_systems();
    let survey = make(&dir, "survey", "");
    assert_eq!(survey["pages"].list().len(), 6);
    assert_eq!(fs::read_dir(dir.join("survey/pages")).unwrap().count(), 6);
    // One rater does not look at the images.
    answer(&dir, &survey, |number| match number {
        4 => ("<i>careless</i>, \"1\"".into(), Box::new(|_: &Value| 3)),
        number => (format!("r{number}"), Box::new(rating)),
    });
    assert_snapshot!(dir.run(READ), @r#"
    exit 0, stdout:
    Raters of survey [ID]

    rater                 pairs  checks failed  counts  seconds  repeats  semantic again  perceptual again
    <i>careless</i>, "1"     12  2 of 4         no          2.5        4            0.00              0.00
    r0                       12  0 of 4         yes         2.5        4            0.00              0.00
    r1                       12  0 of 4         yes         2.5        4            0.00              0.00
    r2                       12  0 of 4         yes         2.5        4            0.00              0.00
    r3                       12  0 of 4         yes         2.5        4            0.00              0.00
    r5                       12  0 of 4         yes         2.5        4            0.00              0.00

    Failed: an identical pair with a rating in the middle of the scale or below, or a mismatched pair with one above the middle. Who failed more than 25% of the checks does not count.
    Again: mean distance, in points, between the two answers to pairs that were shown twice.
    Of 24 pairs, each has 2 to 3 raters who count.
    <i>careless</i>, "1" failed the checks 10 beside itself (rated 3 and 3); 6 beside itself (rated 3 and 3).

    What raters who count said of pairs that they saw again

    question    pairs  same, %  within one point, %  mean distance  ICC(1,1)
    semantic       20      100                  100           0.00     1.000
    perceptual     20      100                  100           0.00     1.000
    stderr:
    warning: raters: 1 failed more than 25% of their attention checks and do not count: <i>careless</i>, "1"
    warning: raters: 1 gave one answer to all questions about all pairs: <i>careless</i>, "1"
    warning: ratings: 12 of 24 pairs have fewer than the 3 raters that were planned; the fewest are 2
    ratings: ratings of 24 pairs by 5 of 6 raters; next: neurogauge meta --human ratings/ratings-one.csv --value-column semantic,perceptual --metrics RUN-OF-one
    "#);
    let found = dir.json("ratings/read.json");
    assert_eq!(found["raters_per_pair"], json!([2, 3]));
    assert_eq!(found["consistency"][0]["n"], json!(5 * 4));
    assert_eq!(found["consistency"][0]["mean_difference"], json!(0.0));
    assert_eq!(found["consistency"][0]["icc"], json!(1.0));

    // The true quality as a metric, for each system and for both.
    let scores = |items: &dyn Fn(usize, u64) -> String| {
        let lines = (0..N as u64).flat_map(|stem| {
            [0, 1].map(|system| items(stem as usize, system) + &format!(",{}\n", (stem + system) % 5))
        });
        format!("item,metric\n{}", lines.collect::<String>())
    };
    let of_both = scores(&|stem, system| format!("{stem}/{}", ["one", "two"][system as usize]));
    let is_correlated = |human: &str, metrics: &str, questions: &[(&str, f64)], n_items: u64| {
        dir.write("scores.csv", metrics);
        dir.succeed(&format!(
            "meta --human ratings/{human} --metrics scores.csv --permutations 5 --no-figures --combinations off \
             --value-column semantic,perceptual --out {human}-meta"
        ));
        for (question, expected) in questions {
            let metric = &dir.json(format!("{human}-meta/{question}/meta.json"))["result"]["metrics"][0];
            assert_eq!(metric["n_items"], n_items);
            close(&[metric["statistics"][3]["value"].number()], &[*expected]);
        }
    };
    let both = [("semantic", 1.0), ("perceptual", -1.0)];
    is_correlated("ratings.csv", &of_both, &both, 24);
    let alone: String = (0..N).map(|stem| format!("{stem},{}\n", (stem + 1) % 5)).collect();
    is_correlated("ratings-two.csv", &format!("item,metric\n{alone}"), &both[..1], 12);

    // Other options give another result, which does not replace this one by accident.
    assert_snapshot!(dir.run(&format!("{READ} --keep-failed")).differs("ratings"), @"options.keep_failed: false then, true now");
    dir.succeed(&format!("{READ} --keep-failed --overwrite"));
    assert_eq!(dir.json("ratings/read.json")["raters_per_pair"], json!([3, 3]));
}

#[test]
fn answers_of_which_none_counts_are_no_ratings() {
    let dir = stimuli_and_systems();
    answer(&dir, &make(&dir, "survey", ""), |number| (format!("r{number}"), Box::new(|_: &Value| 3)));
    assert_snapshot!(dir.run(READ), @"exit 1, stderr: error: answers: no pair has a valid rater: 6 of the 6 raters failed more than 25% of their attention checks (r0, r1, r2, ...); --keep-failed counts them all the same, --failed-share SHARE allows more");
    assert!(!dir.has("ratings"));
    assert_snapshot!(dir.run(&format!("{READ} --keep-failed")).messages(), @"
    warning: raters: 6 failed more than 25% of their attention checks and count all the same: r0, r1, r2, ...
    warning: raters: 6 gave one answer to all questions about all pairs: r0, r1, r2, ...
    ratings: ratings of 24 pairs by 6 of 6 raters; next: neurogauge meta --human ratings/ratings-one.csv --value-column semantic,perceptual --metrics RUN-OF-one
    ");
}

#[test]
fn names_may_be_anything_that_a_file_can_be_called() {
    let dir = stimuli_and_systems();
    for name in [
        "<img src=x onerror=alert(1)>",
        "a,\"b\"",
        "=1+1",
        "</script>".replace('/', "_").as_str(),
        "line\nbreak",
    ] {
        for side in ["gt", "one"].map(|side| dir.join(side)) {
            fs::copy(side.join("0.png"), side.join(format!("{name}.png"))).unwrap();
        }
    }
    dir.succeed("survey make --gt gt --recon one --raters 1 --out survey");
    let survey = dir.json("survey/survey.json");
    let answered = result(&survey, &survey["pages"][0], "a,\"b\" <c>", |trial| match strings(trial, "kind") {
        "identical" => 5,
        "mismatched" => 1,
        _ => 1 + (strings(trial, "stimulus").len() as u64) % 5,
    });
    dir.write("answers/r.json", answered.to_string());
    dir.succeed(READ);
    let semantic = RatingColumns {
        value: Some("semantic".into()),
        ..Default::default()
    };
    let table = ratings::read(&dir.join("ratings/ratings.csv"), &semantic, Some((1.0, 5.0))).unwrap();
    assert_eq!(table.raters, ["a,\"b\" <c>"]);
    let items = table.items;
    assert_eq!(items.len(), N + 5);
    assert!(items.contains(&"a,\"b\"".to_owned()), "{items:?}");
}

/// Zoe comes before Ann in the answers, and sends her last page twice.
#[test]
fn addresses_of_raters_stay_in_the_answers() {
    let dir = stimuli_and_systems();
    let survey = make(&dir, "survey", "");
    let names = ["Ben", "zoe@example.org", "Ann <ann@example.org>", "zoe@example.org", "ann@lab", "zoe@example.org"];
    answer(&dir, &survey, |number| (names[number].into(), Box::new(rating)));
    dir.copy("answers/5.json", "answers/6.json");
    dir.replace("answers/6.json", "-zoe", "-again");
    let ran = dir.succeed(READ);
    let start = format!("rater-{}", &strings(&survey, "survey")[..6]);
    let note =
        format!("raters: 2 raters by e-mail address get pseudonyms ({start}-01, ...); --keep-emails keeps addresses");
    assert!(ran.stderr.contains(&note), "{ran}");
    assert_snapshot!(ran.messages().replace(&start, "rater-[SURVEY]"), @"
    warning: answers/6.json: rater-[SURVEY]-01 answered page p6 before; this time does not count
    warning: ratings: 12 of 24 pairs have fewer than the 3 raters that were planned; the fewest are 1
    note: raters: 2 raters by e-mail address get pseudonyms (rater-[SURVEY]-01, ...); --keep-emails keeps addresses
    ratings: ratings of 24 pairs by 4 of 4 raters; next: neurogauge meta --human ratings/ratings-one.csv --value-column semantic,perceptual --metrics RUN-OF-one
    ");
    for name in dir.names("ratings") {
        assert!(!dir.read(format!("ratings/{name}")).contains("example.org"), "{name}");
    }
    let raters = |out: &str| {
        let table = ratings::read(
            &dir.join(out).join("ratings.csv"),
            &RatingColumns {
                value: Some("semantic".into()),
                keep_emails: true,
                ..RatingColumns::default()
            },
            None,
        );
        table.unwrap().raters
    };
    assert_eq!(
        raters("ratings"),
        ["Ben".to_owned(), "ann@lab".to_owned(), format!("{start}-01"), format!("{start}-02")]
    );
    dir.succeed(&format!("{} --keep-emails", READ.replace("ratings", "kept")));
    assert_eq!(raters("kept"), ["Ann <ann@example.org>", "Ben", "ann@lab", "zoe@example.org"]);
}
