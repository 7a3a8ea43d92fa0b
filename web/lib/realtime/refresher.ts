// When to load again what keeps changing: soon after a change, many changes at once, and never two loads side by side.

export interface Refresher {
  /** Something has changed. @param withinMs milliseconds; as long as changes are gathered, unless it is given */
  refresh(withinMs?: number): void;
  /** Nobody looks any more. */
  stop(): void;
}

/**
 * A change during a load does not cut it off, because changes that keep coming would then never let one finish;
 * it is followed by one more load, because its answer may be older than the change.
 * @param load resolves when loaded, and does not reject
 * @param gatherMs how long changes are gathered before a load, milliseconds
 */
export function createRefresher(load: () => Promise<void>, gatherMs: number): Refresher {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = 0;
  let isLoading = false;
  let isOutdated = false;
  let isStopped = false;

  async function run() {
    timer = undefined;
    isLoading = true;
    isOutdated = false;
    try {
      await load();
    } finally {
      isLoading = false;
      if (isOutdated) refresh();
    }
  }

  function refresh(withinMs = gatherMs) {
    if (isStopped) return;
    if (isLoading) {
      isOutdated = true;
      return;
    }
    const due = performance.now() + withinMs;
    if (timer !== undefined && dueAt <= due) return;
    clearTimeout(timer);
    dueAt = due;
    timer = setTimeout(() => void run(), withinMs);
  }

  return {
    refresh,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
