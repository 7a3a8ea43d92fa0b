// POST /token: dispatches by `grant_type`.
import { refusals } from '../errors/catalogue.ts';
import { queryOf } from '../input/json.ts';
import type { Endpoint } from '../service.ts';
import { web3Grant } from './providers.ts';
import { idTokenGrant } from './token-id-token.ts';
import { passwordGrant } from './token-password.ts';
import { pkceGrant } from './token-pkce.ts';
import { refreshGrant } from './token-refresh.ts';

const GRANTS = new Map<string, Endpoint>([
  ['password', passwordGrant],
  ['refresh_token', refreshGrant],
  ['pkce', pkceGrant],
  ['id_token', idTokenGrant],
  ['web3', web3Grant],
]);

export const token: Endpoint = async (service, request, reply) => {
  const grant = GRANTS.get(queryOf(request, 'grant_type'));
  if (grant === undefined) throw refusals.unsupportedGrant();
  return grant(service, request, reply);
};
