// Ways to sign in that this server does not offer, refused with GoTrue's errors.
import { z } from 'zod';
import { AuthError } from '../errors/auth-error.ts';
import { readBody, text } from '../input/json.ts';
import type { Endpoint } from '../service.ts';

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
