//! CSV and JSON: the data itself.

use super::fixtures::{one_system, rank, render, row, three_systems, value};
use neurogauge_core::{Direction, Group};
use neurogauge_report::{Format, MetricColumn, SystemTable};

#[test]
fn csv_has_a_line_for_each_system_and_metric() {
    let text = render(&one_system(), Format::Csv, None).unwrap();
    assert_eq!(
        text,
        "\
system,metric,mean,low,high,level,n,n_undefined,undefined,direction,stand_in
subj01,cap_sim,0.5,0.25,0.75,0.95,12,0,,higher,true
subj01,pixcorr,0.25449,0.125,0.375,0.95,12,0,,higher,false
subj01,ssim,,,,0.95,0,12,constant stimulus,higher,false
subj01,effnet_b,-0.0001,,,0.95,1,11,,lower,false
"
    );
}

#[test]
fn csv_has_chance_levels_where_there_are_any() {
    let mut table = one_system();
    table.columns[1].chance = Some(0.5);
    let text = render(&table, Format::Csv, None).unwrap();
    let ends: Vec<&str> = text.lines().map(|line| line.rsplit(',').next().unwrap()).collect();
    assert_eq!(ends, ["chance", "", "0.5", "", ""]);
}

#[test]
fn csv_quotes_commas_quotes_and_line_breaks() {
    let mut table = three_systems();
    table.rows[0].system = "Ozcelik, 2023 \"BD\"\nv2".into();
    let text = render(&table, Format::Csv, None).unwrap();
    assert!(text.contains("\n\"Ozcelik, 2023 \"\"BD\"\"\nv2\",pixcorr,0.3,"), "{text}");
}

#[test]
fn json_keeps_the_data_in_a_fixed_order() {
    let mut columns = vec![
        MetricColumn {
            id: "psnr".into(),
            label: "PSNR".into(),
            direction: Direction::Higher,
            group: Group::LowLevel,
            decimals: 2,
            stand_in: false,
            chance: Some(0.5),
        },
        one_system().columns.remove(0),
    ];
    columns[1].decimals = 1;
    let mut row = row("x\"y", vec![value(1.0 / 3.0, -0.0, 1e-12), { one_system().rows[0].estimates.remove(2) }]);
    row.rank = Some(vec![rank(1.5, 1.0, 2.0), None]);
    let table = SystemTable {
        title: "T".into(),
        columns,
        rows: vec![row],
        level: 0.9,
        notes: vec!["one".into()],
        unit: "pairs",
    };
    let text = render(&table, Format::Json, None).unwrap();
    assert_eq!(
        text,
        r#"{
  "title": "T",
  "level": 0.9,
  "columns": [
    {
      "metric": "psnr",
      "label": "PSNR",
      "direction": "higher",
      "group": "low_level",
      "decimals": 2,
      "stand_in": false,
      "chance": 0.5
    },
    {
      "metric": "cap_sim",
      "label": "Cap-Sim",
      "direction": "higher",
      "group": "semantic",
      "decimals": 1,
      "stand_in": true
    }
  ],
  "rows": [
    {
      "system": "x\"y",
      "estimates": [
        {
          "metric": "psnr",
          "value": 0.3333333333333333,
          "low": 0.0,
          "high": 1e-12,
          "n": 12,
          "n_undefined": 0,
          "undefined": null,
          "rank": {
            "rank": 1.5,
            "low": 1.0,
            "high": 2.0
          }
        },
        {
          "metric": "cap_sim",
          "value": null,
          "low": null,
          "high": null,
          "n": 0,
          "n_undefined": 12,
          "undefined": "constant stimulus",
          "rank": null
        }
      ]
    }
  ],
  "notes": [
    "one"
  ]
}
"#
    );
}
