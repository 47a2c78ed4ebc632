//! `[audit]`: does each system decode, or does it classify?

use crate::config::{StudyAudit, StudyClusters, StudyConfig};
use crate::found::{Audited, Found};
use crate::paper_item::PaperItems;
use crate::scoring::{System, below, of_system};
use crate::systems_table::by_stimuli;
use neurogauge::core::Input;
use neurogauge::core::option_words::option;
use neurogauge::report::figures::FigureOptions;
use neurogauge::report::{Cell, Table};
use neurogauge::{Error, ModelLayers, Progress, Report, RunSettings};
use neurogauge_audit::{AuditRequest, ClustersFrom, audit};
use neurogauge_report_page::beside_clusters;
use std::path::Path;

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
        let audit = audit(&request, &settings, progress)?;
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

/// Compares identification accuracies with those that clusters alone give, and lists the answers of every audit.
pub(crate) fn tables(found: &Found<'_>, paper_items: &mut PaperItems) -> Result<(), Error> {
    for group in by_stimuli(found.systems) {
        // Clusters are of the stimuli, which the systems of the group share.
        let Some(first) = found.audits.iter().find(|audited| group.names.contains(&audited.system.name)) else {
            continue;
        };
        let runs: Vec<_> = group.systems.iter().map(|system| (system.name.as_str(), &system.run)).collect();
        if let Some(table) = beside_clusters(&runs, &found.settings.out.join(&first.place))? {
            let name = format!("table_by_cluster_alone_{}", group.systems[0].file_name);
            paper_items.add(("", name, &group.about()), table);
        }
    }
    for Audited { system, place, audit } in found.audits {
        let table = Table::of(format!("Decoding or classification: {}", system.name), &audit.record.sections)
            .column("question", |section| Cell::text(section.question))
            .column("answer", |section| Cell::text(section.answer.clone()))
            .noted(vec![format!("The numbers and their intervals are in {place}/audit.md.")]);
        paper_items.add(system.item("", "table_audit"), table);
    }
    Ok(())
}
