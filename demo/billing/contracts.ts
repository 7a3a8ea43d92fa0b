// Most clients pay worked hours, some a month's amount or a minimum, and a few in LRD or with tax.

import { CLOSED_MONTHS, iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import { asRows, insertRows } from '../insert-rows.ts';
import { idOf, Random } from '../random.ts';

/** Hours that one guard's place is manned in a month. */
const SEAT_HOURS = 360;
const LRD_PER_USD = 184;
const TAX = 'GST';
const VAT_BEGINS = '2027-01-01';
/** Their contracts begin with the hours that are kept: a quarter half of which has none would be billed short. */
const LONG_CYCLES = ['quarterly', 'annually'];

/** Most clients have said their tax number; embassies have a certificate with which they buy without VAT. */
async function insertTaxNumbers(
  client: Loading['client'],
  business: Loading['business'],
  created_by: string,
): Promise<void> {
  const random = new Random('tax numbers');
  const known = business.clients.flatMap(({ id }) => {
    const tin = `5${String(random.int(0, 99_999_999)).padStart(8, '0')}`;
    return random.chance(0.85) ? [{ id, tin }] : [];
  });
  const { from, values } = asRows({ id: 'uuid', tin: 'text' }, known);
  await client.query(`update clients c set tin = r.tin from ${from} where c.id = r.id`, values);
  const embassies = business.clients.filter(({ name }) => name.includes('embassy'));
  await insertRows(
    client,
    'vat_exemptions',
    embassies.map(({ id }, number) => ({
      client_id: id,
      certificate: `MFA-DIP-${String(number + 101)}`,
      valid_from: VAT_BEGINS,
      valid_to: '2028-12-31',
      created_by,
    })),
  );
}

/** What invoices say about where they are paid to. */
async function insertPaymentDetails(
  client: Loading['client'],
  created_by: string,
  created_at: string,
): Promise<void> {
  await client.query(
    `update billing_settings set address = 'Old Road, Sinkor, Monrovia, Liberia',
       terms = 'Please give the number of the invoice with your payment.'`,
  );
  const account = {
    title: 'Statesman Security Services',
    created_by,
    created_at,
    updated_at: created_at,
  };
  await insertRows(client, 'payment_accounts', [
    {
      ...account,
      id: idOf('payment account', 0),
      currency: 'USD',
      kind: 'bank',
      provider: 'Ecobank Liberia',
      number: '6101004417',
      note: 'Ashmun Street branch, SWIFT ECOCLRLM',
    },
    {
      ...account,
      id: idOf('payment account', 1),
      currency: 'USD',
      kind: 'mobile_money',
      provider: 'MTN MoMo',
      number: '+231 88 012 3456',
      note: null,
    },
    {
      ...account,
      id: idOf('payment account', 2),
      currency: 'LRD',
      kind: 'bank',
      provider: 'Liberian Bank for Development and Investment',
      number: '0020104417',
      note: 'Main branch',
    },
    {
      ...account,
      id: idOf('payment account', 3),
      currency: 'LRD',
      kind: 'mobile_money',
      provider: 'Orange Money',
      number: '+231 77 012 3456',
      note: null,
    },
  ]);
}

export async function insertContracts({
  client,
  business,
  people,
  calendar,
}: Loading): Promise<void> {
  const random = new Random('contracts');
  const created_by = people.named('finance').id;
  await insertRows(client, 'tax_rates', [
    {
      id: idOf('tax rate', 0),
      name: TAX,
      rate: '0.1000',
      effective_from: calendar.date(-2000),
      source: 'Company setting',
      created_by,
    },
    {
      id: idOf('tax rate', 1),
      name: 'VAT',
      rate: '0.1800',
      effective_from: VAT_BEGINS,
      source: 'Ministry of Finance and Liberia Revenue Authority',
      created_by,
    },
  ]);
  await client.query(`delete from rate_proposals where name = 'VAT'`);
  await insertRows(client, 'vat_registrations', [
    {
      number: '500148276',
      registered_from: VAT_BEGINS,
      created_by,
    },
  ]);
  await insertTaxNumbers(client, business, created_by);
  await insertPaymentDetails(client, created_by, iso(calendar.at(-700, 9)));
  const kept = calendar.month(-CLOSED_MONTHS).first;
  const contracts = business.clients.map((one, number) => {
    const isLocal = random.chance(0.06);
    const signed = calendar.date(one.since);
    const perSeat = (Number(one.monthlyRate) / one.guards) * (isLocal ? LRD_PER_USD : 1);
    return {
      id: idOf('contract', number),
      one,
      number,
      perSeat,
      currency: isLocal ? 'LRD' : 'USD',
      since: LONG_CYCLES.includes(one.payment) && signed < kept ? kept : signed,
      basis: random.among({ worked: 70, fixed: 20, minimum: 10 }),
      gap_credit: random.among({ none: 50, hours: 35, penalty: 15 }),
      tax_name: random.chance(0.15) ? TAX : null,
      payment_terms_days: random.pick([14, 30, 30, 30, 45]),
      billing_day: random.pick([1, 1, 1, 5, 25]),
      hasHolidayRate: random.chance(0.4),
      raise: random.chance(0.15),
      created_by,
      created_at: iso(calendar.at(one.since, 13)),
    };
  });
  await insertRows(
    client,
    'contracts',
    contracts.map(({ id, one, currency, since, gap_credit, ...row }) => ({
      id,
      client_id: one.id,
      title: 'Guard services',
      currency,
      starts_on: since,
      billing_cycle: one.payment === 'cash' ? 'monthly' : one.payment,
      billing_day: row.billing_day,
      payment_terms_days: row.payment_terms_days,
      gap_credit,
      gap_factor: gap_credit === 'penalty' ? '1.5000' : '1.0000',
      agreed_headcount: one.guards,
      tax_name: row.tax_name,
      // Of every sixth client, which wants it on its invoices.
      purchase_order: row.number % 6 === 1 ? `PO-${4100 + row.number}` : null,
      created_by,
      created_at: row.created_at,
      updated_at: row.created_at,
    })),
  );
  // One row for each site: all its posts are billed alike.
  const sites = business.sites.flatMap((site, number) => {
    const contract = contracts.find(({ one }) => one === site.client);
    if (contract === undefined) return [];
    const seats = site.posts.reduce((sum, { guards, lines }) => sum + guards * lines.length, 0);
    return [{ number, site, contract, seats }];
  });
  await insertRows(
    client,
    'contract_posts',
    sites.map(({ number, site, seats, contract: { id, basis, perSeat, since, created_at } }) => ({
      id: idOf('contract post', number),
      contract_id: id,
      site_id: site.id,
      basis,
      monthly_amount: basis === 'fixed' ? (perSeat * seats).toFixed(2) : null,
      minimum_hours: basis === 'minimum' ? (seats * 200).toFixed(2) : null,
      starts_on: since,
      created_by,
      created_at,
      updated_at: created_at,
    })),
  );
  const nextMonth = calendar.month(1).first;
  const rates = contracts.flatMap(({ id, perSeat, since, hasHolidayRate, raise, created_at }) => {
    const hour = perSeat / SEAT_HOURS;
    const row = (kind: string, amount: number, effective_from: string) => ({
      contract_id: id,
      kind,
      amount: amount.toFixed(4),
      effective_from,
      created_by,
      created_at,
      updated_at: created_at,
    });
    return [
      row('regular', hour, since),
      ...(hasHolidayRate ? [row('holiday', hour * 1.5, since)] : []),
      // Announced in advance.
      ...(raise ? [row('regular', hour * 1.05, nextMonth)] : []),
    ];
  });
  await insertRows(
    client,
    'rates',
    rates.map((row, number) => ({ id: idOf('rate', number), ...row })),
  );
}
