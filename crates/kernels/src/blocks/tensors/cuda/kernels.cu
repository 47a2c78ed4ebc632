// Layers on NVIDIA's processors, one kernel each. Compiled when the first of them is run (mod.rs). All tensors are of f32,
// dense unless said otherwise, and have fewer than 2^31 values; maps are of (image, row, column, channel).

typedef unsigned int u32;

// The activations of activation.rs, in its order.
__device__ float activated(float x, u32 activation) {
    switch (activation) {
    case 1: return x < 0.0f ? 0.0f : x;  // NaN stays
    case 2: return x / (1.0f + expf(-x));
    case 3: return 1.0f / (1.0f + expf(-x));
    case 4: return 0.5f * x * (1.0f + erff(x * 0.70710678118654752f));
    case 5: return x / (1.0f + expf(-1.702f * x));
    case 6: return x / (1.0f + expf(-1.59576912160573071f * (x + 0.044715f * x * x * x)));
    default: return x;
    }
}

// y = f(factors (x + bias) + residual) for every row; without factors or residual, another tensor stands in their place.
extern "C" __global__ void finished_rows(u32 n_values, u32 n_columns, u32 activation, u32 has_factors, u32 has_residual, const float *x,
                                         const float *bias, const float *factors, const float *residual, float *y) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n_values) return;
    u32 column = i % n_columns;
    float value = x[i] + bias[column];
    if (has_factors) value *= factors[column];
    if (has_residual) value += residual[i];
    y[i] = activated(value, activation);
}

// Of all 32 threads of a warp, which have a row together.
__device__ float sum_of_warp(float value) {
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffff, value, step);
    return value;
}
__device__ float largest_of_warp(float value) {
    for (int step = 16; step > 0; step /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, step));
    return value;
}

// Rows with mean 0 and variance 1, scaled and shifted.
extern "C" __global__ void normalised_rows(u32 n_rows, u32 n_columns, float epsilon, const float *x, const float *weight,
                                           const float *bias, float *y) {
    u32 row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= n_rows) return;
    x += row * n_columns;
    y += row * n_columns;
    float sum = 0.0f, squares = 0.0f;
    for (u32 i = lane; i < n_columns; i += 32) sum += x[i];
    float mean = sum_of_warp(sum) / n_columns;
    for (u32 i = lane; i < n_columns; i += 32) squares += (x[i] - mean) * (x[i] - mean);
    float deviation = sqrtf(sum_of_warp(squares) / n_columns + epsilon);
    for (u32 i = lane; i < n_columns; i += 32) y[i] = (x[i] - mean) / deviation * weight[i] + bias[i];
}

// softmax(x + bias) of the rows of (sequence, head, query, key). The bias has its own steps from sequence to sequence, head to head and
// query to query, which are 0 where it is the same for all.
extern "C" __global__ void softmax_rows(u32 n_rows, u32 n_columns, u32 n_heads, u32 n_queries, u32 has_bias, u32 by_sequence, u32 by_head,
                                        u32 by_query, const float *x, const float *bias, float *y) {
    u32 row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= n_rows) return;
    x += row * n_columns;
    y += row * n_columns;
    u32 query = row % n_queries, head = row / n_queries % n_heads, sequence = row / n_queries / n_heads;
    bias += sequence * by_sequence + head * by_head + query * by_query;
    // NaN is lost in the maximum and comes back by the exponential.
    float largest = __int_as_float(0xff800000), total = 0.0f;
    for (u32 i = lane; i < n_columns; i += 32) {
        float value = has_bias ? x[i] + bias[i] : x[i];
        y[i] = value;
        largest = fmaxf(largest, value);
    }
    largest = largest_of_warp(largest);
    for (u32 i = lane; i < n_columns; i += 32) {
        float value = expf(y[i] - largest);
        y[i] = value;
        total += value;
    }
    total = sum_of_warp(total);
    for (u32 i = lane; i < n_columns; i += 32) y[i] /= total;
}

