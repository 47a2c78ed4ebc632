//! Each fault in a file of ratings has its own message.

use crate::prelude::*;
use neurogauge_formats::ratings::read;

fn error_of(name: &str, content: &[u8], columns: &RatingColumns) -> String {
    let (_folder, path) = file(name, content);
    let error = read(&path, columns, Some((1.0, 5.0))).unwrap_err();
    error.to_string().replace(&path.display().to_string(), name)
}

#[test]
fn tables() {
    for (content, words) in [
        // Ratings.
        ("item,rater,value\na,x,1\n\n\nb,x,good\n", "a.csv:5: column \"value\" holds \"good\""),
        ("item,rater,value\r\na,x,1\r\nb,x,inf\r\n", "a.csv:3: column \"value\" holds \"inf\""),
        ("item,rater,value\n\"a\nb\",x,1\nb,x,1e999\n", "a.csv:4: column \"value\" holds \"1e999\""),
        ("item;rater;value\na;x;3,5\n", "a.csv:2: column \"value\" holds \"3,5\""),
        ("item,rater,value\na,x,6\n", "line 2, column \"value\": the rating 6 is outside the scale 1 to 5"),
        ("item,x,y\na,1,0.99\n", "line 2, column \"y\": the rating 0.99 is outside"),
        ("item,x,y\na,1,2\nb,1,?\n", "a.csv:3: column \"y\" holds \"?\""),
        // Ids.
        (
            "item,rater,value\na,x,1\na,y,1\na,x,1\n",
            "a.csv:4: the rating of item \"a\" by rater \"x\" is in line 2 already",
        ),
        ("item,rater,value\na,x,\na,x,1\n", "a.csv:3: the rating of item"),
        ("item,x,y\na,1,2\nb,1,2\na,1,2\n", "a.csv:4: item \"a\" is in line 2 already"),
        ("item,rater,value\n,x,1\n", "column \"item\" holds \"\"; expected the id of an item"),
        ("item,rater,value\na,,1\n", "column \"rater\" holds \"\"; expected the id of a rater"),
        // Which column is which.
        ("what,rater,value\na,x,1\n", "no column has a usual name for the item"),
        (
            "item,rater,stars\na,x,1\n",
            "usual name for the value (value, rating, answer, score) and none was named; the columns are [\"item\", \"rater\", \"stars\"]",
        ),
        ("item,who,value\na,x,1\n", "no column has a usual name for the rater"),
        ("item,image,rater,value\na,b,x,1\n", "item, image could all be the item"),
        ("item,rater,Worker_ID,value\na,x,y,1\n", "rater, Worker_ID could all be the rater"),
        ("image,stimulus,x,y\na,b,1,2\n", "image, stimulus could all be the items"),
        ("item,rater,rater,value\na,x,x,1\n", "columns 2 and 3 are both called \"rater\""),
        ("item,x,,y\na,1,2,3\n", "column 3 has no name"),
        ("item\na\n", "no column besides the items"),
        ("x,y,z\n3,4,5\n1,2,3\n", "first one holds numbers only"),
        ("a,4,5\nb,2,3\n", "the first line has numbers for names"),
        // A long table with unusual names.
        ("clip,person,stars\na,1,3\nb,1,4\na,2,5\n", "a.csv:4: item \"a\" is in line 2 already"),
        // Text.
        ("", "no line below the header"),
        ("item,rater,value\n", "no line below the header"),
        ("item,rater,value\na,x,1\nb,x\n", "a.csv: line 3: 2 cells, but the header has 3"),
        ("item,rater,value\na,x,1,\n", "a.csv: line 2: 4 cells, but the header has 3"),
        ("item,rater,value\na,x,1\nb,x,\"2\n", "an odd number of quotation marks"),
        ("a,b;c\n1,2;3\n", "the separator is unclear"),
    ] {
        let error = error_of("a.csv", content.as_bytes(), &RatingColumns::default());
        assert!(error.contains(words), "{content:?}: {error}");
    }
    let latin = error_of("a.csv", b"item,rater,value\na,x,1\n\xe9,x,1\n", &RatingColumns::default());
    assert!(latin.contains("line 3: not UTF-8 text"), "{latin}");
    let kind = error_of("a.xlsx", b"PK", &RatingColumns::default());
    assert!(kind.contains("expected ratings, a table (.csv, .tsv, .txt)"), "{kind}");
}

#[test]
fn named_columns() {
    let long = b"text,model,rater,value\na/b,c,x,1\na,b/c,x,2\n";
    for (item, rater, value, words) in [
        (Some("nothing"), None, None, "no column \"nothing\"; the columns are [\"text\""),
        (Some("text,nothing"), None, None, "no column \"nothing\""),
        (Some("text,text"), None, None, "\"text,text\" names a column twice"),
        (Some("text"), Some("text"), None, "\"text\" cannot be two things at once"),
        (Some("text"), None, Some("Value"), "no column \"Value\""),
        (
            Some("text, model"),
            None,
            None,
            "line 3: [\"a\", \"b/c\"] and [\"a/b\", \"c\"] of a line above are different items",
        ),
    ] {
        let own = |name: Option<&str>| name.map(str::to_owned);
        let columns = RatingColumns {
            item: own(item),
            rater: own(rater),
            value: own(value),
            groups: Vec::new(),
            ..RatingColumns::default()
        };
        let error = error_of("a.csv", long, &columns);
        assert!(error.contains(words), "{columns:?}: {error}");
    }
}

#[test]
fn a_small_file_cannot_ask_for_a_huge_table() {
    let mut content = "item,rater,value\n".to_owned();
    for line in 0..9000 {
        content.push_str(&format!("i{line},r{line},1\n"));
    }
    let error = error_of("a.csv", content.as_bytes(), &RatingColumns::default());
    assert!(error.contains("9000 items by 9000 raters is too large"), "{error}");
}

#[test]
fn arrays() {
    let folder = golden("formats_ratings");
    let guessed = RatingColumns::default();
    for (name, words) in [
        ("faulty/flat.npy", "an array of shape"),
        ("faulty/words.npy", "element type"),
        ("nothing.csv", "not found; expected"),
        ("faulty/infinite.npy", "row 1, column 1 is inf"),
    ] {
        refused(read(&folder.join(name), &guessed, None), words);
    }
    let path = folder.join("integers.npy");
    refused(read(&path, &guessed, Some((2.0, 5.0))), "the rating 1 is outside the scale 2 to 5");
    let named = RatingColumns {
        item: Some("item".to_owned()),
        ..RatingColumns::default()
    };
    refused(read(&path, &named, None), "has no named columns");
}
