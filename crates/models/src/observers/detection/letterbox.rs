//! Resizes an image into a square as OpenCV does.

use neurogauge_core::Image;

/// Level of the square's area beside the image.
const GREY: u8 = 114;

/// Size of an image that is fitted into a square, and the number of columns to its left and rows above it.
pub(crate) fn letterbox((width_px, height_px): (usize, usize), side_px: usize) -> ((usize, usize), (usize, usize)) {
    let scale = side_px as f64 / width_px.max(height_px) as f64;
    let scaled = |side: usize| (side as f64 * scale) as usize;
    let resized = (scaled(width_px), scaled(height_px));
    let beside = |resized: usize| side_px.saturating_sub(resized) / 2;
    (resized, (beside(resized.0), beside(resized.1)))
}

/// The square with the image, which is reduced by area averaging or enlarged bilinearly, on grey. `None` if a side
/// would shrink to nothing.
pub(super) fn in_square(image: &Image<u8>, side_px: usize) -> Option<Image<u8>> {
    let original_px = (image.width_px(), image.height_px());
    if original_px.0 == 0 || original_px.1 == 0 {
        return None;
    }
    let ((width, height), (left, top)) = letterbox(original_px, side_px);
    if width == 0 || height == 0 {
        return None;
    }
    let longer = original_px.0.max(original_px.1);
    let resized = match longer.cmp(&side_px) {
        std::cmp::Ordering::Equal => image.data().to_vec(),
        std::cmp::Ordering::Greater => reduced(image, width, height),
        std::cmp::Ordering::Less => enlarged(image, width, height),
    };
    let mut square = vec![GREY; side_px * side_px * 3];
    for (row, values) in resized.chunks_exact(width * 3).enumerate() {
        let start = ((top + row) * side_px + left) * 3;
        square[start..start + width * 3].copy_from_slice(values);
    }
    Image::new(side_px, side_px, square).ok()
}

/// A position in the source and its weight.
type Tap = (usize, f32);

/// For each position of a reduced side, the source positions that it averages, with their weights (`INTER_AREA`).
fn areas(from: usize, to: usize) -> Vec<Vec<Tap>> {
    let scale = from as f64 / to as f64;
    let of_place = |place: usize| {
        let (start, end) = (place as f64 * scale, (place + 1) as f64 * scale);
        let cell = scale.min(from as f64 - start);
        let first = start.ceil() as usize;
        let last = (end.floor() as usize).min(from - 1);
        let first = first.min(last);
        let mut taps = Vec::new();
        if first as f64 - start > 1e-3 {
            taps.push((first - 1, ((first as f64 - start) / cell) as f32));
        }
        taps.extend((first..last).map(|place| (place, (1.0 / cell) as f32)));
        if end - last as f64 > 1e-3 {
            let share = (end - last as f64).min(1.0).min(cell) / cell;
            taps.push((last, share as f32));
        }
        taps
    };
    (0..to).map(of_place).collect()
}

fn reduced(image: &Image<u8>, width: usize, height: usize) -> Vec<u8> {
    let (from_width, from_height) = (image.width_px(), image.height_px());
    let level = |row: usize, column: usize, c: usize| image.data()[(row * from_width + column) * 3 + c];
    let is_whole = from_width % width == 0 && from_height % height == 0;
    let (across, down) = (from_width / width, from_height / height);
    let mut out = Vec::with_capacity(width * height * 3);
    if is_whole {
        // For whole factors, OpenCV sums integers and scales once.
        let share = 1.0 / (across * down) as f32;
        for (row, column, c) in places(width, height) {
            let rows = row * down..(row + 1) * down;
            let sum: u32 = rows
                .flat_map(|row| (column * across..(column + 1) * across).map(move |column| (row, column)))
                .map(|(row, column)| u32::from(level(row, column, c)))
                .sum();
            out.push(match (across, down) {
                (2, 2) => ((sum + 2) >> 2) as u8,
                _ => rounded(sum as f32 * share),
            });
        }
        return out;
    }
    let (columns, rows) = (areas(from_width, width), areas(from_height, height));
    for (row, column, c) in places(width, height) {
        let mut sum = 0.0_f32;
        for (at, &(from_row, of_row)) in rows[row].iter().enumerate() {
            let mut along = 0.0_f32;
            for &(from_column, of_column) in &columns[column] {
                along += f32::from(level(from_row, from_column, c)) * of_column;
            }
            sum = if at == 0 { of_row * along } else { sum + of_row * along };
        }
        out.push(rounded(sum));
    }
    out
}

/// For each position of an enlarged side, the two source positions around it and their weights in 1/2048
/// (`INTER_LINEAR` for 8 bits). Beyond the first and the last position, a row keeps both weights on the same position,
/// but a column uses the position alone. The two differ once each weight is rounded.
fn neighbours(from: usize, to: usize, keeps_shares: bool) -> Vec<(usize, usize, [i32; 2])> {
    let scale = 1.0 / (to as f64 / from as f64);
    let last = from as i64 - 1;
    let of_place = |place: usize| {
        let at = ((place as f64 + 0.5) * scale - 0.5) as f32;
        let first = at.floor() as i64;
        let share = match keeps_shares || (0..last).contains(&first) {
            true => at - first as f32,
            false => 0.0,
        };
        let within = |place: i64| place.clamp(0, last) as usize;
        let whole = |share: f32| (share * 2048.0).round_ties_even() as i32;
        (within(first), within(first + 1), [whole(1.0 - share), whole(share)])
    };
    (0..to).map(of_place).collect()
}

fn enlarged(image: &Image<u8>, width: usize, height: usize) -> Vec<u8> {
    let from_width = image.width_px();
    let level = |row: usize, column: usize, c: usize| i32::from(image.data()[(row * from_width + column) * 3 + c]);
    let columns = neighbours(from_width, width, false);
    let rows = neighbours(image.height_px(), height, true);
    let mut out = Vec::with_capacity(width * height * 3);
    for (row, column, c) in places(width, height) {
        let (upper, lower, of_rows) = rows[row];
        let (left, right, of_columns) = columns[column];
        let along = |row: usize| level(row, left, c) * of_columns[0] + level(row, right, c) * of_columns[1];
        let part = |row: usize, share: i32| (share * (along(row) >> 4)) >> 16;
        let sum = part(upper, of_rows[0]) + part(lower, of_rows[1]);
        out.push(((sum + 2) >> 2).clamp(0, 255) as u8);
    }
    out
}

/// Row, column and channel of each value, in their order.
fn places(width: usize, height: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..height).flat_map(move |row| (0..width).flat_map(move |column| (0..3).map(move |c| (row, column, c))))
}

fn rounded(value: f32) -> u8 {
    value.round_ties_even().clamp(0.0, 255.0) as u8
}
