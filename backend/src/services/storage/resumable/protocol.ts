// The TUS protocol (PROTOCOL.md 4.6), spoken by @tus/server with parts on the disk of this process. Who may send, and
// what becomes of the finished file, is decided as for any other upload.
import { createReadStream } from 'node:fs';
import { mkdir, truncate } from 'node:fs/promises';
import path from 'node:path';
import { FileStore } from '@tus/file-store';
import { ERRORS, EVENTS, Server } from '@tus/server';
import { limitsOf, sizeLimitOf } from '../buckets/bucket.ts';
import { refusalOf } from '../errors/render.ts';
import type { Service } from '../service.ts';
import { storeObject } from '../upload/store-object.ts';
import { currentSender } from './sender.ts';
import { admit, detailsOf, Kept, typeOf } from './target.ts';
import { openUnfinishedUploads, type UnfinishedUpload } from './unfinished-uploads.ts';

const ID = /^[0-9a-f]{32}$/;
/** After a day an upload is begun anew. */
const EXPIRES_MS = 24 * 3600 * 1000;
const NOT_FOUND = { status_code: 404, body: 'The file for this url was not found\n' };

export interface Resumable {
  server: Server;
  /** Removes uploads that were begun more than a day ago, and counts the others. */
  expire(): Promise<void>;
}

export async function openResumable(service: Service): Promise<Resumable> {
  const { config, settings, siteUrl } = service.context;
  const directory = path.join(config.dataDir, 'uploads');
  // The library would open it to other accounts.
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const unfinished = openUnfinishedUploads(settings.storage.quota);
  const largest = settings.storage.file_size_limit;
  const store = new FileStore({ directory, expirationPeriodInMilliseconds: EXPIRES_MS });

  const finish = async (id: string): Promise<void> => {
    const sender = currentSender();
    const { metadata, size = 0 } = await store.getUpload(id);
    const kept = Kept.parse(metadata);
    const file = path.join(directory, id);
    try {
      const bucket = await limitsOf(service, kept.bucketName);
      const replaces = kept.sb_upsert === 'true';
      const object = { key: kept.objectName, sub: sender.sub, replaces };
      await storeObject(service, sender.db, bucket, object, size, async () => ({
        source: createReadStream(file),
        type: typeOf(kept),
        details: async () => detailsOf(kept),
      }));
    } catch (error) {
      await store.remove(id);
      unfinished.remove(id);
      throw error;
    }
    unfinished.remove(id);
    // The bytes are kept elsewhere now. An empty file of the same length tells a client that lost the last answer
    // that it has finished.
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
      if (request.method === 'POST' || id === null) return largest;
      const { metadata } = await store.getUpload(id);
      return sizeLimitOf(service, await limitsOf(service, Kept.parse(metadata).bucketName));
    },
    onIncomingRequest: async (request, id) => {
      if (request.method === 'POST') return;
      const { metadata } = await store.getUpload(id);
      // Somebody else's upload is as good as none.
      if (metadata?.sb_sender !== currentSender().mark) throw NOT_FOUND;
    },
    onUploadCreate: async (_request, { id, metadata, size }) => {
      const sender = currentSender();
      const kept = await admit(service, sender, metadata, size);
      // What the project's own keys send has no limit.
      if (sender.sub !== undefined) unfinished.add(id, sender.mark, size ?? largest);
      return { metadata: kept };
    },
    onUploadFinish: async (_request, { id }) => {
      await finish(id);
      return {};
    },
    onResponseError: (_request, error) => {
      if ('status_code' in error) return undefined;
      const { statusCode, message } = refusalOf(error, currentSender().request);
      const body = statusCode === 413 ? 'Maximum size exceeded' : message;
      return { status_code: statusCode, body: `${body}\n` };
    },
  });
  server.on(EVENTS.POST_TERMINATE, (_request, _response, id) => unfinished.remove(id));

  /** Counts what is on the disk: after a start, and after expired uploads were removed. */
  const recount = async (): Promise<void> => {
    const found: [id: string, upload: UnfinishedUpload][] = [];
    for (const id of (await store.configstore.list?.()) ?? []) {
      try {
        const { metadata, offset, size = largest } = await store.getUpload(id);
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
    expire: async () => {
      await server.cleanUpExpiredUploads();
      await recount();
    },
  };
}
