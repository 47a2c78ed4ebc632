//! Shapes: point clouds and triangle meshes from `.npy`, `.ply` and `.obj` files.

mod obj;
mod ply;

use crate::stem_listing::stem_listing;
use crate::{FormatError, Problem, json, npy};
use std::path::{Path, PathBuf};

const EXPECTED: &str = "a point cloud or a mesh (.npy, .ply, .obj)";
const ENDINGS: [&str; 3] = ["npy", "ply", "obj"];

/// Points, and the triangles between them if the file has them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shape {
    pub vertices: Vec<[f64; 3]>,
    /// Three positions in `vertices` for each triangle; polygons are split into triangles around their first corner.
    pub triangles: Vec<[usize; 3]>,
}

/// Reads a shape.
///
/// - `.npy`: an array (n_points, 3) of floating-point numbers;
/// - `.ply`: text or binary in either byte order; `x`, `y` and `z` of the element `vertex`, and the lists
///   `vertex_indices` or `vertex_index` of `face`. Other elements and properties are skipped;
/// - `.obj`: the lines `v` and `f`, with positions counted from 1, or from the end if negative. Other lines are
///   skipped.
///
/// # Errors
/// The ending is unknown; the file has another format or was cut short; there are no points; a coordinate is not a
/// finite number; a face has fewer than three corners, or a corner that is not a point. Errors name the line or the
/// element.
pub fn read(path: &Path) -> Result<Shape, FormatError> {
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    let shape = match ending.to_str() {
        Some("npy") => of_array(path)?,
        Some("ply") => ply::parse(path, &json::read_bytes(path, EXPECTED)?)?,
        Some("obj") => obj::parse(path, &json::read_bytes(path, EXPECTED)?)?,
        _ => {
            return Err(
                Problem::unexpected(format!("the ending {:?}", ending.display().to_string()), EXPECTED).at(path)
            );
        }
    };
    if shape.vertices.is_empty() {
        return Err(malformed(path, "it has no points".to_owned()));
    }
    let is_finite = |point: &[f64; 3]| point.iter().all(|value| value.is_finite());
    if let Some(index) = shape.vertices.iter().position(|point| !is_finite(point)) {
        let reason = format!("{:?}; expected finite numbers", shape.vertices[index]);
        return Err(invalid(path, format!("point {index}"), reason));
    }
    Ok(shape)
}

/// The shapes of a folder with their stems, in natural order.
///
/// # Errors
/// The folder cannot be listed or has no shapes; two files have the same stem.
pub fn list(folder: &Path) -> Result<Vec<(String, PathBuf)>, FormatError> {
    let files = stem_listing(folder, &ENDINGS)?;
    if files.is_empty() {
        return Err(Problem::EmptyFolder("file .npy, .ply or .obj").at(folder));
    }
    Ok(files)
}

fn of_array(path: &Path) -> Result<Shape, FormatError> {
    let (shape, values) = npy::read_f64(path)?;
    if !matches!(shape[..], [_, 3]) {
        let reason = format!("an array of shape {shape:?}; expected (n_points, 3)");
        return Err(malformed(path, reason));
    }
    let (vertices, _) = values.as_chunks();
    Ok(Shape {
        vertices: vertices.to_vec(),
        triangles: Vec::new(),
    })
}

/// Splits a polygon into triangles around its first corner.
fn cut(corners: &[usize], triangles: &mut Vec<[usize; 3]>) {
    for next in corners.get(1..).unwrap_or_default().windows(2) {
        triangles.push([corners[0], next[0], next[1]]);
    }
}

fn malformed(path: &Path, reason: String) -> FormatError {
    Problem::new(reason).at(path)
}

fn invalid(path: &Path, place: String, reason: String) -> FormatError {
    Problem::invalid(place, reason).at(path)
}
