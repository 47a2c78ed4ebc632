//! A function and a class of Python's package for each metric of two images, generated from the registry.

use super::written::is_written;
use crate::support::*;

/// The largest number of columns in a line of documentation.
const COLUMNS: usize = 120;

/// Side of the images in an example, in px, which every metric accepts.
const EXAMPLE_PX: usize = 192;

type Compare = fn(&Image<f32>, &Image<f32>, &PixelOptions) -> Result<Outcome, MetricError>;

fn metrics() -> Vec<(MetricDescription, Compare)> {
    let of_pixels = METRICS.iter().filter_map(|metric| match metric.compute {
        Compute::Pixels(compare) => Some((metric.description(), compare)),
        _ => None,
    });
    let mut metrics: Vec<_> = of_pixels.collect();
    metrics.sort_by_key(|(metric, _)| metric.id);
    metrics
}

/// Wraps words into lines; lines after the first one begin with eight spaces.
fn lines(text: &str) -> String {
    let (mut lines, mut column) = (String::new(), 4);
    for word in text.split_whitespace() {
        column += 1 + word.chars().count();
        if column > COLUMNS {
            lines += "\n        ";
            column = 8 + word.chars().count();
        } else if !lines.is_empty() {
            lines.push(' ');
        }
        lines += word;
    }
    lines
}

/// The documentation of the metric's function after `- Name: `, without its full stop.
fn section<'a>(definition: &'a str, name: &str) -> &'a str {
    let found = definition.split_once(&format!("\n- {name}: "));
    let (_, behind) = found.unwrap_or_else(|| panic!("no `- {name}: ` in {definition}"));
    let end = ["\n- ", "\n\n"].iter().filter_map(|end| behind.find(end)).min();
    behind[..end.unwrap_or(behind.len())].trim_end_matches('.')
}

/// The metric's value for an image of rising values and their squares, rounded by Python to four digits.
fn example(compare: Compare) -> String {
    let n = 3 * EXAMPLE_PX * EXAMPLE_PX;
    let rising: Vec<f32> = (0..n).map(|i| (i as f64 / (n - 1) as f64) as f32).collect();
    let squares = rising.iter().map(|value| value * value).collect();
    let image = |values| Image::new(EXAMPLE_PX, EXAMPLE_PX, values).unwrap();
    let options = PixelOptions::default();
    let value = compare(&image(rising), &image(squares), &options).unwrap().unwrap();
    let rounded: f64 = format!("{value:.4}").parse().unwrap();
    format!("{rounded:?}")
}

