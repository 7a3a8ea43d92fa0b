// `response.headers` and `response.status`, which a function may set (PostgREST docs, "Transaction-Scoped Settings").
import { z } from 'zod';
import { responseHeaders, responseStatus } from '../errors/catalogue.ts';

const Headers = z.array(
  z
    .record(z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/), z.string().regex(/^[^\r\n\0]*$/))
    .refine((one) => Object.keys(one).length === 1),
);

/** Functions can't set these: a wrong length would break the connection. */
const TRANSPORT = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'content-encoding',
]);

/**
 * @returns headers by lower-case name
 * @throws RestError PGRST111
 */
export function headersOf(text: string | null): Record<string, string | string[]> {
  if (text === null) return {};
  const parsed = Headers.safeParse(parseJson(text));
  if (!parsed.success) throw responseHeaders();
  const headers: Record<string, string | string[]> = {};
  const cookies: string[] = [];
  for (const [given, value] of parsed.data.flatMap((one) => Object.entries(one))) {
    const name = given.toLowerCase();
    if (name === 'set-cookie') cookies.push(value);
    else if (!TRANSPORT.has(name)) headers[name] = value;
  }
  return cookies.length === 0 ? headers : { ...headers, 'set-cookie': cookies };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
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
