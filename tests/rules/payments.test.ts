// A locked run becomes money: each payslip is paid once, in files that can be checked, and what fails is paid again.
import { createHash } from 'node:crypto';
import Papa from 'papaparse';
import pg, { type PoolClient } from 'pg';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { admin, finance, guardHere, hr, type Person } from '#tests/support/people.ts';
import { buildScene } from '#tests/support/scene.ts';
import { become, becomeOwner, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
  await buildScene(database.owner);
});

/** Net pay by name; names sort as written. */
const PEOPLE = { Akoi: '143.00', Bendu: '250.25', Cole: '99.99', Doe: '0.00' } as const;
type Name = keyof typeof PEOPLE;

type File = {
  id: string;
  number: number;
  content: string;
  line_count: number;
  control_total: string;
  sha256: string;
};
type Payment = {
  name: Name;
  code: string;
  status: string;
  channel: string | null;
  blocked: string | null;
  failure: string | null;
};
type Line = Record<string, string | null | undefined>;
type Outcome = { paid: number; failed: number; unchanged: number };

interface Story {
  client: PoolClient;
  run: string;
  payments: (columns?: string) => Promise<Payment[]>;
  file: (channel?: string) => Promise<File>;
  report: (file: File, lines: Line[]) => Promise<Outcome>;
  codeOf: (name: Name) => Promise<string>;
  status: () => Promise<string>;
  payroll: () => Promise<Record<string, unknown>[]>;
}

const MONTH = ['2026-09-01', '2026-09-30'] as const;

