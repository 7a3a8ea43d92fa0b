// Brings the 520 guards into the database: accounts, staff records, pay, debts, shifts and leave.

import { actAs, claimsOf, insertRows, type Row } from '#tests/support/acting.ts';
import { shown } from '#tests/support/cents.ts';
import { LENIENT_RULES } from '#tests/support/scene.ts';
import { COMPANY_HOLIDAY, dateOf, instant, PUBLIC_HOLIDAYS, WORKED_HOLIDAY } from './calendar.ts';
import { WITH_PHONES } from './company.ts';
import type { Duty, Guard } from './facts.ts';
import type { Member, Office } from './office.ts';
import { EXCHANGE } from './reckoning/net.ts';

const SITES = 26;
export const CHANNELS = ['bank', 'mtn_momo', 'orange_money', 'cash'] as const;

/** A guard in the database. */
export interface Settled {
  guard: Guard;
  id: string;
  staffId: string;
  claims: Record<string, string>;
  /** Those with a phone have a session. */
  client?: Member['client'];
  assignments: Map<Duty, string>;
}

async function addPeople({ server, owner }: Office, guards: Guard[]): Promise<Settled[]> {
  const settled: Settled[] = [];
  const others: Row[] = [];
  for (const guard of guards) {
    const own = guard.number < WITH_PHONES ? await server.signedUp(guard.name) : undefined;
    const id = own?.id ?? crypto.randomUUID();
    if (own === undefined)
      others.push({
        id,
        email: `guard${guard.number}@month.example`,
        raw_user_meta_data: { full_name: guard.name },
      });
    settled.push({
      guard,
      id,
      staffId: crypto.randomUUID(),
      claims: claimsOf(id),
      ...(own && { client: own.client }),
      assignments: new Map(),
    });
  }
  await insertRows(owner, 'auth.users', others);
  await insertRows(
    owner,
    'user_roles',
    settled.map(({ id }) => ({ id: crypto.randomUUID(), user_id: id, role: 'guard' })),
  );
  return settled;
}

async function addPay({ owner }: Office, settled: Settled[]): Promise<void> {
  await insertRows(
    owner,
    'staff',
    settled.map(({ guard, id, staffId }) => ({
      id: staffId,
      user_id: id,
      full_name: guard.name,
      hire_date: dateOf(guard.hired),
      salary_amount: shown(guard.bases[0].amount),
      pay_basis: guard.bases[0].basis,
      currency: guard.bases[0].currency,
      payment_frequency: guard.frequency,
      tax_resident: guard.isResident,
      status: guard.left === undefined ? 'active' : 'inactive',
      end_date: guard.left === undefined ? null : dateOf(guard.left),
      role: 'guard',
    })),
  );
  await insertRows(
    owner,
    'pay_bases',
    settled.flatMap(({ guard, staffId }) =>
      guard.bases.slice(1).map((basis) => ({
        id: crypto.randomUUID(),
        staff_id: staffId,
        effective_from: dateOf(basis.from),
        basis: basis.basis,
        payment_frequency: guard.frequency,
        amount: shown(basis.amount),
        currency: basis.currency,
      })),
    ),
  );
  await insertRows(
    owner,
    'pay_items',
    settled.flatMap(({ guard, staffId }) =>
      guard.items.map(({ from, to, amount, ...item }) => ({
        id: crypto.randomUUID(),
        staff_id: staffId,
        ...item,
        amount: shown(amount),
        effective_from: dateOf(from),
        effective_to: to === undefined ? null : dateOf(to),
      })),
    ),
  );
  await insertRows(
    owner,
    'staff_ledger',
    settled.flatMap(({ guard, staffId }) =>
      guard.debts.map(({ kind, amount, currency, part, from }) => ({
        id: crypto.randomUUID(),
        staff_id: staffId,
        entry: 'issue',
        kind,
        amount: shown(amount),
        currency,
        repay_per_period: shown(part),
        repay_from: dateOf(from),
      })),
    ),
  );
}

