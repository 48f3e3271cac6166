//! Draws bar charts of the tables, as SVG: a group of bars for every text, with one bar for each
//! contender.

use std::fs;
use std::path::{Path, PathBuf};

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::measure::Cell;
use crate::results;

/// The colour of each contender, which is the same in all charts. Our colour is the most prominent.
/// People who cannot distinguish red and green can distinguish these colours (by M. Okabe and K.
/// Ito).
const COLOURS: &[(&str, RGBColor)] = &[
    ("ours", RGBColor(213, 94, 0)),
    ("simdutf", RGBColor(0, 114, 178)),
    ("simdutf-errors", RGBColor(86, 180, 233)),
    ("simdutf8", RGBColor(0, 158, 115)),
    ("simdutf8-compat", RGBColor(140, 200, 170)),
    ("encoding_rs", RGBColor(204, 121, 167)),
    ("std", RGBColor(150, 150, 150)),
];

/// The colour of a peer that is not in [`COLOURS`].
const OTHER_COLOUR: RGBColor = RGBColor(230, 190, 60);

/// The size of a chart in pixels, apart from the parts that depend on its contents.
const WIDTH: u32 = 900;
const BAR_HEIGHT: u32 = 12;
const GAP_HEIGHT: u32 = 12;
const TITLE_HEIGHT: u32 = 34;
const LEGEND_HEIGHT: u32 = 26;
const AXIS_HEIGHT: u32 = 44;
const RIGHT_MARGIN: u32 = 52;

/// The assumed width of a character of a label, in pixels.
const CHARACTER_WIDTH: u32 = 8;

/// The factor by which a bar of ASCII may be longer than the longest other bar. Longer bars are cut
/// off: ASCII is so fast that the other bars would be too short to read.
const MAX_ASCII_FACTOR: f64 = 1.6;

/// Returns the file name of an operation's chart, which has only letters, digits, hyphens and a
/// dot.
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
    /// The names and speeds of the bars, from top to bottom. All groups have the same names.
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

/// Draws the chart of an operation into a folder, which is created if it is missing. Returns the
/// path of the file. The remark follows the title.
///
/// # Errors
///
/// The error names the path that can't be written.
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
    let svg = render(&title, &labelled_groups(cells))?;
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&file, svg))
        .map_err(|error| format!("can't write {}: {error}", file.display()))?;
    Ok(file)
}

/// The message of an error of the backend, which the program can't handle.
type Failure = String;

/// Returns the SVG of a chart with that title.
///
/// # Errors
///
/// Returns the backend's error.
pub fn render(title: &str, groups: &[Group]) -> Result<String, Failure> {
    let Some(first) = groups.first() else { return Err(format!("{title}: nothing to draw")) };
    let names: Vec<_> = first.bars.iter().map(|(name, _)| &**name).collect();
    let longest_label = groups.iter().map(|group| group.label.chars().count()).max().unwrap_or(0);
    let left = 16 + CHARACTER_WIDTH * longest_label as u32;
    let group_height = BAR_HEIGHT * names.len() as u32 + GAP_HEIGHT;
    let plot_height = group_height * groups.len() as u32;
    let height = TITLE_HEIGHT + LEGEND_HEIGHT + plot_height + AXIS_HEIGHT;
    let axis_end = axis_end(groups);

    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        area.fill(&WHITE).map_err(message)?;
        let (head, body) = area.split_vertically(TITLE_HEIGHT + LEGEND_HEIGHT);
        draw_title_and_legend(&head, title, &names).map_err(message)?;

        let mut chart = ChartBuilder::on(&body)
            .x_label_area_size(AXIS_HEIGHT)
            .y_label_area_size(left)
            .margin_right(RIGHT_MARGIN)
            .build_cartesian_2d(0.0..axis_end, f64::from(plot_height)..0.0)
            .map_err(message)?;
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
            .map_err(message)?;
        let area = chart.plotting_area();
        for (index, group) in groups.iter().enumerate() {
            let top = f64::from(group_height * index as u32 + GAP_HEIGHT / 2);
            draw_bars(area, group, top, axis_end).map_err(message)?;
            let middle = top + f64::from(BAR_HEIGHT * names.len() as u32) / 2.0;
            let (x, y) = area.map_coordinate(&(0.0, middle));
            let (_, body_top) = body.get_base_pixel();
            let style = text_style(14).pos(Pos::new(HPos::Right, VPos::Center));
            body.draw_text(&group.label, &style, (x - 8, y - body_top)).map_err(message)?;
        }
        // The zero line, which is drawn over the starts of the bars.
        let zero = PathElement::new([(0.0, 0.0), (0.0, f64::from(plot_height))], BLACK);
        area.draw(&zero).map_err(message)?;
        area.present().map_err(message)?;
    }
    Ok(svg)
}

