// Who sends a resumable upload: a caller with a token, or whoever holds a signed address. The same for all its parts.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { asCaller, asService, type Db } from '../database.ts';
import { identify } from '../identity.ts';
import type { Service } from '../service.ts';

export interface Sender {
  request: FastifyRequest;
  db: Db;
  sub: string | undefined;
  /** The one object that may be written, where the address was signed. */
  signed: { url: string; upsert: boolean } | undefined;
  /** Tells this sender from others; kept with the upload. */
  mark: string;
}

const markOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

export async function senderWithToken(service: Service, request: FastifyRequest): Promise<Sender> {
  const visitor = await identify(request, service.context.keys);
  const { sub } = visitor;
  const mark = markOf('token', visitor.caller.role, sub ?? '');
  return { request, db: asCaller(service, visitor), sub, signed: undefined, mark };
}

/** @throws StorageError InvalidJWT when header `x-signature` holds no token of ours */
export async function senderWithSignature(
  service: Service,
  request: FastifyRequest,
): Promise<Sender> {
  const token = request.headers['x-signature'];
  const text = typeof token === 'string' ? token : '';
  const { url, upsert, owner } = await service.signedUrls.checkUpload(text, undefined);
  const mark = markOf('signed', url, owner ?? '');
  return { request, db: asService(service), sub: owner, signed: { url, upsert }, mark };
}

/** The protocol's library calls back without saying for which of our requests. */
export const senders = new AsyncLocalStorage<Sender>();

export function currentSender(): Sender {
  const sender = senders.getStore();
  if (sender === undefined) throw new Error('A resumable upload has lost its sender.');
  return sender;
}
