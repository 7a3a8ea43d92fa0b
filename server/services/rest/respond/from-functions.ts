// What a function may set about the answer: `response.headers` and `response.status`.
import { z } from 'zod';
import { responseHeaders, responseStatus } from '../errors/catalogue.ts';

const Headers = z.array(
  z
    .record(z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/), z.string().regex(/^[^\r\n\0]*$/))
    .refine((one) => Object.keys(one).length === 1),
);

/** @throws RestError PGRST111 */
export function headersOf(text: string | null): [name: string, value: string][] {
  if (text === null) return [];
  try {
    return Headers.parse(JSON.parse(text)).flatMap((one) => Object.entries(one));
  } catch {
    throw responseHeaders();
  }
}

/** @throws RestError PGRST112 */
export function statusOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (!/^[2-5]\d\d$/.test(text)) throw responseStatus();
  return Number(text);
}
