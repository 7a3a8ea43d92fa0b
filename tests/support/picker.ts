/** Park and Miller's generator, so that a failure can be repeated. @returns picks a number from 0 up to `count`, exclusive */
export function picker(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % count;
  };
}
