import { z } from 'zod';
import { sql, transaction } from '../../database.ts';
import { authError, errors } from '../../errors.ts';
import { parseSeconds, validEmail, validPhone } from '../../input/fields.ts';
import { metadata, readBody, readQuery, readUuid, text } from '../../input/parse.ts';
import { notify } from '../../mail/notices.ts';
import { audit } from '../../protection/audit.ts';
import type { Call, Endpoint, Service } from '../../service.ts';
import { endSessions } from '../../sessions/sessions.ts';
import {
  ACCOUNT_COLUMNS,
  type Account,
  accountById,
  accountByPhone,
  requireAccount,
  userObject,
} from '../../users/account.ts';
import {
  confirmEmail,
  forgetAccount,
  mergeAppMetadata,
  mergeUserMetadata,
  setBan,
  setEmail,
  setPassword,
  setPhone,
  setRole,
} from '../../users/change-account.ts';
import { createAccount } from '../../users/create-account.ts';

/** @returns the account in the path of an admin request; @throws AuthError 404 if the path has no uuid or it is unknown */
export const accountOfPath = (call: Call): Promise<Account> =>
  requireAccount(call.pool, readUuid(call, 'id', 'badUserId'), 'noSuchUser');

// GET /admin/users/{id}
export const getAnyUser: Endpoint = async (call) => {
  return userObject(await accountOfPath(call));
};

// GET /admin/users: pages of accounts, newest first, with the totals in headers.
const DEFAULT_SIZE = 50;
const LARGEST_SIZE = 1000;

