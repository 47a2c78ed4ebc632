//! Choices in place of ratings, in the layouts in which they are written.

use crate::prelude::*;
use neurogauge_core::{Choice, Preference};
use neurogauge_formats::ratings::{Choices, of_text};

fn read(text: &str) -> (Choices, String) {
    let table = of_text("c.csv", text, &RatingColumns::default(), None).unwrap();
    let said = table.findings.iter().map(|finding| format!("{finding}\n")).collect();
    (table.choices.unwrap_or_else(|| panic!("{text}")), said)
}

/// Each choice as `ann: a > b`.
fn shown(text: &str) -> Vec<String> {
    let (found, _) = read(text);
    let shown = |choice: &Choice| {
        let [first, second] = [choice.first, choice.second].map(|item| found.items[item].as_str());
        let rater = &found.raters[choice.rater];
        match choice.preferred {
            Preference::First => format!("{rater}: {first} > {second}"),
            Preference::Second => format!("{rater}: {second} > {first}"),
            Preference::Tie => format!("{rater}: {first} = {second}"),
        }
    };
    let mut all: Vec<String> = found.choices.iter().map(shown).collect();
    all.sort();
    all
}

#[test]
fn one_of_two() {
    let expected = ["ann: x > y", "ann: y > z", "bob: x = z"];
    for text in [
        "left,right,rater,choice\nx,y,ann,left\nz,y,ann,right\nx,z,bob,tie\n",
        "item_a,item_b,rater,choice\nx,y,ann,a\nz,y,ann,B\nx,z,bob,equal\n",
        "image_1,image_2,worker_id,preferred\nx,y,ann,x\nz,y,ann,y\nx,z,bob,both\n",
        "image_1,image_2,worker_id,preferred\nx,y,ann,1\nz,y,ann,2\nx,z,bob,0\n",
        "image_1,image_2,worker_id,preferred\nx,y,ann,image_1\nz,y,ann,image_2\nx,z,bob,no preference\n",
        "first,second,participant,answer\nx,y,ann,0\nz,y,ann,1\nx,z,bob,0.5\n",
        "Input.image_a,Input.image_b,WorkerId,Answer.choice\nx,y,ann,a\nz,y,ann,b\nx,z,bob,tie\n",
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
    assert_eq!(shown("winner,loser,rater\nx,y,ann\ny,z,ann\n"), expected[..2]);
    let (found, said) = read("left,right,choice\nx,y,left\nz,y,\n");
    assert_eq!((found.choices.len(), found.raters), (1, vec!["line 2".to_owned()]));
    assert!(said.contains("1 choice between 2 items (0 ties), each line by another person"), "{said}");
    assert!(
        said.contains("choice names the side preferred of left and right; 1 line without a choice left out"),
        "{said}"
    );
}

#[test]
fn orders_and_best_and_worst_are_taken_as_pairs() {
    let order = ["ann: x > y", "ann: x > z", "ann: y > z"];
    for text in [
        "rater,rank_1,rank_2,rank_3\nann,x,y,z\n",
        "rater,ranking\nann,x > y > z\n",
        "item,rater,rank\nz,ann,3\nx,ann,1\ny,ann,2\n",
        "rater,best,worst,item_1,item_2,item_3\nann,x,z,x,y,z\n",
    ] {
        assert_eq!(shown(text), order, "{text}");
    }
    assert_eq!(shown("rater,rank_1,rank_2\nann,0002,0001\n"), ["ann: 0002 > 0001"]);
    assert_eq!(shown("rater,ranking\nann,x = y > z\n"), ["ann: x = y", "ann: x > z", "ann: y > z"]);
    let of_sets = shown("item,rater,trial,rank\nx,ann,1,1\ny,ann,1,2\nx,ann,2,2\ny,ann,2,1\n");
    assert_eq!(of_sets, ["ann: x > y", "ann: y > x"]);
    let four = shown("rater,best,worst,item_1,item_2,item_3,item_4\nann,w,z,z,x,y,w\n");
    assert_eq!(four, ["ann: w > x", "ann: w > y", "ann: w > z", "ann: x > z", "ann: y > z"]);
}

#[test]
fn what_is_no_choice_is_named() {
    let error = |text: &str| of_text("c.csv", text, &RatingColumns::default(), None).unwrap_err().to_string();
    for (text, words) in [
        (
            "left,right,choice\nx,y,middle\n",
            "c.csv:2: column \"choice\" holds \"middle\"; expected \"x\", \"y\", the name",
        ),
        ("left,right,choice\nx,x,left\nx,y,left\n", "expected a choice between two items, and both are \"x\""),
        ("left,right,choice\nx,y,-1\nx,z,1\n", "it is unclear which side the numbers in \"choice\" mean"),
        ("left,right,choice\nx,y,\n", "no line holds a choice between two items"),
        ("rater,ranking\nann,x > > z\n", "items from the best to the worst, such as a > b = c"),
    ] {
        let error = error(text);
        assert!(error.contains(words), "{text}: {error}");
    }
    // Tables of ratings stay ratings.
    for text in [
        "item,r1,r2,r3,rank\na,1,2,1,1\nb,3,4,3,2\n",
        "item,rater,rating,choice\na,x,1,left\nb,x,2,right\n",
        "item,a,b\nx,1,2\ny,3,4\n",
    ] {
        let table = of_text("c.csv", text, &RatingColumns::default(), None).unwrap();
        assert!(table.choices.is_none() && table.values.iter().all(Option::is_some), "{text}");
    }
}
