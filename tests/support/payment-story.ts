// A locked pay run of four people with accounts, and the calls that pay it.
import type { Pool, PoolClient } from 'pg';
import { admin, finance } from './people.ts';
import { become, becomeOwner, rolledBack } from './session.ts';

/** Net pay by name; names sort as written. */
export const PEOPLE = { Akoi: '143.00', Bendu: '250.25', Cole: '99.99', Doe: '0.00' } as const;
export type Name = keyof typeof PEOPLE;

export type PaymentFile = {
  id: string;
  number: number;
  content: string;
  line_count: number;
  control_total: string;
  sha256: string;
};
export type Payment = {
  name: Name;
  code: string;
  status: string;
  channel: string | null;
  blocked: string | null;
  failure: string | null;
};
export type ResultLine = Record<string, string | null | undefined>;
type Outcome = { paid: number; failed: number; unchanged: number };

export interface PaymentStory {
  client: PoolClient;
  run: string;
  payments: (columns?: string) => Promise<Payment[]>;
  file: (channel?: string) => Promise<PaymentFile>;
  report: (file: PaymentFile, lines: ResultLine[]) => Promise<Outcome>;
  codeOf: (name: Name) => Promise<string>;
  status: () => Promise<string>;
  payroll: () => Promise<Record<string, unknown>[]>;
}

const MONTH = ['2026-09-01', '2026-09-30'] as const;

/** A calculated run of four people, with payroll records. @returns its id */
export async function makeRun(client: PoolClient): Promise<string> {
  await becomeOwner(client);
  const { rows } = await client.query<{ id: string }>(
    `insert into pay_runs (pay_group, currency, period_start, period_end, status, lrd_per_usd)
     values ('monthly', 'USD', $1, $2, 'draft', 184) returning id`,
    [...MONTH],
  );
  const run = rows[0]?.id ?? '';
  for (const [name, net] of Object.entries(PEOPLE)) {
    await client.query(
      `with person as (
         insert into staff (full_name, salary_amount) values ($1, 143) returning id
       ), record as (
         insert into payroll (staff_id, period_start, period_end, base_amount)
         select id, $2, $3, $4 from person returning id, staff_id
       ), slip as (
         insert into payslips (pay_run_id, staff_id, currency, gross, deductions, net, payroll_id)
         select $5, staff_id, 'USD', $4, 0, $4, id from record returning id
       )
       insert into payslip_lines (payslip_id, position, kind, label, amount)
       select id, 1, 'salary', 'Salary', $4 from slip`,
      [name, ...MONTH, net, run],
    );
  }
  for (const status of ['calculated', 'approved']) {
    await client.query('update pay_runs set status = $2 where id = $1', [run, status]);
  }
  return run;
}

/** Accounts entered by finance and verified by the admin, except for those in `unverified`. */
export async function giveAccounts(client: PoolClient, unverified: Name[] = []): Promise<void> {
  await become(client, finance);
  await client.query(
    `insert into pay_accounts (staff_id, channel, account_name, account_number)
     select id, case full_name when 'Cole' then 'cash' else 'mtn_momo' end, full_name,
       case when full_name <> 'Cole' then '+23188000000' || (ascii(full_name) - 60) end
     from staff where full_name = any ($1)`,
    [Object.keys(PEOPLE)],
  );
  await become(client, admin);
  await client.query(
    `select verify_pay_account(a.id, a.account_number) from pay_accounts a join staff s on s.id = a.staff_id
     where s.full_name <> all ($1)`,
    [unverified],
  );
}

export const lockRun = async (client: PoolClient, run: string) => {
  await becomeOwner(client);
  await client.query(`update pay_runs set status = 'locked' where id = $1`, [run]);
};

/** Imports what the bank reports about a file. */
export const importResult =
  (client: PoolClient) =>
  async (file: PaymentFile, lines: ResultLine[]): Promise<Outcome> => {
    const { rows } = await client.query<Outcome>('select * from import_payment_result($1, $2)', [
      file.id,
      JSON.stringify(lines),
    ]);
    return rows[0] ?? { paid: -1, failed: -1, unchanged: -1 };
  };

/** A locked run with accounts, as finance. */
export const paymentStory = (
  owner: Pool,
  work: (story: PaymentStory) => Promise<void>,
  unverified: Name[] = [],
) =>
  rolledBack(owner, async (client) => {
    const run = await makeRun(client);
    await giveAccounts(client, unverified);
    await lockRun(client, run);
    await become(client, finance);
    const payments: PaymentStory['payments'] = async () =>
      (
        await client.query<Payment>(
          `select s.full_name as name, p.code, p.status, p.channel, p.blocked, p.failure
           from payments p join staff s on s.id = p.staff_id where p.pay_run_id = $1
           order by s.full_name, p.status not in ('failed', 'returned'), p.created_at`,
          [run],
        )
      ).rows;
    await work({
      client,
      run,
      payments,
      file: async (channel = 'mtn_momo') => {
        const { rows } = await client.query<PaymentFile>(
          `select * from create_payment_file($1, $2, 'USD')`,
          [run, channel],
        );
        if (!rows[0]) throw new Error('There is no file.');
        return rows[0];
      },
      report: importResult(client),
      codeOf: async (name) =>
        (await payments()).filter((payment) => payment.name === name).at(-1)?.code ?? '',
      status: async () =>
        (await client.query('select status from pay_runs where id = $1', [run])).rows[0].status,
      payroll: async () =>
        (
          await client.query(
            `select s.full_name as name, r.payment_status as status, r.payment_date::text as date
             from payroll r join staff s on s.id = r.staff_id where s.full_name = any ($1) order by 1`,
            [Object.keys(PEOPLE)],
          )
        ).rows,
    });
  });