function positive(text: string, fallback: number): number {
  if (text === '') return fallback;
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value < 1) {
    throw errors.invalid(`Bad Pagination Parameters: strconv.ParseUint: parsing "${text}"`);
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

export const listUsers: Endpoint = async (call) => {
  const page = positive(readQuery(call, 'page'), 1);
  const size = Math.min(positive(readQuery(call, 'per_page'), DEFAULT_SIZE), LARGEST_SIZE);
  const pattern = `%${readQuery(call, 'filter')
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('\0', '')}%`;
  const matching = sql`(u.email ilike ${pattern} or u.raw_user_meta_data ->> 'full_name' ilike ${pattern}
    or ${pattern} = '%%')`;
  const [{ rows }, total] = await Promise.all([
    call.pool.query<Account>(sql`
      select ${ACCOUNT_COLUMNS} from auth.users u where ${matching}
      order by u.created_at desc, u.id limit ${size} offset ${(page - 1) * size}`),
    call.pool.query<{ count: number }>(sql`
      select count(*)::integer as count from auth.users u where ${matching}`),
  ]);
  const count = total.rows[0]?.count ?? 0;
  call.reply.header('x-total-count', count);
  call.reply.header('link', linkHeader(page, size, Math.max(1, Math.ceil(count / size))));
  return { users: rows.map(userObject), aud: 'authenticated' };
};

// DELETE /admin/users/{id}: hard delete, or soft delete, which keeps the row for references and erases personal data.
const DeleteBody = z.object({ should_soft_delete: z.boolean().nullish() });

export const deleteUser: Endpoint = async (call) => {
  const account = await accountOfPath(call);
  const hasBody = call.request.body instanceof Buffer && call.request.body.length > 0;
  const isSoft = hasBody && readBody(call, DeleteBody).should_soft_delete === true;
  await transaction(call.pool, async (db) => {
    if (isSoft) await forgetAccount(db, account.id);
    else await db.query(sql`delete from auth.users where id = ${account.id}`);
    await audit(db, call, 'user_deleted', account, { soft: isSoft });
  });
  return {};
};

// The fields of an account that an administrator may set when creating or changing it.
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

export const AdminUser = z.object({
  id: text,
  aud: text,
  role: text,
  email: text,
  phone: text,
  password: text,
  password_hash: text,
  email_confirm: flag,
  phone_confirm: flag,
  user_metadata: metadata,
  app_metadata: metadata,
  ban_duration: text,
});
export type AdminUser = z.output<typeof AdminUser>;

const BCRYPT = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;

/** Minimum length of a temporary password, which others may have seen. */
const TEMPORARY_LENGTH = 8;

/** @returns the hash to store, undefined without a password */
export async function passwordHashOf(
  { passwords }: Service,
  { password, password_hash: given, app_metadata: appMetadata }: AdminUser,
): Promise<string | undefined> {
  if (password !== '' && given !== '') {
    throw errors.invalid('Only a password or a password hash should be provided');
  }
  if (given !== '') {
    if (!BCRYPT.test(given)) throw errors.invalid('The password hash must be a bcrypt hash');
    return given;
  }
  if (password === '') return undefined;
  const isTemporary = appMetadata?.must_change_password === true;
  passwords.requireGood(password, isTemporary ? TEMPORARY_LENGTH : undefined);
  return passwords.hash(password);
}

/** @returns seconds of a ban, 0 to lift it, undefined to keep it; @throws AuthError 400 */
export function banSecondsOf({ ban_duration: duration }: AdminUser): number | undefined {
  if (duration === '') return undefined;
  return duration === 'none' ? 0 : parseSeconds(duration);
}

// POST /admin/users
export const createUser: Endpoint = async (call) => {
  const body = readBody(call, AdminUser);
  if (body.email === '' && body.phone === '') {
    throw errors.invalid('Cannot create a user without either an email or phone');
  }
  if (body.id !== '' && !z.uuidv4().safeParse(body.id).success) {
    throw errors.invalid('ID must conform to the uuid v4 format');
  }
  const email = body.email === '' ? undefined : validEmail(body.email);
  const phone = body.phone === '' ? undefined : validPhone(body.phone);
  const banSeconds = banSecondsOf(body);
  const passwordHash = await passwordHashOf(call, body);
  const id = body.id === '' ? crypto.randomUUID() : body.id.toLowerCase();

  const account = await transaction(call.pool, async (db) => {
    if (await accountById(db, id)) throw errors.invalid('ID is already in use');
    if (phone !== undefined && (await accountByPhone(db, phone))) throw authError('phoneTaken');
    await createAccount(db, {
      id,
      email,
      phone,
      passwordHash,
      userMetadata: body.user_metadata ?? {},
      appMetadata: body.app_metadata,
      emailConfirmed: body.email_confirm,
      phoneConfirmed: body.phone_confirm,
      role: body.role,
      aud: body.aud,
      isByAdmin: true,
    });
    if (banSeconds !== undefined) await setBan(db, id, banSeconds);
    await audit(db, call, 'user_signedup', { id, email }, { by: 'administrator' });
    return accountById(db, id);
  });
  if (account === undefined) throw authError('noSuchUser');
  return userObject(account);
};

// PUT /admin/users/{id}: metadata is merged; addresses and password take effect at once.
export const updateAnyUser: Endpoint = async (call) => {
  const before = await accountOfPath(call);
  const { id } = before;
  const body = readBody(call, AdminUser);
  const email = body.email === '' ? undefined : validEmail(body.email);
  const phone = body.phone === '' ? undefined : validPhone(body.phone);
  const banSeconds = banSecondsOf(body);
  const passwordHash = await passwordHashOf(call, body);

  const changed = await transaction(call.pool, async (db) => {
    if (email !== undefined) await setEmail(db, id, email);
    if (phone !== undefined) await setPhone(db, id, phone, body.phone_confirm);
    if (body.email_confirm) await confirmEmail(db, id);
    if (body.role !== '') await setRole(db, id, body.role);
    if (body.user_metadata !== undefined) await mergeUserMetadata(db, id, body.user_metadata);
    if (banSeconds !== undefined) await setBan(db, id, banSeconds);
    if (passwordHash !== undefined) {
      await setPassword(db, id, passwordHash);
      await endSessions(db, id, undefined, 'global');
    }
    // Replaced as a whole after the password: a trigger may treat a password change as the user's own choice.
    if (body.app_metadata !== undefined || passwordHash !== undefined) {
      await mergeAppMetadata(db, id, { ...before.app_metadata, ...body.app_metadata });
    }
    const account = await accountById(db, id);
    await audit(db, call, 'user_modified', { id, email: account?.email }, { by: 'administrator' });
    return account;
  });
  if (changed === undefined) throw authError('noSuchUser');
  if (passwordHash !== undefined) notify(call, 'password_set_by_admin', before);
  if (email !== undefined && email !== before.email) {
    notify(call, 'email_changed', before);
  }
  return userObject(changed);
};
