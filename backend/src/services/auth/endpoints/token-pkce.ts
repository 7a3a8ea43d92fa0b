// grant_type=pkce: exchanges the code of a link or of a provider's callback for a session.

import { z } from 'zod';
import { transaction } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import { readBody, text } from '../input/json.ts';
import { addressOf } from '../protection/address.ts';
import type { Endpoint } from '../service.ts';
import { sessionObject } from '../sessions/session-object.ts';
import { openSession } from '../sessions/sign-in.ts';
import { takeCode } from '../tokens/pkce.ts';
import { tokenFields } from '../tokens/provider-tokens.ts';

const Body = z.object({ auth_code: text, code_verifier: text });
export const pkceGrant: Endpoint = async (service, request) => {
  const { auth_code: code, code_verifier: verifier } = readBody(request, Body);
  if (code === '' || verifier === '') {
    throw refusals.invalid('invalid request: both auth code and code verifier should be non-empty');
  }
  await service.limits.verification(addressOf(request));
  const { opened, tokens } = await transaction(service.pool, async (db) => {
    const { userId, authenticationMethod, tokens } = await takeCode(db, code, verifier);
    return { opened: await openSession(db, request, userId, authenticationMethod), tokens };
  });
  const { account, session, proof } = opened;
  const object = await sessionObject(service.context, account, session, proof);
  return { ...object, ...tokenFields(tokens) };
};
