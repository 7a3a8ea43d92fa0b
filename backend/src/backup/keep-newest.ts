import type { ArchivePlace } from './archive-place.ts';

/**
 * Removes all but the newest archives, which sort by time. Called after a backup has succeeded, so the newest is complete.
 * Files with other names stay.
 * @param product first word of the archives' names
 */
export async function keepNewest(
  place: ArchivePlace,
  product: string,
  keep: number,
): Promise<void> {
  const isArchive = new RegExp(`^${product}-\\d{8}-\\d{6}-\\d{3}\\.backup$`);
  const archives = (await place.list()).filter((name) => isArchive.test(name)).sort();
  for (const name of archives.slice(0, -keep)) await place.remove(name);
}
