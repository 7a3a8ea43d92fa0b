// How long to wait before what could not be sent is tried again.

const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;

/**
 * @param failures passes in a row that got nowhere, from 1
 * @param random from 0 to 1: phones that lost the same mast should not all come back in the same second
 * @returns milliseconds: 2 s doubling up to a minute, less up to a quarter
 */
export function retryDelay(failures: number, random: number): number {
  return Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS) * (1 - random / 4);
}
