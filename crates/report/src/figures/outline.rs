//! The line around some cells of a grid.

use std::collections::BTreeSet;

/// A corner of cells: columns from the left, rows from the top.
type Corner = (usize, usize);

/// The edges between the given cells (row, column) and all others, each from corner to corner, by row and column.
pub(super) fn outline(cells: &[(usize, usize)]) -> Vec<(Corner, Corner)> {
    let inside: BTreeSet<(usize, usize)> = cells.iter().copied().collect();
    let mut edges = Vec::new();
    for &(row, column) in &inside {
        let is_open = |row: Option<usize>, column: Option<usize>| match (row, column) {
            (Some(row), Some(column)) => !inside.contains(&(row, column)),
            _ => true,
        };
        let (left, right, top, bottom) = (column, column + 1, row, row + 1);
        if is_open(row.checked_sub(1), Some(column)) {
            edges.push(((left, top), (right, top)));
        }
        if is_open(Some(bottom), Some(column)) {
            edges.push(((left, bottom), (right, bottom)));
        }
        if is_open(Some(row), column.checked_sub(1)) {
            edges.push(((left, top), (left, bottom)));
        }
        if is_open(Some(row), Some(right)) {
            edges.push(((right, top), (right, bottom)));
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_between_two_cells_are_not_drawn() {
        assert_eq!(outline(&[(0, 0)]).len(), 4);
        let pair = outline(&[(0, 0), (0, 1), (0, 1)]);
        assert_eq!(pair.len(), 6);
        assert!(!pair.contains(&((1, 0), (1, 1))));
        assert!(pair.contains(&((2, 0), (2, 1))));
        assert!(outline(&[]).is_empty());
        // Cells that touch at a corner only keep all their edges.
        assert_eq!(outline(&[(0, 0), (1, 1)]).len(), 8);
    }
}
