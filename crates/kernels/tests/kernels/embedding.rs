//! A table of vectors, in 16 bits where these hold every value.

use crate::made::noise;
use candle_core::{DType, Tensor};
use neurogauge_kernels::blocks::{Embedding, host_values};

#[test]
fn rows_are_those_of_the_table_in_every_precision() {
    let table = noise("table", &[4, 5]);
    let rounded = |to: DType| table.to_dtype(to).and_then(|table| table.to_dtype(DType::F32)).unwrap();
    for table in [table.clone(), rounded(DType::BF16), rounded(DType::F16), table.to_dtype(DType::F64).unwrap()] {
        let embedding = Embedding::new(table.clone());
        let found = embedding.forward(&[3, 0, 3]).unwrap();
        assert_eq!((found.dims(), found.dtype()), (&[3, 5][..], table.dtype()));
        let row = |id: usize| host_values(&table.get(id).unwrap()).unwrap();
        assert_eq!(host_values(&found).unwrap(), [row(3), row(0), row(3)].concat());
        assert_eq!(embedding.forward(&[]).unwrap().dims(), [0, 5]);
        assert!(embedding.forward(&[0, 4]).is_err());
    }
}

/// A table that is part of a larger tensor, which has values before and after it.
#[test]
fn rows_of_a_part_of_a_larger_table() {
    let whole: Tensor = noise("table", &[6, 5]);
    let found = Embedding::new(whole.narrow(0, 2, 3).unwrap()).forward(&[1]).unwrap();
    assert_eq!(host_values(&found).unwrap(), host_values(&whole.get(3).unwrap()).unwrap());
    assert!(Embedding::new(whole.narrow(0, 2, 3).unwrap()).forward(&[3]).is_err());
}
