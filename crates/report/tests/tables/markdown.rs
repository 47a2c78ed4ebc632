//! Pipe tables.

use super::fixtures::{one_system, rank, render, three_systems, undefined};
use neurogauge_report::{Format, SystemTable, paragraph};

fn markdown(table: &SystemTable) -> String {
    render(table, Format::Markdown, Some(10)).unwrap()
}

#[test]
fn one_system_has_metrics_as_lines() {
    assert_eq!(
        markdown(&one_system()),
        "\
### Six stimuli

System: subj01

| Metric         |                         mean | 95% interval   |   n | undefined |
| :------------- | ---------------------------: | :------------- | --: | --------: |
| **Low-Level**  |                              |                |     |           |
| PixCorr ↑      |                        0.254 | [0.125, 0.375] |  12 |         0 |
| SSIM ↑         | undefined: constant stimulus |                |   0 |        12 |
| **High-Level** |                              |                |     |           |
| EffNet-B ↓     |                        0.000 |                |   1 |        11 |
| **Semantic**   |                              |                |     |           |
| Cap-Sim ↑†     |                        0.500 | [0.250, 0.750] |  12 |         0 |

no interval, fewer than two pairs have a value: EffNet-B

† rests on a placeholder model: the number shows that the pipeline runs and means nothing else

Pairs by file stem.
"
    );
}

#[test]
fn several_systems_are_lines() {
    assert_eq!(
        markdown(&three_systems()),
        "\
### Captions

mean [95% interval] over n = 12 pairs

| System | PixCorr ↑             | EffNet-B ↓           |
| :----- | :-------------------- | :------------------- |
| a      | 0.300 [0.200, 0.400]  | 0.900 [0.800, 1.000] |
| b\\_1   | 0.100 [-0.100, 0.300] | 0.700 [0.600, 0.800] |
| 脳     | 0.200 [0.100, 0.300]  | 0.800 [0.700, 0.900] |
"
    );
}

#[test]
fn chance_levels_are_a_line_or_a_column() {
    let mut table = three_systems();
    table.columns[1].chance = Some(0.5);
    let several = markdown(&table);
    assert!(several.contains("| chance |                       | 0.500  "), "{several}");
    let mut table = one_system();
    table.columns[1].chance = Some(0.5);
    let one = markdown(&table);
    assert!(one.contains("|  12 |         0 |  0.500 |\n"), "{one}");
}

#[test]
fn counts_reasons_and_ranks_follow() {
    let mut table = three_systems();
    table.rows.pop();
    table.rows[1].estimates[0] = undefined();
    table.rows[0].rank = Some(vec![rank(1.0, 1.0, 1.0), rank(2.0, 1.0, 2.0)]);
    table.rows[1].rank = Some(vec![None, rank(1.0, 1.0, 2.0)]);
    assert_eq!(
        markdown(&table),
        "\
### Captions

mean [95% interval]

| System | PixCorr ↑            | EffNet-B ↓           |
| :----- | :------------------- | :------------------- |
| a      | 0.300 [0.200, 0.400] | 0.900 [0.800, 1.000] |
| b\\_1   | undefined            | 0.700 [0.600, 0.800] |

undefined: b\\_1, PixCorr: constant stimulus

n: pairs with a value (and undefined)

| System | PixCorr ↑ | EffNet-B ↓ |
| :----- | :-------- | :--------- |
| a      | 12 (0)    | 12 (0)     |
| b\\_1   | 0 (12)    | 12 (0)     |

rank, 1 is best [95% interval]

| System | PixCorr ↑ | EffNet-B ↓ |
| :----- | :-------- | :--------- |
| a      | 1 [1, 1]  | 2 [1, 2]   |
| b\\_1   | -         | 1 [1, 2]   |
"
    );
}

fn escaped(words: &str) -> String {
    paragraph(words, Format::Markdown, None).unwrap().trim_end().to_owned()
}

#[test]
fn nothing_opens_markup_or_ends_a_cell() {
    assert_eq!(escaped("a_b|c*d`e[f](g)<h>&i\\j~k$l#m\nn"), r"a\_b\|c\*d\`e\[f\](g)&lt;h&gt;&amp;i\\j\~k\$l\#m n");
    assert_eq!(escaped("PixCorr ↑ 2.5%"), "PixCorr ↑ 2.5%");
}
