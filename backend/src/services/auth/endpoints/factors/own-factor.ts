// The caller and the factor in the path. Another user's factor is a 404, like an unknown one.
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refusals } from '../../errors/catalogue.ts';
import type { Service } from '../../service.ts';
import { authenticate, type SignedIn } from '../../sessions/authenticate.ts';
import type { Factor } from '../../users/account.ts';

const Params = z.object({ id: z.guid() });

/** @throws AuthError 403 for an anonymous account */
export async function namedCaller(service: Service, request: FastifyRequest): Promise<SignedIn> {
  const caller = await authenticate(service, request);
  if (caller.account.is_anonymous) throw refusals.anonymousRefused();
  return caller;
}

/** @throws AuthError 404 */
export async function ownFactor(
  service: Service,
  request: FastifyRequest,
): Promise<{ caller: SignedIn; factor: Factor }> {
  const caller = await namedCaller(service, request);
  const params = Params.safeParse(request.params);
  if (!params.success) throw refusals.badFactorId();
  const factor = caller.account.factors.find(({ id }) => id === params.data.id);
  if (factor === undefined) throw refusals.noSuchFactor();
  return { caller, factor };
}
