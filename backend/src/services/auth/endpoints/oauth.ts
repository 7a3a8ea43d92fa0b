// GET /authorize: redirects the browser to an external provider.

import { z } from 'zod';
import { sql, transaction } from '../database.ts';
import { AuthError, authError, errors, OAuthError } from '../errors.ts';
import { arrive } from '../identities/arrive.ts';
import { requireLinkingAllowed } from '../identities/find-account.ts';
import { nameProviders } from '../identities/identity.ts';
import { readForm, readQuery, readUuid } from '../input/parse.ts';
import { readSiteUrl } from '../input/redirect.ts';
import { audit } from '../protection/audit.ts';
import { exchange } from '../providers/exchange.ts';
import { beginSignIn, type Flow, readBeginning, takeFlow } from '../providers/flow.ts';
import { enabledProvider } from '../providers/provider.ts';
import type { Call, Endpoint, Service } from '../service.ts';
import { authenticate } from '../sessions/authenticate.ts';
import { landingWithError } from '../sessions/landing.ts';
import { hasSecondStep } from '../users/account.ts';
import { removePassword } from '../users/change-account.ts';

export const authorize: Endpoint = async (call) => {
  const beginning = await readBeginning(call);
  try {
    const url = await beginSignIn(call, beginning);
    return call.reply.redirect(url.href, 302);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    const { provider, redirectTo } = beginning;
    call.request.log.warn(
      { err: error.cause ?? error, provider: provider.name },
      'sign-in not begun',
    );
    return call.reply.redirect(landingWithError(redirectTo, error, true), 302);
  }
};

// GET and POST /callback: the browser returns from a provider. Always redirects, with a session, a code or an error.
const State = z.guid();
/** The form of OAuth error codes (RFC 6749 section 4.1.2.1). Other values are not repeated in our redirect. */
const ERROR_NAME = /^[a-z_]{1,64}$/;
const DESCRIPTION_LENGTH = 300;

export const callback: Endpoint = async (call) => {
  const parameters = readForm(call);
  let flow: Flow | undefined;
  try {
    await call.limits.verification(call.address);
    flow = await flowOf(call, parameters);
    return call.reply.redirect(await follow(call, flow, parameters), 302);
  } catch (error) {
    if (!(error instanceof AuthError || error instanceof OAuthError)) throw error;
    if (flow !== undefined) await recordFailure(call, flow, error);
    const address = flow?.redirectTo ?? readSiteUrl(call.context);
    return call.reply.redirect(landingWithError(address, error, true), 303);
  }
};

/** Consumes the state in any case. @throws AuthError unless it belongs to an open flow */
async function flowOf(service: Service, parameters: URLSearchParams): Promise<Flow> {
  const state = parameters.get('state') ?? '';
  if (state === '') throw authError('missingOAuthState');
  if (!State.safeParse(state).success) throw authError('badOAuthState');
  const flow = await takeFlow(service.pool, state);
  if (flow === undefined) throw authError('badOAuthState');
  return flow;
}

async function follow(call: Call, flow: Flow, parameters: URLSearchParams): Promise<string> {
  const refused = parameters.get('error');
  if (refused !== null) {
    const description = (parameters.get('error_description') ?? '').slice(0, DESCRIPTION_LENGTH);
    throw new OAuthError(ERROR_NAME.test(refused) ? refused : 'server_error', description);
  }
  if (!parameters.get('code')) throw authError('missingOAuthCode');
  const provider = enabledProvider(call, flow.provider);
  if (provider === undefined) throw errors.invalid('Unsupported provider: provider is not enabled');
  const { person, tokens } = await exchange(call, provider, flow, parameters);
  return arrive(call, person, {
    redirectTo: flow.redirectTo,
    pkceFlow: flow.isPkce ? flow.id : undefined,
    linkTo: flow.linkTo,
    method: 'oauth',
    mayLackEmail: provider.emailOptional,
    tokens,
  });
}

async function recordFailure(call: Call, flow: Flow, error: AuthError | OAuthError): Promise<void> {
  const { provider } = flow;
  call.request.log.warn({ err: error.cause ?? error, provider }, 'sign-in with a provider failed');
  const reason = error instanceof OAuthError ? error.error : error.code;
  await audit(call.pool, call, 'login_failed', {}, { provider, reason });
}

// GET /user/identities/authorize: links a provider to the caller's account.
export const linkIdentity: Endpoint = async (call) => {
  const caller = await authenticate(call);
  requireLinkingAllowed(call, caller);
  const beginning = await readBeginning(call);
  const linkTo = caller.account.id;
  const url = await beginSignIn(call, { ...beginning, linkTo });
  if (readQuery(call, 'skip_http_redirect') === 'true') return { url: url.href };
  return call.reply.redirect(url.href, 302);
};

// DELETE /user/identities/{id}: unlinks an identity. The last one can't be unlinked.
export const deleteIdentity: Endpoint = async (call) => {
  const { account, aal } = await authenticate(call);
  if (!call.context.settings.auth.enable_manual_linking) throw authError('manualLinkingOff');
  const identityId = readUuid(call, 'id', 'badIdentityId');
  if (hasSecondStep(account) && aal === 'aal1') throw authError('secondStepToLink');
  await transaction(call.pool, async (db) => {
    // Locked, so that two concurrent requests don't remove the last two.
    await db.query(sql`select from auth.users where id = ${account.id} for update`);
    const { rows } = await db.query<{ id: string; provider: string }>(sql`
      select id, provider from auth.identities where user_id = ${account.id}`);
    if (rows.length <= 1) throw authError('lastIdentity');
    const identity = rows.find(({ id }) => id === identityId);
    if (identity === undefined) throw authError('noSuchIdentity');
    await db.query(sql`delete from auth.identities where id = ${identity.id}`);
    if (identity.provider === 'email') await removePassword(db, account.id);
    await nameProviders(db, account.id);
    await audit(db, call, 'identity_unlinked', account, { provider: identity.provider });
  });
  return {};
};
