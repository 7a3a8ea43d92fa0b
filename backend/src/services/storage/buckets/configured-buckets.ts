import type { Pool } from 'pg';
import type { StorageSettings } from '../../../settings/storage.ts';
import { StartError } from '../../../start-error.ts';
import { StorageError } from '../errors/storage-error.ts';
import { readBucketName } from '../input/names.ts';

/**
 * Creates the buckets of `[storage.buckets.*]`; updates existing ones where the settings give a value.
 * @throws StartError for an invalid name
 */
export async function applyConfiguredBuckets(
  pool: Pool,
  buckets: StorageSettings['buckets'],
): Promise<void> {
  for (const [name, wanted] of Object.entries(buckets)) {
    try {
      readBucketName(name);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      throw new StartError(`supabase/config.toml: "${name}" is not a valid bucket name.`);
    }
    await pool.query(
      `insert into storage.buckets as b (id, name, public, file_size_limit, allowed_mime_types)
       values ($1, $1, coalesce($2, false), $3, $4)
       on conflict (id) do update set public = coalesce($2, b.public),
         file_size_limit = coalesce($3, b.file_size_limit),
         allowed_mime_types = coalesce($4, b.allowed_mime_types)`,
      [
        name,
        wanted.public ?? null,
        wanted.file_size_limit ?? null,
        wanted.allowed_mime_types ?? null,
      ],
    );
  }
}
