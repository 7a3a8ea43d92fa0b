// Buckets for tests and assertions about the stored blobs.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import { vi } from 'vitest';
import type { TestServer } from './server.ts';

/** @returns a client with the service key, which bypasses row-level security */
export const asOperator = (server: TestServer): SupabaseClient =>
  server.client(server.context.keys.serviceKey);

/**
 * Creates a bucket in which these roles have full access.
 * @returns its name
 */
export async function openBucket(
  server: TestServer,
  options: { public?: boolean; fileSizeLimit?: number | string; allowedMimeTypes?: string[] } = {},
  roles = 'anon, authenticated',
): Promise<string> {
  const name = `b-${crypto.randomUUID()}`;
  const { error } = await asOperator(server).storage.createBucket(name, {
    public: false,
    ...options,
  });
  if (error) throw error;
  await server.database.owner.query(
    `create policy "${name}" on storage.objects for all to ${roles}
     using (bucket_id = '${name}') with check (bucket_id = '${name}')`,
  );
  return name;
}

/** @returns the names of all stored files: blobs, uploads in flight and unfinished resumable uploads */
export async function keptFiles({ context }: TestServer): Promise<string[]> {
  const root = path.join(context.config.dataDir, 'storage');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Waits until the store holds exactly the blobs of the rows: removal happens after the response. */
export async function agreeing(server: TestServer): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await server.database.owner.query<{ version: string }>(
        'select version from storage.objects',
      );
      const wanted = rows.map(({ version }) => version).sort();
      const kept = (await keptFiles(server)).sort();
      if (JSON.stringify(kept) !== JSON.stringify(wanted)) {
        throw new Error(`rows: ${wanted.join()}; files: ${kept.join()}`);
      }
      const left = await server.database.owner.query('select from storage.unused_blobs');
      if (left.rowCount !== 0)
        throw new Error(`${left.rowCount} blobs are still marked as unused.`);
    },
    { timeout: 30_000, interval: 20 },
  );
}
