//! Checks of a table before it is written.

use super::fixtures::{one_system, rank, render, three_systems};
use neurogauge_report::{Format, SystemTable};

/// Asserts that no format writes the changed table, and that all give the same message.
#[track_caller]
fn refused(mut table: SystemTable, change: impl Fn(&mut SystemTable), expected: &str) {
    change(&mut table);
    for format in Format::ALL {
        assert_eq!(render(&table, format, None).unwrap_err().to_string(), expected);
    }
}

#[test]
fn nan_is_refused_in_every_format() {
    let undefined = "a value that does not exist must be given as undefined, with its reason";
    refused(
        one_system(),
        |table| table.rows[0].estimates[1].value = Ok(f64::NAN),
        &format!("the mean of \"pixcorr\" for system \"subj01\" is NaN; {undefined}"),
    );
    refused(
        one_system(),
        |table| table.rows[0].estimates[1].interval = Some((0.0, f64::INFINITY)),
        &format!("the interval of \"pixcorr\" for system \"subj01\" is inf; {undefined}"),
    );
    refused(
        three_systems(),
        |table| table.rows[1].rank = Some(vec![rank(1.0, 1.0, 2.0), rank(f64::NAN, 1.0, 2.0)]),
        &format!("the rank of \"effnet_b\" for system \"b_1\" is NaN; {undefined}"),
    );
}

#[test]
fn a_row_has_one_entry_for_each_column() {
    let one = "give one for each column, in their order";
    refused(
        three_systems(),
        |table| drop(table.rows[2].estimates.pop()),
        &format!("system \"脳\" has 1 estimates for 2 columns; {one}"),
    );
    refused(
        three_systems(),
        |table| table.rows[0].rank = Some(vec![]),
        &format!("system \"a\" has 0 ranks for 2 columns; {one}"),
    );
}

#[test]
fn an_empty_table_and_a_level_in_percent_are_refused() {
    let empty = |what: &str| format!("the table \"Captions\" has no {what}; give it at least one");
    refused(three_systems(), |table| table.rows.clear(), &empty("rows"));
    refused(three_systems(), |table| table.columns.clear(), &empty("columns"));
    refused(
        three_systems(),
        |table| table.level = 95.0,
        "the interval level is 95; expected a number between 0 and 1, such as 0.95",
    );
}
