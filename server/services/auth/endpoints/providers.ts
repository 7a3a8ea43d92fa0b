// Ways to sign in that this instance does not offer, each refused in the words that clients know (PROTOCOL.md 1.12 to 1.16).
import { z } from 'zod';
import { AuthError, OAuthError } from '../errors/auth-error.ts';
import { refusals } from '../errors/catalogue.ts';
import { queryOf, readBody, text } from '../input/json.ts';
import type { Endpoint } from '../service.ts';
import { authenticate } from '../sessions/authenticate.ts';
import { PROVIDERS } from './settings.ts';

/** GET /authorize */
export const authorize: Endpoint = async (_service, request) => {
  const provider = queryOf(request, 'provider');
  throw refusals.invalid(
    PROVIDERS.includes(provider)
      ? 'Unsupported provider: provider is not enabled'
      : `Unsupported provider: Provider ${provider} could not be found`,
  );
};

/** GET /user/identities/authorize */
export const linkIdentity: Endpoint = async (service, request) => {
  await authenticate(service, request);
  throw new AuthError(404, 'manual_linking_disabled', 'Manual linking is disabled');
};

/** POST /sso */
export const singleSignOn: Endpoint = async () => {
  throw new AuthError(404, 'saml_provider_disabled', 'SAML 2.0 is disabled');
};

/** POST /passkeys/… */
export const passkeys: Endpoint = async () => {
  throw new AuthError(404, 'passkey_disabled', 'Passkeys are disabled');
};

const IdToken = z.object({ id_token: text, provider: text, client_id: text, issuer: text });

/** POST /token?grant_type=id_token */
export const idTokenGrant: Endpoint = async (_service, request) => {
  const body = readBody(request, IdToken);
  if (body.id_token === '') throw new OAuthError('invalid request', 'id_token required');
  if (body.provider === '' && (body.client_id === '' || body.issuer === '')) {
    throw new OAuthError('invalid request', 'provider or client_id and issuer required');
  }
  const name = body.provider || body.issuer;
  throw new AuthError(400, 'provider_disabled', `Provider (issuer "${name}") is not enabled`);
};

const CHAINS = new Map([
  ['solana', 'Solana'],
  ['ethereum', 'Ethereum'],
]);
const Web3 = z.object({ chain: text });

/** POST /token?grant_type=web3 */
export const web3Grant: Endpoint = async (_service, request) => {
  const { chain } = readBody(request, Web3);
  const name = CHAINS.get(chain);
  if (name === undefined) throw new AuthError(400, 'web3_unsupported_chain', 'Unsupported chain');
  throw new AuthError(422, 'web3_provider_disabled', `${name} Web3 provider is disabled`);
};
