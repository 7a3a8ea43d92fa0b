// Chance that comes out the same everywhere: a small seeded generator, one stream for each subject.

/** FNV-1a, so that a stream's name gives its seed. */
function seedOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

export class Random {
  #state: number;

  /** @param stream a name of its own for each subject, so that a change to one leaves the others as they are */
  constructor(stream: string) {
    this.#state = seedOf(`statesman/${stream}`);
  }

  /** @returns from 0 up to, not including, 1 (mulberry32) */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** @returns a whole number, both ends included */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** @throws RangeError when there is nothing to pick from */
  pick<T>(list: readonly T[]): T {
    const index = Math.floor(this.next() * list.length);
    if (index >= list.length) throw new RangeError('There is nothing to pick from.');
    return list[index] as T; // within the bounds, which a T that may be undefined hides from the compiler
  }

  /** @param choices value and its weight */
  weighted<T>(choices: readonly (readonly [value: T, weight: number])[]): T {
    const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
    let left = this.next() * total;
    for (const [value, weight] of choices) {
      left -= weight;
      if (left < 0) return value;
    }
    throw new RangeError('There is nothing to choose from.');
  }

  /** @returns money: a multiple of `step` between the ends, exact to the cent */
  amount(low: number, high: number, step = 0.01): string {
    const cents = Math.round(step * 100);
    const units = this.int(Math.ceil((low * 100) / cents), Math.floor((high * 100) / cents));
    return ((units * cents) / 100).toFixed(2);
  }

  /** @returns the same entries in another order */
  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((entry) => ({ entry, at: this.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ entry }) => entry);
  }
}
