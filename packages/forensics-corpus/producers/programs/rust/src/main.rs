//! Draws `in.json`, whose texts are all left-aligned, as `out.pdf` with printpdf.
use printpdf::path::PaintMode;
use printpdf::{BuiltinFont, Color, CustomPdfConformance, Mm, PdfConformance, PdfDocument, Pt, Rect, Rgb};
use serde_json::Value;
use std::{fs::File, io::BufWriter};

fn number(value: &Value) -> f32 {
    value.as_f64().expect("a number") as f32
}

fn mm(points: f32) -> Mm {
    Pt(points).into()
}

fn colour(value: &Value) -> Color {
    Color::Rgb(Rgb::new(number(&value[0]), number(&value[1]), number(&value[2]), None))
}

fn main() {
    let drawing: Value = serde_json::from_reader(File::open("in.json").unwrap()).unwrap();
    // The colour profile, which the library embeds by default, is a hundred times as large as the rest.
    let small = CustomPdfConformance { requires_icc_profile: false, ..Default::default() };
    let out = PdfDocument::empty(drawing["title"].as_str().unwrap()).with_conformance(PdfConformance::Custom(small));
    let faces = [
        ("sans", BuiltinFont::Helvetica),
        ("sans-bold", BuiltinFont::HelveticaBold),
        ("serif", BuiltinFont::TimesRoman),
        ("serif-bold", BuiltinFont::TimesBold),
        ("mono", BuiltinFont::Courier),
        ("mono-bold", BuiltinFont::CourierBold),
    ];
    let fonts = faces.map(|(face, font)| (face, out.add_builtin_font(font).unwrap()));
    for sheet in drawing["sheets"].as_array().unwrap() {
        let height = number(&sheet["height"]);
        let (page, layer) = out.add_page(mm(number(&sheet["width"])), mm(height), "Content");
        let layer = out.get_page(page).get_layer(layer);
        for mark in sheet["marks"].as_array().unwrap() {
            let (x, y) = (number(&mark["x"]), height - number(&mark["y"]));
            if mark["kind"] == "rect" {
                let (right, bottom) = (x + number(&mark["width"]), y - number(&mark["height"]));
                layer.set_fill_color(colour(&mark["fill"]));
                layer.add_rect(Rect::new(mm(x), mm(bottom), mm(right), mm(y)).with_mode(PaintMode::Fill));
            } else {
                let font = &fonts.iter().find(|(face, _)| mark["face"] == *face).unwrap().1;
                layer.set_fill_color(colour(&mark["colour"]));
                layer.use_text(mark["text"].as_str().unwrap(), number(&mark["size"]), mm(x), mm(y), font);
            }
        }
    }
    out.save(&mut BufWriter::new(File::create("out.pdf").unwrap())).unwrap();
}
