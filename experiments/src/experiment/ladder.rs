//! The gains of players and their costs: the table and the drawing of a study whose arms measure both.
//!
//! An arm is a rung. The name before `, with ` is the player. The rest is an addition, with its own columns in the table and
//! its own colour in the drawing. A line joins the rungs of players that differ only after a comma, such as
//! `sim, 1400 playouts` and `sim, 6000 playouts`.

use tilewright_engine::series::ratings::elo;

use super::summary::Line;
use crate::Number;
use crate::report::markdown;
use crate::report::svg::{Anchor, FEWEST_TICKS, Scale, Svg};

/// The figure that an arm wins.
pub const WIN_RATE: &str = "win rate";
/// The figure that an arm costs.
pub const COST: &str = "CPU time per game";
/// The drawing of a ladder, next to the page of its study.
pub const DRAWING: &str = "ladder.svg";

const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 40.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 40.0;
/// The height of a label, and the width of one of its letters, as a phone shows them.
const LABEL: f64 = 14.0;
const LETTER: f64 = 7.2;
/// The margin beside the first and the last rung, as a part of the logarithm of the cost to the base 10.
const MARGIN: f64 = 0.15;

/// A player with its cost and its win rate.
#[derive(Clone, Debug, PartialEq)]
struct Rung<'a> {
    player: &'a str,
    /// The addition to the player. Empty without one.
    added: &'a str,
    /// In CPU-seconds per game.
    cost: f64,
    /// In percent.
    win_rate: f64,
    /// Of the win rate, 95 %.
    interval: [f64; 2],
}

/// A part of the drawing. `top` lies above `bottom` and is the smaller number.
#[derive(Debug)]
struct Area {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Area {
    /// The area of a text, about.
    fn of_text((x, y): (f64, f64), anchor: Anchor, text: &str) -> Area {
        let width = LETTER * text.chars().count() as f64;
        let left = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        Area { left, right: left + width, top: y - LABEL + 3.0, bottom: y + 3.0 }
    }

    fn meets(&self, other: &Area) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }
}

/// The rungs among the figures of a study.
#[derive(Clone, Debug)]
pub struct Ladder<'a>(Vec<Rung<'a>>);

impl<'a> Ladder<'a> {
    /// The rungs, in the order of the arms, or `None` if fewer than two arms have a cost.
    pub fn new(lines: &'a [Line]) -> Option<Ladder<'a>> {
        let cost = |part: &str| lines.iter().find(|line| line.part == part && line.figure == COST);
        let rung = |line: &'a Line| {
            let cost = cost(&line.part)?.measured.value;
            let (player, added) = line.part.split_once(", with ").unwrap_or((&line.part, ""));
            let win_rate = line.measured.value;
            Some(Rung { player, added, cost, win_rate, interval: line.measured.interval.unwrap_or([win_rate; 2]) })
        };
        let rungs: Vec<Rung<'_>> =
            lines.iter().filter(|line| line.figure == WIN_RATE).filter_map(rung).filter(|rung| rung.cost > 0.0).collect();
        (rungs.len() > 1).then_some(Ladder(rungs))
    }

