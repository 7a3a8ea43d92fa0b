// GET /authorize: redirects the browser to an external provider.
import { AuthError } from '../errors/auth-error.ts';
import { queryOf } from '../input/json.ts';
import { redirectOf } from '../input/redirect.ts';
import { addressOf } from '../protection/address.ts';
import { beginSignIn } from '../providers/begin-sign-in.ts';
import { requireProvider } from '../providers/provider.ts';
import type { Endpoint } from '../service.ts';
import { landingWithError } from '../sessions/landing.ts';
import { challengeOf } from '../tokens/pkce.ts';

export const authorize: Endpoint = async (service, request, reply) => {
  const provider = requireProvider(service, queryOf(request, 'provider'));
  const challenge = challengeOf(
    queryOf(request, 'code_challenge'),
    queryOf(request, 'code_challenge_method'),
  );
  await service.limits.signIn(addressOf(request));
  const redirectTo = redirectOf(service.context, request);
  try {
    const url = await beginSignIn(service, request, { provider, redirectTo, challenge });
    return reply.redirect(url.href, 302);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    request.log.warn({ err: error.cause ?? error, provider: provider.name }, 'sign-in not begun');
    return reply.redirect(landingWithError(redirectTo, error, true), 302);
  }
};
