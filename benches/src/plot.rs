//! Bar charts of the tables, as SVG: a group of bars for every text, one bar for each contender.

use std::fs;
use std::path::{Path, PathBuf};

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::measure::Cell;
use crate::results;

/// The colour of each contender: the same in all charts, with ours the most prominent. They can be
/// distinguished without seeing red or green (after M. Okabe and K. Ito).
const COLOURS: &[(&str, RGBColor)] = &[
    ("ours", RGBColor(213, 94, 0)),
    ("simdutf", RGBColor(0, 114, 178)),
    ("simdutf-errors", RGBColor(86, 180, 233)),
    ("simdutf8", RGBColor(0, 158, 115)),
    ("simdutf8-compat", RGBColor(140, 200, 170)),
    ("encoding_rs", RGBColor(204, 121, 167)),
    ("std", RGBColor(150, 150, 150)),
];

/// The colour of a peer that has none yet.
const OTHER: RGBColor = RGBColor(230, 190, 60);

/// The size of a chart in pixels, apart from the parts that depend on its contents.
const WIDTH: u32 = 900;
const BAR: u32 = 12;
const GAP: u32 = 12;
const TITLE: u32 = 34;
const LEGEND: u32 = 26;
const AXIS: u32 = 44;
const RIGHT: u32 = 52;

/// The assumed width of a character of a label.
const CHARACTER: u32 = 8;

/// The factor by which ASCII may exceed all other texts before its bars are cut: it is so much
/// faster that nothing else would be readable.
const CUT: f64 = 1.6;

/// The name of an operation's chart: of letters, digits and hyphens.
#[must_use]
pub fn file_name(operation: &str) -> String {
    format!("{}.svg", operation.replace('>', "-to-").replace(' ', "-").replace('?', ""))
}

/// A text with its bars: names and speeds.
pub struct Group {
    /// The text's name, with its size if there are several.
    pub label: String,
    /// True if the text is all ASCII.
    pub ascii: bool,
    /// The bars from top to bottom: the same names in all groups.
    pub bars: Vec<(String, f64)>,
}

impl From<&Cell> for Group {
    fn from(cell: &Cell) -> Self {
        let peers = cell.peers.iter().map(|peer| (peer.name.to_owned(), peer.value));
        let bars = std::iter::once(("ours".to_owned(), cell.ours)).chain(peers).collect();
        Self { label: cell.text.clone(), ascii: cell.ascii, bars }
    }
}

impl From<&results::Bars> for Group {
    fn from(text: &results::Bars) -> Self {
        Self { label: text.text.clone(), ascii: text.ascii, bars: text.bars.clone() }
    }
}

/// Draws the chart of an operation into a folder, which is created if it is missing, and returns
/// the file. The remark follows the title.
///
/// # Errors
///
/// Names the path that can't be written.
pub fn draw(
    folder: &Path,
    operation: &str,
    remark: &str,
    cells: &[Cell],
) -> Result<PathBuf, String> {
    let Some(first) = cells.first() else {
        return Err(format!("{operation}: nothing was measured"));
    };
    let file = folder.join(file_name(operation));
    let title = format!("{operation}, kernel {}{remark}", first.kernel);
    let svg = render(&title, &labelled(cells))?;
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&file, svg))
        .map_err(|error| format!("can't write {}: {error}", file.display()))?;
    Ok(file)
}

/// An error of the backend, as text: the program can't handle it.
type Failure = String;

/// A chart with that title.
///
/// # Errors
///
/// Returns the backend's error.
pub fn render(title: &str, groups: &[Group]) -> Result<String, Failure> {
    let Some(first) = groups.first() else { return Err(format!("{title}: nothing to draw")) };
    let names: Vec<_> = first.bars.iter().map(|(name, _)| &**name).collect();
    let widest = groups.iter().map(|group| group.label.chars().count()).max().unwrap_or(0);
    let left = 16 + CHARACTER * widest as u32;
    let height_of_group = BAR * names.len() as u32 + GAP;
    let plot = height_of_group * groups.len() as u32;
    let height = TITLE + LEGEND + plot + AXIS;
    let limit = limit(groups);

    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        area.fill(&WHITE).map_err(words)?;
        let (head, body) = area.split_vertically(TITLE + LEGEND);
        title_and_legend(&head, title, &names).map_err(words)?;

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
        for (at, group) in groups.iter().enumerate() {
            let top = f64::from(height_of_group * at as u32 + GAP / 2);
            bars(area, group, top, limit).map_err(words)?;
            let middle = top + f64::from(BAR * names.len() as u32) / 2.0;
            let (x, y) = area.map_coordinate(&(0.0, middle));
            let (_, above) = body.get_base_pixel();
            let style = text(14).pos(Pos::new(HPos::Right, VPos::Center));
            body.draw_text(&group.label, &style, (x - 8, y - above)).map_err(words)?;
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

/// The cells as groups: named with the size where a text has several.
fn labelled(cells: &[Cell]) -> Vec<Group> {
    let again = |cell: &Cell| cells.iter().filter(|other| other.text == cell.text).count() > 1;
    let group = |cell: &Cell| match again(cell) {
        true => Group { label: format!("{}, {} B", cell.text, cell.bytes), ..Group::from(cell) },
        false => Group::from(cell),
    };
    cells.iter().map(group).collect()
}

/// The end of the axis: the longest bar, or the limit for bars of ASCII.
fn limit(groups: &[Group]) -> f64 {
    let longest = |ascii: bool| {
        let bars = groups.iter().filter(|group| group.ascii == ascii).flat_map(|group| &group.bars);
        bars.map(|(_, speed)| *speed).fold(0.0, f64::max)
    };
    let (plain, rest) = (longest(true), longest(false));
    let end = if rest > 0.0 { plain.min(CUT * rest).max(rest) } else { plain };
    end * 1.02
}

/// The colour of a name.
fn colour(name: &str) -> RGBColor {
    COLOURS.iter().find(|(who, _)| *who == name).map_or(OTHER, |(_, colour)| *colour)
}

type Chart<'a> = DrawingArea<SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

/// The bars of a text, each with its number. One that is cut ends in a gap.
fn bars<'a>(area: &Chart<'a>, group: &Group, top: f64, limit: f64) -> Drawn<'a> {
    for (who, (name, speed)) in group.bars.iter().map(|(name, speed)| (name, *speed)).enumerate() {
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
        let point = (speed.min(limit) + limit * 0.006, (upper + lower) / 2.0);
        let number = if speed < 9.995 { format!("{speed:.2}") } else { format!("{speed:.1}") };
        area.draw(&Text::new(number, point, style))?;
    }
    Ok(())
}

/// The title, and under it the colour of each contender.
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

    fn group(label: &str, ascii: bool, ours: f64) -> Group {
        let bars = vec![("ours".to_owned(), ours), ("std".to_owned(), 1.0)];
        Group { label: label.to_owned(), ascii, bars }
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
        let groups = [group("Latin", true, 100.0), group("Chinese <>", false, 4.5)];
        let svg = render("utf8>utf16, kernel scalar", &groups).expect("nothing can fail");
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
        assert!(limit(&groups) < 10.0 && limit(&groups[..1]) > 100.0);
    }
}
