// GET /admin/users: pages of accounts, newest first, with the totals in headers.
import { refusals } from '../../errors/catalogue.ts';
import { queryOf } from '../../input/json.ts';
import type { Endpoint } from '../../service.ts';
import { requireAdmin } from '../../sessions/authenticate.ts';
import { ACCOUNT_COLUMNS, type Account } from '../../users/account.ts';
import { userObject } from '../../users/user-object.ts';

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
