import { type Db, transaction } from '../database.ts';
import { errors } from '../errors.ts';
import { requestMail } from '../mail/request-mail.ts';
import { issueProviderCode } from '../providers/flow.ts';
import type { ProviderUser } from '../providers/provider.ts';
import type { Call } from '../service.ts';
import { landingWithSession, withQuery } from '../sessions/landing.ts';
import { type OpenSession, openSession, sessionObject } from '../sessions/sign-in.ts';
import { type ProviderTokens, tokenFields } from '../tokens/pkce.ts';
import { accountById } from '../users/account.ts';
import { type Found, findAccount, linkToAccount } from './find-account.ts';

export interface Arrival {
  /** Validated when the flow started. */
  redirectTo: string;
  /** The PKCE flow whose client exchanges a code; undefined for the implicit flow. */
  pkceFlow: string | undefined;
  /** Account to link the identity to. */
  linkTo: string | null;
  /** GoTrue's name of the authentication method. */
  method: 'oauth' | 'sso/saml';
  mayLackEmail: boolean;
  tokens: ProviderTokens;
  /** Further checks in the transaction that starts the session. */
  before?: (db: Db) => Promise<void>;
}

interface ToConfirm {
  userId: string;
  toConfirm: string;
}
type Outcome = { opened: OpenSession } | { code: string } | ToConfirm;

/** @returns the address to redirect to; @throws AuthError */
export async function arrive(call: Call, person: ProviderUser, arrival: Arrival): Promise<string> {
  const { redirectTo, tokens } = arrival;
  const outcome = await transaction(call.pool, async (db): Promise<Outcome> => {
    await arrival.before?.(db);
    const { userId, toConfirm } = await accountOf(call, db, person, arrival);
    if (toConfirm !== undefined) return { toConfirm, userId };
    if (arrival.pkceFlow === undefined) {
      return { opened: await openSession(db, call, userId, arrival.method) };
    }
    await requireNotBanned(db, userId);
    return { code: await issueProviderCode(db, arrival.pkceFlow, userId, tokens) };
  });
  if ('toConfirm' in outcome) return askToConfirm(call, person, outcome, redirectTo);
  if ('code' in outcome) return withQuery(redirectTo, { code: outcome.code });
  const object = await sessionObject(call, outcome.opened);
  return landingWithSession(redirectTo, object, tokenFields(tokens));
}

async function accountOf(
  call: Call,
  db: Db,
  person: ProviderUser,
  { linkTo, mayLackEmail }: Arrival,
): Promise<Found> {
  if (linkTo === null) return findAccount(call, db, person, mayLackEmail);
  await linkToAccount(db, call, linkTo, person);
  return { userId: linkTo, toConfirm: undefined };
}

/** Checked here so that the redirect has the reason instead of a code that will fail. */
async function requireNotBanned(db: Db, userId: string): Promise<void> {
  const account = await accountById(db, userId);
  if (account?.is_banned) throw errors.banned(403);
}

/** The mail is sent after the response, within the usual rate limits. @throws AuthError that says so */
export async function askToConfirm(
  call: Call,
  { provider }: ProviderUser,
  { userId, toConfirm: email }: ToConfirm,
  redirectTo: string,
): Promise<never> {
  await call.limits.mail('signup', email);
  call.later(() => requestMail(call, 'signup', { id: userId, email }, redirectTo));
  throw errors.providerEmailUnverified(provider, true);
}
