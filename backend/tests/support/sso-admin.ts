// The administrator's calls about companies' identity providers, which supabase-js has no words for.
import type { TestServer } from './server.ts';

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** @returns a call of `/admin/sso/providers`, with the service key unless another is given */
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
