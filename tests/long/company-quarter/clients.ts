// 67 clients from a seed, with contracts of every shape.
import { Random } from '#demo/random.ts';
import { dayOf } from '../company-month/calendar.ts';
import { type Client, type Contract, KINDS, type Rate, type Term } from './facts.ts';

export const CLIENTS = 67;
export const FIRST = dayOf('2025-11-01');
export const LAST = dayOf('2026-01-31');
const ALWAYS = dayOf('2025-01-01');
/** In LRD everything costs so many times its price in USD. */
const LRD = 187;

/** Ten-thousandths, dated; before its first day a tax is not on invoices. */
export const TAXES: [name: string, from: number, rate: bigint][] = [
  ['GST', ALWAYS, 1_000n],
  ['GST', dayOf('2025-12-15'), 1_250n],
  ['Levy', dayOf('2025-11-20'), 233n],
];
/** The client whose hours have no rate until one is added, dated back, in January. */
export const WITHOUT_RATE = 9;
/** One of its two sites is in no contract. */
export const WITHOUT_CONTRACT = 17;

const price = (low: number, high: number, random: Random, contract: Contract): bigint =>
  BigInt(random.int(low, high) * (contract.currency === 'LRD' ? LRD : 1));

function addRates(contract: Contract, random: Random): void {
  const add = (rate: Omit<Rate, 'amount'>) =>
    contract.rates.push({ ...rate, amount: price(12_345, 43_210, random, contract) });
  const from = contract.client.number === WITHOUT_RATE ? dayOf('2025-12-08') : ALWAYS;
  add({ kind: 'regular', from });
  for (const kind of KINDS.slice(1)) if (random.chance(0.5)) add({ kind, from: ALWAYS });
  // Prices change in the middle of a month and of a week, and in advance.
  if (random.chance(0.5)) add({ kind: 'regular', from: random.int(FIRST + 4, LAST - 10) });
  if (random.chance(0.3)) add({ kind: 'night', from: random.int(FIRST + 4, LAST - 10) });
  for (const term of contract.terms) {
    if (term.basis === 'fixed' || !random.chance(0.3)) continue;
    add({ term, kind: 'regular', from: random.pick([ALWAYS, FIRST + 19, FIRST + 48]) });
    if (random.chance(0.5)) add({ term, kind: 'holiday', from: FIRST + 10 });
  }
}

type Span = Pick<Term, 'first' | 'last'>;

function addTerm(contract: Contract, site: string, post: string | null, span: Span, basis: number) {
  const random = new Random(
    `quarter/term/${contract.client.number}/${contract.first}/${contract.terms.length}`,
  );
  const term: Term = {
    id: crypto.randomUUID(),
    contract,
    site,
    post,
    basis: (['worked', 'fixed', 'minimum'] as const)[basis % 3] ?? 'worked',
    ...span,
  };
  if (term.basis === 'fixed') term.monthly = price(60_000, 250_001, random, contract);
  if (term.basis === 'minimum') term.minimumHours = random.int(150, 420);
  contract.terms.push(term);
}

function contractOf(client: Client, number: number, span: Span): Contract {
  const random = new Random(`quarter/contract/${client.number}/${number}`);
  const tax = [undefined, 'GST', undefined, 'Levy'][(client.number + number) % 4];
  const contract: Contract = {
    id: crypto.randomUUID(),
    client,
    currency: (client.number + number) % 6 === 4 ? 'LRD' : 'USD',
    ...span,
    gap: (['none', 'hours', 'penalty'] as const)[Math.floor(client.number / 3) % 3] ?? 'none',
    factor: random.pick([5_000n, 10_000n, 12_500n, 20_000n]),
    ...(tax && { tax }),
    terms: [],
    rates: [],
    termDays: random.pick([0, 14, 30, 45]),
  };
  client.contracts.push(contract);
  return contract;
}

/** Cuts the days of a post to those of its contract. */
const within = (contract: Contract, { first, last = Number.POSITIVE_INFINITY }: Span): Span => {
  const end = Math.min(last, contract.last ?? Number.POSITIVE_INFINITY);
  return {
    first: Math.max(first, contract.first),
    ...(Number.isFinite(end) && { last: end }),
  };
};

function addTerms(contract: Contract): void {
  const { number, places } = contract.client;
  places.forEach(({ site, post }, index) => {
    if (number === WITHOUT_CONTRACT && site !== places[0]?.site) return;
    // Posts join and leave in the middle of a month.
    const span = {
      first: (number + index) % 11 === 3 ? FIRST + 19 : ALWAYS,
      ...((number + index) % 11 === 5 && { last: FIRST + 41 }),
    };
    const cut = within(contract, span);
    if (cut.last === undefined || cut.first <= cut.last)
      addTerm(contract, site, post, cut, number + index);
  });
}

function clientOf(number: number): Client {
  const name = `Client ${String(number).padStart(2, '0')}`;
  const client: Client = { number, id: crypto.randomUUID(), name, places: [], contracts: [] };
  const sites = Array.from({ length: number % 10 === 7 ? 2 : 1 }, () => crypto.randomUUID());
  for (const site of sites) {
    // The whole site; a gate and the rest; two posts and the rest; two posts alone.
    const posts = [0, 1, 2, 2][number % 4] ?? 0;
    for (let post = 0; post < posts; post += 1)
      client.places.push({ client, site, post: crypto.randomUUID() });
    if (number % 4 !== 3) client.places.push({ client, site, post: null });
  }
  if (number % 13 === 6) {
    // A contract ends, and another follows, in another currency at times.
    addTerms(contractOf(client, 0, { first: ALWAYS, last: FIRST + 49 }));
    addTerms(contractOf(client, 1, { first: FIRST + 50 }));
  } else if (number % 17 === 8) {
    addTerms(contractOf(client, 0, { first: ALWAYS, last: FIRST + 38 }));
  } else {
    addTerms(contractOf(client, 0, { first: number % 5 === 2 ? FIRST : ALWAYS }));
  }
  for (const contract of client.contracts)
    addRates(contract, new Random(`quarter/rates/${number}/${contract.first}`));
  return client;
}

export const clients = (): Client[] =>
  Array.from({ length: CLIENTS }, (_, number) => clientOf(number));