/** A calculated run of four people, with payroll records. @returns its id */
async function makeRun(client: PoolClient): Promise<string> {
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
async function giveAccounts(client: PoolClient, unverified: Name[] = []): Promise<void> {
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

const lock = async (client: PoolClient, run: string) => {
  await becomeOwner(client);
  await client.query(`update pay_runs set status = 'locked' where id = $1`, [run]);
};

const tell =
  (client: PoolClient) =>
  async (file: File, lines: Line[]): Promise<Outcome> => {
    const { rows } = await client.query<Outcome>('select * from import_payment_result($1, $2)', [
      file.id,
      JSON.stringify(lines),
    ]);
    return rows[0] ?? { paid: -1, failed: -1, unchanged: -1 };
  };

/** A locked run with accounts, as finance. */
const story = (work: (story: Story) => Promise<void>, unverified: Name[] = []) =>
  rolledBack(database.owner, async (client) => {
    const run = await makeRun(client);
    await giveAccounts(client, unverified);
    await lock(client, run);
    await become(client, finance);
    const payments: Story['payments'] = async () =>
      (
        await client.query<Payment>(
          `select s.full_name as name, p.code, p.status, p.channel, p.blocked, p.failure
           from payments p join staff s on s.id = p.staff_id where p.pay_run_id = $1
           order by s.full_name, p.status <> 'failed', p.created_at`,
          [run],
        )
      ).rows;
    await work({
      client,
      run,
      payments,
      file: async (channel = 'mtn_momo') => {
        const { rows } = await client.query<File>(
          `select * from create_payment_file($1, $2, 'USD')`,
          [run, channel],
        );
        if (!rows[0]) throw new Error('There is no file.');
        return rows[0];
      },
      report: tell(client),
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

describe('a locked run', () => {
  test('has one payment for each payslip with something to pay', () =>
    story(async ({ payments, client, run }) => {
      expect(await payments()).toMatchObject([
        { name: 'Akoi', status: 'to_pay', channel: 'mtn_momo', blocked: null },
        { name: 'Bendu', status: 'to_pay', channel: 'mtn_momo', blocked: null },
        { name: 'Cole', status: 'to_pay', channel: 'cash', blocked: null },
      ]);
      await becomeOwner(client);
      await client.query(`select private.make_payments($1)`, [run]);
      expect(await payments()).toHaveLength(3);
    }));

  test('blocks the payment of an account that is not verified, until it is', () =>
    story(
      async ({ client, file, payments }) => {
        expect((await file()).line_count).toBe(1);
        expect(await payments()).toContainEqual(
          expect.objectContaining({
            name: 'Bendu',
            status: 'to_pay',
            blocked: 'The pay account is not verified yet',
          }),
        );
        await become(client, admin);
        await client.query(
          `select verify_pay_account(id, account_number) from pay_accounts where verified_at is null`,
        );
        await become(client, finance);
        expect(await file()).toMatchObject({ number: 2, control_total: '250.25' });
      },
      ['Bendu'],
    ));

  test('blocks the payment of a person without an account, and of one whose account has changed', () =>
    story(async ({ client, payments }) => {
      await client.query(
        `delete from pay_accounts where staff_id = (select id from staff where full_name = 'Akoi')`,
      );
      await client.query(
        `update pay_accounts set account_number = '0880777777' where account_name = 'Bendu'`,
      );
      expect(await payments()).toMatchObject([
        { name: 'Akoi', channel: null, blocked: 'No pay account' },
        { name: 'Bendu', blocked: 'The pay account is not verified yet' },
        { name: 'Cole', blocked: null },
      ]);
    }));

  test('can’t be voided once a payment is made, or while a file has no result', () =>
    story(async ({ client, run, file, report, codeOf }) => {
      const abort = async () => {
        await becomeOwner(client);
        const answer = await refusal(client, () =>
          client.query(`update pay_runs set status = 'void', void_reason = 'Wrong' where id = $1`, [
            run,
          ]),
        );
        await become(client, finance);
        return answer.message;
      };
      const first = await file();
      expect(await abort()).toMatch(/^A payment file of this run has no result yet/);
      await report(first, [
        { code: await codeOf('Akoi'), status: 'paid' },
        { code: await codeOf('Bendu'), status: 'failed' },
      ]);
      expect(await abort()).toMatch(/^Payments of this run have been made/);
    }));

  test('can be voided before, and nothing is left to pay', () =>
    story(async ({ client, run, payments, file }) => {
      await becomeOwner(client);
      await client.query(
        `update pay_runs set status = 'void', void_reason = 'Wrong' where id = $1`,
        [run],
      );
      await become(client, finance);
      expect(await payments()).toEqual([]);
      expect((await refusal(client, () => file())).code).toBe('PT409');
    }));
});

describe('a file', () => {
  test('has its lines in order, a control total and a hash that anyone can compute again', () =>
    story(async ({ file, payments, codeOf }) => {
      const made = await file();
      const { data } = Papa.parse<Record<string, string>>(made.content, {
        header: true,
        skipEmptyLines: true,
      });
      expect(data).toEqual([
        {
          Reference: await codeOf('Akoi'),
          Name: 'Akoi',
          'Phone Number': '+231880000005',
          Amount: '143.00',
          Currency: 'USD',
          Narration: 'Pay 2026-09-01 to 2026-09-30',
        },
        expect.objectContaining({ Name: 'Bendu', Amount: '250.25' }),
      ]);
      expect(made).toMatchObject({ number: 1, line_count: 2, control_total: '393.25' });
      expect(createHash('sha256').update(made.content, 'utf8').digest('hex')).toBe(made.sha256);
      expect((await payments()).map(({ status }) => status)).toEqual([
        'in_file',
        'in_file',
        'to_pay',
      ]);
    }));

  test('follows the format of its channel and currency, and quotes what would break a line', () =>
    story(async ({ client, file, codeOf }) => {
      await client.query(
        `update payment_formats set has_header = false, delimiter = ';', company_text = 'ACME 7',
           columns = '[{"field": "line", "header": "No"}, {"field": "account_name", "header": "Who"},
             {"field": "amount", "header": "USD"}, {"field": "company_text", "header": "From"},
             {"field": "code", "header": "Ref"}]'
         where channel = 'cash' and currency = 'USD'`,
      );
      await client.query(
        `update pay_accounts set account_name = 'Cole; "Junior"' where channel = 'cash'`,
      );
      await become(client, admin);
      await client.query(
        `select verify_pay_account(id) from pay_accounts where verified_at is null`,
      );
      await become(client, finance);
      expect((await file('cash')).content).toBe(
        `1;"Cole; ""Junior""";99.99;ACME 7;${await codeOf('Cole')}\r\n`,
      );
    }));

  test('never changes, and neither do its payments, not even by the service key', () =>
    story(async ({ client, file }) => {
      await file();
      await client.query('set local role service_role');
      for (const sql of [
        `update payment_files set content = content || 'x'`,
        'delete from payment_files',
        `update payments set amount = amount + 1`,
        `update payments set account_number = '+231880000000' where status = 'in_file'`,
        `update payments set status = 'to_pay', payment_file_id = null, line = null where status = 'in_file'`,
        `delete from payments where status = 'in_file'`,
      ]) {
        expect((await refusal(client, () => client.query(sql))).code).toBe('PT409');
      }
    }));

  test('keeps the account that it was made with', () =>
    story(async ({ client, file }) => {
      await file();
      await client.query(
        `update pay_accounts set account_number = '0880777777' where account_name = 'Akoi'`,
      );
      const { rows } = await client.query(
        `select account_number from payments where account_name = 'Akoi'`,
      );
      expect(rows).toEqual([{ account_number: '+231880000005' }]);
    }));

  test.each([
    ['a channel that nobody uses', 'orange_money', 'USD', 'PT409'],
    ['another currency', 'mtn_momo', 'LRD', 'PT409'],
    ['no channel', 'pigeon', 'USD', '22023'],
  ])('is not made for %s', (_, channel, currency, code) =>
    story(async ({ client, run }) => {
      const error = await refusal(client, () =>
        client.query('select create_payment_file($1, $2, $3)', [run, channel, currency]),
      );
      expect(error.code).toBe(code);
    }),
  );

  test('is not made before the run is locked', () =>
    rolledBack(database.owner, async (client) => {
      const run = await makeRun(client);
      await become(client, finance);
      const error = await refusal(client, () =>
        client.query(`select create_payment_file($1, 'mtn_momo', 'USD')`, [run]),
      );
      expect(error.message).toBe('Lock the pay run first.');
    }));

  test.each<[string, Person]>([
    ['HR', hr],
    ['a guard', guardHere],
  ])('is neither made nor reported by %s', (_, person) =>
    story(async ({ client, file, report }) => {
      const made = await file();
      await become(client, person);
      expect((await refusal(client, () => file('cash'))).code).toBe('42501');
      expect((await refusal(client, () => report(made, [{}]))).code).toBe('42501');
    }),
  );
});

describe('a result', () => {
  test('pays lines with their dates, and the run with the last of them', () =>
    story(async ({ file, report, codeOf, status, payroll }) => {
      const { rows } = await database.owner.query<{ today: string }>(
        'select private.company_date()::text as today',
      );
      const today = rows[0]?.today ?? '';
      const lines = [
        { code: await codeOf('Akoi'), status: 'paid', reference: 'TX1', amount: '143.00' },
        { code: await codeOf('Bendu'), status: 'paid', reference: 'TX2', paid_on: today },
      ];
      expect(await report(await file(), lines)).toEqual({ paid: 2, failed: 0, unchanged: 0 });
      expect(await status()).toBe('locked');
      const cash = await file('cash');
      await report(cash, [{ code: (await codeOf('Cole')).toLowerCase(), status: 'paid' }]);
      expect(await status()).toBe('paid');
      const paid = { status: 'paid', date: today };
      expect(await payroll()).toEqual(Object.keys(PEOPLE).map((name) => ({ name, ...paid })));
    }));

  test('that comes again changes nothing', () =>
    story(async ({ file, report, codeOf, payments }) => {
      const made = await file();
      const lines = [
        { code: await codeOf('Akoi'), status: 'paid', reference: 'TX1' },
        { code: await codeOf('Bendu'), status: 'failed', failure: 'Wallet is full' },
      ];
      expect(await report(made, lines)).toEqual({ paid: 1, failed: 1, unchanged: 0 });
      const after = await payments();
      expect(await report(made, lines)).toEqual({ paid: 0, failed: 0, unchanged: 2 });
      expect(await payments()).toEqual(after);
    }));

  test('sends a failed line back to be paid, with a new reference and the account of that day', () =>
    story(async ({ client, file, report, codeOf, payments, status }) => {
      const first = await file();
      const code = await codeOf('Bendu');
      await report(first, [
        { code: await codeOf('Akoi'), status: 'paid' },
        { code, status: 'failed', failure: 'Wallet is full' },
      ]);
      expect((await payments()).filter(({ name }) => name === 'Bendu')).toMatchObject([
        { code, status: 'failed', failure: 'Wallet is full' },
        { status: 'to_pay', blocked: null, failure: null },
      ]);
      const second = await file();
      expect(second).toMatchObject({ number: 2, line_count: 1, control_total: '250.25' });
      expect(second.content).not.toContain(code);
      // The first file is reported again, after the second was made.
      expect(await report(first, [{ code, status: 'failed' }])).toMatchObject({ unchanged: 1 });
      await report(second, [{ code: await codeOf('Bendu'), status: 'paid' }]);
      await report(await file('cash'), [{ code: await codeOf('Cole'), status: 'paid' }]);
      expect(await status()).toBe('paid');
      const { rows } = await client.query(
        `select sum(amount) as paid, count(*)::int as payments from payments where status = 'paid'`,
      );
      expect(rows).toEqual([{ paid: '493.24', payments: 3 }]);
    }));

  test.each<[string, Line, string]>([
    ['another amount', { amount: '144' }, 'Its amount is 144, but 143.00 was to be paid.'],
    ['no amount', { amount: 'much' }, 'Its amount is not a number.'],
    ['another status', { status: 'pending' }, 'Its status must be paid or failed.'],
    ['no status', { status: null }, 'Its status must be paid or failed.'],
    ['a day that is none', { paid_on: '2026-02-31' }, 'Its date is not a day.'],
    ['an unknown reference', { code: 'ABC' }, 'It is not in this file.'],
    ['no reference', { code: null }, 'It is not in this file.'],
    ['a line twice', { code: 'BENDU' }, 'It is in the result more than once.'],
  ])('with %s is refused as a whole, and the line is named', (_, wrong, reason) =>
    story(async ({ client, file, report, codeOf, payments }) => {
      const made = await file();
      const bendu = await codeOf('Bendu');
      const line = { code: await codeOf('Akoi'), status: 'paid', ...wrong };
      const lines = [
        { code: bendu, status: 'paid' },
        { ...line, code: line.code === 'BENDU' ? bendu : line.code },
      ];
      const error = await refusal(client, () => report(made, lines));
      expect(error.code).toBe('PT409');
      expect(error.message).toContain('Nothing was recorded');
      expect(error.message).toContain(`Line 2`);
      expect(error.message).toContain(reason);
      expect((await payments()).filter(({ status }) => status === 'in_file')).toHaveLength(2);
    }),
  );

  test('with a future day, or one before the file was made, is refused', () =>
    story(async ({ client, file, report, codeOf }) => {
      const made = await file();
      for (const paid_on of ['2000-01-01', '2099-01-01']) {
        const error = await refusal(client, async () =>
          report(made, [{ code: await codeOf('Akoi'), status: 'paid', paid_on }]),
        );
        expect(error.message).toMatch(/Its date must be between .* and today/);
      }
    }));

  test('that contradicts an earlier one is refused', () =>
    story(async ({ client, file, report, codeOf }) => {
      const made = await file();
      const akoi = await codeOf('Akoi');
      const bendu = await codeOf('Bendu');
      await report(made, [
        { code: akoi, status: 'paid', reference: 'TX1' },
        { code: bendu, status: 'failed' },
      ]);
      for (const [line, reason] of [
        [{ code: akoi, status: 'failed' }, 'already paid'],
        [{ code: akoi, status: 'paid', reference: 'TX9' }, 'reference TX1'],
        [{ code: bendu, status: 'paid' }, 'failed before'],
      ] as const) {
        expect((await refusal(client, () => report(made, [line]))).message).toContain(reason);
      }
    }));
});

describe('two connections at once', () => {
  let pool: pg.Pool;
  afterAll(() => pool.end());

  test('make one file, and pay each line once', async () => {
    pool = new pg.Pool({ ...database.connection, max: 4 });
    const owner = await pool.connect();
    await owner.query('begin');
    const run = await makeRun(owner);
    await giveAccounts(owner);
    await lock(owner, run);
    await owner.query('commit');
    owner.release();

    const asFinance = async <T>(work: (client: PoolClient) => Promise<T>) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await become(client, finance);
        const result = await work(client);
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    };
    const making = await Promise.allSettled(
      [1, 2, 3].map(() =>
        asFinance((client) =>
          client.query<File>(`select * from create_payment_file($1, 'mtn_momo', 'USD')`, [run]),
        ),
      ),
    );
    const [made, ...more] = making.flatMap((attempt) =>
      attempt.status === 'fulfilled' ? attempt.value.rows : [],
    );
    expect(more).toEqual([]);
    if (!made) throw new Error('There is no file.');
    const lines = await asFinance(
      async (client) =>
        (
          await client.query<{ code: string }>(
            `select code, 'paid' as status from payments where payment_file_id = $1`,
            [made.id],
          )
        ).rows,
    );
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => asFinance((client) => tell(client)(made, lines))),
    );
    expect(outcomes.map(({ paid }) => paid).sort()).toEqual([0, 0, 2]);
  });
});
