//! What the floating-point functions of this machine return.
//!
//! Pieces of games between static players are integers, sums and products of integers, and the same on every machine. Simulations, networks
//! and win tables call functions of the system's mathematical library, and the last bit of those can differ between processors, because the
//! library chooses its code by what the processor can do. So a job stores a hash of many of their results, and a machine with another hash
//! makes no piece.

use tilewright_engine::hash::sha256;

/// Points at which each function is called.
const POINTS: u32 = 20_000;

/// The hash of the results.
pub fn probe() -> String {
    let functions: [fn(f64) -> f64; 8] =
        [f64::exp, f64::ln, f64::tanh, f64::sin, f64::cos, f64::sqrt, f64::cbrt, |x| x.powf(1.37)];
    let singles: [fn(f32) -> f32; 4] = [f32::exp, f32::ln, f32::tanh, |x| x.powf(0.73)];
    let mut bytes = Vec::new();
    for point in 1..=POINTS {
        // From 1/2000 to 10, off the round numbers.
        let x = std::hint::black_box(f64::from(point) * 5.000_37e-4);
        bytes.extend(functions.iter().flat_map(|function| function(x).to_bits().to_le_bytes()));
        bytes.extend(singles.iter().flat_map(|function| function(x as f32).to_bits().to_le_bytes()));
    }
    sha256(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_agrees_with_itself() {
        assert_eq!(probe(), probe());
    }
}
