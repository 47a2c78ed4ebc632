//! What stands in the cells and headings of LaTeX tables.

use neurogauge_report::{Cell, Format, LatexStyle, Mark, Spread, Table};

/// The alignment of a table's only column, in braces, its heading, and its cells.
fn lines(style: LatexStyle, heading: &str, cells: &[Cell]) -> Vec<String> {
    let table = Table::of("", cells.to_vec()).column(heading, Cell::clone).noted(vec![]);
    let latex = table.render(Format::Latex(style), None);
    let (_, tabular) = latex.split_once("\\begin{tabular}").unwrap();
    let lines = tabular.lines().take_while(|line| *line != "\\bottomrule").filter(|line| !line.ends_with("rule"));
    lines.map(|line| line.strip_suffix(" \\\\").unwrap_or(line).to_owned()).collect()
}

const SIUNITX: LatexStyle = LatexStyle {
    spread: Spread::Intervals,
    siunitx: true,
};

fn best(cell: Cell) -> Cell {
    Cell::Marked(Mark::Best, Box::new(cell))
}

#[test]
fn a_column_has_room_for_the_widest_on_either_side() {
    let cells = [best(Cell::Count(12)), best(Cell::Number(-0.5, 3)), Cell::Number(3.25, 2)];
    let expected = [
        "{S[table-format=-2.3]}",
        "{n}",
        "{\\phantom{$-$}\\textbf{12}\\phantom{.000}}",
        "{\\phantom{0}\\textbf{$-$0.500}}",
        "3.25",
    ];
    assert_eq!(lines(SIUNITX, "n", &cells), expected);
    assert_eq!(lines(SIUNITX, "n", &[]), ["{r}", "n"]);
}

#[test]
fn words_marks_and_daggers_are_protected_from_siunitx() {
    let doubtful = Cell::Number(-0.1, 2).doubtful_if(true);
    let cells = [best(Cell::Number(0.3, 2)), doubtful, Cell::Missing];
    let expected = [
        "{S[table-format=-1.2]}",
        "{r}",
        "{\\phantom{$-$}\\textbf{0.30}}",
        "{$-$0.10\\rlap{$^\\ddagger$}}",
        "{--}",
    ];
    assert_eq!(lines(SIUNITX, "r", &cells), expected);
    // An empty heading stays empty.
    assert_eq!(lines(SIUNITX, "", &cells)[1], "");
    assert_eq!(lines(SIUNITX, "r", &[&cells[..], &[Cell::text("")]].concat())[0], "{l}");
    assert_eq!(lines(SIUNITX, "r", &cells[2..])[0], "{r}");
}

fn escape(words: &str) -> String {
    lines(LatexStyle::DEFAULT, "", &[Cell::text(words)]).remove(2)
}

#[test]
fn every_special_character_is_escaped() {
    assert_eq!(escape("a_b&c%d$e#f{g}h"), r"a\_b\&c\%d\$e\#f\{g\}h");
    assert_eq!(
        escape("~^\\<>|"),
        r"\textasciitilde{}\textasciicircum{}\textbackslash{}\textless{}\textgreater{}\textbar{}"
    );
    assert_eq!(escape("[x]* \"y\""), "{[}x{]}{*} ''y''");
    assert_eq!(escape("one\n\ntwo"), "one  two");
    assert_eq!(escape("SSIM ↑†"), r"SSIM $\uparrow$$^\dagger$");
    assert_eq!(escape("τ-b at ε"), r"$\tau$-b at $\varepsilon$");
    assert_eq!(escape("Müller 2.5"), "Müller 2.5");
}

fn beside(spread: Spread, value: f64, ends: (f64, f64)) -> Option<String> {
    let style = LatexStyle { spread, siunitx: false };
    let cell = lines(style, "", &[Cell::Estimate(value, ends, 2)]).remove(2);
    let (_, beside) = cell.split_once(' ')?;
    let small = beside.strip_prefix("{\\scriptsize ").and_then(|small| small.strip_suffix('}'));
    Some(small.unwrap_or(beside).to_owned())
}

