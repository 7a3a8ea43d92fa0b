import type { Context } from '../../../context.ts';
import { noSpace } from '../errors.ts';

const MAX_RESERVE = 512 * 1024 * 1024;
/** Fraction of a small disk. */
const RESERVED_FRACTION = 0.2;

export type DiskSpace = ReturnType<typeof openDiskSpace>;

/** Reserves disk space for the database: PostgreSQL stops when it can't write its WAL. */
export function openDiskSpace(context: Context) {
  const { config, settings } = context;
  /** Bytes that uploads in flight may still write. */
  let claimed = 0;
  return {
    /**
     * Claims space for a file that is about to be written.
     * @param bytes declared length; 0 if unknown
     * @returns a function that releases the claim
     * @throws StorageError InsufficientStorage when the reserve would be used
     */
    claim: async (bytes: number): Promise<() => void> => {
      const { free, total } = await context.diskSpace(config.dataDir);
      const reserve =
        settings.storage.min_free_space ?? Math.min(MAX_RESERVE, total * RESERVED_FRACTION);
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
