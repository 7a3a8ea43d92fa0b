// GET /authorize: redirects the browser to an external provider.
import { AuthError } from '../errors/auth-error.ts';
import { beginSignIn, readBeginning } from '../providers/begin-sign-in.ts';
import type { Endpoint } from '../service.ts';
import { landingWithError } from '../sessions/landing.ts';

export const authorize: Endpoint = async (service, request, reply) => {
  const beginning = await readBeginning(service, request);
  try {
    const url = await beginSignIn(service, request, beginning);
    return reply.redirect(url.href, 302);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    const { provider, redirectTo } = beginning;
    request.log.warn({ err: error.cause ?? error, provider: provider.name }, 'sign-in not begun');
    return reply.redirect(landingWithError(redirectTo, error, true), 302);
  }
};
