//! A font in a PDF: only the glyphs in use, with the characters that they stand for, so that text can be searched and
//! copied.

use super::font::{self, Weight};
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use std::collections::BTreeMap;
use subsetter::GlyphRemapper;

const IDENTITY: SystemInfo<'static> = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};

/// A font, and the glyphs that a page uses.
pub(super) struct EmbeddedFont {
    weight: Weight,
    glyphs: GlyphRemapper,
    /// For each glyph number in the font file: the first letter that it was used for, and its width.
    letters: BTreeMap<u16, (char, f64)>,
}

impl EmbeddedFont {
    pub(super) fn new(weight: Weight) -> Self {
        EmbeddedFont {
            weight,
            glyphs: GlyphRemapper::new(),
            letters: BTreeMap::new(),
        }
    }

    pub(super) fn is_used(&self) -> bool {
        !self.letters.is_empty()
    }

    /// Glyph numbers of a text, two bytes each.
    pub(super) fn shown(&mut self, text: &str) -> Vec<u8> {
        let mut out = Vec::new();
        for (letter, (glyph, width)) in text.chars().zip(font::glyphs(text, self.weight)) {
            let number = self.glyphs.remap(glyph.0);
            self.letters.entry(number).or_insert((letter, width));
            out.extend(number.to_be_bytes());
        }
        out
    }

    /// Writes the font as object `id`, and its parts as the next ones.
    pub(super) fn write(
        &self,
        pdf: &mut Pdf,
        id: Ref,
        mut next: impl FnMut() -> Ref,
        deflated: impl Fn(&[u8]) -> Result<Vec<u8>, String>,
    ) -> Result<(), String> {
        let face = font::face(self.weight).ok_or("the font cannot be read")?;
        let subset = subsetter::subset(font::bytes(self.weight), 0, &self.glyphs);
        let file = deflated(&subset.map_err(|error| error.to_string())?)?;
        let [cid, descriptor, cmap, data] = [next(), next(), next(), next()];
        let name = format!("{}+{}", self.tag(), font::postscript_name(self.weight));
        let name = Name(name.as_bytes());
        pdf.type0_font(id)
            .base_font(name)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(cid)
            .to_unicode(cmap);

        let mut font = pdf.cid_font(cid);
        font.subtype(CidFontType::Type2)
            .base_font(name)
            .system_info(IDENTITY)
            .font_descriptor(descriptor)
            .default_width(0.0)
            .cid_to_gid_map_predefined(Name(b"Identity"));
        let mut widths = font.widths();
        for (number, (_, width)) in &self.letters {
            widths.consecutive(*number, [(width * 1e6).round() as f32 / 1e3]);
        }
        widths.finish();
        font.finish();

        let thousandths = |units: i16| {
            let share = f64::from(units) / f64::from(face.units_per_em().max(1));
            (share * 1000.0).round() as f32
        };
        let bbox = face.global_bounding_box();
        let [left, bottom, right, top] = [bbox.x_min, bbox.y_min, bbox.x_max, bbox.y_max].map(thousandths);
        pdf.font_descriptor(descriptor)
            .name(name)
            .flags(FontFlags::SYMBOLIC)
            .bbox(Rect::new(left, bottom, right, top))
            .italic_angle(0.0)
            .ascent(thousandths(face.ascender()))
            .descent(thousandths(face.descender()))
            .cap_height(thousandths(face.capital_height().unwrap_or(0)))
            .stem_v(match self.weight {
                Weight::Regular => 80.0,
                Weight::Bold => 140.0,
            })
            .font_file2(data);

        let mut meanings = UnicodeCmap::new(Name(b"Letters"), IDENTITY);
        for (number, (letter, _)) in &self.letters {
            meanings.pair(*number, *letter);
        }
        pdf.cmap(cmap, &meanings.finish());
        pdf.stream(data, &file).filter(Filter::FlateDecode);
        Ok(())
    }

    /// Six letters that distinguish subsets of the same font.
    fn tag(&self) -> String {
        // FNV-1a hash of the glyphs.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for glyph in self.glyphs.remapped_gids() {
            hash = (hash ^ u64::from(glyph)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        let letter = |place: u32| char::from(b'A' + (hash / 26_u64.pow(place) % 26) as u8);
        (0..6).map(letter).collect()
    }
}