/// Returns the message of any error of the library.
fn message(error: impl std::fmt::Display) -> Failure {
    error.to_string()
}

/// Returns the style of black text of a size.
fn text_style(size: u32) -> TextStyle<'static> {
    TextStyle::from(("sans-serif", size).into_font()).color(&BLACK)
}

/// Returns the groups of the cells. The label has the size if the text has several cells.
fn labelled_groups(cells: &[Cell]) -> Vec<Group> {
    let has_several =
        |cell: &Cell| cells.iter().filter(|other| other.text == cell.text).count() > 1;
    let group = |cell: &Cell| match has_several(cell) {
        true => Group { label: format!("{}, {} B", cell.text, cell.bytes), ..Group::from(cell) },
        false => Group::from(cell),
    };
    cells.iter().map(group).collect()
}

/// Returns the speed at the end of the axis: the longest bar, or the limit for bars of ASCII.
fn axis_end(groups: &[Group]) -> f64 {
    let longest = |ascii: bool| {
        let bars = groups.iter().filter(|group| group.ascii == ascii).flat_map(|group| &group.bars);
        bars.map(|(_, speed)| *speed).fold(0.0, f64::max)
    };
    let (ascii, others) = (longest(true), longest(false));
    let end = if others > 0.0 { ascii.min(MAX_ASCII_FACTOR * others).max(others) } else { ascii };
    end * 1.02
}

/// Returns the colour of the contender with that name.
fn colour(name: &str) -> RGBColor {
    COLOURS.iter().find(|(who, _)| *who == name).map_or(OTHER_COLOUR, |(_, colour)| *colour)
}

type Chart<'a> = DrawingArea<SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

/// Draws the bars of a text, each with its speed. A bar that is cut off has a gap near its end.
fn draw_bars<'a>(area: &Chart<'a>, group: &Group, top: f64, axis_end: f64) -> Drawn<'a> {
    for (index, (name, speed)) in group.bars.iter().map(|(name, speed)| (name, *speed)).enumerate()
    {
        let upper = top + f64::from(BAR_HEIGHT * index as u32);
        let lower = upper + f64::from(BAR_HEIGHT - 2);
        let colour = colour(name);
        let bar =
            |from: f64, to: f64| Rectangle::new([(from, upper), (to, lower)], colour.filled());
        if speed > axis_end {
            area.draw(&bar(0.0, axis_end * 0.95))?;
            area.draw(&bar(axis_end * 0.965, axis_end))?;
        } else {
            area.draw(&bar(0.0, speed))?;
        }
        let style = text_style(11).pos(Pos::new(HPos::Left, VPos::Center));
        let point = (speed.min(axis_end) + axis_end * 0.006, (upper + lower) / 2.0);
        let number = if speed < 9.995 { format!("{speed:.2}") } else { format!("{speed:.1}") };
        area.draw(&Text::new(number, point, style))?;
    }
    Ok(())
}

/// Draws the title, and under the title the colour of each contender.
fn draw_title_and_legend<'a>(
    area: &DrawingArea<SVGBackend<'a>, plotters::coord::Shift>,
    title: &str,
    names: &[&str],
) -> Drawn<'a> {
    area.draw(&Text::new(title.to_owned(), (16, 10), text_style(20)))?;
    let top = TITLE_HEIGHT as i32 + 6;
    let mut x = 16;
    for name in names {
        area.draw(&Rectangle::new([(x, top), (x + 12, top + 12)], colour(name).filled()))?;
        area.draw(&Text::new((*name).to_owned(), (x + 18, top - 1), text_style(14)))?;
        x += 18 + (CHARACTER_WIDTH * name.chars().count() as u32) as i32 + 18;
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
    fn file_names_have_only_letters_digits_hyphens_and_dots() {
        assert_eq!(file_name("utf8>utf16"), "utf8-to-utf16.svg");
        for operation in crate::operations::all() {
            let name = file_name(operation.name);
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c)), "{name}");
        }
    }

    #[test]
    fn every_cell_is_drawn() {
        let groups = [group("Latin", true, 100.0), group("Chinese <>", false, 4.5)];
        let svg = render("utf8>utf16, kernel scalar", &groups).expect("the chart can be drawn");
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
            assert!(known || cfg!(not(feature = "simdutf")), "no contender has the name {name}");
        }
        assert!(axis_end(&groups) < 10.0 && axis_end(&groups[..1]) > 100.0);
    }
}
