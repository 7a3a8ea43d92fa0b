// What a life spends the machine's time on, for `--times`.

export class Times {
  readonly #spent = new Map<string, { ms: number; count: number }>();

  async of<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    const began = performance.now();
    try {
      return await work();
    } finally {
      const known = this.#spent.get(what) ?? { ms: 0, count: 0 };
      this.#spent.set(what, {
        ms: known.ms + performance.now() - began,
        count: known.count + 1,
      });
    }
  }

  /** @returns a line for each of those that took longest */
  longest(count: number): string[] {
    return [...this.#spent]
      .sort(([, one], [, other]) => other.ms - one.ms)
      .slice(0, count)
      .map(
        ([what, { ms, count: often }]) => `${(ms / 1000).toFixed(2)} s, ${often} times: ${what}`,
      );
  }
}
