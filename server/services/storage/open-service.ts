// Makes what the endpoints share, and puts in order what an earlier process left.
import type { Context } from '../../context.ts';
import { expireAnnounced, openUnusedBlobs } from './blobs/unused-blobs.ts';
import { makeConfiguredBuckets } from './buckets/configured-buckets.ts';
import type { Service } from './service.ts';
import { openSignedUrls } from './signing/signed-urls.ts';

/** @param onError told what failed after an answer */
export async function openService(
  context: Context,
  onError: (error: unknown) => void,
): Promise<Service> {
  const { blobs, database, settings } = context;
  const pool = database.storage;
  await makeConfiguredBuckets(pool, settings.storage.buckets);
  const unused = openUnusedBlobs(pool, blobs, onError);
  await expireAnnounced(pool, blobs);
  unused.collect();
  return { context, blobs, unused, signedUrls: await openSignedUrls(pool) };
}
