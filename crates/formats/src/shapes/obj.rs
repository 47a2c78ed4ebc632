//! Wavefront's `.obj`.

use super::{Shape, cut, invalid, malformed};
use crate::FormatError;
use std::path::Path;

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Shape, FormatError> {
    let text =
        std::str::from_utf8(bytes).map_err(|_| malformed(path, "not UTF-8 text; save it as UTF-8".to_owned()))?;
    let mut shape = Shape::default();
    // Corners may refer to points of later lines.
    let mut faces: Vec<(usize, Vec<usize>)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let refused = |reason: String| invalid(path, format!("line {}", index + 1), reason);
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let mut point = [0.0; 3];
                for value in &mut point {
                    let word = words.next().unwrap_or_default();
                    *value = word.parse().map_err(|_| refused(format!("{word:?}; expected three numbers after v")))?;
                }
                shape.vertices.push(point);
            }
            Some("f") => {
                let n_points = shape.vertices.len();
                let corners: Vec<usize> = words
                    .map(|word| {
                        place(word, n_points).ok_or_else(|| {
                            refused(format!(
                                "{word:?}; expected the number of a point, from 1, or before this line from -1"
                            ))
                        })
                    })
                    .collect::<Result<_, _>>()?;
                if corners.len() < 3 {
                    let found = corners.len();
                    return Err(refused(format!("a face with {found} corners; expected 3 or more")));
                }
                faces.push((index + 1, corners));
            }
            _ => {}
        }
    }
    for (line, corners) in &faces {
        if let Some(corner) = corners.iter().find(|&&corner| corner >= shape.vertices.len()) {
            let (found, n) = (corner + 1, shape.vertices.len());
            let reason = format!("the point {found}; the file has {n}");
            return Err(invalid(path, format!("line {line}"), reason));
        }
        cut(corners, &mut shape.triangles);
    }
    Ok(shape)
}

/// The position (from 0) of a corner, given as `7`, `7/1`, `7//2` or `-1`.
fn place(word: &str, n_before: usize) -> Option<usize> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    match number {
        1.. => usize::try_from(number - 1).ok(),
        0 => None,
        _ => n_before.checked_sub(usize::try_from(number.unsigned_abs()).ok()?),
    }
}
