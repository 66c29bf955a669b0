//! Plots as SVG: medians with their ranges, and the line that has to be kept.

use std::path::Path;

use plotters::prelude::*;

use crate::error::Error;
use crate::statistics::Spread;

/// Width and height.
const SIZE: (u32, u32) = (720, 400);
/// A colour for each line.
const COLOURS: [RGBColor; 2] = [RGBColor(24, 90, 157), RGBColor(196, 98, 16)];
/// How far each stands aside of its place, so that no range hides another.
const ASIDE: [f64; 2] = [-0.02, 0.02];
const GATE: RGBColor = RGBColor(150, 30, 60);

/// Some lines over a few places.
#[derive(Debug)]
pub(crate) struct Plot {
    pub(crate) title: &'static str,
    pub(crate) under: &'static str,
    pub(crate) places: Vec<String>,
    pub(crate) lines: Vec<Line>,
    /// What has to be kept.
    pub(crate) gate: f64,
}

/// A value with its range at each place.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) values: Vec<Spread>,
}

impl Plot {
    /// Draws it into a file.
    pub(crate) fn draw(&self, path: &Path) -> Result<(), Error> {
        let area = SVGBackend::new(path, SIZE).into_drawing_area();
        area.fill(&WHITE).map_err(Error::of)?;
        let all = self.lines.iter().flat_map(|line| &line.values);
        let highest = all.fold(self.gate, |most, value| most.max(value.most)) * 1.1;
        let last = (1..self.places.len()).fold(0.0, |last, _| last + 1.0);
        let mut chart = ChartBuilder::on(&area)
            .caption(self.title, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(48)
            .build_cartesian_2d(-0.4..last + 0.4, 0.0..highest)
            .map_err(Error::of)?;
        let place = |at: &f64| self.place(*at);
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(self.places.len() * 2 + 1)
            .x_label_formatter(&place)
            .x_desc(self.under)
            .y_label_formatter(&|value| format!("{value:.1}"))
            .light_line_style(TRANSPARENT)
            .draw()
            .map_err(Error::of)?;
        let gate = [(-0.4, self.gate), (last + 0.4, self.gate)];
        chart
            .draw_series(DashedLineSeries::new(gate, 6, 4, GATE.stroke_width(1)))
            .map_err(Error::of)?
            .label("must hold")
            .legend(|(x, y)| PathElement::new([(x, y), (x + 18, y)], GATE.stroke_width(1)));
        for ((line, colour), aside) in self.lines.iter().zip(COLOURS).zip(ASIDE) {
            let points: Vec<(f64, Spread)> =
                line.at_places().map(|(x, value)| (x + aside, value)).collect();
            let middles = points.iter().map(|(x, value)| (*x, value.median));
            chart
                .draw_series(LineSeries::new(middles.clone(), colour.stroke_width(2)))
                .map_err(Error::of)?
                .label(line.name)
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2))
                });
            let dots = middles.map(|middle| Circle::new(middle, 4, colour.filled()));
            chart.draw_series(dots).map_err(Error::of)?;
            let ranges = points.iter().map(|(x, value)| {
                PathElement::new([(*x, value.least), (*x, value.most)], colour.stroke_width(1))
            });
            chart.draw_series(ranges).map_err(Error::of)?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerRight)
            .background_style(WHITE.mix(0.8))
            .border_style(TRANSPARENT)
            .draw()
            .map_err(Error::of)?;
        area.present().map_err(Error::of)
    }

    /// The name of the place at a whole number, and nothing between two places.
    fn place(&self, at: f64) -> String {
        let mut places = (0..).map(f64::from).zip(&self.places);
        let found = places.find(|(index, _)| (index - at).abs() < 0.01);
        found.map(|(_, name)| name.clone()).unwrap_or_default()
    }
}

impl Line {
    fn at_places(&self) -> impl Iterator<Item = (f64, Spread)> {
        (0..).map(f64::from).zip(self.values.iter().copied())
    }
}
