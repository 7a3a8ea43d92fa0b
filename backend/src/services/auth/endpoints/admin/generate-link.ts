// POST /admin/generate_link: the link and code of a mail, for callers that send it themselves.
import { z } from 'zod';
import { sql, transaction } from '../../database.ts';
import { authError, errors } from '../../errors.ts';
import { validEmail } from '../../input/fields.ts';
import { metadata, readBody, text } from '../../input/parse.ts';
import { resolveRedirect } from '../../input/redirect.ts';
import { verifyLink } from '../../mail/request-mail.ts';
import type { Endpoint, Service } from '../../service.ts';
import {
  issueToken,
  type OneTimeToken,
  recordRequest,
  type TokenType,
} from '../../tokens/one-time-token.ts';
import { type Account, accountByEmail, requireAccount, userObject } from '../../users/account.ts';
import { unconfirmedAccount } from '../../users/create-account.ts';

const Body = z.object({
  type: text,
  email: text,
  new_email: text,
  password: text,
  data: metadata,
  redirect_to: text,
});
type Body = z.output<typeof Body>;

interface Plan {
  account: Account;
  /** A sign-in link for an unknown address creates the account. */
  type: 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change';
  token: TokenType;
  /** Address that the token is for. */
  address: string;
  newEmail?: string;
}

export const generateLink: Endpoint = async (call) => {
  const body = readBody(call, Body);
  const plan = await planOf(call, body, validEmail(body.email));
  const redirectTo = resolveRedirect(call, body.redirect_to);
  const { otp_length: length } = call.context.settings.auth.email;
  const {
    account,
    token,
    account: { id },
  } = plan;
  const issued = await transaction(call.pool, async (db): Promise<OneTimeToken> => {
    if (plan.newEmail !== undefined) {
      await db.query(sql`
        update auth.users set email_change = ${plan.newEmail}, email_change_sent_at = now() where id = ${id}`);
    } else if (plan.type !== 'email_change') {
      await recordRequest(db, call, plan.type, account, { by: 'administrator' });
    }
    return issueToken(db, id, token, plan.address, length);
  });
  const fresh = await requireAccount(call.pool, id, 'noSuchUser');
  return {
    ...userObject(fresh),
    action_link: verifyLink(call, plan.type, issued.hash, redirectTo),
    email_otp: issued.code,
    hashed_token: issued.hash,
    verification_type:
      body.type === plan.type || plan.type === 'email_change' ? body.type : plan.type,
    redirect_to: redirectTo,
  };
};

async function planOf(service: Service, body: Body, email: string): Promise<Plan> {
  const known = await accountByEmail(service.pool, email);
  const make = async (type: 'signup' | 'invite'): Promise<Plan> => {
    const password = body.password === '' ? undefined : body.password;
    if (password !== undefined) service.passwords.requireGood(password);
    const newcomer = { email, password, userMetadata: body.data ?? {}, isByAdmin: true };
    const id = await unconfirmedAccount(service, newcomer, password !== undefined);
    const account = await requireAccount(service.pool, id, 'noSuchUser');
    return { account, type, token: 'confirmation_token', address: email };
  };
  switch (body.type) {
    case 'signup':
    case 'invite':
      return make(body.type);
    case 'magiclink':
      if (known === undefined) return make('signup');
      return { account: known, type: 'magiclink', token: 'recovery_token', address: email };
    case 'recovery':
      if (known === undefined) throw authError('noRecipient');
      return { account: known, type: 'recovery', token: 'recovery_token', address: email };
    case 'email_change_current':
    case 'email_change_new': {
      if (known === undefined) throw authError('noRecipient');
      const newEmail = validEmail(body.new_email);
      if (await accountByEmail(service.pool, newEmail)) throw authError('emailExists');
      return {
        account: known,
        type: 'email_change',
        newEmail,
        ...(body.type === 'email_change_new'
          ? { token: 'email_change_token_new', address: newEmail }
          : { token: 'email_change_token_current', address: email }),
      };
    }
    default:
      throw errors.invalid(`Invalid email action link type requested: ${body.type}`);
  }
}
