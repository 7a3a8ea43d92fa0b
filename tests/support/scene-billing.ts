// What the small company bills.
import { bystander } from './people.ts';
import type { SceneBase } from './scene-rows.ts';

/** A contract with a post and a rate, a draft of its invoice, and waived time. @returns the contract's site */
export async function addBilling({ one, insert }: SceneBase): Promise<string> {
  const client = await one(`insert into clients (name, number_of_guards, monthly_rate, location)
    values ('Billed', 1, 100, 'Monrovia') returning id`);
  const site = await one(
    `insert into sites (name, client_name, client_id, address) values ('Billed', 'Billed', $1, 'Monrovia') returning id`,
    [client],
  );
  const contract = await insert(
    'contracts',
    `(client_id, title, starts_on) values ($1, 'Guards', '2027-01-01')`,
    [client],
    { inUse: true },
  );
  await insert(
    'contract_posts',
    `(contract_id, site_id, ends_on) values ($1, $2, '2030-06-30')`,
    [contract, site],
    {},
  );
  await insert(
    'rates',
    `(contract_id, amount, effective_from) values ($1, 3.5, '2027-01-01')`,
    [contract],
    {},
  );
  await insert(
    'tax_rates',
    `(name, rate, effective_from) values ('GST', 0.1, '2027-01-01')`,
    [],
    {},
  );
  await insert(
    'billed_time',
    `(user_id, site_id, span, kind, waived_at, waived_reason)
     values ($1, $2, '[2027-03-01T08:00Z,2027-03-01T09:00Z)', 'regular', now(), 'Training')`,
    [bystander.id, site],
    {},
  );
  const invoice = await insert(
    'invoices',
    `(contract_id, client_id, period_start, period_end, currency) values ($1, $2, '2027-03-01', '2027-03-31', 'USD')`,
    [contract, client],
    {},
  );
  await insert(
    'invoice_lines',
    `(invoice_id, description, rate) values ($1, 'Extra radio', 25)`,
    [invoice],
    {},
  );
  return site;
}
