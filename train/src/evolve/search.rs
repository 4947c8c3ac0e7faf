//! Search methods, which propose candidates. A search is a function of the ranks that it received: it has no other state,
//! so a killed run resumes from its journal, bit for bit.

use std::cell::RefCell;

use cmaes::{CMAESOptions, DVector};
use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};
use tilewright_engine::rng::stream;

/// The search method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Covariance matrix adaptation: the steps, their correlations and their size adapt to the ranks (Hansen 2006).
    CmaEs,
    /// Barbicels' method: the next candidates have the mean and covariance of the elite (Kulkarni 2016, 3.4).
    Elite,
}

/// One search.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// The method.
    pub method: Method,
    /// Dimensions of a candidate.
    pub dimensions: usize,
    /// Candidates per generation.
    pub population: usize,
    /// Standard deviation of each dimension of the first candidates, around 0.
    pub sigma: f64,
    /// The rate at which the mean of CMA-ES moves towards the mean of its best. Below 1 it averages noise over generations.
    pub mean_rate: f64,
    /// The number of elite candidates.
    pub elites: usize,
    /// The seed of every random draw.
    pub seed: u64,
}

/// The candidates of the next generation, and the distribution that they come from.
#[derive(Clone, Debug, PartialEq)]
pub struct Generation {
    /// Candidates.
    pub points: Vec<Vec<f64>>,
    /// The mean of the distribution.
    pub mean: Vec<f64>,
    /// The size of the distribution: σ for CMA-ES, the root of the mean variance for the elite method.
    pub sigma: f64,
    /// CMA-ES: the longest axis divided by the shortest. Elite: the largest standard deviation divided by the smallest.
    pub axis_ratio: f64,
}

impl Search {
    /// The generation after the ranked ones: `ranks[g][c]` is the place of candidate `c` of generation `g`, 0 for the best.
    pub fn next(&self, ranks: &[Vec<f64>]) -> Generation {
        match self.method {
            Method::CmaEs => self.adapted(ranks),
            Method::Elite => self.elite(ranks),
        }
    }

    fn adapted(&self, ranks: &[Vec<f64>]) -> Generation {
        let points = RefCell::new(Vec::new());
        let known: Vec<f64> = ranks.iter().flatten().copied().collect();
        let evaluations = RefCell::new(0);
        let objective = |point: &DVector<f64>| {
            let number = evaluations.replace_with(|&mut number| number + 1);
            known.get(number).copied().unwrap_or_else(|| {
                points.borrow_mut().push(point.iter().copied().collect());
                0.0
            })
        };
        let options = CMAESOptions::new(vec![0.0; self.dimensions], self.sigma)
            .population_size(self.population)
            .cm(self.mean_rate)
            .seed(self.seed);
        let Ok(mut search) = options.build(objective) else {
            unreachable!("the config was checked");
        };
        // The stop criteria of the library assume an exact fitness, so it only takes single steps.
        for _ in ranks {
            drop(search.next());
        }
        let (mean, sigma, axis_ratio) = (search.mean().iter().copied().collect(), search.sigma(), search.axis_ratio());
        drop(search.next());
        drop(search);
        Generation { points: points.into_inner(), mean, sigma, axis_ratio }
    }

