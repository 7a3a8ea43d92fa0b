// Admin calls for SAML providers, which supabase-js lacks.
import type { TestServer } from './server.ts';

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** @returns a function that calls `/admin/sso/providers`, with the service key by default */
export const adminOf =
  ({ url, context }: TestServer) =>
  async (
    method: string,
    path: string,
    body?: object,
    key = context.keys.serviceKey,
  ): Promise<Answer> => {
    const response = await fetch(`${url}/auth/v1/admin/sso/providers${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'x-supabase-api-version': '2024-01-01' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
