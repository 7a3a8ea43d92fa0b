// The books by hand: what the company begins with, its loans, money moved and exchanged, advances of guards.
import { Random } from '#demo/random.ts';
import { addDays, instantOf } from './clock.ts';
import { accepted } from './door.ts';
import { uuidFrom } from './lists.ts';
import type { World } from './world.ts';

type Line = { account: string; currency: 'USD' | 'LRD'; amount: number };

const line = (account: string, cents: number, currency: Line['currency'] = 'USD'): Line => ({
  account,
  currency,
  amount: cents / 100,
});

function linesOf(kind: string, random: Random): Line[] {
  const cents = random.int(1_000, 400_000);
  if (kind === 'opening')
    return [line('bank', cents), line('loans_payable', -cents * 2), line('cash', cents, 'LRD')];
  if (kind === 'exchange') return [line('bank', -cents), line('bank', cents * 185, 'LRD')];
  if (kind === 'loan') {
    const interest = Math.round(cents / 20);
    return [
      line('loans_payable', cents),
      line('interest', interest),
      line('bank', -cents - interest),
    ];
  }
  return [line('cash', cents), line('bank', -cents)];
}

/** Some are wrong and voided at once. */
async function addEntry(world: World, day: string, kind: string, random: Random): Promise<string> {
  const { client } = world.company.finance;
  const id = uuidFrom(random);
  accepted(
    await client.rpc('add_book_entry', {
      p_id: id,
      p_kind: kind,
      p_day: day,
      p_description: `Entry of ${day}`,
      p_lines: linesOf(kind, random),
    }),
  );
  if (!random.chance(0.2)) return kind;
  accepted(await client.rpc('void_book_entry', { p_id: id, p_reason: 'Wrong day' }));
  return `${kind}, voided`;
}

/** What pay runs don't take of it is repaid in cash or written off. */
async function giveAdvance(world: World, day: string, random: Random): Promise<string> {
  const { finance, guards } = world.company;
  const { staffId } = random.pick(guards);
  const id = uuidFrom(random);
  const amount = random.int(10, 60);
  const common = { staff_id: staffId, currency: 'USD' as const, day };
  const kind = random.pick(['advance', 'loan', 'uniform', 'other'] as const);
  const { client } = finance;
  accepted(
    await client.from('staff_ledger').insert({
      ...{ ...common, id, kind, amount, entry: 'issue', repay_per_period: 5 },
      paid_from: random.pick(['bank', 'cash', 'mobile_money'] as const),
    }),
  );
  if (random.chance(0.5))
    accepted(
      await client.from('staff_ledger').insert({
        ...{ ...common, kind, loan_id: id, amount: random.int(1, 9) },
        entry: random.pick(['repayment', 'write_off'] as const),
      }),
    );
  return `${kind} of $${amount}`;
}

const KINDS = ['transfer', 'transfer', 'loan', 'exchange', 'other'] as const;

export function planEntries(world: World, day: string): void {
  const { agenda, company, size } = world;
  const random = new Random(`simulation/${size.seed}/entries/${day}`);
  const add = (time: string, kind: string) =>
    agenda.add(instantOf(day, time), `finance books an entry of the kind ${kind}`, () =>
      addEntry(world, day, kind, random),
    );
  if (day === addDays(company.opensOn, 1)) add('09:40', 'opening');
  if (random.chance(0.2)) add('16:10', random.pick(KINDS));
  if (random.chance(0.2))
    agenda.add(instantOf(day, '16:20'), 'finance gives an advance', () =>
      giveAdvance(world, day, random),
    );
}
