// Drafts of invoices made by hand of one client, for scenarios about documents rather than about hours.
import type { PoolClient } from 'pg';
import { becomeOwner } from './session.ts';

export interface Billing {
  client: string;
  contract: string;
}

interface DraftLine {
  kind?: string;
  amount: number;
  tax?: number;
  settles?: string;
}

export interface Invoice {
  id: string;
  number: string | null;
  status: string;
  total: string;
  credited: string;
  paid: string;
  open_amount: string;
  issued_on: string | null;
  due_on: string | null;
}

async function idOf(database: PoolClient, sql: string, values: unknown[]): Promise<string> {
  const { rows } = await database.query<{ id: string }>(`${sql} returning id`, values);
  if (!rows[0]) throw new Error(`No row from: ${sql}`);
  return rows[0].id;
}

/** A client with a contract, as the owner of the database. */
export async function addClient(
  database: PoolClient,
  name: string,
  currency = 'USD',
): Promise<Billing> {
  await becomeOwner(database);
  const client = await idOf(
    database,
    `insert into clients (name, number_of_guards, monthly_rate, location) values ($1, 1, 100, 'Mamba Point')`,
    [name],
  );
  const contract = await idOf(
    database,
    `insert into contracts (client_id, title, currency, starts_on, payment_terms_days, bill_to_email)
     values ($1, 'Guards', $2, '2026-01-01', 14, 'accounts@client.example')`,
    [client, currency],
  );
  return { client, contract };
}

/** A draft with these lines, by hand unless they have another kind. As the owner of the database. */
export async function addDraft(
  database: PoolClient,
  { client, contract }: Billing,
  lines: (number | DraftLine)[],
  month = '2026-09-01',
): Promise<string> {
  await becomeOwner(database);
  const id = await idOf(
    database,
    `insert into invoices (contract_id, client_id, period_start, period_end, currency)
     select c.id, $2, $3::date, ($3::date + interval '1 month - 1 day')::date, c.currency from contracts c where c.id = $1`,
    [contract, client, month],
  );
  for (const line of lines) {
    const {
      kind = 'other',
      amount,
      tax,
      settles,
    } = typeof line === 'number' ? { amount: line } : line;
    await database.query(
      `insert into invoice_lines (invoice_id, kind, description, rate, amount, tax_rate, settles_line_id)
       values ($1, $2, 'Gate', $3, $3, $4, $5)`,
      [id, kind, amount, tax, settles],
    );
  }
  return id;
}

/** Issues a draft as it is, also one whose lines come from no hours. As the owner of the database. */
export async function issueAsIs(database: PoolClient, id: string): Promise<void> {
  await becomeOwner(database);
  await database.query(
    `update invoices i set status = 'issued', year = d.year, sequence = private.next_number('invoice', d.year),
       issued_on = d.day, due_on = d.day + 14, bill_to = private.bill_to_of(i.contract_id, i.period_end)
     from (select private.company_date() as day, extract(year from private.company_date())::int as year) d
     where i.id = $1`,
    [id],
  );
}

export async function readInvoice(database: PoolClient, id: string): Promise<Invoice> {
  const { rows } = await database.query<Invoice>(
    `select id, number, status, total, credited, paid, open_amount, issued_on::text, due_on::text from invoices where id = $1`,
    [id],
  );
  if (!rows[0]) throw new Error('There is no such invoice.');
  return rows[0];
}

/** The ids of its lines, in order. */
export async function linesOf(database: PoolClient, invoice: string): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    'select id from invoice_lines where invoice_id = $1 order by position',
    [invoice],
  );
  return rows.map(({ id }) => id);
}
