//! Tables for a terminal.

use super::fixtures::{one_system, rank, render, three_systems, undefined};
use neurogauge_report::{Cell, Format, SystemTable, Table};
use unicode_width::UnicodeWidthStr;

fn text(table: &SystemTable, width: Option<usize>) -> String {
    render(table, Format::Table, width).unwrap()
}

#[test]
fn one_system_has_metrics_as_lines() {
    assert_eq!(
        text(&one_system(), None),
        "\
Six stimuli
System: subj01

Metric         mean  95% interval            n  undefined
Low-Level
  PixCorr ↑   0.254  [0.125, 0.375]         12          0
  SSIM ↑      undefined: constant stimulus   0         12
High-Level
  EffNet-B ↓  0.000  -                       1         11
Semantic
  Cap-Sim ↑†  0.500  [0.250, 0.750]         12          0

no interval, fewer than two pairs have a value: EffNet-B

† rests on a placeholder model: the number shows that the pipeline runs and means nothing else
Pairs by file stem.
"
    );
}

#[test]
fn several_systems_are_lines_and_wide_names_stay_aligned() {
    assert_eq!(
        text(&three_systems(), None),
        "\
Captions
mean [95% interval] over n = 12 pairs

        Low-Level              High-Level
System  PixCorr ↑              EffNet-B ↓
a       0.300  [0.200, 0.400]  0.900 [0.800, 1.000]
b_1     0.100 [-0.100, 0.300]  0.700 [0.600, 0.800]
脳      0.200  [0.100, 0.300]  0.800 [0.700, 0.900]
"
    );
}

