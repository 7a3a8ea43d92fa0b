// DELETE /user/identities/{id}: takes a way to sign in off the account; the last one stays (PROTOCOL.md 1.12).
import { z } from 'zod';
import { transaction } from '../database.ts';
import { AuthError } from '../errors/auth-error.ts';
import { audit } from '../protection/audit.ts';
import type { Endpoint } from '../service.ts';
import { authenticate } from '../sessions/authenticate.ts';

const Params = z.object({ id: z.guid() });

export const deleteIdentity: Endpoint = async (service, request) => {
  const { account } = await authenticate(service, request);
  const params = Params.safeParse(request.params);
  if (!params.success) {
    throw new AuthError(404, 'validation_failed', 'identity_id must be an UUID');
  }
  await transaction(service.pool, async (db) => {
    // Locked, so that two deletions at once do not take the last two.
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
    await db.query(
      `update auth.users u set updated_at = now(), raw_app_meta_data = coalesce(u.raw_app_meta_data, '{}')
         || (select jsonb_build_object('provider', (array_agg(i.provider order by i.created_at))[1],
              'providers', jsonb_agg(distinct i.provider)) from auth.identities i where i.user_id = u.id)
       where u.id = $1`,
      [account.id],
    );
    await audit(db, request, 'identity_unlinked', account, { provider: identity.provider });
  });
  return {};
};