// Every channel with a window of its own; the weights tap by tap.
extern "C" __global__ void depthwise(u32 n_values, u32 n_channels, u32 height, u32 width, u32 out_height, u32 out_width, u32 taps_down,
                                     u32 taps_across, u32 stride, u32 above, u32 before, u32 activation, const float *x, const float *taps,
                                     const float *bias, float *y) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n_values) return;
    u32 channel = i % n_channels, place = i / n_channels;
    u32 column = place % out_width, row = place / out_width % out_height, image = place / out_width / out_height;
    float sum = bias[channel];
    for (u32 down = 0; down < taps_down; down++) {
        // Of places above and before the map the number wraps round, beyond its size.
        u32 at_row = row * stride + down - above;
        if (at_row >= height) continue;
        for (u32 across = 0; across < taps_across; across++) {
            u32 at_column = column * stride + across - before;
            if (at_column >= width) continue;
            sum += x[((image * height + at_row) * width + at_column) * n_channels + channel]
                 * taps[(down * taps_across + across) * n_channels + channel];
        }
    }
    y[i] = activated(sum, activation);
}

// What each window covers as a row: its rows, their columns, their channels; 0 beside the map.
extern "C" __global__ void windows(u32 n_values, u32 n_channels, u32 height, u32 width, u32 out_height, u32 out_width, u32 taps_down,
                                   u32 taps_across, u32 stride, u32 above, u32 before, const float *x, float *y) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n_values) return;
    u32 channel = i % n_channels, tap = i / n_channels;
    u32 across = tap % taps_across, down = tap / taps_across % taps_down, place = tap / taps_across / taps_down;
    u32 column = place % out_width, row = place / out_width % out_height, image = place / out_width / out_height;
    u32 at_row = row * stride + down - above, at_column = column * stride + across - before;
    bool inside = at_row < height && at_column < width;
    y[i] = inside ? x[((image * height + at_row) * width + at_column) * n_channels + channel] : 0.0f;
}

// A dense copy of a tensor of five dimensions, of sizes n0 to n4 and steps s0 to s4.
extern "C" __global__ void in_order(u32 n_values, u32 n1, u32 n2, u32 n3, u32 n4, u32 s0, u32 s1, u32 s2, u32 s3, u32 s4, const float *x,
                                 float *y) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n_values) return;
    u32 at = i % n4 * s4, rest = i / n4;
    at += rest % n3 * s3, rest /= n3;
    at += rest % n2 * s2, rest /= n2;
    at += rest % n1 * s1, rest /= n1;
    y[i] = x[at + rest * s0];
}

// A place along an axis, counted from the middle of the first of `size`; of boxes, an offset of `n_points` is half the box.
__device__ float placed(float offset, float middle, float extent, float size, u32 n_points, u32 of_boxes) {
    return of_boxes ? (middle + offset * (extent * 0.5f / n_points)) * size - 0.5f : middle * size + offset - 0.5f;
}

// Deformable attention: for each query, head and feature the weighted mean of what is at the chosen places, between the four of the map
// around each. Of each query a reference has (x, y, width, height); each of `maps` is (height, width, its first place).
extern "C" __global__ void sampled(u32 n_values, u32 n_heads, u32 n_maps, u32 n_points, u32 head_width, u32 of_boxes, const float *memory,
                                   const float *offsets, const float *weights, const float *references, const float *maps, float *y) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n_values) return;
    u32 feature = i % head_width, head = i / head_width % n_heads, query = i / head_width / n_heads;
    u32 n_samples = n_maps * n_points;
    references += query * 4;
    offsets += (query * n_heads + head) * n_samples * 2;
    weights += (query * n_heads + head) * n_samples;
    float sum = 0.0f;
    for (u32 sample = 0; sample < n_samples; sample++) {
        const float *map = maps + sample / n_points * 3;
        float height = map[0], width = map[1];
        float across = placed(offsets[2 * sample], references[0], references[2], width, n_points, of_boxes);
        float down = placed(offsets[2 * sample + 1], references[1], references[3], height, n_points, of_boxes);
        float left = floorf(across), above = floorf(down);
        for (u32 corner = 0; corner < 4; corner++) {
            u32 below = corner / 2, beside = corner % 2;
            float row = above + below, column = left + beside;
            float share = (below ? down - above : 1.0f - (down - above)) * (beside ? across - left : 1.0f - (across - left));
            bool inside = row >= 0.0f && row < height && column >= 0.0f && column < width;
            // A share that is not a number stays one beside the map.
            if (!inside && share == share) continue;
            u32 place = inside ? (u32)map[2] + (u32)row * (u32)width + (u32)column : 0;
            sum += weights[sample] * share * memory[(place * n_heads + head) * head_width + feature];
        }
    }
    y[i] = sum;
}
