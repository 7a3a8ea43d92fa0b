import { serverNow } from '../clock/server-now.ts';
/**
 * An id that begins with the time (UUID version 7, RFC 9562), for the records that a large company writes most: the database then
 * adds them at the end of its indexes, which is in memory, and not on a page of its own for each.
 */
export function timeOrderedId(): string {
  const time = serverNow().toString(16).padStart(12, '0');
  // From a random id, from the variant on, with 12 of its random bits.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}