#[test]
fn distances_are_one_number_only_where_both_print_alike() {
    let pm = |value, ends| beside(Spread::PlusMinus, value, ends).unwrap();
    assert_eq!(pm(0.5, (0.25, 0.75)), "$\\pm$\\,0.25");
    assert_eq!(pm(0.5, (0.251, 0.749)), "$\\pm$\\,0.25");
    assert_eq!(pm(0.5, (0.0, 0.6)), "$^{+0.10}_{-0.50}$");
    assert_eq!(pm(-0.5, (-0.5, 0.5)), "$^{+1.00}_{-0.00}$");
    // ± cannot express an interval that excludes the estimate.
    assert_eq!(pm(0.9, (-0.25, 0.75)), "[$-$0.25, 0.75]");
    let interval = beside(Spread::Intervals, 0.5, (-0.25, 0.75));
    assert_eq!(interval.as_deref(), Some("[$-$0.25, 0.75]"));
    assert_eq!(beside(Spread::None, 0.5, (0.25, 0.75)), None);
}

#[test]
fn headings_say_what_stands_below_them() {
    let of = |spread, words| lines(LatexStyle { spread, siunitx: false }, words, &[]).remove(1);
    let heading = |spread: Spread| of(spread, "τ-b [95% interval]");
    assert_eq!(heading(Spread::Intervals), escape("τ-b [95% interval]"));
    assert_eq!(heading(Spread::PlusMinus), escape("τ-b ± (95% interval)"));
    assert_eq!(heading(Spread::None), escape("τ-b"));
    assert_eq!(of(Spread::None, "boxes [0, 1]"), escape("boxes [0, 1]"));
}

#[test]
fn estimates_p_values_and_gaps() {
    let rows = [
        vec![Cell::Text("a_b".into()), Cell::Estimate(-0.5, (-0.75, 0.25), 2), Cell::PValue(1e-9)],
        vec![Cell::Text("c".into())],
    ];
    let table = Table::of("Differences in 95% of cases", rows).columns(["pair", "difference", "p"], Vec::clone);
    let latex = table.noted(vec!["p & more".into()]).render(Format::LATEX, None);
    assert!(latex.contains("\\caption{Differences in 95\\% of cases. p \\& more.}"));
    assert!(latex.contains("\\begin{tabular}{lrr}"));
    assert!(latex.contains("a\\_b & $-$0.50 {\\scriptsize [$-$0.75, 0.25]} & $<$0.0001 \\\\\nc & -- & -- \\\\\n"));
}

#[test]
fn a_style_decides_what_stands_beside_estimates() {
    let doubtful = Cell::estimate(0.25, Some((-0.25, 0.5))).doubtful_if(true);
    let even = Cell::estimate(-0.5, Some((-0.75, -0.25))).decimals(2);
    let table = Table::of("Agreement", [doubtful, even]).column("r [95% interval]", Cell::clone).noted(vec![]);
    let latex = |spread, siunitx| table.render(Format::Latex(LatexStyle { spread, siunitx }), None);
    let pm = latex(Spread::PlusMinus, false);
    for part in [
        "\\caption{Agreement. $\\pm$: distance from an estimate to the ends of its interval, up and down where they differ.}",
        "\nr $\\pm$ (95\\% interval) \\\\\n",
        "\n0.250 $^{+0.250}_{-0.500}$$^\\ddagger$ \\\\\n",
        "\n$-$0.50 {\\scriptsize $\\pm$\\,0.25} \\\\\n",
    ] {
        assert!(pm.contains(part), "{part}\n{pm}");
    }
    let none = latex(Spread::None, false);
    assert!(none.contains("\nr \\\\\n\\midrule\n0.250$^\\ddagger$ \\\\\n$-$0.50 \\\\\n"));
    let aligned = latex(Spread::Intervals, true);
    for part in [
        "\\begin{tabular}{S[table-format=-1.3]@{\\,}l}",
        "\n\\multicolumn{2}{c}{r {[}95\\% interval{]}} \\\\\n",
        "\n0.250 & {\\scriptsize [$-$0.250, 0.500]}$^\\ddagger$ \\\\\n",
        "\n-0.50 & {\\scriptsize [$-$0.75, $-$0.25]} \\\\\n",
    ] {
        assert!(aligned.contains(part), "{part}\n{aligned}");
    }
}
