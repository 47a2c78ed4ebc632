//! Checks of a table before it is written.

use super::fixtures::{one_system, rank, three_systems};
use neurogauge_report::{Format, ReportError, Table, render};

fn error(table: &Table) -> ReportError {
    let errors = Format::ALL.map(|format| render(table, format, None).unwrap_err());
    assert!(errors.iter().all(|error| *error == errors[0] || is_nan(error)));
    errors[0].clone()
}

fn is_nan(error: &ReportError) -> bool {
    matches!(error, ReportError::NonFinite { found, .. } if found.is_nan())
}

#[test]
fn nan_is_refused_in_every_format() {
    let mut table = one_system();
    table.rows[0].estimates[1].value = Ok(f64::NAN);
    assert_eq!(
        error(&table).to_string(),
        "the mean of \"pixcorr\" for system \"subj01\" is NaN; a value that does not exist must be \
         given as undefined, with its reason"
    );
    let mut table = one_system();
    table.rows[0].estimates[1].interval = Some((0.0, f64::INFINITY));
    assert!(matches!(error(&table), ReportError::NonFinite { what: "interval", .. }));
    let mut table = three_systems();
    table.rows[1].rank = Some(vec![rank(1.0, 1.0, 2.0), rank(f64::NAN, 1.0, 2.0)]);
    assert!(matches!(error(&table), ReportError::NonFinite { what: "rank", .. }));
}

#[test]
fn a_row_has_one_entry_for_each_column() {
    let mut table = three_systems();
    table.rows[2].estimates.pop();
    assert_eq!(
        error(&table).to_string(),
        "system \"脳\" has 1 estimates for 2 columns; give one for each column, in their order"
    );
    let mut table = three_systems();
    table.rows[0].rank = Some(vec![]);
    assert!(matches!(
        error(&table),
        ReportError::RowLength {
            what: "ranks",
            found: 0,
            ..
        }
    ));
}

#[test]
fn an_empty_table_and_a_level_in_percent_are_refused() {
    let mut table = three_systems();
    table.rows.clear();
    assert!(matches!(error(&table), ReportError::Empty { what: "rows", .. }));
    table.columns.clear();
    assert!(matches!(error(&table), ReportError::Empty { what: "columns", .. }));
    let mut table = three_systems();
    table.level = 95.0;
    assert_eq!(
        error(&table).to_string(),
        "the interval level is 95; expected a number between 0 and 1, such as 0.95"
    );
}