    /// The additions to players, in the order of their first use. The empty one comes first.
    fn additions(&self) -> Vec<&'a str> {
        let mut all = vec![""];
        for rung in &self.0 {
            if !all.contains(&rung.added) {
                all.push(rung.added);
            }
        }
        all
    }

    /// The table: a row for each player, with its cost and its win rate, without and with each addition.
    pub fn table(&self) -> String {
        let additions = self.additions();
        let mut head = vec!["player".to_string()];
        for added in &additions {
            let with = if added.is_empty() { String::new() } else { format!("with {added}: ") };
            head.extend([format!("#{with}CPU-seconds per game"), "win rate".into(), "#Elo".into()]);
        }
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        for Rung { player, .. } in &self.0 {
            if seen.contains(player) {
                continue;
            }
            seen.push(player);
            let cells = additions.iter().flat_map(|added| {
                let own = self.0.iter().find(|rung| rung.player == *player && rung.added == *added);
                own.map_or([const { String::new() }; 3], Rung::cells)
            });
            rows.push([player.to_string()].into_iter().chain(cells).collect());
        }
        markdown::table(&head.iter().map(String::as_str).collect::<Vec<_>>(), &rows)
    }

    /// The drawing: win rates over costs, which are on a logarithmic scale.
    pub fn drawing(&self) -> Svg {
        let mut svg = Svg::new(WIDTH, HEIGHT, "Win rate against the baseline over CPU-seconds per game");
        let (costs, up) = self.scales(&mut svg);
        let place = |rung: &Rung<'_>| (costs.at(rung.cost.log10()), up.at(rung.win_rate));
        for (place_in_key, added) in self.additions().into_iter().enumerate() {
            let class = ["first", "third", "second"][place_in_key % 3];
            let own: Vec<&Rung<'_>> = self.0.iter().filter(|rung| rung.added == added).collect();
            let families = own.chunk_by(|one, next| one.family() == next.family());
            for rungs in families.filter(|rungs| rungs.len() > 1) {
                svg.path(&format!("line {class}"), &rungs.iter().map(|rung| place(rung)).collect::<Vec<_>>());
            }
            for rung in own {
                let (x, y) = place(rung);
                svg.line(&format!("line {class}"), (x, up.at(rung.interval[0])), (x, up.at(rung.interval[1])));
                svg.dot(&format!("mark {class}"), (x, y), 3.2);
            }
            let named = if added.is_empty() { "as named".into() } else { format!("with {added}") };
            let y = TOP + 8.0 + 14.0 * place_in_key as f64;
            svg.text(&format!("label {class}"), (LEFT + 8.0, y), Anchor::Start, &named);
        }
        self.label(&mut svg, &costs, &up);
        svg
    }

    /// Draws the axes, and returns the scales of the logarithm of the cost and of the win rate.
    fn scales(&self, svg: &mut Svg) -> (Scale, Scale) {
        let logs = self.0.iter().flat_map(|rung| [-MARGIN, MARGIN].map(|margin| rung.cost.log10() + margin));
        let costs = Scale::new(logs, LEFT, WIDTH - RIGHT);
        let up = Scale::new(self.0.iter().flat_map(|rung| rung.interval), HEIGHT - BOTTOM, TOP);
        svg.ticks_before(&up, 1.0, (LEFT, WIDTH - RIGHT));
        let places = |factors: &[f64]| -> Vec<f64> {
            let all = (-6..=6).flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)));
            all.filter(|cost| (LEFT..=WIDTH - RIGHT).contains(&costs.at(cost.log10()))).collect()
        };
        let powers = places(&[1.0]);
        for value in if powers.len() < FEWEST_TICKS { places(&[1.0, 2.0, 5.0]) } else { powers } {
            let x = costs.at(value.log10());
            svg.line("grid", (x, TOP), (x, HEIGHT - BOTTOM));
            svg.text(
                "tick across",
                (x, HEIGHT - BOTTOM + 14.0),
                Anchor::Middle,
                format!("{value:.6}").trim_end_matches('0').trim_end_matches('.'),
            );
        }
        svg.text("axis-name", (WIDTH - RIGHT, HEIGHT - 6.0), Anchor::End, "CPU-seconds per game; up: win rate in percent");
        (costs, up)
    }

    /// Writes the names of players, where there is room: beside each rung, or above the first of a family.
    fn label(&self, svg: &mut Svg, costs: &Scale, up: &Scale) {
        let marks = self.0.iter().map(|rung| {
            let (x, [low, high]) = (costs.at(rung.cost.log10()), rung.interval.map(|end| up.at(end)));
            Area { left: x - 3.0, right: x + 3.0, top: high.min(low), bottom: low.max(high) }
        });
        let mut taken: Vec<Area> = marks.collect();
        for (index, rung) in self.0.iter().enumerate() {
            let (x, y, family) = (costs.at(rung.cost.log10()), up.at(rung.win_rate) + 4.0, rung.family());
            let mut places = if family == rung.player {
                let sides = [(x + 7.0, Anchor::Start), (x - 7.0, Anchor::End)];
                let sides = if rung.added.is_empty() { sides } else { [sides[1], sides[0]] };
                [0.0, LABEL, -LABEL].iter().flat_map(|down| sides.map(|(x, anchor)| (x, y + down, anchor))).collect()
            } else if self.0[..index].iter().all(|earlier| earlier.family() != family) {
                vec![(x, up.at(rung.interval[1]) - 5.0, Anchor::Middle)]
            } else {
                continue;
            };
            let is_free = |&(x, y, anchor): &(f64, f64, Anchor)| {
                let area = Area::of_text((x, y), anchor, family);
                area.left >= LEFT && area.right <= WIDTH - RIGHT && !taken.iter().any(|other| other.meets(&area))
            };
            let (x, y, anchor) = places.swap_remove(places.iter().position(is_free).unwrap_or(0));
            taken.push(Area::of_text((x, y), anchor, family));
            svg.text("label", (x, y), anchor, family);
        }
    }
}

