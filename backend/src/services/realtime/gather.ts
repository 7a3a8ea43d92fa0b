// Many who ask the same thing at once share one answer.

/**
 * @param work asked about a key
 * @returns the same, run once for all who ask about a key in one moment; it begins after each of them has asked,
 *   so nobody is given an answer older than the question
 */
export function gathered<T>(work: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const waiting = new Map<string, Promise<T>>();
  return (key) => {
    const known = waiting.get(key);
    if (known !== undefined) return known;
    const answer = new Promise((resolve) => setImmediate(resolve)).then(() => {
      waiting.delete(key);
      return work(key);
    });
    waiting.set(key, answer);
    return answer;
  };
}