/** Accounts by finance, verified by the admin. */
async function addAccounts({ owner, finance, admin }: Office, settled: Settled[]): Promise<void> {
  await actAs(owner, finance, (client) =>
    insertRows(
      client,
      'pay_accounts',
      settled.map(({ guard: { number, name }, staffId }) => {
        const channel = CHANNELS[number % CHANNELS.length] ?? 'cash';
        const digits = String(number).padStart(7, '0');
        return {
          id: crypto.randomUUID(),
          staff_id: staffId,
          channel,
          account_name: name,
          account_number: {
            bank: `LR${digits}`,
            mtn_momo: `+23188${digits}`,
            orange_money: `+23177${digits}`,
            cash: null,
          }[channel],
          bank_name: channel === 'bank' ? 'Ecobank' : null,
        };
      }),
    ),
  );
  await actAs(owner, admin, (client) =>
    client.query('select verify_pay_account(a.id, a.account_number) from pay_accounts a'),
  );
}

async function addRoster({ owner, operations }: Office, settled: Settled[]): Promise<void> {
  const sites = Array.from({ length: SITES }, () => crypto.randomUUID());
  await insertRows(
    owner,
    'sites',
    sites.map((id, index) => ({
      id,
      name: `Site ${index}`,
      client_name: 'Client',
      address: 'Monrovia',
      latitude: 6.3,
      longitude: -10.8,
    })),
  );
  const shifts = new Map<string, Row>();
  const assignments: Row[] = [];
  const swapped: Row[] = [];
  for (const one of settled) {
    for (const duty of one.guard.duties) {
      const holder = settled[duty.swappedFrom ?? one.guard.number] ?? one;
      const site = sites[holder.guard.number % SITES];
      const key = `${site} ${duty.from} ${duty.to}`;
      const shift = shifts.get(key) ?? {
        id: crypto.randomUUID(),
        site_id: site,
        start_time: instant(duty.from),
        end_time: instant(duty.to),
      };
      shifts.set(key, shift);
      const id = crypto.randomUUID();
      one.assignments.set(duty, id);
      assignments.push({ id, shift_id: shift.id, user_id: holder.id });
      if (holder !== one) swapped.push({ id, user_id: one.id });
    }
  }
  await insertRows(owner, 'shifts', [...shifts.values()]);
  await insertRows(owner, 'assignments', assignments);
  await actAs(owner, operations, (client) =>
    client.query(
      `update assignments a set user_id = s.user_id
       from jsonb_to_recordset($1) s (id uuid, user_id uuid) where a.id = s.id`,
      [JSON.stringify(swapped)],
    ),
  );
}

async function addLeave({ owner }: Office, settled: Settled[]): Promise<void> {
  await insertRows(
    owner,
    'leave_requests',
    settled.flatMap(({ guard, id }) =>
      guard.leave.map(({ type, first, last }) => ({
        id: crypto.randomUUID(),
        user_id: id,
        type,
        start_date: dateOf(first),
        end_date: dateOf(last),
        reason: 'Family',
        status: 'approved',
      })),
    ),
  );
}

export async function settle(office: Office, guards: Guard[]): Promise<Settled[]> {
  const { owner } = office;
  await owner.query(LENIENT_RULES);
  await insertRows(
    owner,
    'pay_rates',
    EXCHANGE.slice(1).map(([from, rate]) => ({
      id: crypto.randomUUID(),
      kind: 'lrd_per_usd',
      effective_from: dateOf(from),
      from_amount: 0,
      rate: shown(rate),
      source: 'Of the day',
    })),
  );
  // The server fills in the years around today, which may have these already.
  await owner.query(
    `insert into public_holidays (day, name) select d, 'Holiday' from unnest($1::date[]) d
     where not exists (select from public_holidays h where h.day = d)`,
    [[...PUBLIC_HOLIDAYS, WORKED_HOLIDAY]],
  );
  await owner.query(
    `insert into company_holidays (day, name, works) values ($1, 'Founders', false), ($2, 'Work', true)`,
    [COMPANY_HOLIDAY, WORKED_HOLIDAY],
  );
  const settled = await addPeople(office, guards);
  await addPay(office, settled);
  await addAccounts(office, settled);
  await addRoster(office, settled);
  await addLeave(office, settled);
  return settled;
}
