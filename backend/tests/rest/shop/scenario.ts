// A scenario: a request and its complete response. The server rolls every transaction back.
import { SignJWT } from 'jose';
import { expect } from 'vitest';
import type { TestServer } from '#tests/support/server.ts';

export const SECRET = 'super-secret-jwt-token-with-at-least-32-characters-long';
export const ME = 'aaaaaaaa-0000-4000-8000-00000000000a';

interface Options {
  /** Default: a signed-in user. */
  as?: 'visitor' | 'user' | 'service';
  prefer?: string;
  accept?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as is. */
  text?: string;
  /** Response headers; null for one that must be absent. */
  has?: Record<string, string | null | RegExp>;
}

/**
 * `METHOD /path`, status, expected body (a string is compared as text, undefined means empty, ANY skips the check),
 * and further expectations.
 */
export type Scenario = [ask: string, status: number, gives: unknown, options?: Options];

export const ANY = Symbol('any body');

/** The four keys of an error. */
export const refusal = (
  code: string,
  message: string,
  details: unknown = null,
  hint: string | null = null,
): Record<string, unknown> => ({ code, details, hint, message });

const tokens = new Map<string, Promise<string>>();
function tokenOf(role: string): Promise<string> {
  const known = tokens.get(role);
  if (known !== undefined) return known;
  const claims = role === 'user' ? { role: 'authenticated', sub: ME } : { role: 'service_role' };
  const made = new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(SECRET));
  tokens.set(role, made);
  return made;
}

export async function play(
  server: TestServer,
  [ask, status, gives, options = {}]: Scenario,
): Promise<void> {
  const [, method = 'GET', path = '/'] = /^(\w+) (.*)$/s.exec(ask) ?? [];
  const { as = 'user', prefer, accept, body, text, headers } = options;
  const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const address = `${server.url}/rest/v1${path.replaceAll(' ', '%20').replaceAll('"', '%22')}`;
  const answer = await fetch(address, {
    method,
    headers: {
      ...(as !== 'visitor' && { authorization: `Bearer ${await tokenOf(as)}` }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...(prefer !== undefined && { prefer }),
      ...(accept !== undefined && { accept }),
      ...headers,
    },
    ...(payload !== undefined && { body: payload }),
  });
  const got = await answer.text();
  const isText = typeof gives === 'string' || gives === undefined || gives === ANY;
  expect({ status: answer.status, body: gives === ANY ? ANY : isText ? got : read(got) }).toEqual({
    status,
    body: gives ?? '',
  });
  for (const [name, wanted] of Object.entries(options.has ?? {})) {
    const value = answer.headers.get(name);
    if (wanted instanceof RegExp) expect(value).toMatch(wanted);
    else expect({ [name]: value }).toEqual({ [name]: wanted });
  }
  const { code } = answer.status >= 400 && !isText ? Object(read(got)) : {};
  if (code !== undefined)
    expect(answer.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`);
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
