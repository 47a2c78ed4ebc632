//! `[audit]`: does each system decode, or does it classify?

use crate::config::{StudyAudit, StudyClusters, StudyConfig};
use crate::runs::{Job, System, of_system};
use crate::systems::SystemGroup;
use neurogauge::core::Input;
use neurogauge::core::option_words::{ConfigTable, in_table, option};
use neurogauge::report::Table;
use neurogauge::{Error, ModelLayers, Report};
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

impl<'a> Job<'a> {
    /// Audits every system, and writes the same files as `neurogauge audit`.
    pub(crate) fn audits(&self, systems: &'a [System]) -> Result<Vec<Audited<'a>>, Error> {
        let audited = |(system, wanted): (&'a System, &StudyAudit)| {
            let place = format!("audit/{}", system.file_name);
            let settings = self.below(&place);
            let request = request(self.config, wanted, system)?;
            let audit = in_table(&AUDIT, || audit(&request, &settings, self.progress))?;
            audit.write_figures(&settings.out, self.drawing)?;
            audit.write(&settings.out, settings.latex)?;
            Ok(Audited { system, place, audit })
        };
        let wanted = systems.iter().filter_map(|system| Some((system, self.config.audit.as_ref()?)));
        wanted.map(|own| audited(own).map_err(of_system(&own.0.name))).collect()
    }
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
