// Lets a few through at once; the others wait their turn, and too many waiting are sent away.
import { StorageError } from '../errors/storage-error.ts';

export interface Gate {
  /** @throws StorageError 503 when too many wait already */
  through<T>(work: () => Promise<T>): Promise<T>;
}

export function openGate(atOnce: number, mayWait: number): Gate {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return {
    through: async (work) => {
      if (free === 0) {
        if (waiting.length >= mayWait) {
          throw new StorageError(
            503,
            'slow_down',
            'Too many images are being transformed. Please try again.',
            'SlowDown',
            503,
          );
        }
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else free -= 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
