// Accounts take turns: none delays another's work by more than what runs already.
import { clientGone, tooManyRequests, tooManyTransforms } from '../errors.ts';

interface Share {
  running: number;
  /** In order of arrival. */
  waiting: Set<() => void>;
}

interface Limits {
  atOnce: number;
  /** Below `atOnce`, so that one account leaves room for the others. */
  atOncePerShare: number;
  waitingPerShare: number;
  waiting: number;
}

export interface Turns {
  /**
   * @param share whose turn it takes @param signal drops work that waits; `work` ends itself
   * @throws StorageError when too much waits, or the signal aborts first; `work`'s error
   */
  run<T>(share: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function createTurns(limits: Limits): Turns {
  /** Those with work, in the order of their next turn. */
  const shares = new Map<string, Share>();
  let free = limits.atOnce;
  let waiting = 0;

  const forgetIfDone = (key: string, { running, waiting: own }: Share): void => {
    if (running === 0 && own.size === 0) shares.delete(key);
  };

  const nextShare = (): [string, Share] | undefined => {
    for (const entry of shares) {
      const [, share] = entry;
      if (share.waiting.size > 0 && share.running < limits.atOncePerShare) return entry;
    }
    return undefined;
  };

  const startNext = (): void => {
    while (free > 0) {
      const [key, share] = nextShare() ?? [];
      if (key === undefined || share === undefined) return;
      const [start] = share.waiting;
      if (start === undefined) return;
      shares.delete(key);
      shares.set(key, share);
      share.running += 1;
      free -= 1;
      start();
    }
  };

  const turn = (key: string, share: Share, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leaveQueue = (): void => {
        share.waiting.delete(start);
        waiting -= 1;
        signal.removeEventListener('abort', giveUp);
      };
      const start = (): void => {
        leaveQueue();
        resolve();
      };
      const giveUp = (): void => {
        leaveQueue();
        forgetIfDone(key, share);
        reject(clientGone());
      };
      share.waiting.add(start);
      waiting += 1;
      signal.addEventListener('abort', giveUp);
      startNext();
    });

  return {
    run: async (key, signal, work) => {
      if (signal.aborted) throw clientGone();
      const share = shares.get(key) ?? { running: 0, waiting: new Set() };
      if (share.waiting.size >= limits.waitingPerShare) {
        throw tooManyRequests('You have too many images waiting. Please try again.');
      }
      if (waiting >= limits.waiting) throw tooManyTransforms();
      shares.set(key, share);
      await turn(key, share, signal);
      try {
        return await work();
      } finally {
        share.running -= 1;
        free += 1;
        forgetIfDone(key, share);
        startNext();
      }
    },
  };
}
