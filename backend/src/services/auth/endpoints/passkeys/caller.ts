// The checks before passkeys are managed: signed in, not anonymous, and at aal2 if the account has a second factor.
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refusals } from '../../errors/catalogue.ts';
import { passkeyRefusals } from '../../errors/second-factors.ts';
import { text } from '../../input/json.ts';
import type { Service } from '../../service.ts';
import type { Account } from '../../users/account.ts';
import { requireOwnPassword } from '../../users/temporary-password.ts';
import { namedCaller } from '../factors/own-factor.ts';

/** The authenticator's response, not yet verified. */
export const Answer = z.object({ challenge_id: text, credential: z.unknown().optional() });

const Params = z.object({ passkeyId: z.guid() });

/** @throws AuthError 404 if passkeys are disabled */
export function requirePasskeys({ context }: Service): void {
  if (!context.settings.auth.passkey.enabled) throw passkeyRefusals.off();
}

/** @throws AuthError */
export async function passkeyOwner(service: Service, request: FastifyRequest): Promise<Account> {
  requirePasskeys(service);
  return (await namedCaller(service, request)).account;
}

/** Adding and removing ways to sign in needs aal2 if the account has a second factor. @throws AuthError */
export async function passkeyManager(service: Service, request: FastifyRequest): Promise<Account> {
  requirePasskeys(service);
  const { account, aal } = await namedCaller(service, request);
  const hasFactor = account.factors.some(({ status }) => status === 'verified');
  if (hasFactor && aal === 'aal1') throw passkeyRefusals.needsSecondFactor();
  requireOwnPassword(account);
  return account;
}

/** @throws AuthError 404 */
export function passkeyIdOf(request: FastifyRequest): string {
  const params = Params.safeParse(request.params);
  if (!params.success) throw passkeyRefusals.noPasskey();
  return params.data.passkeyId;
}

/** @returns the challenge that the response answers; @throws AuthError 400 */
export function requireAnswer({ challenge_id: id, credential }: z.output<typeof Answer>): string {
  if (id === '') throw refusals.invalid('challenge_id is required');
  if (!z.guid().safeParse(id).success) {
    throw refusals.invalid('challenge_id must be a valid UUID');
  }
  if (credential === undefined || credential === null) {
    throw refusals.invalid('credential is required');
  }
  return id;
}
