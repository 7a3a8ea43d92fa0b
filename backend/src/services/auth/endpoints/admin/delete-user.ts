// DELETE /admin/users/{id}: hard delete, or soft delete, which keeps the row for references and erases personal data.
import { z } from 'zod';
import { transaction } from '../../database.ts';
import { readBody } from '../../input/json.ts';
import { audit } from '../../protection/audit.ts';
import type { Endpoint } from '../../service.ts';
import { requireAdmin } from '../../sessions/authenticate.ts';
import { forgetAccount } from '../../users/forget-account.ts';
import { accountOfPath } from './one-user.ts';

const Body = z.object({ should_soft_delete: z.boolean().nullish() });

export const deleteUser: Endpoint = async (service, request) => {
  await requireAdmin(service, request);
  const account = await accountOfPath(service.pool, request);
  const hasBody = request.body instanceof Buffer && request.body.length > 0;
  const isSoft = hasBody && readBody(request, Body).should_soft_delete === true;
  await transaction(service.pool, async (db) => {
    if (isSoft) await forgetAccount(db, account.id);
    else await db.query('delete from auth.users where id = $1', [account.id]);
    await audit(db, request, 'user_deleted', account, { soft: isSoft });
  });
  return {};
};
