import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JWTPayload } from 'jose';
import type { Context } from '../../context.ts';
import type { Caller } from '../../database/callers.ts';
import { readBearer } from '../../http/request.ts';
import { isInvalidToken } from '../../keys/key-ring.ts';
import type { Keys } from '../../keys/keys.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import type { DiskSpace, UnusedBlobs } from './blobs/space.ts';
import type { Db } from './database.ts';
import * as errors from './errors.ts';
import type { Images } from './images/images.ts';
import type { SignedUrls } from './signing/signed-urls.ts';

/** Passed to every endpoint. */
export interface Service {
  context: Context;
  blobs: BlobStore;
  unused: UnusedBlobs;
  space: DiskSpace;
  signedUrls: SignedUrls;
  images: Images;
}

/** The service and one request to it. */
export interface Call extends Service {
  request: FastifyRequest;
  reply: FastifyReply;
  /** With the caller's rights; bypasses row-level security for public buckets and signed URLs. */
  db: Db;
  /** Undefined without a token. */
  role: string | undefined;
  /** Subject of the token: the user's id; undefined for the project's keys. */
  sub: string | undefined;
}

/** Returns the JSON response, or throws a StorageError. */
export type Endpoint = (call: Call) => Promise<unknown>;

export interface User {
  caller: Caller;
  sub: string | undefined;
}

/** A verified token's payload is the same object until it expires. */
const users = new WeakMap<JWTPayload, User>();

function userOf(payload: JWTPayload): User {
  const known = users.get(payload);
  if (known !== undefined) return known;
  const role = typeof payload.role === 'string' ? payload.role : 'anon';
  // `set role none` would run as the login role.
  if (role === '' || role === 'none' || role.includes('\0')) {
    throw errors.accessDenied(`role "${role.replaceAll('\0', '')}" does not exist`);
  }
  const user = {
    caller: { role, claims: JSON.stringify({ ...payload, role }), account: payload.sub },
    sub: payload.sub,
  };
  users.set(payload, user);
  return user;
}

/** @throws StorageError with jose's message, as in Supabase Storage */
export async function identify(request: FastifyRequest, keys: Keys): Promise<User> {
  const token = readBearer(request) ?? '';
  const payload = await keys.verify(token).catch((error: unknown) => {
    throw isInvalidToken(error) ? errors.accessDenied(error.message) : error;
  });
  return userOf(payload);
}
