//! The size that all images of a source have.

use super::{ImageSource, Origin};
use image::ImageReader;

impl ImageSource {
    /// Width and height of every image in pixels, if all are squares of one size. Files are not decoded: their headers say it, and squares
    /// are the same however a camera was held. `None` also if a size cannot be known without decoding.
    pub fn common_size_px(&self) -> Option<(usize, usize)> {
        if let Origin::Stack { layout, .. } = &self.origin {
            let side_px = usize::try_from(layout.width_px).ok()?;
            return (layout.width_px == layout.height_px).then_some((side_px, side_px));
        }
        let mut sides = (0..self.len()).map(|index| self.side_px(index));
        let side_px = sides.next()??;
        let is_common = sides.all(|side| side == Some(side_px));
        is_common.then_some((side_px, side_px))
    }

    /// The side of a file's image, if that is a square.
    fn side_px(&self, index: usize) -> Option<usize> {
        let reader = ImageReader::open(self.file_path(index)?).ok()?;
        let (width_px, height_px) = reader.with_guessed_format().ok()?.into_dimensions().ok()?;
        (width_px == height_px).then_some(width_px as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::RgbImage;

    #[test]
    fn squares_of_one_size_have_it_and_others_have_none() {
        let folder = tempfile::tempdir().unwrap();
        let save = |name: &str, (width, height): (u32, u32)| {
            let image = RgbImage::new(width, height);
            image.save(folder.path().join(name)).unwrap();
        };
        let found = || ImageSource::open(folder.path()).unwrap().common_size_px();
        save("0.png", (5, 5));
        save("1.bmp", (5, 5));
        assert_eq!(found(), Some((5, 5)));
        save("2.png", (6, 6));
        assert_eq!(found(), None);
        save("2.png", (5, 6));
        assert_eq!(found(), None);
    }
}
