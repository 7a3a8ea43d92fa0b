// GET and POST /callback: the browser returns from a provider. Always redirects, with a session, a code or an error.
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AuthError, OAuthError } from '../errors/auth-error.ts';
import { refusals } from '../errors/catalogue.ts';
import { arrive } from '../identities/arrive.ts';
import { formOf } from '../input/form.ts';
import { siteOf } from '../input/redirect.ts';
import { addressOf } from '../protection/address.ts';
import { audit } from '../protection/audit.ts';
import { exchange } from '../providers/exchange.ts';
import { type Flow, takeFlow } from '../providers/flow.ts';
import { enabledProvider } from '../providers/provider.ts';
import type { Endpoint, Service } from '../service.ts';
import { landingWithError } from '../sessions/landing.ts';

const State = z.guid();
/** The form of OAuth error codes (RFC 6749 section 4.1.2.1). Other values are not repeated in our redirect. */
const ERROR_NAME = /^[a-z_]{1,64}$/;
const DESCRIPTION_LENGTH = 300;

export const callback: Endpoint = async (service, request, reply) => {
  const parameters = formOf(request);
  let flow: Flow | undefined;
  try {
    await service.limits.verification(addressOf(request));
    flow = await flowOf(service, parameters);
    return reply.redirect(await follow(service, request, flow, parameters), 302);
  } catch (error) {
    if (!(error instanceof AuthError || error instanceof OAuthError)) throw error;
    if (flow !== undefined) await recordFailure(service, request, flow, error);
    const address = flow?.redirectTo ?? siteOf(service.context);
    return reply.redirect(landingWithError(address, error, true), 303);
  }
};

/** Consumes the state in any case. @throws AuthError unless it belongs to an open flow */
async function flowOf(service: Service, parameters: URLSearchParams): Promise<Flow> {
  const state = parameters.get('state') ?? '';
  if (state === '') throw refusals.missingOAuthState();
  if (!State.safeParse(state).success) throw refusals.badOAuthState();
  const flow = await takeFlow(service.pool, state);
  if (flow === undefined) throw refusals.badOAuthState();
  return flow;
}

async function follow(
  service: Service,
  request: FastifyRequest,
  flow: Flow,
  parameters: URLSearchParams,
): Promise<string> {
  const refused = parameters.get('error');
  if (refused !== null) {
    const description = (parameters.get('error_description') ?? '').slice(0, DESCRIPTION_LENGTH);
    throw new OAuthError(ERROR_NAME.test(refused) ? refused : 'server_error', description);
  }
  if (!parameters.get('code')) throw refusals.missingOAuthCode();
  const provider = enabledProvider(service, flow.provider);
  if (provider === undefined)
    throw refusals.invalid('Unsupported provider: provider is not enabled');
  const { person, tokens } = await exchange(service, provider, flow, parameters);
  return arrive(service, request, person, {
    redirectTo: flow.redirectTo,
    pkceFlow: flow.isPkce ? flow.id : undefined,
    linkTo: flow.linkTo,
    method: 'oauth',
    mayLackEmail: provider.emailOptional,
    tokens,
  });
}

async function recordFailure(
  service: Service,
  request: FastifyRequest,
  flow: Flow,
  error: AuthError | OAuthError,
): Promise<void> {
  const { provider } = flow;
  request.log.warn({ err: error.cause ?? error, provider }, 'sign-in with a provider failed');
  const reason = error instanceof OAuthError ? error.error : error.code;
  await audit(service.pool, request, 'login_failed', {}, { provider, reason });
}
