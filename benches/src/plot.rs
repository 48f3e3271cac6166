//! Bar charts of the tables, as SVG: a group of bars for every text, one bar for each contender.

use std::fs;
use std::path::{Path, PathBuf};

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::measure::Cell;

/// Who has which colour: the same in all charts, ours the one that stands out. They can be told apart by those who see
/// no red or no green (after M. Okabe and K. Ito).
const COLOURS: &[(&str, RGBColor)] = &[
    ("ours", RGBColor(213, 94, 0)),
    ("simdutf", RGBColor(0, 114, 178)),
    ("simdutf-errors", RGBColor(86, 180, 233)),
    ("simdutf8", RGBColor(0, 158, 115)),
    ("simdutf8-compat", RGBColor(140, 200, 170)),
    ("encoding_rs", RGBColor(204, 121, 167)),
    ("std", RGBColor(150, 150, 150)),
];

/// Of a peer that has no colour yet.
const OTHER: RGBColor = RGBColor(230, 190, 60);

/// The size of a chart in pixels, apart from what depends on its contents.
const WIDTH: u32 = 900;
const BAR: u32 = 12;
const GAP: u32 = 12;
const TITLE: u32 = 34;
const LEGEND: u32 = 26;
const AXIS: u32 = 44;
const RIGHT: u32 = 52;

/// How wide a character of a label is taken to be.
const CHARACTER: u32 = 8;

/// How far ASCII may reach beyond all other texts before its bars are cut: it is so much faster that nothing else could
/// be read.
const CUT: f64 = 1.6;

/// The name of an operation's chart: of letters, digits and hyphens.
#[must_use]
pub fn file_name(operation: &str) -> String {
    format!("{}.svg", operation.replace('>', "-to-").replace(' ', "-").replace('?', ""))
}

/// Draws the chart of an operation into a folder, which is made if it isn't there, and says which file it is. The
/// remark goes behind the title.
///
/// # Errors
///
/// Says what can't be written.
pub fn draw(
    folder: &Path,
    operation: &str,
    remark: &str,
    cells: &[Cell],
) -> Result<PathBuf, String> {
    let file = folder.join(file_name(operation));
    let svg = render(operation, remark, cells).map_err(|error| format!("{operation}: {error}"))?;
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&file, svg))
        .map_err(|error| format!("can't write {}: {error}", file.display()))?;
    Ok(file)
}

/// An error of the backend, in words: there is nothing to do about it.
type Failure = String;

/// The chart of an operation.
fn render(operation: &str, remark: &str, cells: &[Cell]) -> Result<String, Failure> {
    let Some(first) = cells.first() else { return Err("nothing was measured".to_owned()) };
    let names: Vec<_> = names(first).collect();
    let labels = labels(cells);
    let left =
        16 + CHARACTER * labels.iter().map(|label| label.chars().count()).max().unwrap_or(0) as u32;
    let group = BAR * names.len() as u32 + GAP;
    let plot = group * cells.len() as u32;
    let height = TITLE + LEGEND + plot + AXIS;
    let limit = limit(cells);

    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        area.fill(&WHITE).map_err(words)?;
        let (head, body) = area.split_vertically(TITLE + LEGEND);
        let title = format!("{operation}, kernel {}{remark}", first.kernel);
        title_and_legend(&head, &title, &names).map_err(words)?;

        let mut chart = ChartBuilder::on(&body)
            .x_label_area_size(AXIS)
            .y_label_area_size(left)
            .margin_right(RIGHT)
            .build_cartesian_2d(0.0..limit, f64::from(plot)..0.0)
            .map_err(words)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.12))
            .x_desc("GB/s of input")
            .axis_desc_style(("sans-serif", 14))
            .x_label_style(("sans-serif", 13))
            .x_label_formatter(&|speed| format!("{speed}"))
            .draw()
            .map_err(words)?;
        let area = chart.plotting_area();
        for (at, (cell, label)) in cells.iter().zip(&labels).enumerate() {
            let top = f64::from(group * at as u32 + GAP / 2);
            bars(area, cell, top, limit).map_err(words)?;
            let middle = top + f64::from(BAR * names.len() as u32) / 2.0;
            let (x, y) = area.map_coordinate(&(0.0, middle));
            let (_, above) = body.get_base_pixel();
            let style = text(14).pos(Pos::new(HPos::Right, VPos::Center));
            body.draw_text(label, &style, (x - 8, y - above)).map_err(words)?;
        }
        // The zero line, over the ends of the bars.
        let zero = PathElement::new([(0.0, 0.0), (0.0, f64::from(plot))], BLACK);
        area.draw(&zero).map_err(words)?;
        area.present().map_err(words)?;
    }
    Ok(svg)
}

/// Any error of the library, as text.
fn words(error: impl std::fmt::Display) -> Failure {
    error.to_string()
}

/// A style of black text.
fn text(size: u32) -> TextStyle<'static> {
    TextStyle::from(("sans-serif", size).into_font()).color(&BLACK)
}

