// Sign-up when addresses must be confirmed: no session yet, and no hint whether an address has an account.
import type { FastifyRequest } from 'fastify';
import { AuthError } from '../errors/auth-error.ts';
import { redirectOf } from '../input/redirect.ts';
import { requestMail } from '../mail/request-mail.ts';
import { audit } from '../protection/audit.ts';
import type { Service } from '../service.ts';
import type { Challenge } from '../tokens/pkce.ts';
import { accountById } from '../users/account.ts';
import { type Newcomer, unconfirmedAccount } from '../users/unconfirmed-account.ts';
import { userObject } from '../users/user-object.ts';

/**
 * @returns the new account. For an address that has one already, a made-up account that is stored nowhere, so that the
 *   response does not tell which addresses are known (as GoTrue does).
 */
export async function signUpToConfirm(
  service: Service,
  request: FastifyRequest,
  newcomer: Newcomer,
  challenge: Challenge | undefined,
): Promise<Record<string, unknown>> {
  const { email, userMetadata } = newcomer;
  await service.limits.mail('signup', email);
  const redirectTo = redirectOf(service.context, request);
  const id = await unconfirmedAccount(service, newcomer).catch((error: unknown) => {
    if (error instanceof AuthError && error.code === 'email_exists') return undefined;
    throw error;
  });
  const sentAt = service.context.now().toISOString();
  const account = await accountById(service.pool, id ?? crypto.randomUUID());
  if (account === undefined) {
    await audit(service.pool, request, 'user_repeated_signup', { email });
    return madeUp(email, userMetadata, sentAt);
  }
  await audit(service.pool, request, 'user_signedup', account);
  service.later(request, () =>
    requestMail(service, request, 'signup', account, redirectTo, challenge),
  );
  return userObject({ ...account, confirmation_sent_at: sentAt });
}

function madeUp(
  email: string,
  userMetadata: Record<string, unknown>,
  now: string,
): Record<string, unknown> {
  return {
    id: crypto.randomUUID(),
    aud: 'authenticated',
    role: '',
    email,
    phone: '',
    confirmation_sent_at: now,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: userMetadata,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}
