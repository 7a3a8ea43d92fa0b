// A forging OpenID Connect provider: the tokens of an attacker or of a broken provider.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { cleanUp } from './clean-up.ts';

export interface ForgingProvider {
  /** With a trailing slash, as some providers have. */
  issuer: string;
  /** Claims of a valid token. */
  claims(more?: JWTPayload): JWTPayload;
  /** Signed with the provider's own key. */
  sign(claims: JWTPayload): Promise<string>;
  /** Forged signatures. */
  forged: {
    unsigned(claims: JWTPayload): string;
    /** HMAC with the published public key as its secret. */
    withPublicKey(claims: JWTPayload): Promise<string>;
    withOtherKey(claims: JWTPayload): Promise<string>;
  };
  /** The next response of the token endpoint. */
  idToken: string;
  /** The userinfo response. */
  userinfo: object;
  /** Number of requests to the token endpoint. */
  exchanges: number;
  /** Number of discovery requests. The first one fails. */
  discoveries: number;
}

export const CLIENT_ID = 'example';
const KEY_ID = 'first';

export async function forgingProvider(): Promise<ForgingProvider> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const other = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  const http = createServer((request, response) => {
    const send = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const path = request.url?.split('?')[0];
    if (path === '/club/.well-known/openid-configuration') {
      provider.discoveries += 1;
      if (provider.discoveries === 1) return response.writeHead(503).end();
      return send(metadata(provider.issuer));
    }
    if (path === '/club/jwks') return send({ keys: [jwk] });
    if (path === '/club/userinfo') return send(provider.userinfo);
    if (path !== '/club/token') return response.writeHead(404).end();
    provider.exchanges += 1;
    return send({ access_token: 'at', token_type: 'bearer', id_token: provider.idToken });
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const { port } = http.address() as AddressInfo;
  cleanUp(async () => {
    http.closeAllConnections();
    await new Promise((done) => http.close(done));
  });

  const signed = (claims: JWTPayload, alg: string, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid: KEY_ID }).sign(key);
  const provider: ForgingProvider = {
    issuer: `http://127.0.0.1:${port}/club/`,
    claims: (more) => {
      const now = Math.floor(Date.now() / 1000);
      const sub = crypto.randomUUID();
      const email = `${sub}@test.example`;
      return {
        iss: provider.issuer,
        aud: CLIENT_ID,
        sub,
        iat: now,
        exp: now + 300,
        email,
        email_verified: true,
        ...more,
      };
    },
    sign: (claims) => signed(claims, 'RS256', privateKey),
    forged: {
      unsigned: (claims) => new UnsecuredJWT(claims).encode(),
      withPublicKey: async (claims) =>
        signed(claims, 'HS256', new TextEncoder().encode(await exportSPKI(publicKey))),
      withOtherKey: (claims) => signed(claims, 'RS256', other.privateKey),
    },
    idToken: '',
    userinfo: {},
    exchanges: 0,
    discoveries: 0,
  };
  return provider;
}

function metadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}auth`,
    token_endpoint: `${issuer}token`,
    jwks_uri: `${issuer}jwks`,
    userinfo_endpoint: `${issuer}userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    // Permissive metadata must not widen what is accepted.
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
  };
}
