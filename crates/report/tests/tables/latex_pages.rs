//! LaTeX tables that are too wide or too high for a page.

use neurogauge_report::{Cell, Format, Table};

/// A table whose first column is words and whose others are numbers that all differ.
fn table(n_rows: usize, words: &str, n_numbers: usize) -> String {
    // The first heading has the same letters as the others, and so the same width.
    let headings = ["gnidaeh"].into_iter().chain(vec!["heading"; n_numbers]);
    let cells = |row: &usize| {
        let numbers = (0..n_numbers).map(|column| Cell::Number((row * n_numbers + column) as f64 / 1e4, 4));
        [Cell::text(words)].into_iter().chain(numbers).collect::<Vec<_>>()
    };
    Table::of("A caption", 0..n_rows).columns(headings, cells).noted(vec![]).render(Format::LATEX, None)
}

/// The headings, then the rows.
type Block<'a> = Vec<Vec<&'a str>>;

/// The blocks of each page.
fn pages(latex: &str) -> Vec<Vec<Block<'_>>> {
    fn block(tabular: &str) -> Block<'_> {
        let lines = tabular.lines().take_while(|line| *line != "\\bottomrule");
        lines.filter_map(|line| Some(line.strip_suffix(" \\\\")?.split(" & ").collect())).collect()
    }
    let pages = latex.split("\\begin{table}").skip(1);
    pages.map(|page| page.split("\\begin{tabular}").skip(1).map(block).collect()).collect()
}

fn numbers(n: usize) -> Vec<String> {
    (0..n).map(|number| format!("{:.4}", number as f64 / 1e4)).collect()
}

#[test]
fn a_table_that_fits_is_one_block() {
    let fits = table(12, "name", 5);
    assert!(!fits.contains("tabcolsep") && !fits.contains("parbox"), "{fits}");
    let pages = pages(&fits);
    assert_eq!((pages.len(), pages[0].len()), (1, 1));
    let block = &pages[0][0];
    assert_eq!(block[0], ["gnidaeh", "heading", "heading", "heading", "heading", "heading"]);
    let numbers = numbers(12 * 5);
    let expected: Vec<Vec<&str>> = numbers
        .chunks(5)
        .map(|row| [&["name"][..], &row.iter().map(String::as_str).collect::<Vec<_>>()].concat())
        .collect();
    assert_eq!(block[1..], expected);
}

/// A page is 490 points wide and 56 lines high; a block takes 4 lines beside its rows.
#[test]
fn every_cell_stands_once_and_every_block_begins_with_the_names() {
    // Six letters of 4.7 points and an i of 3, with 3 points on either side.
    let width = 6.0 * 4.7 + 3.0 + 2.0 * 3.0;
    for (n_rows, n_numbers) in [(0, 30), (3, 30), (130, 4), (130, 30)] {
        let divided = table(n_rows, "name", n_numbers);
        let pages = pages(&divided);
        let mut seen: Vec<&str> = Vec::new();
        for block in pages.iter().flatten() {
            assert_eq!(block[0][0], "gnidaeh");
            assert!(block[0].len() as f64 * width <= 490.0);
            for row in &block[1..] {
                assert_eq!((row[0], row.len()), ("name", block[0].len()));
                seen.extend(&row[1..]);
            }
        }
        seen.sort_unstable();
        assert_eq!(seen, numbers(n_rows * n_numbers), "{n_rows} {n_numbers}");
        for page in &pages {
            let lines: usize = page.iter().map(|block| block.len() - 1 + 4).sum();
            assert!(lines <= 56, "{n_rows} {n_numbers}: {lines}");
        }
    }
}

#[test]
fn long_words_are_broken_and_take_more_lines() {
    let long = "several words ".repeat(40);
    let broken = table(30, &long, 3);
    let pages = pages(&broken);
    let blocks = pages.iter().flatten();
    let rows: Vec<&Vec<&str>> = blocks.clone().flat_map(|block| &block[1..]).collect();
    for row in &rows {
        let room = row[0].strip_prefix("\\parbox[t]{").and_then(|rest| rest.split_once("pt}")).unwrap().0;
        assert!((120.0..490.0).contains(&room.parse().unwrap()), "{room}");
    }
    assert!(pages.len() > 2, "{}", pages.len());
    assert!(blocks.clone().all(|block| block[0].len() == 4));
    assert_eq!(rows.len(), 30);
}
