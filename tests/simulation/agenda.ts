// What is to happen, in the order of time; of things at the same time, the first entered is first.
export interface Entry {
  at: number;
  /** Who does what, for the list of events. */
  what: string;
  /** @returns what came of it, if there is more to say */
  run: () => Promise<string | undefined>;
}

export class Agenda {
  #entries: (Entry & { place: number })[] = [];
  #count = 0;

  add(at: number, what: string, run: () => Promise<string | undefined>): void {
    this.#count += 1;
    const entry = { at, what, run, place: this.#count };
    const index = this.#entries.findLastIndex((other) => other.at <= at);
    this.#entries.splice(index + 1, 0, entry);
  }

  /** @returns and removes the next entry before that time */
  next(before: number): Entry | undefined {
    const [first] = this.#entries;
    return first !== undefined && first.at < before ? this.#entries.shift() : undefined;
  }
}
