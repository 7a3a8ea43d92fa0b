// /upload/resumable and /upload/resumable/sign: authenticates the sender and passes the request to the TUS server.

import { createReadStream } from 'node:fs';
import { truncate } from 'node:fs/promises';
import path from 'node:path';
import { FileStore } from '@tus/file-store';
import { ERRORS, EVENTS, Server } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openFolder } from '../../../data-folders.ts';
import type { StorageSettings } from '../../../settings/storage.ts';
import { fetchLimits, findSizeLimit } from '../buckets/bucket.ts';
import { tooManyUnfinished } from '../errors.ts';
import { storageErrorOf } from '../render-error.ts';
import type { Service } from '../service.ts';
import { declaredLength } from '../upload/receive.ts';
import { storeObject } from '../upload/store.ts';
import {
  admit,
  currentSender,
  detailsOf,
  type Sender,
  StoredMetadata,
  senders,
  senderWithSignature,
  senderWithToken,
  typeOf,
} from './sender.ts';

const METHODS = ['POST', 'HEAD', 'PATCH', 'DELETE'] as const;
const HOUR_MS = 3600 * 1000;

export async function resumableRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const { server, expire } = await openResumable(service);
  const removeExpired = (): Promise<void> =>
    expire().catch((error: unknown) => app.log.error({ err: error }, 'expired uploads'));
  await removeExpired();
  const timer = setInterval(removeExpired, HOUR_MS);
  app.addHook('onClose', async () => clearInterval(timer));

  const handle = async (
    request: FastifyRequest,
    reply: FastifyReply,
    sender: Sender | undefined,
  ): Promise<FastifyReply> => {
    if (request.method === 'POST' || request.method === 'PATCH') {
      const release = await service.space.claim(declaredLength(request) ?? 0);
      reply.raw.once('close', release);
    }
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    const respond = (): Promise<void> => server.handle(request.raw, reply.raw);
    await (sender === undefined ? respond() : senders.run(sender, respond));
    return reply;
  };

  const kinds = [
    ['/upload/resumable/sign', senderWithSignature],
    ['/upload/resumable', senderWithToken],
  ] as const;
  for (const [url, senderOf] of kinds) {
    for (const path of [url, `${url}/:id`]) {
      app.options(path, (request, reply) => handle(request, reply, undefined));
      for (const method of METHODS) {
        app.route({
          method,
          url: path,
          exposeHeadRoute: false,
          handler: async (request, reply) =>
            handle(request, reply, await senderOf(service, request)),
        });
      }
    }
  }
}

// Resumable uploads (TUS protocol, tus.io/protocols) with @tus/server, whose parts are on the disk of this process. Rights
// and the finished file are handled as for any other upload.
const ID = /^[0-9a-f]{32}$/;
const EXPIRES_MS = 24 * 3600 * 1000;
const NOT_FOUND = { status_code: 404, body: 'The file for this url was not found\n' };