fn function((metric, compare): &(MetricDescription, Compare)) -> String {
    let MetricDescription { id, label, about, .. } = metric;
    let definition = metric.definition.as_deref().unwrap();
    let (measured, _) = definition.split_once("\n- ").unwrap();
    let of = |name: &str| section(definition, name);
    let measured = lines(measured).replace("\n        ", "\n    ");
    let shapes = lines(&format!(
        "Shapes: (n_images, height, width, 3) or (n_images, 3, height, width) on both sides, uint8 or floats nominally within \
         [0, 1]; NumPy arrays, torch tensors (bfloat16, too), anything with DLPack or ``__array__``; one image without the first \
         axis; an image of Pillow's, the path of an image file, or a list of either. Of arrays, nothing is copied but one image \
         at a time. When they are compared: {}.",
        of("Shapes")
    ));
    let range = lines(&format!("Range: {}.", of("Range")));
    let conventions = lines(&format!("Conventions: `image-unit`, {}.", of("Conventions")));
    let undefined =
        lines(&format!("Undefined: {}; :attr:`Result.undefined` has the reason for each pair.", of("Undefined")));
    let reference = lines(&format!(
        "Reference: {}. The bits are those of ``neurogauge score --metrics {id}``.",
        of("Reference")
    ));
    let example = example(*compare);
    // Only for this metric do released codes compute several variants.
    let (flavour, about_flavour) = match *id {
        "ssim" => (
            "\n    flavour: Literal[\"grey\", \"columns\", \"colour\"] = \"grey\",",
            "\n        flavour: of the grey images; with their columns taken as channels; or the mean over three colours under a uniform\n            \
             window (convention `ssim-flavour`).",
        ),
        _ => ("", ""),
    };
    format!(
        r#"

def {id}(
    reference: Any,
    reconstruction: Any,
    *,
    pixel_size: int | None = 425,
    first_size: int | None = None,
    proportions: Literal["kept", "squashed"] = "kept",
    filter: Literal["bilinear", "bicubic"] = "bilinear",
    antialias: bool = False,
    arithmetic: Literal["float", "eight_bit"] = "float",{flavour}
    layout: Layout = "auto",
    values: FloatScale | None = None,
    progress: bool = True,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """{about} ({label}).

    {measured}

    {shapes}

    {range}

    {conventions}

    {undefined}

    Args:
        reference: the stimuli.
        reconstruction: what was decoded; image i belongs to stimulus i.
        pixel_size: the shorter side at which images are compared, px; None compares them as they are.
        first_size: resize to this shorter side first, px.
        proportions: what resizing does to images that are not square: keep their proportions, or squash them, so that
            images of different proportions can be compared.
        filter: how pixels are interpolated.
        antialias: smooth before shrinking.
        arithmetic: resize in floats, or in 8 bits as Pillow does, which always smooths before shrinking.{about_flavour}
        layout: "NHWC" or "NCHW"; "auto" goes by the axis of length 3.
        values: what floats outside 0 to 1 are: "0..255", "-1..1", "clip" or "as-they-are"; without it, values far outside
            are an error.
        progress: show a bar if tqdm is installed.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for arrays of another shape or type, another number of images on the two sides, images of a pair that
            have two shapes once resized, or images that the metric cannot take.
        UsageError: for an option out of its range.

    {reference}

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> stimulus = np.linspace(0, 1, 3 * {EXAMPLE_PX} * {EXAMPLE_PX}, dtype=np.float32).reshape(1, {EXAMPLE_PX}, {EXAMPLE_PX}, 3)
        >>> round(ng.metrics.{id}(stimulus, stimulus**2, pixel_size=None).mean, 4)
        {example}
    """
    return of_pixels("{id}", **locals())
"#
    )
}

fn class_name(id: &str) -> String {
    let capitalised = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    };
    id.split('_').map(capitalised).collect()
}

fn class(id: &str) -> String {
    let name = class_name(id);
    format!(
        r#"

class {name}(OfPairs):
    """:func:`~neurogauge.metrics.{id}`, a batch at a time."""

    function = staticmethod({id})
"#
    )
}

/// A Python module: its imports, its `__all__`, and then its definitions.
fn is_written_module(name: &str, imports: &str, names: &[String], parts: &[String]) {
    let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    let text = format!(
        r#""""Metrics of two images, written from the registry by ``make written``; not to be edited."""

from __future__ import annotations

{imports}
__all__ = [{}]
{}"#,
        names.join(", "),
        parts.concat()
    );
    is_written(&format!("python/neurogauge/metrics/{name}.py"), &text);
}

#[test]
fn every_metric_of_two_images_has_its_function() {
    let imports = "from typing import Any, Literal

from .._arrays import FloatScale, Layout
from .._options import Unpack
from .._result import IntervalOptions, Result
from ._pixels import of_pixels
";
    let metrics = metrics();
    let ids: Vec<String> = metrics.iter().map(|(own, _)| own.id.to_owned()).collect();
    let functions: Vec<String> = metrics.iter().map(function).collect();
    is_written_module("_from_registry", imports, &ids, &functions);
}

#[test]
fn every_metric_of_two_images_has_its_class() {
    let ids: Vec<&str> = metrics().iter().map(|(metric, _)| metric.id).collect();
    let imports = format!("from ._batched import OfPairs\nfrom ._from_registry import {}\n", ids.join(", "));
    let names: Vec<String> = ids.iter().map(|id| class_name(id)).collect();
    let classes: Vec<String> = ids.iter().map(|id| class(id)).collect();
    is_written_module("_classes_from_registry", &imports, &names, &classes);
}
