//! Runs networks for images: batches, outputs of layers, threads or a device.

use super::{
    CLASSIFIER_INPUT, Classifier, FeatureMatrix, Halt, ImageModel, Layer, LayerOutputs, LayerRequest, Network, Pass,
};
use crate::ModelError;
use candle_core::Tensor;
use neurogauge_core::{Image, ModelIdentity};
use neurogauge_kernels::blocks::device::Placement;
use neurogauge_kernels::blocks::halving::in_parts;
use neurogauge_kernels::blocks::{host_values, pass_of};
use rayon::prelude::*;

pub(crate) struct VisionModel<N> {
    identity: ModelIdentity,
    network: N,
    placement: Placement,
}

impl<N: Network> VisionModel<N> {
    /// `placement` is the device and precision of the network's weights.
    pub(crate) fn new(identity: ModelIdentity, network: N, placement: Placement) -> Self {
        VisionModel {
            identity,
            network,
            placement,
        }
    }

    fn wanted(&self, requests: &[LayerRequest]) -> Result<Vec<&Layer>, ModelError> {
        let outline = self.network.outline();
        let layer = |request: &LayerRequest| {
            let mut layers = outline.layers.iter();
            let found = layers.find(|layer| layer.name == request.layer);
            found.ok_or_else(|| outline.unknown_layer(&request.layer))
        };
        requests.iter().map(layer).collect()
    }

    fn check_sizes(&self, images: &[Image<f32>]) -> Result<(), ModelError> {
        let Some(first) = images.first() else {
            return Ok(());
        };
        let size = |image: &Image<f32>| (image.width_px(), image.height_px());
        let (width_px, height_px) = size(first);
        let outline = self.network.outline();
        outline.check_size(0, size(first))?;
        if let Some(index) = images.iter().position(|image| size(image) != size(first)) {
            let expected = format_args!("{width_px} x {height_px} px as image 0");
            return Err(ModelError::image_size(outline.architecture, index, size(&images[index]), expected));
        }
        Ok(())
    }

    /// The rows of one pass, a tensor for each request.
    fn pass(
        &self,
        images: &[Image<f32>],
        requests: &[LayerRequest],
        wanted: &[&Layer],
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        let outputs = outputs(&self.network, images, wanted, &self.placement)?;
        read(self.network.outline().architecture, &outputs, wanted, requests.iter())
    }

    /// A matrix for each request, for layers in the forward pass.
    fn in_passes(
        &self,
        images: &[Image<f32>],
        requests: &[LayerRequest],
        wanted: &[&Layer],
    ) -> Result<Vec<FeatureMatrix>, ModelError> {
        let pass = |images: &[Image<f32>]| self.pass(images, requests, wanted);
        let passes: Result<Vec<_>, ModelError> = if self.placement.runs_side_by_side() {
            let per_thread = images.len().div_ceil(rayon::current_num_threads());
            let n = per_thread.clamp(1, self.network.images_per_pass());
            let n_passes = images.len().div_ceil(n);
            let pass = |images| pass_of(n_passes, || pass(images));
            images.par_chunks(n).map(pass).collect()
        } else {
            // On a device, one pass takes all images, since the device's own threads share the work.
            match images {
                [] => Ok(Vec::new()),
                images => in_parts(images, &pass),
            }
        };
        let mut matrices: Vec<FeatureMatrix> = requests
            .iter()
            .map(|_| FeatureMatrix {
                n_features: 0,
                values: Vec::new(),
            })
            .collect();
        for rows in passes? {
            for (matrix, rows) in matrices.iter_mut().zip(rows) {
                matrix.values.extend(rows);
            }
        }
        for matrix in &mut matrices {
            matrix.n_features = matrix.values.len() / images.len().max(1);
        }
        Ok(matrices)
    }

