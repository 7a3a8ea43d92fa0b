import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ClientBase } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { iso } from './calendar.ts';
import { insertInto } from './insert-rows.ts';

export interface StoredFile {
  /** Also the file's version, so that an interrupted load overwrites its own files when repeated. */
  id: string;
  path: string;
  /** MIME type. */
  type: string;
  content: Buffer;
  /** Who uploaded it. */
  owner: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** @param client inside the transaction that fills the company */
export async function storeFiles(
  client: ClientBase,
  blobs: Context['blobs'],
  bucket: 'evidence' | 'photos',
  files: readonly StoredFile[],
): Promise<void> {
  for (const { id, content } of files) await blobs.write(id, Readable.from([content]));
  const rows = files.map(({ id, path, type, content, owner, at }) => ({
    name: path,
    owner,
    owner_id: owner,
    version: id,
    metadata: JSON.stringify({
      eTag: `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`,
      size: content.length,
      mimetype: type,
      cacheControl: 'max-age=3600',
      lastModified: iso(at),
      contentLength: content.length,
      httpStatusCode: 200,
    }),
    created_at: iso(at),
    updated_at: iso(at),
  }));
  await insertInto(client, 'storage.objects', rows, { bucket_id: `'${bucket}'` });
}
