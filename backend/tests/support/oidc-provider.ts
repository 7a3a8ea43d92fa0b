// A real OpenID Connect provider on loopback; users sign in by `login_hint`.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { cleanUp } from './clean-up.ts';

export interface OidcProvider {
  issuer: string;
  /** Claims by subject; an unknown subject denies the sign-in. */
  people: Map<string, Record<string, unknown>>;
  /** Sets the app's callback URL; required before the first request. */
  open(callback: string, authentication?: Authentication): void;
  /** Returns 503 from now on, or recovers. */
  setDown(isDown: boolean): void;
}

/** How the client authenticates at the token endpoint. */
type Authentication = 'client_secret_basic' | 'client_secret_post';

export const CLIENT_ID = 'example';
export const CLIENT_SECRET = 'a-secret-of-this-test-only';

export async function oidcProvider(): Promise<OidcProvider> {
  const people = new Map<string, Record<string, unknown>>();
  let provider: Provider | undefined;
  let isDown = false;
  const http = createServer((request, response) => {
    if (provider === undefined || isDown) return response.writeHead(503).end();
    if (request.url?.startsWith('/interaction/')) {
      const open = provider;
      return void answer(open, people, request, response);
    }
    return provider.callback()(request, response);
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const { port } = http.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  cleanUp(async () => {
    http.closeAllConnections();
    await new Promise((done) => http.close(done));
  });
  return {
    issuer,
    people,
    open: (callback, authentication = 'client_secret_basic') => {
      provider = new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT_ID,
            client_secret: CLIENT_SECRET,
            redirect_uris: [callback],
            token_endpoint_auth_method: authentication,
          },
        ],
        // Explicit, to avoid warnings about defaults.
        ttl: {
          AccessToken: 600,
          AuthorizationCode: 60,
          Grant: 600,
          IdToken: 600,
          Interaction: 600,
          Session: 600,
        },
        pkce: { required: () => true },
        cookies: { keys: ['a-key-of-this-test-only'] },
        claims: { email: ['email', 'email_verified'], profile: ['name', 'picture'] },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
        findAccount: (_context, sub) => ({
          accountId: sub,
          claims: () => ({ sub, ...people.get(sub) }),
        }),
        // Skips the consent screen.
        loadExistingGrant: async (context) => {
          const { client, session } = context.oidc;
          const grant = new context.oidc.provider.Grant({
            clientId: client?.clientId,
            accountId: session?.accountId,
          });
          grant.addOIDCScope('openid email profile');
          await grant.save();
          return grant;
        },
      });
      provider.on('server_error', (_context, error) => console.error(error));
    },
    setDown: (value) => {
      isDown = value;
    },
  };
}

async function answer(
  provider: Provider,
  people: Map<string, unknown>,
  request: Parameters<Provider['interactionDetails']>[0],
  response: Parameters<Provider['interactionDetails']>[1],
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const sub = String(params.login_hint ?? '');
  const result = people.has(sub)
    ? { login: { accountId: sub } }
    : { error: 'access_denied', error_description: 'Not today' };
  await provider.interactionFinished(request, response, result);
}
