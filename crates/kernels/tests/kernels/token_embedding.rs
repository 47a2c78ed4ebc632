//! Tests of `blocks::token_embedding` and `blocks::embedding`.

use candle_core::{DType, Device, Result, Tensor};
use neurogauge_kernels::blocks::*;

fn maps() -> Tensor {
    let values = [1_f32, 2.0, 3.0, 6.0, 0.0, 0.0, 4.0, 4.0];
    Tensor::from_slice(&values, (2, 1, 2, 2), &Device::Cpu).unwrap()
}

fn positions() -> Tensor {
    let table = [[100_f32, 200.0], [10.0, 10.0], [20.0, 20.0]];
    Tensor::new(&[table], &Device::Cpu).unwrap()
}

#[test]
fn the_class_token_comes_first() -> Result<()> {
    let class_token = Tensor::new(&[1_f32, -1.0], &Device::Cpu)?;
    let embedding = TokenEmbedding::with_class_token(&class_token, &positions())?;
    let tokens = embedding.forward(&maps())?.to_vec3::<f32>()?;
    assert_eq!(tokens[0], [[101.0, 199.0], [11.0, 12.0], [23.0, 26.0]]);
    assert_eq!(tokens[1], [[101.0, 199.0], [10.0, 10.0], [24.0, 24.0]]);
    Ok(())
}

#[test]
fn or_the_mean_of_the_patches() -> Result<()> {
    let embedding = TokenEmbedding::with_mean_token(&positions(), 2)?;
    let tokens = embedding.forward(&maps())?.to_vec3::<f32>()?;
    assert_eq!(tokens[0], [[102.0, 204.0], [11.0, 12.0], [23.0, 26.0]]);
    assert_eq!(tokens[1][0], [102.0, 202.0]);
    Ok(())
}

#[test]
fn learned_tokens_come_first_and_positions_are_optional() -> Result<()> {
    let registers = Tensor::new(&[[5_f32, 6.0], [7.0, 8.0]], &Device::Cpu)?;
    let embedding = TokenEmbedding::with_first_tokens(Some(&registers), None, 2)?;
    let tokens = embedding.forward(&maps())?.to_vec3::<f32>()?;
    assert_eq!(tokens[1], [[5.0, 6.0], [7.0, 8.0], [0.0, 0.0], [4.0, 4.0]]);
    let one = maps().narrow(2, 0, 1)?.contiguous()?;
    assert_eq!(embedding.forward(&one)?.dims(), [2, 3, 2]);

    let positions = Tensor::new(&[[10_f32, 10.0], [20.0, 20.0]], &Device::Cpu)?;
    let embedding = TokenEmbedding::with_first_tokens(None, Some(&positions), 2)?;
    let tokens = embedding.forward(&maps())?.to_vec3::<f32>()?;
    assert_eq!(tokens[0], [[11.0, 12.0], [23.0, 26.0]]);
    assert!(embedding.forward(&one).is_err());
    Ok(())
}

#[test]
fn another_number_of_patches_is_refused() {
    let embedding = TokenEmbedding::with_mean_token(&positions(), 2).unwrap();
    let maps = maps().reshape((1, 2, 2, 2)).unwrap();
    let message = embedding.forward(&maps).unwrap_err().to_string();
    assert!(message.contains("are not 2 patches of 2 features"), "{message}");
}

#[test]
fn a_table_takes_half_the_memory_where_nothing_is_lost() -> Result<()> {
    // 0.1 rounded to bf16, to f16, and unrounded.
    for (tenth, held) in [(0.100_097_656, DType::BF16), (0.099_975_586, DType::F16), (0.1, DType::F32)] {
        let table = Tensor::new(&[[1_f32, -2.0], [tenth, 3.0]], &Device::Cpu)?;
        let embedding = Embedding::new(table);
        assert!(format!("{embedding:?}").contains(&format!("; {}]", held.as_str())), "{embedding:?}");
        let rows = embedding.forward(&[1, 0, 1])?.to_vec2::<f32>()?;
        assert_eq!(rows, [[tenth, 3.0], [1.0, -2.0], [tenth, 3.0]]);
        assert!(embedding.forward(&[2]).is_err());
    }
    Ok(())
}
