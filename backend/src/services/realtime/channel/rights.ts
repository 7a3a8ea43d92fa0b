import type { FastifyBaseLogger } from 'fastify';
import { errors, type JWTPayload } from 'jose';
import type pg from 'pg';
import { z } from 'zod';
import type { Caller } from '../../../database/callers.ts';
import type { Database } from '../../../database/database.ts';
import { isUnavailable } from '../../../database/unavailable.ts';
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
const EVERYTHING: TopicRights = { read: all, write: all };

const none: ReadonlySet<MessageExtension> = new Set();
const NOTHING: TopicRights = { read: none, write: none };

const PROBE = `insert into realtime.messages (topic, extension, event, payload, private)
  select $1, extension, 'probe', '{}', true from unnest($2::text[]) as extension`;
const READABLE = `select distinct extension from realtime.messages where topic = $1 and event = 'probe'`;
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

/** Runs a query whose effects are undone. @returns undefined if the role may not */
async function attempt<T>(client: pg.ClientBase, query: () => Promise<T>): Promise<T | undefined> {
  await client.query('savepoint attempt');
  try {
    return await query();
  } catch (error) {
    if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE) throw error;
    return undefined;
  } finally {
    await client.query('rollback to savepoint attempt');
  }
}

/** @param topic the channel's name without `realtime:` */
async function readTopicRights(
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
    const found = await attempt(client, () =>
      client.query<{ extension: MessageExtension }>(READABLE, [topic]),
    );
    for (const extension of EXTENSIONS) {
      const written = await attempt(client, () => client.query(PROBE, [topic, [extension]]));
      if (written !== undefined) write.add(extension);
    }
    return { read: new Set(found?.rows.map(({ extension }) => extension)), write };
  } finally {
    await client.query('rollback').catch((error: Error) => {
      broken = error;
    });
    client.release(broken);
  }
}

/** A failing policy allows nothing. @throws when the database is unavailable, so that the client retries */
export async function fetchTopicRights(
  { database, log }: { database: Database; log: FastifyBaseLogger },
  caller: Caller,
  name: string,
  isPrivate: boolean,
): Promise<TopicRights> {
  if (!isPrivate) return EVERYTHING;
  try {
    return await readTopicRights(database, caller, name);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    log.warn({ err: error }, 'could not evaluate the policies of realtime.messages');
    return NOTHING;
  }
}
