import { errors, type JWTPayload } from 'jose';
import type pg from 'pg';
import { z } from 'zod';
import type { Caller } from '../../../database/callers.ts';
import type { Database } from '../../../database/database.ts';
import type { Keys } from '../../../keys/keys.ts';
import type { Rights } from '../changes/subscriptions.ts';

export interface Grant extends Rights {
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** User and session of the token; undefined for API keys and tokens signed elsewhere. */
  session: { userId: string; id: string } | undefined;
}

/** The message is sent to the client as `<Code>: <text>` (Supabase docs, "Realtime Error Codes"). */
export class TokenError extends Error {}

const SessionIds = z.object({ userId: z.guid(), id: z.guid() });

/** Claims that change with each token of a session and grant nothing. */
const PER_TOKEN = new Set(['iat', 'exp', 'nbf', 'jti']);

function groupOf(role: string, claims: JWTPayload): string {
  const stable = Object.entries(claims).filter(([name]) => !PER_TOKEN.has(name));
  return JSON.stringify([role, stable]);
}

function sessionOf({ sub, session_id: id }: JWTPayload): Grant['session'] {
  const ids = SessionIds.safeParse({ userId: sub, id });
  return ids.success ? ids.data : undefined;
}

function expired(expiresAt: number, now: Date): TokenError {
  const ago = Math.max(0, Math.floor((now.getTime() - expiresAt) / 1000));
  return new TokenError(`InvalidJWTToken: Token has expired ${ago} seconds ago`);
}

async function verify(keys: Keys, token: string, now: Date): Promise<JWTPayload> {
  try {
    return await keys.verify(token);
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw expired((error.payload.exp ?? 0) * 1000, now);
    if (error instanceof errors.JWTClaimValidationFailed) {
      throw new TokenError('InvalidJWTToken: The token is not valid now');
    }
    if (
      error instanceof errors.JWSSignatureVerificationFailed ||
      error instanceof errors.JWKSNoMatchingKey ||
      error instanceof errors.JWKSMultipleMatchingKeys ||
      error instanceof errors.JOSEAlgNotAllowed
    ) {
      throw new TokenError('JwtSignatureError: Failed to validate JWT signature');
    }
    throw new TokenError('MalformedJWT: The token provided is not a valid JWT');
  }
}

/** @throws TokenError */
export async function readToken(keys: Keys, token: string, now: Date): Promise<Grant> {
  const claims = await verify(keys, token, now);
  const { role, exp } = claims;
  if (typeof role !== 'string' || exp === undefined) {
    throw new TokenError('InvalidJWTToken: Fields `role` and `exp` are required in JWT');
  }
  const expiresAt = exp * 1000;
  if (expiresAt <= now.getTime()) throw expired(expiresAt, now);
  const caller = { role, claims: JSON.stringify(claims), account: claims.sub };
  return { caller, group: groupOf(role, claims), expiresAt, session: sessionOf(claims) };
}

// Evaluates the policies of realtime.messages for a private channel (Supabase docs, "Realtime Authorization") by reading
// and writing rows in a transaction that is always rolled back.

const EXTENSIONS = ['broadcast', 'presence'] as const;
type MessageExtension = (typeof EXTENSIONS)[number];

export interface TopicRights {
  read: ReadonlySet<MessageExtension>;
  write: ReadonlySet<MessageExtension>;
}

const all: ReadonlySet<MessageExtension> = new Set(EXTENSIONS);

/** For public channels. */
export const EVERYTHING: TopicRights = { read: all, write: all };

const none: ReadonlySet<MessageExtension> = new Set();
export const NOTHING: TopicRights = { read: none, write: none };

const PROBE = `insert into realtime.messages (topic, extension, event, payload, private)
  select $1, extension, 'probe', '{}', true from unnest($2::text[]) as extension`;
const INSUFFICIENT_PRIVILEGE = '42501';

async function assumeRole(client: pg.ClientBase, caller: Caller, topic: string): Promise<boolean> {
  // The owner can assume any role, but a token only one that `authenticator` may.
  const { rows } = await client.query<{ ok: boolean }>(
    `select exists (select from pg_roles where rolname = $1)
       and case when exists (select from pg_roles where rolname = $1) then pg_has_role('authenticator', $1, 'member') end as ok`,
    [caller.role],
  );
  if (!rows[0]?.ok) return false;
  await client.query(
    `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true), set_config('realtime.topic', $3, true)`,
    [caller.role, caller.claims, topic],
  );
  return true;
}

async function readable(client: pg.ClientBase, topic: string): Promise<Set<MessageExtension>> {
  await client.query('savepoint reading');
  try {
    const { rows } = await client.query<{ extension: MessageExtension }>(
      `select distinct extension from realtime.messages where topic = $1 and event = 'probe'`,
      [topic],
    );
    return new Set(rows.map(({ extension }) => extension));
  } catch (error) {
    if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE) throw error;
    return new Set();
  } finally {
    await client.query('rollback to savepoint reading');
  }
}

async function isWritable(
  client: pg.ClientBase,
  topic: string,
  extension: MessageExtension,
): Promise<boolean> {
  await client.query('savepoint writing');
  try {
    await client.query(PROBE, [topic, [extension]]);
    return true;
  } catch (error) {
    if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE) throw error;
    return false;
  } finally {
    await client.query('rollback to savepoint writing');
  }
}

/** @param topic the channel's name without `realtime:` */
export async function readTopicRights(
  database: Database,
  caller: Caller,
  topic: string,
): Promise<TopicRights> {
  const client = await database.owner.connect();
  let broken: Error | undefined;
  const write = new Set<MessageExtension>();
  try {
    await client.query('begin');
    await client.query(PROBE, [topic, [...EXTENSIONS]]);
    if (!(await assumeRole(client, caller, topic))) return NOTHING;
    const read = await readable(client, topic);
    for (const extension of EXTENSIONS) {
      if (await isWritable(client, topic, extension)) write.add(extension);
    }
    return { read, write };
  } finally {
    await client.query('rollback').catch((error: Error) => {
      broken = error;
    });
    client.release(broken);
  }
}
