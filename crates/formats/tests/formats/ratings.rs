//! Human ratings against what Python's csv module and NumPy read.

use crate::goldens::ratings as golden;
use crate::prelude::*;
use neurogauge_formats::ratings::read;

#[derive(Deserialize)]
struct Expected {
    ratings: BTreeMap<String, ExpectedTable>,
}

#[derive(Deserialize)]
struct ExpectedTable {
    items: Vec<String>,
    raters: Vec<String>,
    values: Vec<Option<f64>>,
}

fn columns(item: &str, rater: &str, value: &str) -> RatingColumns {
    let named = |name: &str| (!name.is_empty()).then(|| name.to_owned());
    RatingColumns {
        item: named(item),
        rater: named(rater),
        value: named(value),
        groups: Vec::new(),
        ..RatingColumns::default()
    }
}

#[test]
fn every_layout_separator_and_array_type_is_read() {
    let text = std::fs::read_to_string(golden("expected.json")).unwrap();
    let expected: Expected = serde_json::from_str(&text).unwrap();
    assert_eq!(expected.ratings.len(), 10);
    for (file, table) in expected.ratings {
        let columns = match file.as_str() {
            "long_named.csv" => columns("what", "who", "stars"),
            _ => RatingColumns::default(),
        };
        let found = read(&golden(&file), &columns, None).unwrap();
        assert_eq!(found.items, table.items, "{file}");
        assert_eq!(found.raters, table.raters, "{file}");
        assert_eq!(found.values, table.values, "{file}");
    }
}

#[test]
fn named_columns_win_over_usual_ones() {
    let (_folder, path) = file("a.csv", "id,image,rater,answer,score\n1,a,x,3,0.5\n2,b,x,4,0.25\n");
    let table = read(&path, &columns("image", "", "score"), None).unwrap();
    assert_eq!(table.items, ["a", "b"]);
    assert_eq!(table.values, [Some(0.5), Some(0.25)]);
    // A wide table with named items; the raters' names are numbers.
    std::fs::write(&path, "1;2;10;clip\n3;;5;b\n1;2;4;a\n").unwrap();
    let table = read(&path, &columns("clip", "", ""), None).unwrap();
    assert_eq!(table.raters, ["1", "2", "10"]);
    let expected = [Some(1.0), Some(2.0), Some(4.0), Some(3.0), None, Some(5.0)];
    assert_eq!(table.values, expected);
}

#[test]
fn the_order_of_lines_and_columns_does_not_matter() {
    let (_folder, path) = place("a.csv");
    let mut lines: Vec<String> = (0..60).map(|k| format!("{},r{},{}", k % 12, k / 12, (k * 7) % 5)).collect();
    let mut tables: Vec<RatingTable> = Vec::new();
    for _ in 0..3 {
        std::fs::write(&path, format!("item,rater,value\n{}", lines.join("\r\n\r\n"))).unwrap();
        tables.push(read(&path, &RatingColumns::default(), Some((0.0, 4.0))).unwrap());
        lines.rotate_left(17);
        lines.swap(3, 40);
    }
    assert_eq!(tables[0], tables[1]);
    assert_eq!(tables[0], tables[2]);
    let wide: Vec<String> = (0..12)
        .map(|item| {
            let cells = [4, 3, 2, 1, 0].map(|rater| ((rater * 12 + item) * 7 % 5).to_string());
            format!("{item},{}", cells.join(","))
        })
        .collect();
    std::fs::write(&path, format!("item,r4,r3,r2,r1,r0\n{}", wide.join("\n"))).unwrap();
    // Only in a wide table can raters be chosen among the columns.
    let mut wide = read(&path, &RatingColumns::default(), None).unwrap();
    let note = wide.findings.pop().unwrap();
    assert_eq!(note.message, "5 columns are taken as raters: r4, r3, r2 and 2 more");
    let forms = [std::mem::take(&mut tables[0].form), std::mem::take(&mut wide.form)];
    assert_eq!(forms, ["columns item, rater, value", "a column for each rater, items in item"]);
    assert_eq!(tables[0], wide);
}