#[test]
fn marks_are_those_of_the_tests_in_every_format() {
    let mut table = three_systems();
    let ranks = [((1.0, 1.0), (3.0, 3.0)), ((3.0, 3.0), (1.0, 2.0)), ((2.0, 2.0), (1.0, 2.0))];
    for (row, (one, other)) in table.rows.iter_mut().zip(ranks) {
        let rank = |(low, high): (f64, f64)| rank((low + high) / 2.0, low, high);
        row.rank = Some(vec![rank(one), rank(other)]);
    }
    let formats = [Format::Table, Format::Markdown, Format::LATEX];
    let shown = |table: &SystemTable| formats.map(|format| render(table, format, None).unwrap());
    let [text, markdown, latex] = shown(&table);
    for line in [
        "a       0.300*  [0.200, 0.400]  0.900 [0.800, 1.000]",
        "b_1     0.100  [-0.100, 0.300]  0.700 [0.600, 0.800]",
        "脳      0.200+  [0.100, 0.300]  0.800 [0.700, 0.900]",
        "* best, + second, where the tests leave no other rank",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
    for part in [
        "**0.300** [",
        "<u>0.200</u> [",
        "| 0.700 [",
        "Bold: best, underlined: second, where the tests leave no other rank\n",
    ] {
        assert!(markdown.contains(part), "{part}\n{markdown}");
    }
    let legend = "Best in bold, second underlined, where the tests leave no other rank.";
    for part in [r"a & \textbf{0.300} & 0.900", r"脳 & \underline{0.200} & 0.800", legend] {
        assert!(latex.contains(part), "{part}\n{latex}");
    }
    // No mark for values of a placeholder, of a single system, of a system that lacks values, or without tests.
    let changes: [fn(&mut SystemTable); 4] = [
        |table| table.columns[0].stand_in = true,
        |table| {
            table.rows.iter_mut().skip(1).for_each(|row| row.rank = None);
        },
        |table| {
            for (row, why) in table.rows.iter_mut().zip(["constant", "", "constant"]) {
                row.undefined = Some(vec![why.to_owned(), String::new()]);
            }
        },
        |table| table.rows.iter_mut().for_each(|row| row.rank = None),
    ];
    for change in changes {
        let mut changed = table.clone();
        change(&mut changed);
        for written in shown(&changed) {
            for mark in ["* best", "**0.300", "Bold:", "textbf", "underline", "Best in bold"] {
                assert!(!written.contains(mark), "{written}");
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_split_into_blocks_and_notes_are_wrapped() {
    let mut table = three_systems();
    table.notes = vec!["The systems share all their pairs.".into()];
    let text = text(&table, Some(31));
    assert_eq!(
        text,
        "\
Captions
mean [95% interval] over n = 12
pairs

        Low-Level
System  PixCorr ↑
a       0.300  [0.200, 0.400]
b_1     0.100 [-0.100, 0.300]
脳      0.200  [0.100, 0.300]

        High-Level
System  EffNet-B ↓
a       0.900 [0.800, 1.000]
b_1     0.700 [0.600, 0.800]
脳      0.800 [0.700, 0.900]

The systems share all their
pairs.
"
    );
    assert!(text.lines().all(|line| line.width() <= 31));
}

#[test]
fn a_width_of_one_still_shows_everything() {
    let mut table = three_systems();
    table.notes = vec!["The systems share all their pairs.".into()];
    let narrow = text(&table, Some(1));
    for piece in ["0.300  [0.200, 0.400]", "0.800 [0.700, 0.900]", "share"] {
        assert!(narrow.contains(piece), "{narrow}");
    }
}

#[test]
fn differing_counts_reasons_and_ranks_have_their_own_lines() {
    let mut table = three_systems();
    table.rows.pop();
    table.rows[1].estimates[0] = undefined();
    table.rows[0].rank = Some(vec![rank(1.0, 1.0, 1.0), rank(1.5, 1.0, 2.0)]);
    table.rows[1].rank = Some(vec![None, rank(1.5, 1.0, 2.0)]);
    assert_eq!(
        text(&table, None),
        "\
Captions
mean [95% interval]

        Low-Level             High-Level
System  PixCorr ↑             EffNet-B ↓
a       0.300 [0.200, 0.400]  0.900 [0.800, 1.000]
b_1     undefined             0.700 [0.600, 0.800]
undefined: b_1, PixCorr: constant stimulus

n: pairs with a value (and undefined)

        Low-Level  High-Level
System  PixCorr ↑  EffNet-B ↓
a       12 (0)     12 (0)
b_1     0 (12)     12 (0)

rank, 1 is best [95% interval]

        Low-Level  High-Level
System  PixCorr ↑  EffNet-B ↓
a       1 [1, 1]   1.5 [1, 2]
b_1     -          1.5 [1, 2]
"
    );
}

#[test]
fn chance_levels_are_a_line_or_a_column() {
    let mut table = three_systems();
    table.columns[0].chance = Some(0.5);
    let several = text(&table, None);
    assert!(several.ends_with("\nchance  0.500\n"), "{several}");
    let mut table = one_system();
    table.columns[1].chance = Some(1.0 / 300.0);
    let one = text(&table, None);
    for line in [
        "Metric         mean  95% interval            n  undefined  chance",
        "  PixCorr ↑   0.254  [0.125, 0.375]         12          0  0.0033",
        "  SSIM ↑      undefined: constant stimulus   0         12",
    ] {
        assert!(one.lines().any(|other| other == line), "{line}\n{one}");
    }
}

#[test]
fn systems_stand_in_the_order_of_their_mean_rank() {
    let mut table = three_systems();
    table.columns[1].stand_in = true;
    let ranks = [[2.0, 1.0], [1.0, 3.0], [3.0, 2.0]];
    for (row, of) in table.rows.iter_mut().zip(ranks) {
        row.rank = Some(of.iter().map(|&r| rank(r, 1.0, 3.0)).collect());
    }
    let mut by_all = table.clone();
    by_all.columns[1].stand_in = false;
    let order = |mut table: SystemTable| {
        table.order_by_rank();
        table.rows.into_iter().map(|row| row.system).collect::<Vec<String>>()
    };
    assert_eq!(order(table.clone()), ["b_1", "a", "脳"], "a placeholder ranks nobody");
    assert_eq!(order(by_all), ["a", "b_1", "脳"]);
    table.rows[1].rank = None;
    assert_eq!(order(table), ["a", "脳", "b_1"], "without a rank comes last");
}

#[test]
fn a_name_cannot_break_the_layout_or_speak_to_the_terminal() {
    let mut table = three_systems();
    table.rows[0].system = "a\n\u{1b}[31m".into();
    let text = text(&table, None);
    assert!(!text.contains('\u{1b}'));
    assert!(text.contains("\na  [31m  0.300  ["), "{text}");
}

#[test]
fn nothing_is_said_to_be_undefined_where_nothing_is() {
    let mut table = three_systems();
    table.rows.pop();
    table.unit = "items";
    table.rows[0].estimates[0].n = 10;
    let text = text(&table, None);
    let counts = "\
n: items with a value

        Low-Level  High-Level
System  PixCorr ↑  EffNet-B ↓
a       10         12
b_1     12         12
";
    assert!(text.ends_with(counts), "{text}");
}

/// The columns of a table with these headings and cells.
fn shown(columns: &[(&str, Vec<Cell>)], max_width: Option<usize>) -> String {
    let headings = columns.iter().map(|(heading, _)| *heading);
    let cells = |row: &usize| columns.iter().map(|(_, cells)| cells[*row].clone()).collect::<Vec<_>>();
    let table = Table::of("T", 0..columns[0].1.len()).columns(headings, cells).noted(vec![]);
    table.text(max_width).strip_prefix("T\n\n").unwrap().to_owned()
}

fn words(cells: &[&str]) -> Vec<Cell> {
    cells.iter().copied().map(Cell::text).collect()
}

#[test]
fn columns_that_do_not_fit_follow_below() {
    let columns = &[
        ("metric", words(&["a", "bb"])),
        ("one", words(&["1", "10"])),
        ("two", words(&["2", "20"])),
        ("three", vec![Cell::Count(3), Cell::Count(30)]),
    ];
    let whole = "metric  one  two  three\na       1    2        3\nbb      10   20      30\n";
    for width in [None, Some(23), Some(8)] {
        assert_eq!(shown(columns, width), whole, "{width:?}");
    }
    let split = "metric  one  two\na       1    2\nbb      10   20\n\nmetric  three\na           3\nbb         30\n";
    for width in [16, 22] {
        assert_eq!(shown(columns, Some(width)), split);
    }
}

#[test]
fn long_words_are_wrapped_where_all_columns_then_fit() {
    let label = "share of reconstructions nearer to another stimulus";
    let columns = &[("", words(&[label, "n"])), ("value", vec![Cell::number(0.25), Cell::number(0.5)])];
    let wrapped = [
        "                          value",
        "share of reconstructions  0.250",
        "  nearer to another",
        "  stimulus",
        "n                         0.500",
        "",
    ];
    assert_eq!(shown(columns, Some(32)), wrapped.join("\n"));
    // Columns are not wrapped if they would become too narrow, or if a word is longer.
    assert_eq!(shown(columns, Some(30)), shown(columns, None));
    let word = label.replace(' ', "_");
    let columns = &[("", words(&[&word])), ("value", vec![Cell::number(0.25)])];
    assert_eq!(shown(columns, Some(40)), shown(columns, None));
}

#[test]
fn long_words_are_wrapped_in_a_block_of_their_own_too() {
    let sentence = "a sentence that says what decides here, and why it does so";
    let columns = &[
        ("convention", words(&["one of several words"])),
        ("a", vec![Cell::estimate(0.728, Some((0.711, 0.745)))]),
        ("decides", words(&[sentence])),
    ];
    let expected = [
        "convention                               a",
        "one of several words  0.728 [0.711, 0.745]",
        "",
        "convention            decides",
        "one of several words  a sentence that says",
        "                      what decides here, and",
        "                      why it does so",
        "",
    ];
    assert_eq!(shown(columns, Some(46)), expected.join("\n"));
}
