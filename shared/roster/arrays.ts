/**
 * Read an array where the index is known to be inside it. One function for each type of array: V8 compiles a function
 * that reads several types of arrays to much slower code.
 */
export const at = (array: Int32Array, index: number): number => array[index] ?? 0;
export const realAt = (array: Float64Array, index: number): number => array[index] ?? 0;

/** Random numbers in [0, 1), the same for the same seed (xorshift32, Marsaglia 2003). */
export function randomFrom(seed: number): () => number {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}