    /// The outputs if some of the layers belong to the classifier.
    fn classified(
        &self,
        classifier: &Classifier,
        images: &[Image<f32>],
        requests: &[LayerRequest],
        wanted: &[&Layer],
    ) -> Result<Vec<FeatureMatrix>, ModelError> {
        let architecture = self.network.outline().architecture;
        let own = |request: &&LayerRequest| classifier.has(&request.layer);
        let mut before: Vec<LayerRequest> = requests.iter().filter(|request| !own(request)).cloned().collect();
        before.push(LayerRequest::whole(CLASSIFIER_INPUT));
        let mut before = self.in_passes(images, &before, &self.wanted(&before)?)?;
        let input = before.pop().map_or_else(Vec::new, |matrix| matrix.values);
        let shape = (images.len(), input.len() / images.len());
        let input = self.placement.tensor(input, shape).map_err(ModelError::engine(architecture, "reading a layer"))?;
        let layers: Vec<&Layer> = wanted.iter().copied().filter(|layer| classifier.has(&layer.name)).collect();
        let outputs = run_to_layers(&self.network, &layers, |outputs| classifier.forward(&input, outputs))?;
        let after = read(architecture, &outputs, &layers, requests.iter().filter(own))?;
        let (mut before, mut after) = (before.into_iter(), after.into_iter());
        let in_order = requests.iter().filter_map(|request| {
            if own(&request) {
                let values = after.next()?;
                let n_features = values.len() / images.len();
                Some(FeatureMatrix { n_features, values })
            } else {
                before.next()
            }
        });
        Ok(in_order.collect())
    }
}

/// The values of layers' outputs, in the reference library's order.
fn read<'a>(
    architecture: &'static str,
    outputs: &[Tensor],
    layers: &[&Layer],
    requests: impl Iterator<Item = &'a LayerRequest>,
) -> Result<Vec<Vec<f32>>, ModelError> {
    let each = outputs.iter().zip(layers).zip(requests);
    each.map(|((output, layer), request)| {
        let rows = layer.rows(architecture, output, request.pooling)?;
        host_values(&rows).map_err(ModelError::engine(architecture, "reading a layer"))
    })
    .collect()
}

/// The outputs of these layers of a network whose weights are at `placement`, where the outputs also are. The images
/// have one size, which the network must accept.
pub(crate) fn outputs<N: Network + ?Sized>(
    network: &N,
    images: &[Image<f32>],
    wanted: &[&Layer],
    placement: &Placement,
) -> Result<Vec<Tensor>, ModelError> {
    let architecture = network.outline().architecture;
    let input = batch(images, placement).map_err(ModelError::engine(architecture, "reading the images"))?;
    run_to_layers(network, wanted, |outputs| network.forward(&input, outputs))
}

/// The outputs of these layers, as far as they belong to this part of the network.
fn run_to_layers<N: Network + ?Sized>(
    network: &N,
    wanted: &[&Layer],
    forward: impl FnOnce(&mut LayerOutputs<'_>) -> Pass<()>,
) -> Result<Vec<Tensor>, ModelError> {
    let mut found = LayerOutputs::new(wanted);
    match forward(&mut found) {
        Ok(()) | Err(Halt::Complete) => {}
        Err(Halt::Engine(error)) => {
            return Err(ModelError::engine(network.outline().architecture, "the forward pass")(error));
        }
    }
    let outputs = found.into_outputs().into_iter().zip(wanted);
    outputs
        .map(|(output, layer)| output.ok_or_else(|| network.outline().unknown_layer(&layer.name)))
        .collect()
}

/// The images as a tensor of shape (image, row, column, 3).
fn batch(images: &[Image<f32>], placement: &Placement) -> candle_core::Result<Tensor> {
    let (height, width) = images.first().map_or((0, 0), |image| (image.height_px(), image.width_px()));
    let mut values = Vec::with_capacity(images.len() * height * width * 3);
    for image in images {
        values.extend_from_slice(image.data());
    }
    placement.tensor(values, (images.len(), height, width, 3))
}

impl<N: Network> ImageModel for VisionModel<N> {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn layers(&self) -> Vec<&str> {
        self.network.outline().layers.iter().map(|layer| layer.name.as_str()).collect()
    }

    fn features(&self, images: &[Image<f32>], requests: &[LayerRequest]) -> Result<Vec<FeatureMatrix>, ModelError> {
        let wanted = self.wanted(requests)?;
        self.check_sizes(images)?;
        let classifier = self.network.classifier();
        match classifier.filter(|own| wanted.iter().any(|layer| own.has(&layer.name))) {
            Some(classifier) if !images.is_empty() => self.classified(classifier, images, requests, &wanted),
            _ => self.in_passes(images, requests, &wanted),
        }
    }
}
