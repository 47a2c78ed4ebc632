//! LaTeX tables: the text, the marks and the structure.

use super::fixtures::{one_system, rank, render, row, three_systems, undefined, value};
use neurogauge_report::{Cell, Format, LatexStyle, Spread, SystemTable, Table};

fn latex(table: &SystemTable) -> String {
    styled(table, Format::LATEX)
}

fn styled(table: &SystemTable, format: Format) -> String {
    let text = render(table, format, None).unwrap();
    check_structure(&text);
    text
}

/// Braces and environments are balanced, and every line has as many cells as the tabular has columns.
fn check_structure(text: &str) {
    let mut depth = 0;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\\' if matches!(characters.peek(), Some('{' | '}' | '\\')) => {
                characters.next();
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        assert!(depth >= 0, "a brace is closed that was not opened: {text}");
    }
    assert_eq!(depth, 0, "{text}");
    let mut n_columns = 0;
    for line in text.lines() {
        if let Some(columns) = line.strip_prefix("\\begin{tabular}{l") {
            let n_split = columns.matches("@{\\,}l").count();
            n_columns = 1 + columns.matches(['c', 'S']).count() + n_split;
        } else if line.ends_with(" \\\\") && !line.contains("\\multicolumn") {
            assert!(line.chars().any(|c| !" &\\".contains(c)), "an empty line: {text}");
            assert_eq!(line.replace("\\&", "").matches('&').count() + 1, n_columns, "{line}");
        }
    }
    assert_eq!(text.matches("\\begin{").count(), text.matches("\\end{").count());
}

#[test]
fn several_systems_are_a_complete_environment() {
    assert_eq!(
        latex(&three_systems()),
        r"% Needs \usepackage{booktabs}.
\begin{table}[t]
\centering
\small
\setlength{\tabcolsep}{4pt}
\caption{Captions. Mean over $n = 12$ pairs with the 95\% interval below. $\uparrow$: higher is better; $\downarrow$: lower is better.}
\begin{tabular}{lcc}
\toprule
 & \multicolumn{1}{c}{Low-Level} & \multicolumn{1}{c}{High-Level} \\
\cmidrule(lr){2-2} \cmidrule(lr){3-3}
System & PixCorr $\uparrow$ & EffNet-B $\downarrow$ \\
\midrule
a & 0.300 & 0.900 \\
 & {\scriptsize [0.200, 0.400]} & {\scriptsize [0.800, 1.000]} \\
b\_1 & 0.100 & 0.700 \\
 & {\scriptsize [$-$0.100, 0.300]} & {\scriptsize [0.600, 0.800]} \\
脳 & 0.200 & 0.800 \\
 & {\scriptsize [0.100, 0.300]} & {\scriptsize [0.700, 0.900]} \\
\bottomrule
\end{tabular}
\end{table}
"
    );
}

