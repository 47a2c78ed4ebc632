//! LaTeX tables: the text, the marks and the structure.

use crate::fixtures::{one_system, rank, row, three_systems, undefined, value};
use neurogauge_report::{Format, Table, render};

fn latex(table: &Table) -> String {
    let text = render(table, Format::Latex, None).unwrap();
    check_structure(&text);
    text
}

/// Balanced braces and environments, and as many cells in every line as the tabular has columns.
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
            n_columns = 1 + columns.matches('c').count();
        } else if line.ends_with(" \\\\") && !line.contains("\\multicolumn") {
            assert_eq!(
                line.replace("\\&", "").matches('&').count() + 1,
                n_columns,
                "{line}"
            );
        }
    }
    assert_eq!(
        text.matches("\\begin{").count(),
        text.matches("\\end{").count()
    );
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
\caption{Captions. Mean over $n = 12$ pairs with the 95\% interval below. $\uparrow$: higher is better; $\downarrow$: lower is better. Best in bold, second underlined.}
\begin{tabular}{lcc}
\toprule
 & \multicolumn{1}{c}{Low-Level} & \multicolumn{1}{c}{High-Level} \\
\cmidrule(lr){2-2} \cmidrule(lr){3-3}
System & PixCorr $\uparrow$ & EffNet-B $\downarrow$ \\
\midrule
a & \textbf{0.300} & 0.900 \\
 & {\scriptsize [0.200, 0.400]} & {\scriptsize [0.800, 1.000]} \\
b\_1 & 0.100 & \textbf{0.700} \\
 & {\scriptsize [$-$0.100, 0.300]} & {\scriptsize [0.600, 0.800]} \\
脳 & \underline{0.200} & \underline{0.800} \\
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
    assert!(
        !text.contains("\\textbf") && !text.contains("\\underline"),
        "{text}"
    );
    for line in [
        r"\begin{tabular}{lcccc}",
        r" & \multicolumn{2}{c}{Low-Level} & \multicolumn{1}{c}{High-Level} & \multicolumn{1}{c}{Semantic} \\",
        r"\cmidrule(lr){2-3} \cmidrule(lr){4-4} \cmidrule(lr){5-5}",
        r"System & PixCorr $\uparrow$ & SSIM $\uparrow$ & EffNet-B $\downarrow$ & Cap-Sim $\uparrow$$^\dagger$ \\",
        r"subj01 & 0.254 & -- & 0.000 & 0.500 \\",
        r" & {\scriptsize [0.125, 0.375]} &  &  & {\scriptsize [0.250, 0.750]} \\",
        r"\caption{Six stimuli. Mean over $n = 0$ to $12$ pairs (up to 12 undefined) with the 95\% interval below. $\uparrow$: higher is better; $\downarrow$: lower is better. --: no value (subj01, SSIM: constant stimulus). No interval, fewer than two pairs have a value: EffNet-B. $^\dagger$ rests on a stand-in model: the number shows that the pipeline runs and means nothing else. Pairs by file stem.}",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
}

#[test]
fn chance_levels_are_the_last_line() {
    let mut table = three_systems();
    table.columns[1].chance = Some(0.5);
    let text = latex(&table);
    assert!(
        text.contains("\\midrule\nchance &  & 0.500 \\\\\n\\bottomrule"),
        "{text}"
    );
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
    assert!(
        text.contains("\nb\\_1 & 2 & -- \\\\\n & {\\scriptsize [1, 3]} &  \\\\\n"),
        "{text}"
    );
    assert!(
        text.contains("Rank, 1 is best, with the 95\\% interval below."),
        "{text}"
    );
}

#[test]
fn names_that_look_like_commands_are_text() {
    let mut table = three_systems();
    table.rows[0].system = "[*] a&b_100%\\input{x}$#~^".into();
    table.title = "50% {of} it".into();
    let text = latex(&table);
    assert!(text.contains(
        "\n{[}{*}{]} a\\&b\\_100\\%\\textbackslash{}input\\{x\\}\\$\\#\\textasciitilde{}\\textasciicircum{} & "
    ), "{text}");
    assert!(text.contains("\\caption{50\\% \\{of\\} it. "), "{text}");
}

/// The cells of the first metric, system by system.
fn first_column(means: [Option<f64>; 4], change: impl Fn(&mut Table)) -> Vec<String> {
    let mut table = three_systems();
    let estimate = |mean: Option<f64>| mean.map_or_else(undefined, |m| value(m, 0.0, 1.0));
    table.rows = means
        .iter()
        .map(|&mean| row("s", vec![estimate(mean), value(0.5, 0.5, 0.5)]))
        .collect();
    change(&mut table);
    let text = latex(&table);
    let rows = text.lines().filter(|line| line.starts_with("s & "));
    rows.map(|line| line.split(" & ").nth(1).unwrap().to_owned())
        .collect()
}

#[test]
fn marks_follow_direction_ties_and_undefined_cells() {
    let lower = |table: &mut Table| table.columns[0].direction = neurogauge_core::Direction::Lower;
    let keep = |_: &mut Table| {};
    let some = |values: [f64; 4]| values.map(Some);
    assert_eq!(
        first_column(some([0.1, 0.4, 0.3, 0.2]), keep),
        ["0.100", r"\textbf{0.400}", r"\underline{0.300}", "0.200"]
    );
    assert_eq!(
        first_column(some([0.1, 0.4, 0.3, 0.2]), lower),
        [r"\textbf{0.100}", "0.400", "0.300", r"\underline{0.200}"]
    );
    // Several best: no second. Equal as printed is equal.
    assert_eq!(
        first_column(some([0.40001, 0.4, 0.3, 0.2]), keep),
        [r"\textbf{0.400}", r"\textbf{0.400}", "0.300", "0.200"]
    );
    assert_eq!(
        first_column(some([0.4, 0.3, 0.3, 0.2]), keep),
        [
            r"\textbf{0.400}",
            r"\underline{0.300}",
            r"\underline{0.300}",
            "0.200"
        ]
    );
    assert_eq!(
        first_column([None, Some(0.4), None, Some(0.3)], keep),
        ["--", r"\textbf{0.400}", "--", r"\underline{0.300}"]
    );
    // One value is compared with nothing, and a stand-in's with nobody.
    assert_eq!(
        first_column([None, Some(0.4), None, None], keep),
        ["--", "0.400", "--", "--"]
    );
    assert_eq!(
        first_column(some([0.1, 0.4, 0.3, 0.2]), |table| table.columns[0]
            .stand_in = true),
        ["0.100", "0.400", "0.300", "0.200"]
    );
}
