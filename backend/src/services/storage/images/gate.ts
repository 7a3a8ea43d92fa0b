import { StorageError } from '../errors/storage-error.ts';

export interface Semaphore {
  /** @throws StorageError 503 when too many are waiting */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createSemaphore(concurrency: number, maxWaiting: number): Semaphore {
  let free = concurrency;
  const waiting: (() => void)[] = [];
  return {
    run: async (work) => {
      if (free === 0) {
        if (waiting.length >= maxWaiting) {
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