#[test]
fn the_smallest_tables() {
    let (_folder, path) = place("a.csv");
    for (content, n_items, n_raters) in
        [("item,rater,value\na,x,1", 1, 1), ("item,x\na,1\n", 1, 1), ("item,x,y\na,,\n", 1, 2)]
    {
        std::fs::write(&path, content).unwrap();
        let table = read(&path, &RatingColumns::default(), None).unwrap();
        assert_eq!((table.items.len(), table.raters.len()), (n_items, n_raters));
        assert_eq!(table.values.len(), n_items * n_raters);
    }
}

#[test]
fn row_numbers_that_pandas_wrote_are_no_rater_and_no_item() {
    let (_folder, path) = place("a.csv");
    for first in ["", "Unnamed: 0"] {
        let wide = format!("{first},item,ann,bob\n0,a,1,2\n1,b,3,4\n");
        let of_people = format!("{first},participant,a,b\n0,ann,1,3\n1,bob,2,4\n");
        for text in [wide, of_people] {
            std::fs::write(&path, &text).unwrap();
            let table = read(&path, &RatingColumns::default(), None).unwrap();
            assert_eq!(table.items, ["a", "b"], "{text}");
            assert_eq!(table.raters, ["ann", "bob"], "{text}");
            let expected = [Some(1.0), Some(2.0), Some(3.0), Some(4.0)];
            assert_eq!(table.values, expected, "{text}");
        }
    }
}

#[derive(Deserialize)]
struct Tifa160 {
    n_items: usize,
    raters: Vec<String>,
    first_items: Vec<String>,
    last_items: Vec<String>,
    n_missing: usize,
    sum_by_rater: Vec<f64>,
    sum_of_rating_times_place: f64,
}

#[test]
fn the_tifa160_survey() {
    let Some(path) = shared_data("human-ratings/tifa160_likert.csv") else {
        return;
    };
    let text = std::fs::read_to_string(golden("tifa160.json")).unwrap();
    let expected: Tifa160 = serde_json::from_str(&text).unwrap();
    let likert = Some((1.0, 5.0));
    let table = read(&path, &columns("item_id,model_type", "", ""), likert).unwrap();
    assert_eq!(table.items.len(), expected.n_items);
    assert_eq!(table.raters, expected.raters);
    assert_eq!(table.items[..3], expected.first_items);
    assert_eq!(table.items[table.items.len() - 3..], expected.last_items);
    let missing = table.values.iter().filter(|value| value.is_none()).count();
    assert_eq!(missing, expected.n_missing);
    let n_raters = expected.raters.len();
    for (rater, &expected) in expected.sum_by_rater.iter().enumerate() {
        let ratings = table.values.iter().skip(rater).step_by(n_raters);
        assert_eq!(ratings.flatten().sum::<f64>(), expected);
    }
    let sum: f64 = (1..).map(f64::from).zip(&table.values).map(|(place, value)| place * value.unwrap_or(0.0)).sum();
    assert_eq!(sum, expected.sum_of_rating_times_place);
    // The item alone does not distinguish the images of eight generators.
    let error = read(&path, &RatingColumns::default(), likert).unwrap_err().to_string();
    assert!(error.contains("is in line") && error.contains("name them all"), "{error}");
}

#[test]
fn groups_are_those_of_the_items_in_long_and_wide_tables() {
    let (_folder, path) = place("r.csv");
    let columns = RatingColumns {
        groups: vec!["system".to_owned(), "item".to_owned()],
        ..columns("item,system", "", "")
    };
    let long = "item,system,rater,value\n2,b,x,1\n1,a,x,2\n1,b,x,3\n1,a,y,4\n";
    let wide = "item,system,x,y\n2,b,1,\n1,a,2,4\n1,b,3,\n";
    for text in [long, wide] {
        std::fs::write(&path, text).unwrap();
        let table = read(&path, &columns, None).unwrap();
        assert_eq!(table.items, ["1/a", "1/b", "2/b"]);
        assert_eq!(table.raters, ["x", "y"]);
        assert_eq!(table.groups, [["a", "b", "b"], ["1", "1", "2"]]);
    }
    let by_rater = RatingColumns {
        groups: vec!["system".to_owned()],
        ..RatingColumns::default()
    };
    std::fs::write(&path, "item,system,rater,value\n1,a,x,2\n1,b,y,3\n").unwrap();
    refused(read(&path, &by_rater, None), "line 3: item \"1\" is in the group \"b\"");
    std::fs::write(&path, "item,system,rater,value\n1,,x,2\n").unwrap();
    refused(read(&path, &by_rater, None), "the name of a group");
}
