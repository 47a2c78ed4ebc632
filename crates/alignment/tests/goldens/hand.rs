//! hand.json: a 6 x 3 case derived by hand, and tables of scores.

use crate::*;
use neurogauge_alignment::CandidateScores;

#[test]
fn the_one_standard_error_rule_on_tables() {
    let goldens = golden("hand.json");
    for name in ["table", "tied_table"] {
        let golden = &goldens[name];
        let table: Vec<Vec<Vec<f64>>> = serde_json::from_value(golden["scores"].clone()).unwrap();
        let selection = CandidateScores::of_table(&numbers(&golden["grid"]), &table)
            .unwrap()
            .select()
            .unwrap();
        assert_selection(name, &selection, golden);
    }
}
