// Brings the clients, their contracts and the roster into the database, and the hours as time goes by.
import type { Pool } from 'pg';
import { insertRows, type Row } from '#tests/support/acting.ts';
import { shown } from '#tests/support/cents.ts';
import { LENIENT_RULES } from '#tests/support/scene.ts';
import { dateOf, instant, PUBLIC_HOLIDAYS } from '../company-month/calendar.ts';
import { TAXES } from './clients.ts';
import type { Company, Contract, PlacedDuty, Rate } from './facts.ts';

/** Ten-thousandths as `1.2345`. */
export const decimals = (amount: bigint): string => {
  const digits = String(amount < 0n ? -amount : amount).padStart(5, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
};

const dated = (day: number | undefined): string | null => (day === undefined ? null : dateOf(day));

async function addClients(owner: Pool, { clients }: Company): Promise<void> {
  const places = clients.flatMap((client) => client.places);
  const sites = new Map(places.map((place) => [place.site, place.client]));
  await insertRows(
    owner,
    'clients',
    clients.map(({ id, name }) => ({
      id,
      name,
      number_of_guards: 2,
      monthly_rate: 1000,
      location: 'Monrovia',
      payment_method: 'monthly',
    })),
  );
  await insertRows(
    owner,
    'sites',
    [...sites].map(([id, client], index) => ({
      id,
      name: `Site ${index}`,
      client_name: client.name,
      client_id: client.id,
      address: 'Monrovia',
    })),
  );
  await insertRows(
    owner,
    'posts',
    places.flatMap(({ site, post }, index) =>
      post === null ? [] : [{ id: post, site_id: site, name: `Post ${index}` }],
    ),
  );
}

export const rateRow = (contract: Contract, { term, kind, amount, from }: Rate): Row => ({
  id: crypto.randomUUID(),
  contract_id: contract.id,
  contract_post_id: term?.id ?? null,
  kind,
  amount: decimals(amount),
  effective_from: dateOf(from),
});

async function addContracts(owner: Pool, { clients }: Company): Promise<void> {
  const contracts = clients.flatMap((client) => client.contracts);
  await insertRows(
    owner,
    'tax_rates',
    TAXES.map(([name, from, rate]) => ({
      id: crypto.randomUUID(),
      name,
      effective_from: dateOf(from),
      rate: decimals(rate),
    })),
  );
  await insertRows(
    owner,
    'contracts',
    contracts.map((contract) => ({
      id: contract.id,
      client_id: contract.client.id,
      title: 'Guards',
      currency: contract.currency,
      starts_on: dateOf(contract.first),
      ends_on: dated(contract.last),
      billing_cycle: 'monthly',
      billing_day: 3,
      payment_terms_days: contract.termDays,
      gap_credit: contract.gap,
      gap_factor: decimals(contract.factor),
      tax_name: contract.tax ?? null,
    })),
  );
  await insertRows(
    owner,
    'contract_posts',
    contracts.flatMap((contract) =>
      contract.terms.map((term) => ({
        id: term.id,
        contract_id: contract.id,
        site_id: term.site,
        post_id: term.post,
        basis: term.basis,
        monthly_amount: term.monthly === undefined ? null : shown(term.monthly),
        minimum_hours: term.minimumHours ?? null,
        starts_on: dateOf(term.first),
        ends_on: dated(term.last),
      })),
    ),
  );
  await insertRows(
    owner,
    'rates',
    contracts.flatMap((contract) => contract.rates.map((rate) => rateRow(contract, rate))),
  );
}

async function addGuards(owner: Pool, { guards }: Company): Promise<void> {
  await insertRows(
    owner,
    'auth.users',
    guards.map(({ id, number, name }) => ({
      id,
      email: `guard${number}@quarter.example`,
      raw_user_meta_data: { full_name: name },
    })),
  );
  await insertRows(
    owner,
    'user_roles',
    guards.map(({ id }) => ({ id: crypto.randomUUID(), user_id: id, role: 'guard' })),
  );
  await insertRows(
    owner,
    'staff',
    guards.map(({ id, name, frequency }) => ({
      id: crypto.randomUUID(),
      user_id: id,
      full_name: name,
      hire_date: '2024-01-01',
      salary_amount: 250,
      pay_basis: 'salary',
      currency: 'USD',
      payment_frequency: frequency,
      tax_resident: true,
      status: 'active',
      role: 'guard',
    })),
  );
}

/** @returns the assignment of each duty */
async function addRoster(
  owner: Pool,
  { guards, shifts }: Company,
): Promise<Map<PlacedDuty, string>> {
  await insertRows(
    owner,
    'shifts',
    shifts.map(({ id, place, from, to, headcount }) => ({
      id,
      site_id: place.site,
      post_id: place.post,
      start_time: instant(from),
      end_time: instant(to),
      required_headcount: headcount,
      is_manual: true,
    })),
  );
  const shiftOf = new Map(shifts.flatMap(({ id, duties }) => duties.map((duty) => [duty, id])));
  const assignments = new Map<PlacedDuty, string>();
  await insertRows(
    owner,
    'assignments',
    guards.flatMap(({ id: user, duties }) =>
      duties.map((duty) => {
        const id = crypto.randomUUID();
        assignments.set(duty, id);
        return { id, shift_id: shiftOf.get(duty), user_id: user, override_reason: 'Planned' };
      }),
    ),
  );
  return assignments;
}

export async function settle(owner: Pool, company: Company): Promise<Map<PlacedDuty, string>> {
  await owner.query(LENIENT_RULES);
  await owner.query(`update private.settings set time_zone = 'Africa/Monrovia'`);
  await owner.query(
    `insert into public_holidays (day, name) select d, 'Holiday' from unnest($1::date[]) d
     where not exists (select from public_holidays h where h.day = d)`,
    [PUBLIC_HOLIDAYS],
  );
  await owner.query('delete from public_holidays where day <> all ($1::date[])', [PUBLIC_HOLIDAYS]);
  await addClients(owner, company);
  await addContracts(owner, company);
  await addGuards(owner, company);
  const assignments = await addRoster(owner, company);
  await owner.query('analyze');
  return assignments;
}