/// The names at the bars: with the size where a text comes in several.
fn labels(cells: &[Cell]) -> Vec<String> {
    let again = |cell: &Cell| cells.iter().filter(|other| other.text == cell.text).count() > 1;
    let label = |cell: &Cell| match again(cell) {
        true => format!("{}, {} B", cell.text, cell.bytes),
        false => cell.text.clone(),
    };
    cells.iter().map(label).collect()
}

/// The end of the axis: the longest bar, or where those of ASCII are cut.
fn limit(cells: &[Cell]) -> f64 {
    let longest = |ascii: bool| {
        let cells = cells.iter().filter(|cell| cell.ascii == ascii);
        cells.flat_map(speeds).fold(0.0, f64::max)
    };
    let (plain, rest) = (longest(true), longest(false));
    let end = if rest > 0.0 { plain.min(CUT * rest).max(rest) } else { plain };
    end * 1.02
}

/// Ours and the peers'.
fn speeds(cell: &Cell) -> impl Iterator<Item = f64> {
    std::iter::once(cell.ours).chain(cell.peers.iter().map(|peer| peer.value))
}

/// The same with the names.
fn names(cell: &Cell) -> impl Iterator<Item = &'static str> {
    std::iter::once("ours").chain(cell.peers.iter().map(|peer| peer.name))
}

/// The colour of a name.
fn colour(name: &str) -> RGBColor {
    COLOURS.iter().find(|(who, _)| *who == name).map_or(OTHER, |(_, colour)| *colour)
}

type Chart<'a> = DrawingArea<SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

/// The bars of a text, each with its number. One that is cut ends in a gap.
fn bars<'a>(area: &Chart<'a>, cell: &Cell, top: f64, limit: f64) -> Drawn<'a> {
    for (who, (name, speed)) in names(cell).zip(speeds(cell)).enumerate() {
        let upper = top + f64::from(BAR * who as u32);
        let lower = upper + f64::from(BAR - 2);
        let colour = colour(name);
        let bar =
            |from: f64, to: f64| Rectangle::new([(from, upper), (to, lower)], colour.filled());
        if speed > limit {
            area.draw(&bar(0.0, limit * 0.95))?;
            area.draw(&bar(limit * 0.965, limit))?;
        } else {
            area.draw(&bar(0.0, speed))?;
        }
        let style = text(11).pos(Pos::new(HPos::Left, VPos::Center));
        let place = (speed.min(limit) + limit * 0.006, (upper + lower) / 2.0);
        let number = if speed < 9.995 { format!("{speed:.2}") } else { format!("{speed:.1}") };
        area.draw(&Text::new(number, place, style))?;
    }
    Ok(())
}

/// The title, and under it who has which colour.
fn title_and_legend<'a>(
    area: &DrawingArea<SVGBackend<'a>, plotters::coord::Shift>,
    title: &str,
    names: &[&str],
) -> Drawn<'a> {
    area.draw(&Text::new(title.to_owned(), (16, 10), text(20)))?;
    let top = TITLE as i32 + 6;
    let mut x = 16;
    for name in names {
        area.draw(&Rectangle::new([(x, top), (x + 12, top + 12)], colour(name).filled()))?;
        area.draw(&Text::new((*name).to_owned(), (x + 18, top - 1), text(14)))?;
        x += 18 + (CHARACTER * name.chars().count() as u32) as i32 + 18;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Result, Unit};

    fn cell(text: &str, ascii: bool, ours: f64) -> Cell {
        Cell {
            operation: "utf8>utf16",
            text: text.to_owned(),
            ascii,
            bytes: 80_000,
            kernel: utflane::Kernel::SCALAR,
            unit: Unit::Speed,
            ours,
            memcpy: None,
            reference: None,
            pace: 0.0,
            peers: vec![Result { name: "std", value: 1.0, ratio: ours }],
        }
    }

    #[test]
    fn names_of_files_are_plain() {
        assert_eq!(file_name("utf8>utf16"), "utf8-to-utf16.svg");
        for operation in crate::operations::all() {
            let name = file_name(operation.name);
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c)), "{name}");
        }
    }

    #[test]
    fn every_cell_is_drawn() {
        let cells = [cell("Latin", true, 100.0), cell("Chinese <>", false, 4.5)];
        let svg = render("utf8>utf16", "", &cells).expect("nothing can fail");
        for word in [
            "Latin",
            "Chinese &lt;&gt;",
            "utf8&gt;utf16, kernel scalar",
            "GB/s",
            "100.0",
            "4.50",
            "std",
        ] {
            assert!(svg.contains(word), "{word}: {svg}");
        }
        for name in COLOURS.iter().map(|(name, _)| *name) {
            let known = crate::operations::all()
                .iter()
                .any(|row| name == "ours" || row.peers.iter().any(|peer| peer.name == name));
            assert!(known || cfg!(not(feature = "simdutf")), "nobody is called {name}");
        }
        assert!(limit(&cells) < 10.0 && limit(&cells[..1]) > 100.0);
    }
}
