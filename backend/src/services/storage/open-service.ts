import type { Context } from '../../context.ts';
import { expireRegistered, openUnusedBlobs } from './blobs/unused-blobs.ts';
import { applyConfiguredBuckets } from './buckets/bucket.ts';
import type { Service } from './service.ts';
import { openSignedUrls } from './signing/signed-urls.ts';
import { openDiskSpace } from './upload/disk-space.ts';

/** @param onError called for failures in the background */
export async function openService(
  context: Context,
  onError: (error: unknown) => void,
): Promise<Service> {
  const { blobs, database, settings } = context;
  const pool = database.storage;
  await applyConfiguredBuckets(pool, settings.storage.buckets);
  const unused = openUnusedBlobs(pool, blobs, onError);
  await expireRegistered(pool, blobs);
  unused.collect();
  const { bytes_per_day = null, files_per_day = null } = settings.storage.quota;
  await pool.query(
    `insert into storage.quota (bytes_per_day, files_per_day) values ($1, $2)
     on conflict (only_row) do update set
       bytes_per_day = excluded.bytes_per_day, files_per_day = excluded.files_per_day`,
    [bytes_per_day, files_per_day],
  );
  const space = openDiskSpace(context);
  return { context, blobs, unused, space, signedUrls: await openSignedUrls(pool) };
}
