// Keeps a reserve of the disk for the database: PostgreSQL ends when it can't write its log.
import type { Context } from '../../../context.ts';
import { noSpace } from '../errors/catalogue.ts';

const LARGEST_RESERVE = 512 * 1024 * 1024;
/** Of a small disk, this part is enough. */
const RESERVED_PART = 0.2;

export interface DiskSpace {
  /**
   * Claims room for a file that is about to be written.
   * @param bytes declared length; 0 where the sender gives none
   * @returns releases the claim, once the file is written or given up
   * @throws StorageError InsufficientStorage where the reserve would be touched
   */
  claim(bytes: number): Promise<() => void>;
}

export function openDiskSpace(context: Context): DiskSpace {
  const { config, settings } = context;
  /** Bytes that uploads in flight may still write. */
  let claimed = 0;
  return {
    claim: async (bytes) => {
      const { free, total } = await context.diskSpace(config.dataDir);
      const reserve =
        settings.storage.min_free_space ?? Math.min(LARGEST_RESERVE, total * RESERVED_PART);
      if (free - claimed - bytes < reserve) throw noSpace();
      claimed += bytes;
      let isHeld = true;
      return () => {
        if (isHeld) claimed -= bytes;
        isHeld = false;
      };
    },
  };
}
