// VAT: the company registers when it opens, buys with VAT, and hands in the return of each month.
import { Random } from '#demo/random.ts';
import { addDays, instantOf } from './clock.ts';
import { accepted } from './door.ts';
import { uuidFrom } from './lists.ts';
import type { World } from './world.ts';

const REGISTERED_AFTER_DAYS = 1;
const LRD_PER_USD = 190;
/** Of the month after. */
const FILED_ON = 2;
const PAID_ON = 3;
const REOPENED_ON = 6;

/** The rate that comes with the product waits for somebody who approves it. One client is an embassy. */
async function register(world: World): Promise<string> {
  const { admin, finance, opensOn } = world.company;
  const { data: proposal } = accepted(
    await admin.client.from('rate_proposals').select('id').eq('name', 'VAT').single(),
  );
  accepted(await admin.client.rpc('approve_rate', { p_id: proposal?.id ?? '' }));
  accepted(
    await finance.client
      .from('vat_registrations')
      .insert({ number: '500123456', registered_from: opensOn }),
  );
  const { data: clients } = accepted(
    await finance.client.from('clients').select('id').order('name').limit(1),
  );
  for (const { id } of clients ?? [])
    accepted(
      await finance.client.rpc('set_client_tax', {
        p_client_id: id,
        p_tin: '500000001',
        p_certificate: 'DIP 1',
        p_valid_from: addDays(opensOn, 20),
      }),
    );
  return 'registered';
}

/** Some are entered weeks late, and then belong to the next return. */
async function addExpense(world: World, day: string, random: Random): Promise<string> {
  const { finance, opensOn } = world.company;
  const bought = addDays(day, -random.pick([0, 0, 0, 5, 25]));
  const on = [bought, opensOn].sort().at(-1) ?? day;
  const currency = random.among({ USD: 55, LRD: 45 });
  const cents = random.int(500, 90_000) * (currency === 'LRD' ? LRD_PER_USD : 1);
  const id = uuidFrom(random);
  // Entered in the other currency first, and corrected.
  const isMistaken = random.chance(0.2);
  accepted(
    await finance.client.from('expense_reports').insert({
      id,
      title: 'Diesel',
      amount: cents / 100,
      currency: isMistaken ? (currency === 'USD' ? 'LRD' : 'USD') : currency,
      vat_amount: Math.round((cents * 18) / 118) / 100,
      supplier: 'Filling station',
      category: 'transport',
      report_type: 'daily',
      expense_date: on,
      paid_from: random.pick(['bank', 'cash', 'mobile_money'] as const),
    }),
  );
  if (isMistaken)
    accepted(await finance.client.from('expense_reports').update({ currency }).eq('id', id));
  return `${currency} ${cents / 100} of ${on}`;
}

/** @returns the first day of the last month that is over */
const lastMonth = (day: string): string => `${addDays(`${day.slice(0, 7)}-01`, -1).slice(0, 7)}-01`;

async function file(world: World, day: string): Promise<string> {
  const { client } = world.company.finance;
  const { data: months } = accepted(await client.rpc('vat_months'));
  const found = months?.find(({ month }) => month === lastMonth(day));
  if (!found) return 'no return';
  accepted(await client.rpc('prepare_vat_return', { p_month: found.month }));
  accepted(
    await client.rpc('file_vat_return', {
      p_month: found.month,
      p_filed_on: day,
      p_reference: `LRA ${found.month}`,
    }),
  );
  return found.month;
}

async function pay(world: World, day: string): Promise<string> {
  const { client } = world.company.finance;
  const { data: filed } = accepted(
    await client
      .from('vat_returns')
      .select('month, due, lrd_per_usd')
      .eq('month', lastMonth(day))
      .eq('status', 'filed')
      .maybeSingle(),
  );
  if (!filed) return 'nothing is filed';
  const due = Math.max(0, filed.due ?? 0);
  // The larger part in US dollars.
  const usd = Math.floor(due / filed.lrd_per_usd);
  accepted(
    await client.rpc('pay_vat_return', {
      p_month: filed.month,
      p_paid_on: day,
      p_usd: usd,
      p_lrd: Math.round((due - usd * filed.lrd_per_usd) * 100) / 100,
      p_paid_from: 'bank',
    }),
  );
  return `L$${due}`;
}

/** The admin takes payment and filing back, and finance hands the return in again. */
async function correct(world: World, day: string): Promise<string> {
  const { admin } = world.company;
  const month = lastMonth(day);
  const { data: found } = accepted(
    await admin.client.from('vat_returns').select('status').eq('month', month).maybeSingle(),
  );
  if (found?.status !== 'paid') return 'nothing is paid';
  for (const _ of ['payment', 'filing'])
    accepted(
      await admin.client.rpc('reopen_vat_return', { p_month: month, p_reason: 'Wrong reference' }),
    );
  await file(world, day);
  return pay(world, day);
}

export function planVat(world: World, day: string): void {
  const { agenda, company, size } = world;
  const random = new Random(`simulation/${size.seed}/vat/${day}`);
  if (day === addDays(company.opensOn, REGISTERED_AFTER_DAYS))
    agenda.add(instantOf(day, '10:20'), 'the company registers for VAT', () => register(world));
  if (day > addDays(company.opensOn, REGISTERED_AFTER_DAYS) && random.chance(0.3))
    agenda.add(instantOf(day, '11:40'), 'finance enters an expense', () =>
      addExpense(world, day, random),
    );
  const dayOfMonth = Number(day.slice(8));
  if (dayOfMonth === FILED_ON)
    agenda.add(instantOf(day, '15:20'), 'finance files the return of VAT', () => file(world, day));
  if (dayOfMonth === PAID_ON)
    agenda.add(instantOf(day, '15:25'), 'finance pays the return of VAT', () => pay(world, day));
  if (dayOfMonth === REOPENED_ON && random.chance(0.4))
    agenda.add(instantOf(day, '15:30'), 'the return of VAT is corrected', () =>
      correct(world, day),
    );
}
