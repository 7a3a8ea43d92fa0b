// Plain HTTP requests to the data service, for headers, statuses and raw bodies that supabase-js hides.
import type { TestServer } from './server.ts';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json(): unknown;
}

export type Rest = (
  method: string,
  path: string,
  options?: { headers?: Record<string, string>; body?: unknown; raw?: BodyInit },
) => Promise<Answer>;

/** @param token of the requests; anonymous without one */
export function restOf(server: TestServer, token?: string): Rest {
  return async (method, path, options = {}) => {
    const body = options.raw ?? (options.body === undefined ? null : JSON.stringify(options.body));
    const answer = await fetch(`${server.url}/rest/v1${path}`, {
      method,
      headers: {
        ...(body !== null && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...options.headers,
      },
      body,
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, json: () => JSON.parse(text) };
  };
}
