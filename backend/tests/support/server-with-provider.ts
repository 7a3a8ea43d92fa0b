// A server with an outside provider named `club`, and what people do with the two in a browser.
import type { SupabaseClient } from '@supabase/supabase-js';
import { expect } from 'vitest';
import { browse, fragmentOf } from './browser-redirects.ts';
import { CLIENT_ID, CLIENT_SECRET, type OidcProvider, oidcProvider } from './oidc-provider.ts';
import { projectWith } from './project.ts';
import { type TestServer, testServer } from './server.ts';

export interface ServerWithProvider {
  server: TestServer;
  provider: OidcProvider;
  /** Where the app wants the browser to end. */
  home: string;
  callback: string;
  /** Somebody whom the provider knows, by a verified address unless the claims say otherwise. */
  person(claims?: Record<string, unknown>): { sub: string; email: string };
  /** The address that a click on the provider's button opens. */
  button(client: SupabaseClient, sub: string, more?: object): Promise<string>;
  /** Signs in in the implicit flow. @returns where the browser ends */
  arrive(sub: string): Promise<URL>;
  /** The user behind the session that the browser came back with. */
  userOf(end: URL): ReturnType<typeof userOf>;
  /** What the security trail says about an account. */
  actionsOf(id: string | undefined): Promise<string[]>;
}

/** @param more lines for config.toml */
export async function serverWithProvider(more = ''): Promise<ServerWithProvider> {
  const provider = await oidcProvider();
  const settings = `[auth.external.club]
enabled = true
client_id = "${CLIENT_ID}"
secret = "env(CLUB_SECRET)"
url = "${provider.issuer}"
${more}`;
  const server = await testServer({
    LOG_LEVEL: 'fatal',
    CLUB_SECRET: CLIENT_SECRET,
    PROJECT_DIR: await projectWith({}, settings),
  });
  const home = `${server.url}/landing`;
  const callback = `${server.url}/auth/v1/callback`;
  provider.open(callback);

  const button = async (client: SupabaseClient, sub: string, options: object = {}) => {
    const { data, error } = await client.auth.signInWithOAuth({
      provider: 'custom:club',
      options: {
        redirectTo: home,
        skipBrowserRedirect: true,
        queryParams: { login_hint: sub },
        ...options,
      },
    });
    if (error) throw error;
    return data.url ?? '';
  };
  return {
    server,
    provider,
    home,
    callback,
    person: (claims = {}) => {
      const sub = crypto.randomUUID();
      const email = `${sub}@test.example`;
      provider.people.set(sub, { email, email_verified: true, name: 'Ama Doe', ...claims });
      return { sub, email: typeof claims.email === 'string' ? claims.email : email };
    },
    button,
    arrive: async (sub) => browse(await button(server.client(), sub), home),
    userOf: (end) => userOf(server, end),
    actionsOf: async (id) => {
      const { rows } = await server.database.owner.query<{ action: string }>(
        `select payload ->> 'action' as action from auth.audit_log_entries
         where payload ->> 'actor_id' = $1 order by created_at`,
        [id],
      );
      return rows.map(({ action }) => action);
    },
  };
}

async function userOf(server: TestServer, end: URL) {
  const { access_token: token = '' } = fragmentOf(end);
  const { data, error } = await server.client().auth.getUser(token);
  if (error) throw error;
  return data.user;
}

/** @returns the error that the browser came back with, as OAuth names it, as GoTrue does, and in words */
export function errorOf(end: URL): (string | undefined)[] {
  const { error, error_code, error_description } = fragmentOf(end);
  // The same stands in the query, for the address's own server.
  expect(end.searchParams.get('error_description')).toBe(error_description);
  return [error, error_code, error_description];
}
