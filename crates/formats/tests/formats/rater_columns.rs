//! Which columns of a table are raters, and which values are not ratings.

use crate::prelude::*;
use neurogauge_formats::ratings::{TABLE_OF_MEANS, of_text};

/// Ratings of twelve items by four raters, from 1 to 5.
const RATINGS: [[i32; 4]; 12] = [
    [4, 4, 5, 4],
    [2, 3, 2, 2],
    [5, 4, 5, 5],
    [1, 2, 1, 1],
    [3, 3, 4, 3],
    [2, 1, 2, 3],
    [4, 5, 4, 4],
    [3, 2, 3, 3],
    [5, 5, 4, 5],
    [1, 1, 2, 1],
    [4, 3, 4, 5],
    [2, 2, 1, 2],
];
const RATERS: [&str; 4] = ["r1", "r2", "r3", "r4"];

/// The ratings, with further columns before and after them.
fn table(before: &[(&str, Vec<String>)], behind: &[(&str, Vec<String>)]) -> String {
    let names =
        |columns: &[(&str, Vec<String>)]| columns.iter().map(|(name, _)| format!(",{name}")).collect::<String>();
    let mut text = format!("item{},r1,r2,r3,r4{}\n", names(before), names(behind));
    for (line, row) in RATINGS.iter().enumerate() {
        let of = |columns: &[(&str, Vec<String>)]| {
            columns.iter().map(|(_, cells)| format!(",{}", cells[line])).collect::<String>()
        };
        let ratings: String = row.iter().map(|rating| format!(",{rating}")).collect();
        text += &format!("i{line}{}{ratings}{}\n", of(before), of(behind));
    }
    text
}

fn column(of: impl Fn(usize, &[i32; 4]) -> String) -> Vec<String> {
    RATINGS.iter().enumerate().map(|(line, row)| of(line, row)).collect()
}

fn mean(row: &[i32; 4]) -> f64 {
    f64::from(row.iter().sum::<i32>()) / 4.0
}

/// The standard deviation with denominator n - `fewer`.
fn deviation(row: &[i32; 4], fewer: f64) -> f64 {
    let squares: f64 = row.iter().map(|v| (f64::from(*v) - mean(row)).powi(2)).sum();
    (squares / (4.0 - fewer)).sqrt()
}

fn read(text: &str, columns: &RatingColumns) -> Result<RatingTable, String> {
    of_text("r.csv", text, columns, None).map_err(|error| error.to_string())
}

fn read_alone(text: &str) -> Result<RatingTable, String> {
    read(text, &RatingColumns::default())
}

fn codes(missing: &[&str]) -> RatingColumns {
    RatingColumns {
        missing: Some(missing.iter().map(|code| (*code).to_owned()).collect()),
        ..RatingColumns::default()
    }
}

#[test]
fn columns_that_cannot_be_raters_are_left_out_and_named() {
    let means = column(|_, row| format!("{:.2}", mean(row)));
    let columns = [
        ("MOS", means.clone(), "a mean"),
        ("Mean_Score", means.clone(), "a mean"),
        ("average rating", means.clone(), "a mean"),
        ("SD", column(|_, row| format!("{:.3}", deviation(row, 1.0))), "a spread"),
        ("SOS", column(|_, row| format!("{:.3}", deviation(row, 0.0))), "a spread"),
        ("N", column(|_, _| "4".into()), "a count"),
        ("nVotes", column(|line, _| (4 - line % 2).to_string()), "a count"),
        ("class", column(|line, _| (line % 5 + 1).to_string()), "a label"),
        ("CategoryId", column(|line, _| (line * 7 % 50).to_string()), "a label"),
        ("trial", column(|line, _| line.to_string()), "a label"),
        ("age", column(|line, _| (20 + line).to_string()), "a circumstance"),
        ("Duration (s)", column(|line, _| format!("{}.5", 9 - line % 4)), "a circumstance"),
        // Recognised by their values.
        ("x", means, "the mean of the others"),
        ("x", column(|_, row| row.iter().sum::<i32>().to_string()), "the sum of the others"),
        ("x", column(|_, row| format!("{:.3}", deviation(row, 1.0))), "the standard deviation of the others"),
        ("x", column(|_, row| format!("{:.4}", deviation(row, 0.0))), "the standard deviation"),
        ("x", column(|line, _| format!("{:.2}", 1.0 + 0.31 * line as f64)), "fractions among whole numbers"),
        ("x", column(|line, _| (line * 7 % 50 + 40).to_string()), "where others have 1 to 5"),
        ("x", column(|line, _| ((line * 5) % 12 + 1).to_string()), "a number for each line"),
        ("x", column(|_, _| "40".into()), "40 to 40 where others have 1 to 5"),
        ("x", column(|_, _| "6".into()), "one value everywhere"),
        ("x", column(|line, _| format!("animal {line}")), "words"),
    ];
    for (name, cells, reason) in columns {
        let further = [(name, cells)];
        for text in [table(&further, &[]), table(&[], &further)] {
            let table = read_alone(&text).unwrap();
            assert_eq!(table.raters, RATERS, "{name}: {reason}");
            let finding = table.findings[0].to_string();
            assert!(table.findings[0].is_warning(), "{finding}");
            assert!(
                finding.contains(&format!("left out: {name} (")) && finding.contains(reason),
                "{reason}: {finding}"
            );
            assert!(finding.contains("rater-columns NAME,NAME"), "{finding}");
        }
    }
    // All of them together.
    let text = table(
        &[
            ("class_id", column(|line, _| (line * 7 % 50).to_string())),
            ("x", column(|line, _| (line * 3 + 30).to_string())),
        ],
        &[
            ("y", column(|_, row| mean(row).to_string())),
            ("z", column(|_, row| deviation(row, 1.0).to_string())),
        ],
    );
    assert_eq!(read_alone(&text).unwrap().raters, RATERS);
}

