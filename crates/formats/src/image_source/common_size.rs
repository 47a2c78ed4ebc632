//! Facts about images before they are decoded: their sizes, and whether files are lossy.

use super::stack_layout::StackLayout;
use super::{ImageSource, Origin};
use image::{ImageFormat, ImageReader};
use neurogauge_core::inspection::appearance::ImageForm;
use neurogauge_core::parallel;

impl ImageSource {
    /// Width and height of every image in pixels, if all are squares of one size. Files are not decoded: their headers
    /// give the size, and squares stay the same however a camera was held. Also `None` if a size cannot be known
    /// without decoding.
    pub fn common_size_px(&self) -> Option<(usize, usize)> {
        if let Some(layout) = self.common_layout() {
            let side_px = usize::try_from(layout.width_px).ok()?;
            return (layout.width_px == layout.height_px).then_some((side_px, side_px));
        }
        let mut sides = (0..self.len()).map(|index| self.side_px(index));
        let side_px = sides.next()??;
        sides.all(|side| side == Some(side_px)).then_some((side_px, side_px))
    }

    /// Width and height of the image with the most pixels; `None` if no size is known without decoding.
    pub fn largest_px(&self) -> Option<(usize, usize)> {
        if let Some(layout) = self.common_layout() {
            return layout.size_px();
        }
        if let Some(known) = self.largest_px.get() {
            return Some(*known);
        }
        let sizes = parallel::map(self.len(), |index| self.size_px(index));
        let largest = sizes.into_iter().flatten().max_by_key(|(width_px, height_px)| width_px * height_px)?;
        Some(*self.largest_px.get_or_init(|| largest))
    }

    /// The layout of the images of a stack, unless their sizes differ.
    pub(super) fn common_layout(&self) -> Option<StackLayout> {
        match &self.origin {
            Origin::Stack { array, layout, .. } if !array.has_sizes() => Some(*layout),
            _ => None,
        }
    }

    /// The side of an image that is a whole file or an array of its own, if it is a square.
    fn side_px(&self, index: usize) -> Option<usize> {
        if let Origin::Files { .. } = self.origin {
            self.file_path(index)?;
        }
        let (width_px, height_px) = self.size_px(index)?;
        (width_px == height_px).then_some(width_px)
    }

    /// Width and height of an image that is a whole file, from its header, or whose pixels are stored.
    pub fn size_px(&self, index: usize) -> Option<(usize, usize)> {
        Some(self.form_of(index)?.size_px)
    }

    /// The form of each image; `None` for an image whose header cannot be read, and for frames that are not decoded
    /// yet.
    pub fn forms(&self) -> Vec<Option<ImageForm>> {
        parallel::map(self.len(), |index| self.form_of(index))
    }

    fn form_of(&self, index: usize) -> Option<ImageForm> {
        let lossless = |size_px| ImageForm {
            size_px,
            is_lossy: false,
        };
        if let Origin::Stack { array, layout, .. } = &self.origin {
            return array.layout_of(*self.places.get(index)? as u64, *layout).size_px().map(lossless);
        }
        let Some(file) = self.file_path(index) else {
            return self.decoded.get()?.as_ref()?.size_px(*self.places.get(index)?).map(lossless);
        };
        let reader = ImageReader::open(file).ok()?.with_guessed_format().ok()?;
        let is_lossy = reader.format() == Some(ImageFormat::Jpeg);
        let (width_px, height_px) = reader.into_dimensions().ok()?;
        Some(ImageForm {
            size_px: (width_px as usize, height_px as usize),
            is_lossy,
        })
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
            RgbImage::new(width, height).save(folder.path().join(name)).unwrap();
        };
        let found = || ImageSource::open(folder.path()).unwrap().common_size_px();
        save("0.png", (5, 5));
        save("1.bmp", (5, 5));
        assert_eq!(found(), Some((5, 5)));
        save("2.png", (6, 6));
        assert_eq!(found(), None);
        save("2.png", (5, 6));
        assert_eq!(found(), None);
        let largest = ImageSource::open(folder.path()).unwrap().largest_px();
        assert_eq!(largest, Some((5, 6)));
    }
}
