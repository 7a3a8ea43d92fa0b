/** A rate limit over fixed windows of one second. */
export class Rate {
  readonly #limit: number;
  #since = 0;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @param now milliseconds since 1970 @returns whether the limit allows another one */
  take(now: number): boolean {
    if (now - this.#since >= 1000) {
      this.#since = now;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= this.#limit;
  }
}
