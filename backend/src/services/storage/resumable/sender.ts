import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { asCaller, asService, type Db } from '../database.ts';
import { identify } from '../identity.ts';
import type { Service } from '../service.ts';

/** The sender of a resumable upload, the same for all its parts: a user with a token, or the holder of a signed URL. */
export interface Sender {
  request: FastifyRequest;
  db: Db;
  sub: string | undefined;
  /** The only object that may be written with a signed URL. */
  signed: { url: string; upsert: boolean } | undefined;
  /** Identifies the sender; stored with the upload. */
  id: string;
}

const senderId = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

export async function senderWithToken(service: Service, request: FastifyRequest): Promise<Sender> {
  const user = await identify(request, service.context.keys);
  const { sub } = user;
  const id = senderId('token', user.caller.role, sub ?? '');
  return { request, db: asCaller(service, user), sub, signed: undefined, id };
}

/** @throws StorageError InvalidJWT when the x-signature header is not a valid token */
export async function senderWithSignature(
  service: Service,
  request: FastifyRequest,
): Promise<Sender> {
  const token = request.headers['x-signature'];
  const text = typeof token === 'string' ? token : '';
  const { url, upsert, owner } = await service.signedUrls.checkUpload(text, undefined);
  const id = senderId('signed', url, owner ?? '');
  return { request, db: asService(service), sub: owner, signed: { url, upsert }, id };
}

/** The callbacks of @tus/server don't get our request. */
export const senders = new AsyncLocalStorage<Sender>();

export function currentSender(): Sender {
  const sender = senders.getStore();
  if (sender === undefined) throw new Error('A resumable upload has no sender.');
  return sender;
}
