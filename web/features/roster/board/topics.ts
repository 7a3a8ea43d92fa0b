import { useCallback, useSyncExternalStore } from 'react';

export type Topics = ReturnType<typeof createTopics>;

/** Numbers that grow when something named has changed, for components that show just that. */
export function createTopics() {
  // Counts all topics together: a sum of own counters could stay the same when a component changes its topics.
  let clock = 0;
  const versions = new Map<string, number>();
  const listeners = new Map<string, Set<() => void>>();
  return {
    versionOf: (topic: string) => versions.get(topic) ?? 0,
    touch(topic: string) {
      clock += 1;
      versions.set(topic, clock);
      for (const listener of listeners.get(topic) ?? []) listener();
    },
    subscribe(topic: string, listener: () => void) {
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0) listeners.delete(topic);
      };
    },
  };
}

/** Renders again when one of the topics was touched. @param names separated by line breaks */
export function useTopics(topics: Topics, names: string): number {
  const subscribe = useCallback(
    (listener: () => void) => {
      const leaves = names.split('\n').map((name) => topics.subscribe(name, listener));
      return () => {
        for (const leave of leaves) leave();
      };
    },
    [topics, names],
  );
  const read = useCallback(
    () => Math.max(...names.split('\n').map((name) => topics.versionOf(name))),
    [topics, names],
  );
  return useSyncExternalStore(subscribe, read);
}
