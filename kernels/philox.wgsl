// Philox4x32-10, one block: word w of draw d of stream s is lane w mod 4 of
// counter (w div 4, d low, d high, s) under key (seed low, seed high).

fn mul_high(a: u32, b: u32) -> u32 {
  let a0 = a & 0xffffu;
  let a1 = a >> 16u;
  let b0 = b & 0xffffu;
  let b1 = b >> 16u;
  let middle = a1 * b0 + ((a0 * b0) >> 16u);
  let other = a0 * b1 + (middle & 0xffffu);
  return a1 * b1 + (middle >> 16u) + (other >> 16u);
}

fn philox(block: u32, draw: vec2<u32>, stream: u32, seed: vec2<u32>) -> vec4<u32> {
  var c = vec4<u32>(block, draw.x, draw.y, stream);
  var k = seed;
  for (var round = 0u; round < 10u; round++) {
    let high0 = mul_high(0xd2511f53u, c.x);
    let low0 = 0xd2511f53u * c.x;
    let high1 = mul_high(0xcd9e8d57u, c.z);
    let low1 = 0xcd9e8d57u * c.z;
    c = vec4<u32>(high1 ^ c.y ^ k.x, low1, high0 ^ c.w ^ k.y, low0);
    k = k + vec2<u32>(0x9e3779b9u, 0xbb67ae85u);
  }
  return c;
}

// Number of the draw that stands `offset` after `first`, as low and high word.
fn draw_number(first: vec2<u32>, offset: u32) -> vec2<u32> {
  let low = first.x + offset;
  return vec2<u32>(low, first.y + select(0u, 1u, low < first.x));
}
