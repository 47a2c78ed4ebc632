//! A contact sheet.

use super::numbers;
use neurogauge_core::Image;
use neurogauge_report::figures::{ContactSheet, FigureFormat, FigureStyle, SheetRow};
use std::error::Error;
use std::path::Path;

pub(super) fn draw(folder: &Path) -> Result<(), Box<dyn Error>> {
    let image = |width: usize, height: usize, seed: u64| {
        let data = numbers(width * height * 3, seed);
        Image::new(width, height, data.iter().map(|v| (v * 255.0) as u8).collect())
    };
    let sizes = [(64, 64), (300, 100), (20, 90), (1, 1)];
    let rows = sizes.iter().zip(0..).map(|(&(w, h), i)| -> Result<SheetRow, Box<dyn Error>> {
        Ok(SheetRow {
            images: vec![Some(image(w, h, i)?), (i != 1).then(|| image(w, h, i + 9)).transpose()?],
            lines: vec![
                format!("item number {i} with a name that is far longer than there is room for it here"),
                "effnet: rank 3 of 1000, score 0.312".into(),
                "people: rank 998 of 1000, score 1.14".into(),
                "ranked 995 places too high".into(),
            ],
        })
    });
    let sheet = ContactSheet {
        title: "Worst cases of effnet".into(),
        columns: vec!["stimulus".into(), "reconstruction".into()],
        rows: rows.collect::<Result<_, _>>()?,
        caption: "Rank 1 is best.".into(),
    };
    std::fs::write(folder.join("sheet.png"), sheet.draw()?.file(FigureFormat::Png, &FigureStyle::default())?)?;
    Ok(())
}
