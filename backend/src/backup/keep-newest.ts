import type { ArchivePlace } from './archive-place.ts';

/** @param product first word of the archives' names @returns complete archives, oldest first; other files are left out */
export async function archivesIn(place: ArchivePlace, product: string): Promise<string[]> {
  const isArchive = new RegExp(`^${product}-\\d{8}-\\d{6}-\\d{3}\\.backup$`);
  return (await place.list()).filter((name) => isArchive.test(name)).sort();
}

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
  const archives = await archivesIn(place, product);
  for (const name of archives.slice(0, -keep)) await place.remove(name);
}
