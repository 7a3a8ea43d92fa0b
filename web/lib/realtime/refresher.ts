// Schedules reloads after changes: debounced, and never two at a time.

export interface Refresher {
  /** @param withinMs delay in milliseconds; default `debounceMs` */
  refresh(withinMs?: number): void;
  stop(): void;
}

/**
 * A change during a load doesn't cancel it, because frequent changes would then never let one finish. Another load
 * follows, because the response may be older than the change.
 * @param load must not reject
 * @param debounceMs delay between the first change and the load, milliseconds
 */
export function createRefresher(load: () => Promise<void>, debounceMs: number): Refresher {
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

  function refresh(withinMs = debounceMs) {
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
