// The session in responses.
import type { Context } from '../../../context.ts';
import { type Proof, signAccessToken } from '../tokens/access-token.ts';
import type { Account } from '../users/account.ts';
import { userObject } from '../users/user-object.ts';
import type { StartedSession } from './start-session.ts';

export async function sessionObject(
  context: Context,
  account: Account,
  session: StartedSession,
  proof: Proof,
): Promise<Record<string, unknown>> {
  const signed = await signAccessToken(context, account, session.id, proof);
  return {
    access_token: signed.token,
    token_type: 'bearer',
    expires_in: signed.expiresIn,
    expires_at: signed.expiresAt,
    refresh_token: session.refreshToken,
    user: userObject(account),
  };
}
