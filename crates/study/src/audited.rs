//! `[audit]`: does each system decode, or does it classify?

use crate::config::{StudyAudit, StudyClusters, StudyConfig};
use crate::scoring::{System, below, of_system};
use crate::systems::SystemGroup;
use neurogauge::core::Input;
use neurogauge::core::option_words::{ConfigTable, in_table, option};
use neurogauge::report::Table;
use neurogauge::report::figures::FigureOptions;
use neurogauge::{Error, ModelLayers, Progress, Report, RunSettings};
use neurogauge_audit::{Audit, AuditRequest, ClustersFrom, audit};
use neurogauge_report_page::beside_clusters;
use serde_json::{Value, json};
use std::path::Path;

const AUDIT: ConfigTable = ConfigTable {
    name: "[audit]",
    keys: &["train", "test", "features", "pairs", "clusters", "axes", "metric"],
};

#[derive(Debug)]
pub(crate) struct Audited<'a> {
    pub(crate) system: &'a System,
    /// Path relative to the study's folder.
    pub(crate) place: String,
    pub(crate) audit: Audit,
}

/// Audits every system, and writes the same files as `neurogauge audit`.
pub(crate) fn audit_all<'a>(
    config: &StudyConfig,
    systems: &'a [System],
    settings: &RunSettings,
    drawing: &FigureOptions,
    progress: &dyn Progress,
) -> Result<Vec<Audited<'a>>, Error> {
    let Some(wanted) = &config.audit else {
        return Ok(Vec::new());
    };
    let audited = |system: &'a System| {
        let place = format!("audit/{}", system.file_name);
        let settings = below(settings, &place);
        let request = request(config, wanted, system)?;
        let audit = in_table(&AUDIT, || audit(&request, &settings, progress))?;
        audit.write_figures(&settings.out, drawing)?;
        audit.write(&settings.out, settings.latex)?;
        Ok(Audited { system, place, audit })
    };
    systems.iter().map(|system| audited(system).map_err(of_system(&system.name))).collect()
}

fn request(config: &StudyConfig, wanted: &StudyAudit, system: &System) -> Result<AuditRequest, Error> {
    let inputs = &system.run.record.request.inputs;
    let image = |input| inputs.get(input).map(Path::to_owned);
    let given = wanted.recon.get(&system.name).cloned();
    let test = wanted.test.clone().or_else(|| image(Input::GT));
    let (Some(test), Some(recon)) = (test, given.or_else(|| image(Input::RECON))) else {
        let what = "[audit]: the system has no images; name features of its reconstructions in [audit.recon], and of the stimuli as `test`";
        return Err(Error::Usage(what.to_owned()));
    };
    Ok(AuditRequest {
        train: wanted.train.clone(),
        decoded: Some(recon),
        features: wanted.model()?,
        models: config.score.models.clone(),
        similarity: wanted.metric,
        pairs: wanted.pairs,
        clusters: match &wanted.clusters {
            StudyClusters::Number(k) => ClustersFrom::KMeans(*k),
            StudyClusters::File(path) => ClustersFrom::File(path.clone()),
        },
        axes: wanted.axes,
        bootstrap: config.score.bootstrap,
        ..AuditRequest::new(test)
    })
}

impl StudyAudit {
    /// The model that observes images.
    pub(crate) fn model(&self) -> Result<Option<ModelLayers>, Error> {
        let model = self.features.as_ref().map(|text| {
            let parsed = text.parse::<ModelLayers>();
            parsed.map_err(|error| Error::Usage(format!("[audit]: {}: {error}", option("features", ""))))
        });
        model.transpose()
    }
}

/// Identification accuracies of a group of systems beside those that clusters alone give; `out` is the study's folder.
pub(crate) fn by_cluster(audits: &[Audited<'_>], group: &SystemGroup<'_>, out: &Path) -> Result<Option<Table>, Error> {
    // Clusters are of the stimuli, which the systems of the group share.
    let Some(first) = audits.iter().find(|audited| group.names.contains(&audited.system.name)) else {
        return Ok(None);
    };
    let runs: Vec<_> = group.systems.iter().map(|system| (system.name.as_str(), &system.run)).collect();
    beside_clusters(&runs, &out.join(&first.place))
}

/// The answers of a system's audit, and where its numbers are; null without one.
pub(crate) fn answers(audits: &[Audited<'_>], system: &System) -> Value {
    let own = audits.iter().find(|audited| audited.system.name == system.name);
    own.map_or(Value::Null, |own| json!({"place": own.place, "rows": own.audit.record.sections}))
}
