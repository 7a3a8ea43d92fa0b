import { DatabaseError } from 'pg';

const ATTEMPTS = 5;

/**
 * Raised by functions such as pg_get_viewdef, which read the current catalogue whatever the snapshot, when an object
 * was dropped concurrently. These messages are never translated.
 */
const DROPPED = /^(could not open relation with OID|cache lookup failed for) /;

const wasDropped = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === 'XX000' && DROPPED.test(error.message);

/** Reads the catalogue again when an object was dropped concurrently. */
export async function retryIfDropped<Read>(read: () => Promise<Read>): Promise<Read> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (!wasDropped(error)) throw error;
    }
  }
  return read();
}
