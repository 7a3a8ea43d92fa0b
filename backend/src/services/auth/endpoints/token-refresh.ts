// grant_type=refresh_token

import { z } from 'zod';
import { OAuthError } from '../errors/auth-error.ts';
import { readBody, text } from '../input/json.ts';
import { addressOf } from '../protection/address.ts';
import type { Endpoint } from '../service.ts';
import { refreshSession } from '../sessions/refresh-session.ts';

const Body = z.object({ refresh_token: text });

export const refreshGrant: Endpoint = async (service, request) => {
  const body = readBody(request, Body);
  if (body.refresh_token === '') throw new OAuthError('invalid_request', 'refresh_token required');
  await service.limits.refresh(addressOf(request));
  return refreshSession(service, request, body.refresh_token);
};
