//! Sums of products in the vectors of the processor.
//!
//! Each sum keeps the order of its terms, and a product is rounded before it is added. So all processors of one kind find the same values,
//! whatever their vectors.

#![expect(clippy::inline_always, reason = "only code that is inlined is compiled for the vectors of the processor")]

use pulp::{Simd, WithSimd};

/// Rows whose sums are found together, so that each weight is read once for all of them.
const ROWS: usize = 4;
/// Vectors of sums that are found together, so that they stay in registers.
const VECTORS: usize = 2;

/// Adds to each output of some rows the weighted sum of the row's inputs.
pub(super) struct Products<'a> {
    /// Row by row, the inputs.
    pub(super) inputs: &'a [f32],
    /// Input by input, the weights of all outputs.
    pub(super) weights: &'a [f32],
    /// The outputs of a row.
    pub(super) count: usize,
    /// Row by row, the outputs.
    pub(super) outputs: &'a mut [f32],
}

impl WithSimd for Products<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Products { inputs, weights, count, outputs } = self;
        let width = weights.len() / count;
        if width == 0 {
            return;
        }
        let together = outputs.len() / (ROWS * count) * ROWS;
        let (inputs, rest) = inputs.split_at(together * width);
        let (outputs, rest_of_outputs) = outputs.split_at_mut(together * count);
        for (inputs, outputs) in inputs.chunks_exact(ROWS * width).zip(outputs.chunks_exact_mut(ROWS * count)) {
            add::<S, ROWS>(simd, inputs, weights, outputs);
        }
        for (inputs, outputs) in rest.chunks_exact(width).zip(rest_of_outputs.chunks_exact_mut(count)) {
            add::<S, 1>(simd, inputs, weights, outputs);
        }
    }
}

/// Adds to the outputs of `R` rows.
#[inline(always)]
fn add<S: Simd, const R: usize>(simd: S, inputs: &[f32], weights: &[f32], outputs: &mut [f32]) {
    let (width, count) = (inputs.len() / R, outputs.len() / R);
    let vectors = count / S::F32_LANES;
    let mut vector = 0;
    while vector + VECTORS <= vectors {
        add_vectors::<S, R, VECTORS>(simd, inputs, weights, vector, outputs);
        vector += VECTORS;
    }
    while vector < vectors {
        add_vectors::<S, R, 1>(simd, inputs, weights, vector, outputs);
        vector += 1;
    }
    for (inputs, outputs) in inputs.chunks_exact(width).zip(outputs.chunks_exact_mut(count)) {
        for (output, sum) in outputs.iter_mut().enumerate().skip(vectors * S::F32_LANES) {
            for (input, weights) in inputs.iter().zip(weights.chunks_exact(count)) {
                *sum += input * weights[output];
            }
        }
    }
}

/// Adds to `V` vectors of the outputs of `R` rows, from vector `first` on.
#[inline(always)]
fn add_vectors<S: Simd, const R: usize, const V: usize>(
    simd: S,
    inputs: &[f32],
    weights: &[f32],
    first: usize,
    outputs: &mut [f32],
) {
    let (width, count) = (inputs.len() / R, outputs.len() / R);
    let mut sums = [[simd.splat_f32s(0.0); V]; R];
    for (sums, outputs) in sums.iter_mut().zip(outputs.chunks_exact(count)) {
        sums.copy_from_slice(&S::as_simd_f32s(outputs).0[first..first + V]);
    }
    for (number, weights) in weights.chunks_exact(count).enumerate() {
        let weights = &S::as_simd_f32s(weights).0[first..first + V];
        for (row, sums) in sums.iter_mut().enumerate() {
            let input = simd.splat_f32s(inputs[row * width + number]);
            for (sum, &weight) in sums.iter_mut().zip(weights) {
                *sum = simd.add_f32s(*sum, simd.mul_f32s(input, weight));
            }
        }
    }
    for (sums, outputs) in sums.iter().zip(outputs.chunks_exact_mut(count)) {
        S::as_mut_simd_f32s(outputs).0[first..first + V].copy_from_slice(sums);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulp::{Arch, Scalar};

    use super::*;

    /// The obvious sums, in the same order.
    fn slowly(inputs: &[f32], weights: &[f32], count: usize, outputs: &mut [f32]) {
        let width = weights.len() / count;
        for (row, outputs) in outputs.chunks_exact_mut(count).enumerate() {
            for input in 0..width {
                for (output, sum) in outputs.iter_mut().enumerate() {
                    *sum += inputs[row * width + input] * weights[input * count + output];
                }
            }
        }
    }

    proptest! {
        #[test]
        fn sums_in_vectors_equal_the_obvious_sums_to_the_bit(
            rows in 0usize..11,
            width in 0usize..9,
            count in 1usize..70,
            values in prop::collection::vec(-100.0f32..100.0, 2000),
        ) {
            let (inputs, weights) = (&values[..rows * width], &values[100..100 + width * count]);
            let bias = values[1200..1200 + count].repeat(rows);
            let [mut wanted, mut found, mut one_by_one] = [(); 3].map(|()| bias.clone());
            slowly(inputs, weights, count, &mut wanted);
            Arch::new().dispatch(Products { inputs, weights, count, outputs: &mut found });
            Products { inputs, weights, count, outputs: &mut one_by_one }.with_simd(Scalar);
            let bits = |sums: Vec<f32>| sums.into_iter().map(f32::to_bits).collect::<Vec<u32>>();
            prop_assert_eq!(bits(found), bits(wanted.clone()));
            prop_assert_eq!(bits(one_by_one), bits(wanted));
        }
    }
}