#[test]
fn one_system_has_no_marks_and_a_stand_in_is_explained() {
    let text = latex(&one_system());
    assert!(!text.contains("\\textbf") && !text.contains("\\underline"), "{text}");
    for line in [
        r"\begin{tabular}{lcccc}",
        r" & \multicolumn{2}{c}{Low-Level} & \multicolumn{1}{c}{High-Level} & \multicolumn{1}{c}{Semantic} \\",
        r"\cmidrule(lr){2-3} \cmidrule(lr){4-4} \cmidrule(lr){5-5}",
        r"System & PixCorr $\uparrow$ & SSIM $\uparrow$ & EffNet-B $\downarrow$ & Cap-Sim $\uparrow$$^\dagger$ \\",
        r"subj01 & 0.254 & -- & 0.000 & 0.500 \\",
        r" & {\scriptsize [0.125, 0.375]} &  &  & {\scriptsize [0.250, 0.750]} \\",
        r"\caption{Six stimuli. Mean over $n = 0$ to $12$ pairs (up to 12 undefined) with the 95\% interval below. $\uparrow$: higher is better; $\downarrow$: lower is better. --: no value (subj01, SSIM: constant stimulus). No interval, fewer than two pairs have a value: EffNet-B. $^\dagger$ rests on a placeholder model: the number shows that the pipeline runs and means nothing else. Pairs by file stem.}",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
}

#[test]
fn a_caption_counts_what_the_means_are_over() {
    let mut table = three_systems();
    table.unit = "items";
    let text = latex(&table);
    assert!(text.contains("Mean over $n = 12$ items with"), "{text}");
    table.rows[0].estimates[0].n = 10;
    let text = latex(&table);
    assert!(text.contains("Mean over $n = 10$ to $12$ items with the 95\\% interval"), "{text}");
    table.rows[0].estimates[0].n_undefined = 2;
    let text = latex(&table);
    assert!(text.contains("$n = 10$ to $12$ items (up to 2 undefined) with"), "{text}");
}

#[test]
fn chance_levels_are_the_last_line() {
    let mut table = three_systems();
    table.columns[1].chance = Some(0.5);
    let text = latex(&table);
    assert!(text.contains("\\midrule\nchance &  & 0.500 \\\\\n\\bottomrule"), "{text}");
}

#[test]
fn ranks_have_an_environment_of_their_own() {
    let mut table = three_systems();
    for (place, row) in table.rows.iter_mut().enumerate() {
        let mean = (place + 1) as f64;
        row.rank = Some(vec![rank(mean, 1.0, 3.0), None]);
    }
    let text = latex(&table);
    assert_eq!(text.matches("\\begin{table}").count(), 2);
    assert!(text.contains("\nb\\_1 & 2 & -- \\\\\n & {\\scriptsize [1, 3]} &  \\\\\n"), "{text}");
    assert!(text.contains("Rank, 1 is best, with the 95\\% interval below."), "{text}");
}

#[test]
fn names_that_look_like_commands_are_text() {
    let mut table = three_systems();
    table.rows[0].system = "[*] a&b_100%\\input{x}$#~^".into();
    table.title = "50% {of} it".into();
    let text = latex(&table);
    assert!(
        text.contains(
            "\n{[}{*}{]} a\\&b\\_100\\%\\textbackslash{}input\\{x\\}\\$\\#\\textasciitilde{}\\textasciicircum{} & "
        ),
        "{text}"
    );
    assert!(text.contains("\\caption{50\\% \\{of\\} it. "), "{text}");
}

/// Systems with equally many metrics, in two groups.
fn wide(n_systems: usize, n_metrics: usize) -> SystemTable {
    let mut table = three_systems();
    let metric = |m: usize| {
        let mut column = table.columns[m * 2 / n_metrics].clone();
        column.label = format!("Metric{m}");
        column.chance = (m == 1).then_some(0.5);
        column
    };
    let columns = (0..n_metrics).map(metric).collect();
    let estimates = |s: usize| {
        let value = |m: usize| value((s + m) as f64 / 100.0, -0.05, 0.95);
        (0..n_metrics).map(value).collect()
    };
    table.rows = (0..n_systems).map(|s| row(&format!("system {s}"), estimates(s))).collect();
    table.columns = columns;
    table
}

#[test]
fn more_than_eight_metrics_are_lines_or_blocks() {
    let eight = latex(&wide(3, 8));
    assert!(eight.contains("\\begin{tabular}{lcccccccc}"), "{eight}");
    let few = latex(&wide(2, 9));
    assert!(few.contains("\\begin{tabular}{lccc}\n\\toprule\nMetric & system 0 & system 1 & chance \\\\"));
    assert!(few.contains("\\multicolumn{4}{l}{\\emph{Low-Level}} \\\\\nMetric0 $\\uparrow$ & "), "{few}");
    assert!(few.contains(" & 0.020 & 0.500 \\\\"), "{few}");
    let many = latex(&wide(7, 20));
    assert_eq!(many.matches("\\begin{table}").count(), 1);
    assert_eq!(many.matches("\\begin{tabular}{lccccccc}").count(), 2, "{many}");
    assert_eq!(many.matches("\\begin{tabular}{lcccccc}").count(), 1, "{many}");
    for m in 0..20 {
        assert_eq!(many.matches(&format!("Metric{m} ")).count(), 1, "{m}");
    }
    let mut without_intervals = wide(7, 20);
    without_intervals.rows[0].estimates[..7].iter_mut().for_each(|estimate| estimate.interval = None);
    latex(&without_intervals);
}

#[test]
fn a_spread_stands_beside_its_mean() {
    let mut table = three_systems();
    table.rows[1].estimates[0].interval = Some((-0.2, 0.15));
    let style = |spread, siunitx| Format::Latex(LatexStyle { spread, siunitx });
    let pm = styled(&table, style(Spread::PlusMinus, false));
    for line in [
        r"\caption{Captions. Mean over $n = 12$ pairs $\pm$ the distance to the ends of the 95\% interval, up and down where they differ. $\uparrow$: higher is better; $\downarrow$: lower is better.}",
        r"a & 0.300 {\scriptsize $\pm$\,0.100} & 0.900 {\scriptsize $\pm$\,0.100} \\",
        r"b\_1 & 0.100 $^{+0.050}_{-0.300}$ & 0.700 {\scriptsize $\pm$\,0.100} \\",
    ] {
        assert!(pm.lines().any(|other| other == line), "{line}\n{pm}");
    }
    let even = styled(&three_systems(), style(Spread::PlusMinus, false));
    assert!(even.contains("the 95\\% interval. "), "{even}");
    let none = styled(&table, style(Spread::None, false));
    assert!(none.contains("Mean over $n = 12$ pairs. "), "{none}");
    assert!(none.contains("\nb\\_1 & 0.100 & 0.700 \\\\\n"), "{none}");
    assert!(!none.contains("scriptsize") && !none.contains("interval"), "{none}");
}

#[test]
fn siunitx_aligns_numbers_and_is_told_what_is_none() {
    let mut table = three_systems();
    table.rows[1].estimates[0] = value(-0.1, -0.3, 0.1);
    table.rows[2].estimates[1] = undefined();
    table.columns[1].chance = Some(0.5);
    let style = |spread| {
        let siunitx = true;
        Format::Latex(LatexStyle { spread, siunitx })
    };
    let below = styled(&table, style(Spread::Intervals));
    for line in [
        r"% Needs \usepackage{booktabs} and \usepackage{siunitx}.",
        r"\begin{tabular}{lS[table-format=-1.3]S[table-format=1.3]}",
        r" & \multicolumn{1}{c}{Low-Level} & \multicolumn{1}{c}{High-Level} \\",
        r"System & {PixCorr $\uparrow$} & {EffNet-B $\downarrow$} \\",
        r"a & 0.300 & 0.900 \\",
        r" & {\scriptsize [0.200, 0.400]} & {\scriptsize [0.800, 1.000]} \\",
        r"b\_1 & -0.100 & 0.700 \\",
        r"脳 & 0.200 & {--} \\",
        r"chance &  & 0.500 \\",
    ] {
        assert!(below.lines().any(|other| other == line), "{line}\n{below}");
    }
    let pm = styled(&table, style(Spread::PlusMinus));
    for line in [
        r"\begin{tabular}{lS[table-format=-1.3]@{\,}lS[table-format=1.3]@{\,}l}",
        r" & \multicolumn{2}{c}{Low-Level} & \multicolumn{2}{c}{High-Level} \\",
        r"\cmidrule(lr){2-3} \cmidrule(lr){4-5}",
        r"System & \multicolumn{2}{c}{PixCorr $\uparrow$} & \multicolumn{2}{c}{EffNet-B $\downarrow$} \\",
        r"b\_1 & -0.100 & {\scriptsize $\pm$\,0.200} & 0.700 & {\scriptsize $\pm$\,0.100} \\",
        r"chance &  &  & 0.500 &  \\",
    ] {
        assert!(pm.lines().any(|other| other == line), "{line}\n{pm}");
    }
}

/// Words, numbers of different size, marks, daggers and p values.
fn mixed() -> Table {
    let rows = [(0.25, (-0.25, 0.5), 0.04), (-12.5, (-13.5, -11.5), 1e-9)];
    Table::of("Agreement, τ-b [95% interval]", rows)
        .column("metric", |row| Cell::text(format!("a_{}", row.0)))
        .column("τ-b [95% interval]", |row| Cell::estimate(row.0, Some(row.1)).doubtful_if(row.0 > 0.0))
        .column("difference", |row| Cell::number(-row.0).decimals(1))
        .column("n", |row| Cell::Count(row.0.abs() as usize))
        .column("p", |row| Cell::p_value(Some(row.2)))
        .noted(vec!["‡ 100% of it".into()])
}

/// Tables of words and numbers that are too high, too wide because of words, too wide because of numbers, and all at
/// once.
fn large() -> Vec<Table> {
    let names = |r: usize| format!("metric_with_a_long_name_{r}");
    let estimate = |r: usize| Cell::estimate(r as f64 / 7.0, Some((r as f64 / 8.0, r as f64)));
    let high = Table::of("Differences", 0..190)
        .column_of_groups("metric", |r| names(r / 60))
        .column("other", |r| Cell::text(names(*r)))
        .column("difference [95% interval]", |r| estimate(*r))
        .noted(vec!["A note that makes the caption longer. ".repeat(12)]);
    let sentences = Table::of("Worst cases", 0..30)
        .column("n", |r| Cell::Count(*r))
        .column("parts", |r| Cell::text((0..3 + r % 9).map(names).collect::<Vec<_>>().join(" + ")))
        .column("why", |_| Cell::text("several words that say why it is so, ".repeat(5)))
        .column("r", |r| estimate(*r))
        .noted(vec![]);
    let matrix = |n_rows: usize| {
        Table::of("Averages of two", 0..n_rows)
            .column("", |r| Cell::Count(*r))
            .column("metric", |r| Cell::text(names(*r)))
            .columns((0..14).map(names), |r| (0..14).map(|c| estimate(r + c)).collect::<Vec<_>>())
            .noted(vec![])
    };
    [high, sentences, matrix(14), matrix(75)].into()
}

#[test]
fn a_group_that_goes_on_overleaf_is_named_again() {
    let latex = large()[0].render(Format::LATEX, None);
    let pages: Vec<&str> = latex.split("\\clearpage\n").collect();
    assert_eq!(pages.len(), 5, "{latex}");
    assert!(pages[0].contains("\\begin{table}[t]\n") && pages[0].contains("caption{Differences"));
    for page in &pages[1..] {
        assert!(page.starts_with("\\begin{table}[tp]\n\\centering\n\\small\n\\caption{The same, continued.}"));
        let first = page.split("\\midrule\n").nth(1).unwrap();
        assert!(first.starts_with("metric\\_with\\_a\\_long\\_name\\_"), "{first}");
    }
    for r in 0..190 {
        assert!(latex.contains(&format!(" & metric\\_with\\_a\\_long\\_name\\_{r} & ")), "{r}");
    }
}

/// LaTeX sets every table in every style on a page of two columns, without warnings about boxes that are too wide.
#[test]
fn tables_fit_on_a_page() {
    let dir = std::env::temp_dir().join(format!("neurogauge-latex-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let tables = [(1, 4), (1, 24), (3, 8), (6, 9), (6, 24), (7, 9), (12, 24)];
    let of_style = |format: Format| {
        let systems = tables.map(|(s, m)| styled(&wide(s, m), format));
        let of_words = mixed().render(format, None);
        let large = large().into_iter().map(|table| table.render(format, None));
        [&systems[..], &[of_words], &large.collect::<Vec<_>>()].concat()
    };
    for (name, packages) in [("plain", "booktabs"), ("siunitx", "booktabs,siunitx")] {
        let is_its = |format: &Format| format.name().ends_with("siunitx") == (name == "siunitx");
        let tables: Vec<String> = Format::latex_styles().filter(is_its).flat_map(of_style).collect();
        let document = format!(
            "\\documentclass{{article}}\n\\usepackage[a4paper,margin=16mm]{{geometry}}\n\\usepackage{{{packages}}}\n\
             \\begin{{document}}\n{}\n\\end{{document}}\n",
            tables.join("\\clearpage\n")
        );
        std::fs::write(dir.join(name).with_extension("tex"), document).unwrap();
        if name == "siunitx" && !has_package("siunitx.sty") {
            println!("skipped: siunitx is not installed");
            continue;
        }
        let ran = std::process::Command::new("pdflatex")
            .args(["-interaction=nonstopmode", "-halt-on-error", name])
            .current_dir(&dir)
            .output();
        match ran {
            Err(_) => println!("skipped: pdflatex is not installed"),
            Ok(output) => {
                let log = String::from_utf8_lossy(&output.stdout).into_owned();
                assert!(output.status.success(), "{log}");
                assert!(!log.contains("Overfull") && !log.contains("too large"), "{log}");
            }
        }
    }
    std::fs::remove_dir_all(dir).unwrap();
}

/// Does the installed LaTeX, if any, have this file?
fn has_package(file: &str) -> bool {
    std::process::Command::new("kpsewhich").arg(file).status().is_ok_and(|status| status.success())
}