#[test]
fn raters_of_any_name_stay() {
    let text = table(&[], &[]);
    let note = &read_alone(&text).unwrap().findings[0];
    assert!(!note.is_warning(), "{note}");
    assert_eq!(note.message, "4 columns are taken as raters: r1, r2, r3 and 1 more");
    for names in [
        "ann,bob,Max,Sum 41",
        "class_1,class_2,class_3,class_4",
        "k,l,m,n",
        "vote1,vote2,vote3,vote4",
        "P01,P02,P03,P17",
    ] {
        let n_raters = read_alone(&text.replace("r1,r2,r3,r4", names)).unwrap().raters.len();
        assert_eq!(n_raters, if names.contains("Sum") { 3 } else { 4 }, "{names}");
    }
    // Scales of other kinds: half steps, sliders, z-scores, a rater who never uses the extremes, few items.
    let scaled = |of: fn(usize, i32) -> String| {
        let lines = RATINGS
            .iter()
            .enumerate()
            .map(|(line, row)| format!("i{line},{}\n", row.map(|v| of(line, v)).join(",")));
        format!("item,r1,r2,r3,r4\n{}", lines.collect::<String>())
    };
    for of in [
        (|line, v| format!("{}", f64::from(v) + 0.5 * (line % 2) as f64)) as fn(usize, i32) -> String,
        |line, v| (17 * v + line as i32 % 5).to_string(),
        |line, v| format!("{:.3}", 0.1 * f64::from(v) + 0.007 * line as f64),
        |_, v| (v - 3).to_string(),
        |_, v| (v - 1).to_string(),
        |_, v| (2 * v).to_string(),
        |_, v| format!("{}", f64::from(v - 3) / 1.3),
    ] {
        let text = scaled(of);
        assert_eq!(read_alone(&text).map(|table| table.raters.len()), Ok(4), "{text}");
    }
    assert_eq!(read_alone("item,a,b,c\nx,1,5,3\ny,2,4,3\n").unwrap().raters.len(), 3);
}

#[test]
fn what_is_unclear_is_asked_for() {
    let cases = [
        (("x", column(|_, _| "3".into())), "x has the same value everywhere"),
        (("x", column(|line, _| (line % 3 * 3).to_string())), "x has another range"),
        (
            ("MOS", column(|line, _| format!("{:.2}", 1.0 + line as f64 / 4.0))),
            "MOS is not the mean of the 4 raters beside it",
        ),
    ];
    for (further, words) in cases {
        let name = further.0;
        let text = table(&[], &[further]);
        let error = read_alone(&text).unwrap_err();
        assert!(error.contains(words) && error.contains("name the raters: rater-columns NAME,NAME"), "{error}");
        let chosen = |raters: &str| RatingColumns {
            raters: vec![raters.into()],
            ..RatingColumns::default()
        };
        assert_eq!(read(&text, &chosen("r1,r2,r3,r4")).unwrap().raters, RATERS);
        assert_eq!(read(&text, &chosen("r*")).unwrap().raters, RATERS);
        assert_eq!(read(&text, &chosen(name)).unwrap().raters, [name]);
    }
    // A column of decimal commas has neither words nor values outside the other columns' range.
    let lines = (0..12).map(|line| format!("i{line};{};{},5\n", 1 + line % 5, 1 + line % 4));
    let error = read_alone(&format!("item;r1;r2\n{}", lines.collect::<String>())).unwrap_err();
    assert!(error.ends_with("decimals need a point: 1.5"), "{error}");
    let all_else = "item,class,votes,age\na,1,3,20\nb,2,3,30\n";
    let error = read_alone(all_else).unwrap_err();
    assert!(
        error.contains("no column is clearly a rater: class (a label), votes (a count), age (a circumstance)"),
        "{error}"
    );
    refused(read_alone("item,mean,median\na,1.5,2\nb,2.5,3\n"), "mean, median could all be the mean ratings");
}

