/**
 * @returns a function that runs `work` once for all concurrent calls with the same key. It starts after all of them, so no
 *   caller gets a result older than the call.
 */
export function coalesced<T>(work: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const waiting = new Map<string, Promise<T>>();
  return (key) => {
    const known = waiting.get(key);
    if (known !== undefined) return known;
    const result = new Promise((resolve) => setImmediate(resolve)).then(() => {
      waiting.delete(key);
      return work(key);
    });
    waiting.set(key, result);
    return result;
  };
}
