// Returns of income tax and social security: finance enters numbers that are missing, and hands in the return of each month.
import { Random } from '#demo/random.ts';
import { addDays, instantOf } from './clock.ts';
import { accepted } from './door.ts';
import type { World } from './world.ts';

const KINDS = ['paye', 'nasscorp'] as const;
type Kind = (typeof KINDS)[number];

/** Of the month after. A run that is locked at noon may be voided at 2 PM, when its return is filed. */
const FILED_ON = 4;
const PAID_ON = 6;
const REOPENED_ON = 9;

/** @returns the first day of the last month that is over */
const lastMonth = (day: string): string => `${addDays(`${day.slice(0, 7)}-01`, -1).slice(0, 7)}-01`;

/** Of the company, and of a few people at a time. */
async function enterNumbers(world: World, random: Random): Promise<string> {
  const { client } = world.company.finance;
  const { data: missing } = accepted(await client.rpc('missing_tax_numbers').limit(8));
  for (const { subject, id } of missing ?? []) {
    const numbers = {
      tin: `5${String(random.int(0, 99_999_999)).padStart(8, '0')}`,
      nasscorp_number: `1${String(random.int(0, 99_999_999)).padStart(8, '0')}`,
    };
    if (subject === 'company')
      accepted(await client.from('company_numbers').update(numbers).eq('id', id));
    if (subject === 'staff') accepted(await client.from('staff').update(numbers).eq('id', id));
  }
  return `${missing?.length ?? 0} were missing`;
}

async function file(world: World, kind: Kind, day: string): Promise<string> {
  const { client } = world.company.finance;
  const of = { p_kind: kind, p_month: lastMonth(day) };
  accepted(await client.rpc('prepare_pay_return', of));
  accepted(
    await client.rpc('file_pay_return', {
      ...of,
      p_filed_on: day,
      p_reference: `${kind} ${of.p_month}`,
    }),
  );
  return `${kind} of ${of.p_month}`;
}

async function pay(world: World, kind: Kind, day: string): Promise<string> {
  const { client } = world.company.finance;
  const { data: filed } = accepted(
    await client
      .from('pay_returns')
      .select('month, due, lrd_per_usd')
      .eq('kind', kind)
      .eq('month', lastMonth(day))
      .eq('status', 'filed')
      .maybeSingle(),
  );
  if (!filed) return 'nothing is filed';
  const due = Math.max(0, filed.due ?? 0);
  // The larger part in US dollars.
  const usd = Math.floor(due / filed.lrd_per_usd);
  accepted(
    await client.rpc('pay_pay_return', {
      p_kind: kind,
      p_month: filed.month,
      p_paid_on: day,
      p_usd: usd,
      p_lrd: Math.round((due - usd * filed.lrd_per_usd) * 100) / 100,
      p_paid_from: 'bank',
    }),
  );
  return `${kind}: L$${due}`;
}

/** The admin takes payment and filing back, and finance hands the return in again. */
async function correct(world: World, kind: Kind, day: string): Promise<string> {
  const { admin } = world.company;
  const month = lastMonth(day);
  const { data: found } = accepted(
    await admin.client
      .from('pay_returns')
      .select('status')
      .eq('kind', kind)
      .eq('month', month)
      .maybeSingle(),
  );
  if (found?.status !== 'paid') return 'nothing is paid';
  for (const _ of ['payment', 'filing'])
    accepted(
      await admin.client.rpc('reopen_pay_return', {
        p_kind: kind,
        p_month: month,
        p_reason: 'A run was missing',
      }),
    );
  await file(world, kind, day);
  return pay(world, kind, day);
}

export function planReturns(world: World, day: string): void {
  const { agenda, company, size } = world;
  // The first return is that of the month in which the company opens.
  if (lastMonth(day) < `${company.opensOn.slice(0, 7)}-01`) return;
  const random = new Random(`simulation/${size.seed}/returns/${day}`);
  const dayOfMonth = Number(day.slice(8));
  if (dayOfMonth === FILED_ON)
    agenda.add(instantOf(day, '12:50'), 'finance enters missing tax numbers', () =>
      enterNumbers(world, random),
    );
  for (const kind of KINDS) {
    if (dayOfMonth === FILED_ON)
      agenda.add(instantOf(day, '13:00'), `finance files the return of ${kind}`, () =>
        file(world, kind, day),
      );
    if (dayOfMonth === PAID_ON)
      agenda.add(instantOf(day, '15:35'), `finance pays the return of ${kind}`, () =>
        pay(world, kind, day),
      );
    if (dayOfMonth === REOPENED_ON && random.chance(0.4))
      agenda.add(instantOf(day, '15:40'), `the return of ${kind} is corrected`, () =>
        correct(world, kind, day),
      );
  }
}