    fn elite(&self, ranks: &[Vec<f64>]) -> Generation {
        let mut mean = vec![0.0; self.dimensions];
        // Steps whose outer products sum to the covariance.
        let mut steps: Vec<Vec<f64>> = (0..self.dimensions)
            .map(|axis| (0..self.dimensions).map(|other| if other == axis { self.sigma } else { 0.0 }).collect())
            .collect();
        let mut points = self.drawn(0, &mean, &steps);
        for (generation, places) in (1..).zip(ranks) {
            let mut order: Vec<usize> = (0..points.len()).collect();
            order.sort_by(|&one, &other| places[one].total_cmp(&places[other]));
            let elites: Vec<&Vec<f64>> = order.iter().take(self.elites).map(|&candidate| &points[candidate]).collect();
            let count = elites.len() as f64;
            mean = (0..self.dimensions).map(|axis| elites.iter().map(|point| point[axis]).sum::<f64>() / count).collect();
            let scale = (count - 1.0).max(1.0).sqrt();
            let step = |point: &&Vec<f64>| point.iter().zip(&mean).map(|(at, mean)| (at - mean) / scale).collect();
            steps = elites.iter().map(step).collect();
            points = self.drawn(generation, &mean, &steps);
        }
        let variance = |axis: usize| steps.iter().map(|step| step[axis].powi(2)).sum::<f64>();
        let deviations: Vec<f64> = (0..self.dimensions).map(|axis| variance(axis).sqrt()).collect();
        let sigma = (deviations.iter().map(|deviation| deviation.powi(2)).sum::<f64>() / self.dimensions as f64).sqrt();
        let (least, most) = deviations.iter().fold((f64::MAX, 0.0f64), |(least, most), &at| (least.min(at), most.max(at)));
        Generation { points, mean, sigma, axis_ratio: if least > 0.0 { most / least } else { f64::MAX } }
    }

    fn drawn(&self, generation: u64, mean: &[f64], steps: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let mut draws = stream(self.seed, "elite", generation);
        let mut point = || {
            let mut point = mean.to_vec();
            for step in steps {
                let length: f64 = StandardNormal.sample(&mut draws);
                point.iter_mut().zip(step).for_each(|(at, step)| *at += length * step);
            }
            point
        };
        (0..self.population).map(|_| point()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(method: Method) -> Search {
        Search { method, dimensions: 3, population: 24, sigma: 1.0, mean_rate: 1.0, elites: 6, seed: 7 }
    }

    fn places(points: &[Vec<f64>], worth: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by(|&one, &other| worth(&points[other]).total_cmp(&worth(&points[one])));
        let mut places = vec![0.0; points.len()];
        order.into_iter().enumerate().for_each(|(place, candidate)| places[candidate] = place as f64);
        places
    }

    #[test]
    fn both_methods_find_a_maximum() {
        let top = [1.5, -0.7, 0.2];
        let worth = |point: &[f64]| -point.iter().zip(top).map(|(at, top)| (at - top).powi(2)).sum::<f64>();
        for method in [Method::CmaEs, Method::Elite] {
            let mut ranks = Vec::new();
            for _ in 0..25 {
                let generation = search(method).next(&ranks);
                assert_eq!((generation.points.len(), generation.points[0].len()), (24, 3));
                ranks.push(places(&generation.points, worth));
            }
            let last = search(method).next(&ranks);
            assert!(worth(&last.mean) > -0.02, "{method:?} {last:?}");
            assert!(last.sigma < 0.3 && last.axis_ratio >= 1.0, "{last:?}");
        }
    }

    #[test]
    fn a_search_is_a_function_of_its_ranks_and_its_seed() {
        for method in [Method::CmaEs, Method::Elite] {
            let ranks = vec![(0..24).map(f64::from).collect::<Vec<f64>>(); 4];
            let bits = |search: Search| -> Vec<u64> {
                search.next(&ranks).points.iter().flatten().map(|at| at.to_bits()).collect()
            };
            assert_eq!(bits(search(method)), bits(search(method)));
            assert_ne!(bits(search(method)), bits(Search { seed: 8, ..search(method) }));
        }
    }

    #[test]
    fn the_next_step_has_the_spread_of_the_elite() {
        let search = search(Method::Elite);
        let first = search.next(&[]);
        // The first six candidates are the best.
        let next = search.next(&[(0..24).map(f64::from).collect()]);
        let elite = &first.points[..6];
        let mut variances = 0.0;
        for (axis, mean) in next.mean.iter().enumerate() {
            assert!((elite.iter().map(|point| point[axis]).sum::<f64>() / 6.0 - mean).abs() < 1e-12);
            variances += elite.iter().map(|point| (point[axis] - mean).powi(2)).sum::<f64>() / 5.0;
        }
        assert!((next.sigma - (variances / 3.0).sqrt()).abs() < 1e-12, "{next:?}");
    }
}
