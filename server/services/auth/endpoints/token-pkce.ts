// Exchanges the code of a followed link for a session, for the client that started the flow.

import { z } from 'zod';
import { refusals } from '../errors/catalogue.ts';
import { readBody, text } from '../input/json.ts';
import { addressOf } from '../protection/address.ts';
import type { Endpoint } from '../service.ts';
import { signIn } from '../sessions/sign-in.ts';
import { takeCode } from '../tokens/pkce.ts';

const Body = z.object({ auth_code: text, code_verifier: text });

export const pkceGrant: Endpoint = async (service, request) => {
  const { auth_code: code, code_verifier: verifier } = readBody(request, Body);
  if (code === '' || verifier === '') {
    throw refusals.invalid('invalid request: both auth code and code verifier should be non-empty');
  }
  await service.limits.verification(addressOf(request));
  return signIn(service, request, 'otp', async (db) => (await takeCode(db, code, verifier)).userId);
};