#[test]
fn a_table_of_means_is_read_as_one() {
    for (text, left_out) in [
        ("item,MOS\na,1.5\nb,2.25\n", ""),
        ("image,mean,SD,n\na,1.5,0.5,4\nb,2.25,1,5\n", "SD (a spread), n (a count)"),
        ("item,score\na,1.5\nb,2.25\n", ""),
        ("item,rating,votes\na,1.5,3\nb,2.25,4\n", ""),
    ] {
        let table = read_alone(text).unwrap();
        assert_eq!(table.values, [Some(1.5), Some(2.25)], "{text}");
        assert_eq!(table.findings[0].code, TABLE_OF_MEANS, "{text}");
        assert!(table.findings[0].to_string().contains(left_out), "{text}");
    }
    // Numbers of votes for 1 to 5, with equal and with different sums.
    for total in ["10", "sum"] {
        let mut text = "image_name,c1,c2,c3,c4,c5,c_total,MOS,SD\n".to_owned();
        for line in 0..12 {
            let further = if total == "sum" { line } else { 0 };
            let votes = [1 + line % 2, 2, 3 + further - line % 2, 4, 0];
            let sum: usize = votes.iter().sum();
            text += &format!("i{line},{},{sum},{}.25,0.9\n", votes.map(|v| v.to_string()).join(","), 1 + line % 4);
        }
        let table = read_alone(&text).unwrap();
        assert_eq!(table.raters, ["MOS"]);
        assert!(table.findings[0].to_string().contains("c1 (numbers of votes"), "{}", table.findings[0]);
    }
}

#[test]
fn codes_for_missing_ratings_are_asked_for() {
    let with = |code: &str| {
        let mut lines: Vec<String> = table(&[], &[]).lines().map(str::to_owned).collect();
        lines[4] = format!("i3,1,{code},1,1");
        lines[9] = format!("i8,{code},5,4,5");
        lines.join("\n")
    };
    for code in ["99", "9", "-1", "-2", "999", "-99", "-9", "0", "55", "77", "99.0"] {
        let text = with(code);
        let error = read_alone(&text).unwrap_err();
        let plain = code.trim_end_matches(".0");
        assert!(error.contains(&format!("2 ratings of {plain}, and all others")), "{error}");
        assert!(error.contains("go from 1 to 5"), "{error}");
        assert!(error.contains(&format!("missing {plain}")) && error.contains("missing none"), "{error}");
        let missing = read(&text, &codes(&[plain])).unwrap();
        assert_eq!(missing.values, read_alone(&with("")).unwrap().values, "{code}");
        let kept = read(&text, &codes(&[])).unwrap();
        assert!(kept.values.contains(&Some(code.parse().unwrap())), "{code}");
    }
    let long = table(&[], &[]).replace("item,r1,r2,r3,r4", "item,a,b,c,d");
    let long: String = long
        .lines()
        .skip(1)
        .flat_map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            (1..5)
                .map(move |rater| format!("{},w{rater},{}\n", cells[0], cells[rater]))
                .collect::<Vec<String>>()
        })
        .collect();
    let long = format!("item,rater,rating\n{long}i20,w1,-2\ni20,w2,-1\n");
    let error = read_alone(&long).unwrap_err();
    assert!(error.contains("-2 or -1") && error.contains("missing -2,-1"), "{error}");
    assert!(read(&long, &codes(&["-1", "-2"])).is_ok());
    // Words may also be codes.
    let words = "item,a,b\nx,1,skip\ny,2,3\n";
    assert!(read_alone(words).is_err());
    assert_eq!(read(words, &codes(&["skip"])).unwrap().values, [Some(1.0), None, Some(2.0), Some(3.0)]);
}

#[test]
fn scales_of_all_kinds_are_no_codes() {
    for scale in "0,1,2,3,4,5 1,2,3,4,7 1,2,3,4,5,10 -2,-1,0,1,2 -3,-1,1,2,3 -1,1 0,1 1,5 1,4,5 0,20,40,60,100 \
        10,35,62,80,99 -50,-20,0,30 1.5,2.25,4,5 -1.31,-0.2,0.4,1.9 4,5,6,7,1 0,60,65,70"
        .split(' ')
    {
        let ratings: Vec<&str> = scale.split(',').collect();
        let lines = (0..24).map(|line| {
            let cell =
                |rater: usize| ratings[(line / 2 % ratings.len() + rater * (line % 3) / 2).min(ratings.len() - 1)];
            format!("i{line},{},{},{}\n", cell(0), cell(1), cell(2))
        });
        let text = format!("item,r1,r2,r3\n{}", lines.collect::<String>());
        assert!(read_alone(&text).is_ok(), "{scale}: {:?}", read_alone(&text));
    }
}
