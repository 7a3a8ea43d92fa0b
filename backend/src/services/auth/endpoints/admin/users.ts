import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Db, transaction } from '../../database.ts';
import { refusals } from '../../errors/catalogue.ts';
import { queryOf, readBody } from '../../input/json.ts';
import { audit } from '../../protection/audit.ts';
import type { Endpoint } from '../../service.ts';
import { requireAdmin } from '../../sessions/authenticate.ts';
import { ACCOUNT_COLUMNS, type Account, accountById } from '../../users/account.ts';
import { forgetAccount } from '../../users/forget-account.ts';
import { userObject } from '../../users/user-object.ts';

const Params = z.object({ id: z.guid() });

/** @returns the account in the path of an admin request; @throws AuthError 404 if the path has no uuid or it is unknown */
export async function accountOfPath(db: Db, request: FastifyRequest): Promise<Account> {
  const params = Params.safeParse(request.params);
  if (!params.success) throw refusals.badUserId();
  const account = await accountById(db, params.data.id);
  if (account === undefined) throw refusals.noSuchUser();
  return account;
}

// GET /admin/users/{id}
export const getAnyUser: Endpoint = async (service, request) => {
  await requireAdmin(service, request);
  return userObject(await accountOfPath(service.pool, request));
};

// GET /admin/users: pages of accounts, newest first, with the totals in headers.
const DEFAULT_SIZE = 50;
const LARGEST_SIZE = 1000;

function positive(text: string, fallback: number): number {
  if (text === '') return fallback;
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value < 1) {
    throw refusals.invalid(`Bad Pagination Parameters: strconv.ParseUint: parsing "${text}"`);
  }
  return value;
}

/** `page` is the first parameter and the relation is in double quotes: auth-js slices the header at fixed positions. */
function linkHeader(page: number, size: number, last: number): string {
  const link = (to: number, relation: string): string =>
    `</admin/users?page=${to}&per_page=${size}>; rel="${relation}"`;
  const next = page < last ? [link(page + 1, 'next')] : [];
  return [...next, link(last, 'last')].join(', ');
}

export const listUsers: Endpoint = async (service, request, reply) => {
  await requireAdmin(service, request);
  const page = positive(queryOf(request, 'page'), 1);
  const size = Math.min(positive(queryOf(request, 'per_page'), DEFAULT_SIZE), LARGEST_SIZE);
  const pattern = `%${queryOf(request, 'filter')
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('\0', '')}%`;
  const matching = `(u.email ilike $1 or u.raw_user_meta_data ->> 'full_name' ilike $1 or $1 = '%%')`;
  const [{ rows }, total] = await Promise.all([
    service.pool.query<Account>(
      `select ${ACCOUNT_COLUMNS} from auth.users u where ${matching}
       order by u.created_at desc, u.id limit $2 offset $3`,
      [pattern, size, (page - 1) * size],
    ),
    service.pool.query<{ count: number }>(
      `select count(*)::integer as count from auth.users u where ${matching}`,
      [pattern],
    ),
  ]);
  const count = total.rows[0]?.count ?? 0;
  reply.header('x-total-count', count);
  reply.header('link', linkHeader(page, size, Math.max(1, Math.ceil(count / size))));
  return { users: rows.map(userObject), aud: 'authenticated' };
};

// DELETE /admin/users/{id}: hard delete, or soft delete, which keeps the row for references and erases personal data.
const DeleteBody = z.object({ should_soft_delete: z.boolean().nullish() });

export const deleteUser: Endpoint = async (service, request) => {
  await requireAdmin(service, request);
  const account = await accountOfPath(service.pool, request);
  const hasBody = request.body instanceof Buffer && request.body.length > 0;
  const isSoft = hasBody && readBody(request, DeleteBody).should_soft_delete === true;
  await transaction(service.pool, async (db) => {
    if (isSoft) await forgetAccount(db, account.id);
    else await db.query('delete from auth.users where id = $1', [account.id]);
    await audit(db, request, 'user_deleted', account, { soft: isSoft });
  });
  return {};
};
