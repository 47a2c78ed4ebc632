//! Answers in words, and columns that only their order or number tells apart.

use crate::prelude::*;
use neurogauge_formats::ratings::{of_text, questions_of_text, read};

fn in_words(words: &[&str]) -> RatingColumns {
    RatingColumns {
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        ..RatingColumns::default()
    }
}

#[track_caller]
fn values(text: &str, columns: &RatingColumns) -> Vec<f64> {
    let table = of_text("survey.csv", text, columns, None).unwrap();
    table.values.iter().map(|value| value.unwrap_or(f64::MAX)).collect()
}

fn said(text: &str) -> String {
    let table = of_text("survey.csv", text, &RatingColumns::default(), None).unwrap();
    table.findings.iter().map(|finding| format!("{finding}\n")).collect()
}

#[test]
fn usual_scales_are_known_and_named() {
    for (answers, expected, scale) in [
        (
            ["Strongly disagree", "agree", "Neutral", "Strongly Agree"],
            [1.0, 4.0, 3.0, 5.0],
            "agreement, 5 points, strongly disagree = 1 to strongly agree = 5",
        ),
        (
            ["Somewhat agree", "Agree", "Disagree", "Strongly agree"],
            [5.0, 6.0, 2.0, 7.0],
            "agreement, 7 points",
        ),
        (["Never", "Often", "Sometimes", "Always"], [1.0, 4.0, 3.0, 5.0], "frequency, 5 points"),
        (["Never", "Occasionally", "Sometimes", "Always"], [1.0, 3.0, 4.0, 7.0], "frequency, 7 points"),
        (
            ["Bad", "Poor", "Good", "Excellent"],
            [1.0, 2.0, 4.0, 5.0],
            "quality, 5 points, bad = 1 to excellent = 5",
        ),
        (["Very poor", "Average", "Below average", "Excellent"], [1.0, 4.0, 3.0, 7.0], "quality, 7 points"),
        (["Very unlikely", "Likely", "Neutral", "Very likely"], [1.0, 4.0, 3.0, 5.0], "likelihood, 5 points"),
        (
            ["Moderately likely", "Slightly unlikely", "Extremely likely", "Extremely unlikely"],
            [6.0, 3.0, 7.0, 1.0],
            "likelihood, 7",
        ),
        (["Not at all", "Slightly", "Very", "Extremely"], [1.0, 2.0, 4.0, 5.0], "degree, 5 points"),
        (
            ["Not at all similar", "Very similar", "Slightly similar", "Extremely similar"],
            [1.0, 4.0, 2.0, 5.0],
            "degree, 5",
        ),
    ] {
        let [a, b, c, d] = answers;
        for text in [
            format!("Timestamp,same? [x],same? [y]\nt,{a},{b}\nu,{c},{d}\n"),
            format!("item,rater,rating\nx,1,{a}\ny,1,{b}\nx,2,{c}\ny,2,{d}\n"),
            format!("item,ann,bob\nx,{a},{c}\ny,{b},{d}\n"),
        ] {
            let by_item = [expected[0], expected[2], expected[1], expected[3]];
            assert_eq!(values(&text, &RatingColumns::default()), by_item, "{text}");
            assert!(said(&text).contains(scale), "{text}: {}", said(&text));
        }
    }
    // Good and Fair have another distance to Excellent on the other scale, so it is a guess.
    let guess = said("item,ann,bob\nx,Excellent,Good\ny,Fair,Fair\n");
    assert!(
        guess.contains("they could also be on another scale of quality; scale 'bad,poor,fair,good,excellent' decides"),
        "{guess}"
    );
}

#[test]
fn numbers_beside_words_are_taken() {
    let text = "item,rater,rating\nx,a,4 - Agree\nx,b,1 - Not at all\ny,a,2\ny,b,\n";
    assert_eq!(values(text, &RatingColumns::default()), [4.0, 1.0, 2.0, f64::MAX]);
    assert!(said(text).contains("\"1 - Not at all\" is 1"), "{}", said(text));
    assert_eq!(values("item,ann,bob\nx,80%,75%\ny,5%,12.5%\n", &RatingColumns::default()), [80.0, 75.0, 5.0, 12.5]);
}

#[test]
fn words_of_the_request_are_numbered() {
    let text = "item,rater,value\nx,a,not  \ny,a,A bit\nx,b,Much\ny,b,not\n";
    let scale = in_words(&["Not", "A bit", "Much"]);
    assert_eq!(values(text, &scale), [1.0, 3.0, 2.0, 1.0]);
    let error = |text: &str| of_text("r.csv", text, &scale, None).unwrap_err().to_string();
    let typo = error(&text.replace("Much", "Muhc"));
    assert!(
        typo.contains("r.csv:4: column \"value\" holds \"Muhc\"; expected one of Not, A bit, Much"),
        "{typo}"
    );
    let other = error("item,rater,value\nx,a,1\n");
    assert!(other.contains("no column has the answers of scale 'Not,A bit,Much'"), "{other}");
    // Without them, the message asks for them.
    let unknown = of_text("r.csv", text, &RatingColumns::default(), None).unwrap_err().to_string();
    assert!(unknown.contains("holds \"not\"") && unknown.contains("scale 'WORD,...' for words"), "{unknown}");
}

/// `n` pictures with the same question, and two people.
fn forms(n: usize, title: impl Fn(usize) -> String) -> String {
    let titles: String = (0..n).map(|picture| format!(",{}", title(picture))).collect();
    let answers =
        |person: usize| -> String { (0..n).map(|picture| format!(",{}", 1 + (picture + person) % 5)).collect() };
    format!("Timestamp{titles}\nt{}\nu{}\n", answers(0), answers(1))
}

