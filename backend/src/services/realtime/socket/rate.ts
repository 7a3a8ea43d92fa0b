// Counts what one socket does within a second.
export class Rate {
  readonly #limit: number;
  #since = 0;
  #count = 0;

  /** @param limit how often within a second */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @param now milliseconds since 1970 @returns whether it may be done once more */
  take(now: number): boolean {
    if (now - this.#since >= 1000) {
      this.#since = now;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= this.#limit;
  }
}
