//! Small tables; the tests contain their expected renderings.

use neurogauge_core::{Direction, Estimate, Group, Side, Undefined};
use neurogauge_report::{Format, MetricColumn, RankEstimate, ReportError, SystemRow, SystemTable};

pub(crate) fn column(label: &str, direction: Direction, group: Group) -> MetricColumn {
    MetricColumn {
        id: label.to_lowercase().replace(['-', ' '], "_"),
        label: label.into(),
        direction,
        group,
        decimals: 3,
        stand_in: false,
        chance: None,
    }
}

pub(crate) fn value(mean: f64, low: f64, high: f64) -> Estimate {
    Estimate::of(Ok(mean), Some((low, high)), 12)
}

pub(crate) fn undefined() -> Estimate {
    Estimate {
        value: Err(Undefined::Constant(Side::Gt)),
        interval: None,
        n: 0,
        n_undefined: 12,
    }
}

pub(crate) fn rank(rank: f64, low: f64, high: f64) -> Option<RankEstimate> {
    Some(RankEstimate {
        rank,
        interval: (low, high),
    })
}

pub(crate) fn row(system: &str, estimates: Vec<Estimate>) -> SystemRow {
    SystemRow {
        system: system.into(),
        subject: None,
        estimates,
        rank: None,
        undefined: None,
    }
}

/// Four metrics of three groups, not in the groups' order; one is based on a placeholder, one has no value, one no
/// interval.
pub(crate) fn one_system() -> SystemTable {
    let mut cap_sim = column("Cap-Sim", Direction::Higher, Group::Semantic);
    cap_sim.stand_in = true;
    let single = Estimate {
        value: Ok(-0.0001),
        interval: None,
        n: 1,
        n_undefined: 11,
    };
    SystemTable {
        title: "Six stimuli".into(),
        columns: vec![
            cap_sim,
            column("PixCorr", Direction::Higher, Group::LowLevel),
            column("SSIM", Direction::Higher, Group::LowLevel),
            column("EffNet-B", Direction::Lower, Group::HighLevel),
        ],
        rows: vec![row("subj01", vec![value(0.5, 0.25, 0.75), value(0.25449, 0.125, 0.375), undefined(), single])],
        level: 0.95,
        notes: vec!["Pairs by file stem.".into()],
        unit: "pairs",
    }
}

/// Two metrics of opposite direction for three systems.
pub(crate) fn three_systems() -> SystemTable {
    SystemTable {
        title: "Captions".into(),
        columns: vec![
            column("PixCorr", Direction::Higher, Group::LowLevel),
            column("EffNet-B", Direction::Lower, Group::HighLevel),
        ],
        rows: vec![
            row("a", vec![value(0.3, 0.2, 0.4), value(0.9, 0.8, 1.0)]),
            row("b_1", vec![value(0.1, -0.1, 0.3), value(0.7, 0.6, 0.8)]),
            row("脳", vec![value(0.2, 0.1, 0.3), value(0.8, 0.7, 0.9)]),
        ],
        level: 0.95,
        notes: vec![],
        unit: "pairs",
    }
}

/// The table as it is written.
pub(crate) fn render(table: &SystemTable, format: Format, width: Option<usize>) -> Result<String, ReportError> {
    Ok(table.table()?.render(format, width))
}