#[test]
fn columns_of_one_title_are_the_items_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let items = folder.path().join("items.txt");
    std::fs::write(&items, "# pictures\ncat.png\ndog.png\ncar.png\n").unwrap();
    let ordered = RatingColumns {
        items: Some(items.clone()),
        ..RatingColumns::default()
    };
    let title = |_| "How similar are the two pictures?".to_owned();
    // pandas counts the second and later columns of one name.
    let of_pandas = |picture: usize| match picture {
        0 => title(0),
        n => format!("{}.{n}", title(0)),
    };
    for text in [forms(3, title), forms(3, of_pandas), forms(3, |n| format!("question {n} of this form"))] {
        let table = of_text("f.csv", &text, &ordered, None).unwrap();
        assert_eq!(table.items, ["car.png", "cat.png", "dog.png"]);
        assert_eq!(table.values, [3.0, 4.0, 1.0, 2.0, 2.0, 3.0].map(Some));
    }
    // Two questions about each picture.
    let two = "Timestamp,Same?,Sharp?,Same?,Sharp?,Same?,Sharp?\nt,1,2,3,4,5,1\nu,2,2,3,4,5,2\n";
    let questions = questions_of_text("f.csv", two, &ordered).unwrap();
    assert_eq!(questions.iter().map(|q| q.name.as_deref().unwrap()).collect::<Vec<_>>(), ["Same?", "Sharp?"]);
    // Other numbers of items, and no items.
    let error = |text: &str, columns: &RatingColumns| of_text("f.csv", text, columns, None).unwrap_err().to_string();
    let more = error(&forms(4, title), &ordered);
    let words = format!("4 columns are called \"How similar are the two pictures?\", and {} names 3", items.display());
    assert!(more.contains(&words), "{more}");
    let none = error(&forms(60, title), &RatingColumns::default());
    assert!(none.contains("60 columns are called") && none.contains("one on each line: items FILE"), "{none}");
    assert!(none.matches("similar").count() <= 4 && none.ends_with("and 58 more"), "{none}");
    let long = error("item,rater,value\nx,a,1\n", &ordered);
    assert!(long.contains("items FILE is for a table with a line for each person"), "{long}");
    // The rows of an array.
    let array = golden("formats_ratings").join("integers.npy");
    let rows = read(&array, &RatingColumns::default(), None).unwrap().items.len();
    std::fs::write(&items, (0..rows).map(|row| format!("im{row}\n")).collect::<String>()).unwrap();
    assert_eq!(read(&array, &ordered, None).unwrap().items[0], "im0");
    std::fs::write(&items, "a\n").unwrap();
    refused(
        read(&array, &ordered, None),
        &format!("items (rows); expected as many rows as {} names, 1", items.display()),
    );
}

#[test]
fn numbers_in_titles_are_items() {
    let text = forms(12, |n| format!("Picture {}: how similar?", n + 1));
    let table = of_text("f.csv", &text, &RatingColumns::default(), None).unwrap();
    assert_eq!((table.items.len(), &table.items[..2]), (12, &["1".to_owned(), "2".to_owned()][..]));
    let two = "Timestamp,Picture 1: is it the same?,Picture 1: is it sharp?,Picture 2: is it the same?,Picture 2: is it sharp?\nt,1,2,3,4\n";
    let questions = questions_of_text("f.csv", two, &RatingColumns::default()).unwrap();
    assert_eq!(questions.len(), 2);
}

#[test]
fn spreadsheets_write_utf_16_and_say_their_separator() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.csv");
    let text = "sep=;\r\n# exported on Monday; by \u{fc}s\r\nitem;rater;value\r\nx;\u{e4}nn;4\r\n# a break\r\ny;\u{e4}nn;5\r\n";
    let utf_16 = |of: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(of).collect::<Vec<u8>>();
    let with_mark = |mark: [u8; 2], units: Vec<u8>| [mark.to_vec(), units].concat();
    for bytes in [
        text.as_bytes().to_vec(),
        with_mark([0xff, 0xfe], utf_16(u16::to_le_bytes)),
        with_mark([0xfe, 0xff], utf_16(u16::to_be_bytes)),
    ] {
        std::fs::write(&path, &bytes).unwrap();
        let table = read(&path, &RatingColumns::default(), None).unwrap();
        assert_eq!((table.raters, table.values), (vec!["\u{e4}nn".to_owned()], vec![Some(4.0), Some(5.0)]));
    }
    std::fs::write(&path, [0xff, 0xfe, 0x69]).unwrap();
    refused(read(&path, &RatingColumns::default(), None), "begins as UTF-16 text and is damaged");
    // Lines are counted as in the file.
    std::fs::write(&path, text.replace(";5", ";five")).unwrap();
    let error = read(&path, &RatingColumns::default(), None).unwrap_err().to_string();
    assert!(error.contains("r.csv:6: column \"value\" holds \"five\""), "{error}");
    // A header of NumPy is no comment.
    let table = of_text("n.csv", "# item,ann,bob\n7,4,5\n8,2,2\n", &RatingColumns::default(), None);
    assert!(table.unwrap_err().to_string().contains("# item"));
}

#[test]
fn no_message_lists_more_than_three_headers() {
    let header: String = (0..60)
        .map(|n| format!(",Some very long question about the picture number {n} of this survey?"))
        .collect();
    let cells: String = (0..60).map(|n| format!(",{}", n % 5)).collect();
    for text in [
        format!("what{header}\n1{cells}\n2{cells}\n"),
        format!("Timestamp{header}\nt{}\n", ",Very".repeat(60)),
    ] {
        let error = of_text("r.csv", &text, &RatingColumns::default(), None).map(|table| table.findings);
        let said = format!("{error:?}");
        assert!(said.matches("Some very long").count() <= 3 && said.len() < 900, "{said}");
    }
}
