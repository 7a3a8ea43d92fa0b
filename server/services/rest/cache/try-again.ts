// Reads the catalogue again at once where something was dropped while it was read.
import { DatabaseError } from 'pg';

/** So many drops in the middle of one reading after the other would be no coincidence. */
const ATTEMPTS = 5;

/**
 * What PostgreSQL says when its functions that print an expression or a view look for what was there when the statement
 * began: they read the catalogue as it is now, in any snapshot. These messages are never translated.
 */
const DROPPED_MEANWHILE = /^(could not open relation with OID|cache lookup failed for) /;

const wasDropped = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === 'XX000' && DROPPED_MEANWHILE.test(error.message);

/**
 * @param read a whole reading, from its beginning
 * @throws what it throws, where that has another reason or happens five times in a row
 */
export async function tryAgainIfDropped<Read>(read: () => Promise<Read>): Promise<Read> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (!wasDropped(error)) throw error;
    }
  }
  return read();
}
