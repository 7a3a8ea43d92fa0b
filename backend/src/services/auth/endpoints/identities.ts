import { z } from 'zod';
import { transaction } from '../database.ts';
import { AuthError } from '../errors/auth-error.ts';
import { refusals } from '../errors/catalogue.ts';
import { requireLinkingAllowed } from '../identities/link-to-account.ts';
import { nameProviders } from '../identities/outside-identity.ts';
import { queryOf } from '../input/json.ts';
import { audit } from '../protection/audit.ts';
import { beginSignIn, readBeginning } from '../providers/begin-sign-in.ts';
import type { Endpoint } from '../service.ts';
import { authenticate } from '../sessions/authenticate.ts';
import { hasSecondStep } from '../users/account.ts';
import { removePassword } from '../users/change-account.ts';

// GET /user/identities/authorize: links a provider to the caller's account.
export const linkIdentity: Endpoint = async (service, request, reply) => {
  const caller = await authenticate(service, request);
  requireLinkingAllowed(service, caller);
  const beginning = await readBeginning(service, request);
  const linkTo = caller.account.id;
  const url = await beginSignIn(service, request, { ...beginning, linkTo });
  if (queryOf(request, 'skip_http_redirect') === 'true') return { url: url.href };
  return reply.redirect(url.href, 302);
};

// DELETE /user/identities/{id}: unlinks an identity. The last one can't be unlinked.
const Params = z.object({ id: z.guid() });

export const deleteIdentity: Endpoint = async (service, request) => {
  const { account, aal } = await authenticate(service, request);
  if (!service.context.settings.auth.enable_manual_linking) throw refusals.manualLinkingOff();
  const params = Params.safeParse(request.params);
  if (!params.success) {
    throw new AuthError(404, 'validation_failed', 'identity_id must be an UUID');
  }
  if (hasSecondStep(account) && aal === 'aal1') throw refusals.secondStepToLink();
  await transaction(service.pool, async (db) => {
    // Locked, so that two concurrent requests don't remove the last two.
    await db.query('select from auth.users where id = $1 for update', [account.id]);
    const { rows } = await db.query<{ id: string; provider: string }>(
      'select id, provider from auth.identities where user_id = $1',
      [account.id],
    );
    if (rows.length <= 1) {
      throw new AuthError(
        422,
        'single_identity_not_deletable',
        'User must have at least 1 identity after unlinking',
      );
    }
    const identity = rows.find(({ id }) => id === params.data.id);
    if (identity === undefined) {
      throw new AuthError(422, 'identity_not_found', "Identity doesn't exist");
    }
    await db.query('delete from auth.identities where id = $1', [identity.id]);
    if (identity.provider === 'email') await removePassword(db, account.id);
    await nameProviders(db, account.id);
    await audit(db, request, 'identity_unlinked', account, { provider: identity.provider });
  });
  return {};
};
