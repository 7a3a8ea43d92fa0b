// What is to happen, in an order that a seed repeats: nothing in it depends on how long a machine took for what came before.
export interface Entry {
  at: number;
  /** Who does what, for the list of events. */
  what: string;
  /** Whether what is due by then must have been done first; it has been when the last entry was long before. */
  needsJobs: boolean;
  /** @returns what came of it, if there is more to say */
  run: () => Promise<string | undefined>;
}

interface Planned extends Entry {
  /** For when, before the product was off. */
  first: number;
  place: number;
}

/** Of the same time: what was held up comes last, in the order of its times; the name decides, then who planned first. */
const compare = (a: Planned, b: Planned): number =>
  a.at - b.at ||
  Number(a.first !== a.at) - Number(b.first !== b.at) ||
  a.first - b.first ||
  (a.what < b.what ? -1 : Number(a.what > b.what)) ||
  a.place - b.place;

export class Agenda {
  #entries: Planned[] = [];
  #count = 0;
  #now = 0;

  /**
   * The time of the running entry. What follows from it is planned by this: the clock goes on while it runs, and longer on
   * a slow machine.
   */
  get now(): number {
    return this.#now;
  }

  /** What is planned from now on follows from that time. */
  begin(at: number): void {
    this.#now = at;
  }

  add(at: number, what: string, run: Entry['run'], needsJobs = false): void {
    this.#count += 1;
    this.#insert({ at, what, run, needsJobs, first: at, place: this.#count });
  }

  /** Puts off what can't happen before that time. */
  #hold(entry: Planned, until: number): void {
    this.#insert({ ...entry, at: until });
  }

  #insert(entry: Planned): void {
    const index = this.#entries.findLastIndex((other) => compare(other, entry) <= 0);
    this.#entries.splice(index + 1, 0, entry);
  }

  /**
   * @param holdUntil entries of before then are put off until then
   * @returns and removes the next entry before that time
   */
  next(before: number, holdUntil = 0): Entry | undefined {
    for (;;) {
      const [first] = this.#entries;
      if (first === undefined || first.at >= before) return undefined;
      this.#entries.shift();
      if (first.at >= holdUntil) {
        this.#now = Math.max(this.#now, first.at);
        return first;
      }
      this.#hold(first, holdUntil);
    }
  }
}