async function openResumable(service: Service) {
  const { config, settings, siteUrl } = service.context;
  const directory = path.join(config.dataDir, 'uploads');
  // The library would create it readable by other users.
  await openFolder(directory);
  const unfinished = new UnfinishedUploads(settings.storage.quota);
  const sizeLimit = settings.storage.file_size_limit;
  const store = new FileStore({ directory, expirationPeriodInMilliseconds: EXPIRES_MS });

  const finish = async (id: string): Promise<void> => {
    const sender = currentSender();
    const { metadata, size = 0 } = await store.getUpload(id);
    const target = StoredMetadata.parse(metadata);
    const file = path.join(directory, id);
    try {
      const bucket = await fetchLimits(service, target.bucketName);
      const replaces = target.sb_upsert === 'true';
      const object = { key: target.objectName, sub: sender.sub, replaces };
      await storeObject(service, sender.db, bucket, object, size, async () => ({
        source: createReadStream(file),
        type: typeOf(target),
        details: async () => detailsOf(target),
      }));
    } catch (error) {
      await store.remove(id);
      unfinished.remove(id);
      throw error;
    }
    unfinished.remove(id);
    // The blob store has the bytes now. A sparse file of the same length tells a client that missed the last response
    // that the upload is complete.
    await truncate(file, 0);
    await truncate(file, size);
  };

  const server = new Server({
    path: '/storage/v1/upload/resumable',
    datastore: store,
    namingFunction: () => crypto.randomUUID().replaceAll('-', ''),
    getFileIdFromRequest: (_request, last) => (last && ID.test(last) ? last : undefined),
    generateUrl: (_request, { id }) => {
      const { request, signed } = currentSender();
      const origin =
        config.siteUrl === undefined ? `${request.protocol}://${request.host}` : siteUrl();
      return `${origin}/storage/v1/upload/resumable/${signed === undefined ? '' : 'sign/'}${id}`;
    },
    maxSize: async (request, id) => {
      if (request.method === 'POST' || id === null) return sizeLimit;
      const { bucketName } = StoredMetadata.parse((await store.getUpload(id)).metadata);
      return findSizeLimit(service, await fetchLimits(service, bucketName));
    },
    onIncomingRequest: async (request, id) => {
      if (request.method === 'POST') return;
      const { metadata } = await store.getUpload(id);
      if (metadata?.sb_sender !== currentSender().id) throw NOT_FOUND;
    },
    onUploadCreate: async (_request, { id, metadata, size }) => {
      const sender = currentSender();
      const stored = await admit(service, sender, metadata, size);
      // The project's own keys have no limit.
      if (sender.sub !== undefined) unfinished.add(id, sender.id, size ?? sizeLimit);
      return { metadata: stored };
    },
    onUploadFinish: async (_request, { id }) => {
      await finish(id);
      return {};
    },
    onResponseError: (_request, error) => {
      if ('status_code' in error) return undefined;
      const { statusCode, message } = storageErrorOf(error, currentSender().request);
      const body = statusCode === 413 ? 'Maximum size exceeded' : message;
      return { status_code: statusCode, body: `${body}\n` };
    },
  });
  server.on(EVENTS.POST_TERMINATE, (_request, _response, id) => unfinished.remove(id));

  /** Counts the uploads on disk, after a start and after expired ones were removed. */
  const recount = async (): Promise<void> => {
    const found: [id: string, upload: UnfinishedUpload][] = [];
    for (const id of (await store.configstore.list?.()) ?? []) {
      try {
        const { metadata, offset, size = sizeLimit } = await store.getUpload(id);
        if (offset !== size) found.push([id, { sender: metadata?.sb_sender ?? '', bytes: size }]);
      } catch (error) {
        // Finished or removed in the meantime.
        if (error !== ERRORS.FILE_NOT_FOUND && error !== ERRORS.FILE_NO_LONGER_EXISTS) throw error;
      }
    }
    unfinished.reset(found);
  };
  return {
    server,
    /** Removes uploads older than a day, and counts the others. */
    expire: async (): Promise<void> => {
      await server.cleanUpExpiredUploads();
      await recount();
    },
  };
}

interface UnfinishedUpload {
  sender: string;
  /** Declared length. */
  bytes: number;
}

/** Limits unfinished uploads per sender, which use disk space before any row, and therefore any quota, counts them. */
class UnfinishedUploads {
  #uploads = new Map<string, UnfinishedUpload>();

  constructor(private readonly quota: StorageSettings['quota']) {}

  /** @throws StorageError when the sender would exceed the daily quota */
  add(id: string, sender: string, bytes: number): void {
    const { bytes_per_day: maxBytes = Infinity, files_per_day: maxFiles = Infinity } = this.quota;
    const own = [...this.#uploads.values()].filter((upload) => upload.sender === sender);
    const sum = own.reduce((total, upload) => total + upload.bytes, bytes);
    if (own.length >= maxFiles || sum > maxBytes) throw tooManyUnfinished();
    this.#uploads.set(id, { sender, bytes });
  }

  remove(id: string): void {
    this.#uploads.delete(id);
  }

  reset(uploads: [id: string, upload: UnfinishedUpload][]): void {
    this.#uploads = new Map(uploads);
  }
}
