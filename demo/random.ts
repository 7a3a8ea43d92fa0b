// Random numbers and ids that are the same on every machine.

/** FNV-1a hash of the stream's name. */
function seedOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

/** A seeded generator. */
export class Random {
  #state: number;

  /** @param stream a separate name per subject, so that changing one subject leaves the others unchanged */
  constructor(stream: string) {
    this.#state = seedOf(`statesman/${stream}`);
  }

  /** @returns 0 inclusive to 1 exclusive (mulberry32) */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** @returns an integer, both ends inclusive */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** @throws RangeError if the list is empty */
  pick<T>(list: readonly T[]): T {
    const index = Math.floor(this.next() * list.length);
    if (index >= list.length) throw new RangeError('The list is empty.');
    return list[index] as T; // within the bounds, which a T that may be undefined hides from the compiler
  }

  weighted<T>(choices: readonly (readonly [value: T, weight: number])[]): T {
    const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
    let left = this.next() * total;
    for (const [value, weight] of choices) {
      left -= weight;
      if (left < 0) return value;
    }
    throw new RangeError('The weights are all zero.');
  }

  /** @param weights relative frequency of each name */
  among<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const choices: [Name, number][] = [];
    for (const name in weights) choices.push([name, weights[name]]);
    return this.weighted(choices);
  }

  /** @returns an amount of money: a multiple of `step`, both ends inclusive */
  amount(low: number, high: number, step = 0.01): string {
    const cents = Math.round(step * 100);
    const units = this.int(Math.ceil((low * 100) / cents), Math.floor((high * 100) / cents));
    return ((units * cents) / 100).toFixed(2);
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((entry) => ({ entry, at: this.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ entry }) => entry);
  }
}

// Deterministic ids: the kind of record and its number, in the format of a random uuid.

const KINDS = [
  'account',
  'client',
  'site',
  'role',
  'shift',
  'assignment',
  'attendance',
  'incident',
  'evidence',
  'course',
  'certification',
  'leave',
  'statement',
  'expense',
  'bank account',
  'loan',
  'staff',
  'payroll',
  'pay basis',
  'pay item',
  'pay run',
  'ledger',
  'deployment',
  'enquiry',
  'incident update',
  'letter',
  'report note',
  'room note',
  'watch',
  'post',
  'requirement',
  'post course',
  'ban',
  'induction',
  'availability',
  'roster change',
  'roster period',
  'extra shift',
  'notice',
  'post order',
  'checkpoint',
  'tour',
  'equipment',
  'handover',
  'device',
  'clock exception',
  'welfare check',
  'sos',
  'message',
  'pay account',
  'holiday',
  'dispute',
  'contract',
  'contract post',
  'rate',
  'tax rate',
  'client contact',
  'client contact account',
  'client request',
  'incident review',
  'photo',
  'book entry',
  'quote',
  'quote line',
  'payment account',
  'report template',
  'response unit',
  'unit member',
  'service call',
  'unit event',
  'post entry',
  'visit',
  'key movement',
  'post page',
] as const;
type Kind = (typeof KINDS)[number];

/** Scrambles consecutive numbers, since screens show the first eight digits to distinguish records. */
function spread(number: number): number {
  let x = (number + 0x9e3779b9) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** @param number from 0 within its kind */
export function idOf(kind: Kind, number: number): string {
  const code = KINDS.indexOf(kind) + 1;
  return `${hex(spread(number * KINDS.length + code), 8)}-${hex(code, 4)}-4000-8000-${hex(number, 12)}`;
}