impl<'a> Rung<'a> {
    /// The name of the player before a comma.
    fn family(&self) -> &'a str {
        self.player.split_once(',').map_or(self.player, |(family, _)| family)
    }

    /// The cells of a row: cost, win rate and Elo difference, both with 95 % intervals.
    fn cells(&self) -> [String; 3] {
        let digits = if self.cost < 0.01 { 4 } else { 2 };
        let [low, high] = self.interval;
        [
            format!("{:.digits$}", self.cost),
            format!("{:.1} % ({low:.1} to {high:.1})", self.win_rate),
            format!("{} ({} to {})", rounded_elo(self.win_rate), rounded_elo(low), rounded_elo(high)),
        ]
    }
}

/// The Elo difference of a win rate in percent, with its sign.
fn rounded_elo(win_rate: f64) -> String {
    // Adding zero takes the sign from −0.
    format!("{:+.0}", Number(elo((win_rate / 100.0).clamp(0.0, 1.0))))
}

#[cfg(test)]
mod tests {
    use super::super::summary::tests::sample;
    use super::*;

    #[test]
    fn no_text_of_a_summary_is_markdown() {
        let hostile = || "[a](javascript:b) | `c` <script>\n# d".to_string();
        let mut summary = sample();
        (summary.study, summary.question, summary.source) = (hostile(), hostile(), Some(hostile()));
        (summary.lines[0].part, summary.lines[0].figure, summary.lines[0].unit) = (hostile(), hostile(), hostile());
        if let Some(published) = &mut summary.lines[0].published {
            published.source = hostile();
        }
        let shown = summary.to_string();
        for part in ["](", "<script", "\n# d"] {
            assert_eq!(shown.matches(part).count(), shown.matches(&format!("\\{part}")).count(), "{part}: {shown}");
        }
        let row = shown.lines().rfind(|line| line.starts_with("| ")).unwrap();
        assert_eq!(row.replace("\\|", "").matches('|').count(), 5, "{row}");
    }
    use crate::experiment::verdict::Measured;

    fn lines(rungs: &[(&str, f64, Option<f64>)]) -> Vec<Line> {
        let line = |part: &str, figure: &str, value: f64, interval| {
            Line::new(part, figure, "", Measured { value, interval, pairs: Some(100) }, None, None)
        };
        let of_rung = |&(part, win_rate, cost): &(&str, f64, Option<f64>)| {
            let won = line(part, WIN_RATE, win_rate, Some([win_rate - 1.0, win_rate + 1.0]));
            [Some(won), cost.map(|cost| line(part, COST, cost, None))].into_iter().flatten().collect::<Vec<_>>()
        };
        rungs.iter().flat_map(of_rung).collect()
    }

