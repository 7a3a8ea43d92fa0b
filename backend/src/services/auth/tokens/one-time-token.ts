// One-time tokens: digits to type in, and a hash of the same token for links.
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { type Db, raw, sql } from '../database.ts';
import { type Actor, audit } from '../protection/audit.ts';
import type { Call } from '../service.ts';

export const TOKEN_TYPES = [
  'confirmation_token',
  'reauthentication_token',
  'recovery_token',
  'email_change_token_new',
  'email_change_token_current',
  'phone_change_token',
] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

export interface OneTimeToken {
  /** Digits to type in. */
  code: string;
  /** For the link. */
  hash: string;
}

export interface FoundToken {
  id: string;
  user_id: string;
  token_type: TokenType;
  relates_to: string;
  token_hash: string;
}

/** For a mail or text message: its token, the column with the time of the last one, and the audited action. */
export const PURPOSES = {
  signup: ['confirmation_token', 'confirmation_sent_at', 'user_confirmation_requested'],
  invite: ['confirmation_token', 'invited_at', 'user_invited'],
  magiclink: ['recovery_token', 'recovery_sent_at', 'user_recovery_requested'],
  recovery: ['recovery_token', 'recovery_sent_at', 'user_recovery_requested'],
  reauthentication: [
    'reauthentication_token',
    'reauthentication_sent_at',
    'user_reauthenticate_requested',
  ],
  phone_change: ['phone_change_token', 'phone_change_sent_at', 'user_confirmation_requested'],
} as const;
export type Purpose = keyof typeof PURPOSES;

/** Records that a message is sent to an account. */
export async function recordRequest(
  db: Db,
  call: Call,
  purpose: Purpose,
  actor: Actor & { id: string },
  traits?: Record<string, unknown>,
): Promise<void> {
  const [, sentAt, action] = PURPOSES[purpose];
  await db.query(sql`update auth.users set ${raw(sentAt)} = now() where id = ${actor.id}`);
  await audit(db, call, action, actor, traits);
}

/** Prefix for tokens of PKCE flows. */
const PKCE_PREFIX = 'pkce_';

/** Salted: otherwise a link could be computed from the address and a million codes. */
function hashOf(address: string, code: string, salt: string): string {
  return createHash('sha224').update(`${address}${code}${salt}`).digest('hex');
}

export function isPkceToken(hash: string): boolean {
  return hash.startsWith(PKCE_PREFIX);
}

/**
 * Creates a token; replaces an older one of the same type.
 * @param address that the token is sent to
 * @param length digits
 */
export async function issueToken(
  db: Db,
  userId: string,
  type: TokenType,
  address: string,
  length: number,
  isPkce = false,
): Promise<OneTimeToken> {
  const code = randomCode(length);
  return { code, hash: await storeToken(db, userId, type, address, code, isPkce) };
}

/** @param length digits */
export const randomCode = (length: number): string =>
  String(randomInt(10 ** length)).padStart(length, '0');

/** Stores a code that was created elsewhere. @returns its hash */
export async function storeToken(
  db: Db,
  userId: string,
  type: TokenType,
  address: string,
  code: string,
  isPkce = false,
): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  const hash = `${isPkce ? PKCE_PREFIX : ''}${hashOf(address, code, salt)}`;
  await db.query(sql`
    insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, salt)
    values (gen_random_uuid(), ${userId}, ${type}, ${hash}, ${address}, ${salt})
    on conflict (user_id, token_type) do update
    set token_hash = excluded.token_hash, relates_to = excluded.relates_to, salt = excluded.salt,
      created_at = now(), updated_at = now()`);
  return hash;
}

const COLUMNS = raw('id, user_id, token_type::text as token_type, relates_to, token_hash');

/** Consumes a link's token. @param lifetime seconds; @returns undefined if it is unknown or expired */
export async function takeByHash(
  db: Db,
  hash: string,
  types: readonly TokenType[],
  lifetime: number,
): Promise<FoundToken | undefined> {
  // Deleting consumes it: of two concurrent requests, one gets the row.
  const { rows } = await db.query<FoundToken>(sql`
    delete from auth.one_time_tokens
    where token_hash = ${hash} and token_type::text = any (${types})
      and created_at > now()::timestamp - make_interval(secs => ${lifetime})
    returning ${COLUMNS}`);
  return rows[0];
}

/** Consumes the token of these digits and this address. @returns undefined if they are wrong */
export async function takeByCode(
  db: Db,
  address: string,
  code: string,
  types: readonly TokenType[],
  lifetime: number,
): Promise<FoundToken | undefined> {
  const { rows } = await db.query<FoundToken & { salt: string }>(sql`
    select ${COLUMNS}, salt from auth.one_time_tokens
    where relates_to = ${address} and token_type::text = any (${types})`);
  const match = rows.find(
    (row) => row.token_hash.replace(PKCE_PREFIX, '') === hashOf(address, code, row.salt),
  );
  return match && takeByHash(db, match.token_hash, types, lifetime);
}
