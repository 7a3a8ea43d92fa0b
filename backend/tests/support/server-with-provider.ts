// A server with an external provider named `club`, and sign-ins through it.
import type { SupabaseClient } from '@supabase/supabase-js';
import { expect } from 'vitest';
import { browse, fragmentOf } from './browser-redirects.ts';
import { CLIENT_ID, CLIENT_SECRET, type OidcProvider, oidcProvider } from './oidc-provider.ts';
import { projectWith } from './project.ts';
import { type TestServer, testServer } from './server.ts';

export interface ServerWithProvider {
  server: TestServer;
  provider: OidcProvider;
  /** The app's redirect URL. */
  home: string;
  callback: string;
  /** A user of the provider, with a verified email unless the claims differ. */
  person(claims?: Record<string, unknown>): { sub: string; email: string };
  /** The URL behind the provider's button. */
  button(client: SupabaseClient, sub: string, more?: object): Promise<string>;
  /** Signs in by the implicit flow. @returns the final URL of the browser */
  arrive(sub: string): Promise<URL>;
  /** The user of the session in the URL. */
  userOf(end: URL): ReturnType<typeof userOf>;
  /** The audit log entries of an account. */
  actionsOf(id: string | undefined): Promise<string[]>;
}

/** @param more lines for config.toml; @param env further settings */
export async function serverWithProvider(
  more = '',
  env: Record<string, string> = {},
): Promise<ServerWithProvider> {
  const provider = await oidcProvider();
  const settings = `[auth.external.club]
enabled = true
client_id = "${CLIENT_ID}"
secret = "env(CLUB_SECRET)"
url = "${provider.issuer}"
${more}`;
  const server = await testServer({
    LOG_LEVEL: 'fatal',
    ...env,
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

/** @returns the error in the URL: OAuth's name, GoTrue's code and the description */
export function errorOf(end: URL): (string | undefined)[] {
  const { error, error_code, error_description } = fragmentOf(end);
  // The query has the same error, for servers.
  expect(end.searchParams.get('error_description')).toBe(error_description);
  return [error, error_code, error_description];
}