    const RUNGS: [(&str, f64, Option<f64>); 5] = [
        ("leave", 50.0, Some(0.0006)),
        ("leave, with endgames", 52.3, Some(0.02)),
        ("sim, 6000 playouts", 60.0, Some(0.2)),
        ("sim, 16000 playouts", 61.0, Some(0.6)),
        ("heuri", 40.0, None),
    ];

    #[test]
    fn a_table_has_a_row_for_each_player_and_columns_for_what_was_added() {
        let lines = lines(&RUNGS);
        let table = Ladder::new(&lines).unwrap().table();
        let rows: Vec<&str> = table.lines().collect();
        assert!(rows[0].contains("| with endgames: CPU-seconds per game | win rate | Elo |"), "{table}");
        assert_eq!(
            rows[2],
            "| leave | 0.0006 | 50.0 % (49.0 to 51.0) | +0 (-7 to +7) | 0.02 | 52.3 % (51.3 to 53.3) | +16 (+9 to +23) |"
        );
        assert_eq!(rows[4], "| sim, 16000 playouts | 0.60 | 61.0 % (60.0 to 62.0) | +78 (+70 to +85) |  |  |  |");
        assert_eq!(rows.len(), 5, "an arm without a cost is no rung: {table}");
    }

    #[test]
    fn a_drawing_joins_families_and_names_each_player() {
        let lines = lines(&RUNGS);
        let drawn = Ladder::new(&lines).unwrap().drawing().finish().0;
        assert_eq!(drawn.matches("<circle class=\"mark first\"").count(), 3);
        assert_eq!(drawn.matches("<circle class=\"mark third\"").count(), 1);
        for (name, times) in [(">sim<", 1), (">leave<", 2), (">with endgames<", 1), (">0.001<", 1)] {
            assert_eq!(drawn.matches(name).count(), times, "{name}: {drawn}");
        }
    }

    #[test]
    fn names_cover_neither_each_other_nor_a_rung() {
        let lines = lines(&[
            ("a long name", 53.6, Some(0.0056)),
            ("another long name, with searches", 53.5, Some(0.06)),
            ("third", 53.4, Some(0.007)),
            ("greedy", 34.0, Some(0.0004)),
            ("a longer name than that", 34.2, Some(0.00042)),
        ]);
        let drawn = Ladder::new(&lines).unwrap().drawing().finish().0;
        let number =
            |text: &str, key: &str| -> f64 { text.split_once(key).unwrap().1.split('"').next().unwrap().parse().unwrap() };
        let area = |text: &str| {
            let anchor = if text.contains("text-anchor=\"end\"") { Anchor::End } else { Anchor::Start };
            let name = text.split_once('>').unwrap().1.split('<').next().unwrap();
            Area::of_text((number(text, " x=\""), number(text, " y=\"")), anchor, name)
        };
        let names: Vec<Area> = drawn.split("<text class=\"label\"").skip(1).map(area).collect();
        assert_eq!(names.len(), 5, "{drawn}");
        let dots = drawn.split("<circle").skip(1).map(|dot| [" cx=\"", " cy=\""].map(|key| number(dot, key)));
        let dots: Vec<Area> =
            dots.map(|[x, y]| Area { left: x - 1.0, right: x + 1.0, top: y - 1.0, bottom: y + 1.0 }).collect();
        for (index, name) in names.iter().enumerate() {
            assert!(name.left >= LEFT && name.right <= WIDTH - RIGHT, "{name:?} in {drawn}");
            assert!(names[..index].iter().chain(&dots).all(|other| !other.meets(name)), "{name:?} in {drawn}");
        }
    }

    #[test]
    fn one_rung_is_no_ladder() {
        assert!(Ladder::new(&lines(&RUNGS[..1])).is_none());
        assert!(Ladder::new(&lines(&RUNGS[4..])).is_none());
    }
}
