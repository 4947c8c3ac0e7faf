//! Ratios of sums over games.

use std::ops::AddAssign;

use tilewright_engine::series::NORMAL_95;

/// The sums over games of how often a thing could happen (n) and how much of it happened (x).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ratio {
    /// Games with the key.
    pub games: i64,
    /// The sum of n.
    pub n: i64,
    /// The sum of x.
    pub x: i64,
    /// The sum of n².
    pub nn: i64,
    /// The sum of n·x.
    pub nx: i64,
    /// The sum of x².
    pub xx: i64,
}

impl AddAssign for Ratio {
    fn add_assign(&mut self, other: Ratio) {
        self.games += other.games;
        self.n += other.n;
        self.x += other.x;
        self.nn += other.nn;
        self.nx += other.nx;
        self.xx += other.xx;
    }
}

impl Ratio {
    /// x per n.
    pub fn value(self) -> f64 {
        self.x as f64 / self.n as f64
    }

    /// Half the width of the 95 % interval of the value, with games as the sample. The squared standard error is the
    /// variance of the sum of x − r·n over games, over the square of n. NaN for a key of one game. If x is 0 in all games,
    /// they do not vary. Then it is the upper end of Wilson's interval for a thing that happens or not.
    pub fn half_width(self) -> f64 {
        if self.games < 2 {
            return f64::NAN;
        }
        if self.x == 0 {
            return NORMAL_95.powi(2) / (self.n as f64 + NORMAL_95.powi(2));
        }
        let (r, games) = (self.value(), self.games as f64);
        let squares = self.xx as f64 - 2.0 * r * self.nx as f64 + r * r * self.nn as f64;
        let variance = squares.max(0.0) * games / (games - 1.0).max(1.0);
        NORMAL_95 * variance.sqrt() / self.n as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_games(games: &[(i64, i64)]) -> Ratio {
        let mut sum = Ratio::default();
        for &(n, x) in games {
            sum += Ratio { games: 1, n, x, nn: n * n, nx: n * x, xx: x * x };
        }
        sum
    }

    #[test]
    fn with_one_of_n_in_each_game_the_interval_is_that_of_a_mean() {
        let scores = [(1, 380), (1, 420), (1, 500), (1, 300)];
        let ratio = of_games(&scores);
        let variance = scores.iter().map(|&(_, x)| (x as f64 - 400.0).powi(2)).sum::<f64>() / 3.0;
        assert!((ratio.value() - 400.0).abs() < 1e-12);
        assert!((ratio.half_width() - NORMAL_95 * (variance / 4.0).sqrt()).abs() < 1e-9);
    }

    #[test]
    fn what_never_happened_may_happen() {
        assert!(of_games(&[(1, 5)]).half_width().is_nan());
        assert!((of_games(&[(40, 0), (60, 0)]).half_width() - 0.037).abs() < 1e-4);
    }

    #[test]
    fn intervals_hold_the_ratio_of_games_whose_turns_are_alike() {
        // Games of 1 to 20 turns; all turns of a game are bingos or none is.
        let mut draws = 12345u64;
        let mut draw = |below: u64| {
            draws = draws.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (draws >> 33) % below
        };
        let (mut held, mut narrow) = (0, 0);
        for _ in 0..400 {
            let games: Vec<(i64, i64)> = (0..300)
                .map(|_| {
                    let turns = 1 + draw(20) as i64;
                    (turns, if draw(10) < 3 { turns } else { 0 })
                })
                .collect();
            let ratio = of_games(&games);
            let distance = (ratio.value() - 0.3).abs();
            held += usize::from(distance <= ratio.half_width());
            let as_if_independent = NORMAL_95 * (ratio.value() * (1.0 - ratio.value()) / ratio.n as f64).sqrt();
            narrow += usize::from(distance <= as_if_independent);
        }
        assert!((365..=396).contains(&held), "{held} of 400");
        assert!(narrow < 250, "{narrow} of 400");
    }
}
