// The money dashboards: every sum is computed again here from the documents. Days count from the company's today.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { asOwner, as as asPerson } from '#tests/support/books.ts';
import { addClient, addDraft, type Billing, linesOf } from '#tests/support/invoice-story.ts';
import { admin, dispatcher, finance, guardHere, hr, opsManager } from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, call, REFUSED, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

const FUNCTIONS = [
  ...['cash_ahead', 'debtors_days', 'contract_margins', 'overtime_and_gaps'],
  'count_losing_contracts',
];

interface Expected {
  currency: string;
  source: string;
  week: number | null;
  day: string;
  amount: string;
  document: string;
  opens: string | null;
}
interface Cash {
  today: string;
  money: Record<string, string | null>[];
  rows: Expected[];
}

const DAY_MS = 86_400_000;
const plus = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const story = (work: (client: PoolClient, today: string) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    const [row] = await asOwner(client, 'select private.company_date()::text as today');
    await work(client, String(row.today));
  });

async function read<Result>(client: PoolClient, name: string): Promise<Result> {
  await become(client, finance);
  return call<Result>(client, `${name}()`, []);
}

/** Issues a draft as it is on a day, due after two weeks. */
const issueOn = (client: PoolClient, invoice: string, day: string) =>
  asOwner(
    client,
    `update invoices i set status = 'issued', year = extract(year from $2::date),
       sequence = private.next_number('invoice', extract(year from $2::date)::integer), issued_on = $2,
       due_on = $2::date + 14, bill_to = private.bill_to_of(i.contract_id, i.period_end) where i.id = $1`,
    [invoice, day],
  );

const receive = (client: PoolClient, { client: id }: Billing, amount: number, day: string) =>
  asPerson(client, finance, `select record_receipt($1, 'USD', $2, $3, 'bank', 'Ref 1')`, [
    id,
    amount,
    day,
  ]);

/** A locked run of the last whole month in Liberian dollars: 910 net of 1,000, tax 50, NASSCORP 40 and 60. */
async function lockRun(client: PoolClient, month: string): Promise<string> {
  const [run] = await asOwner(
    client,
    `insert into pay_runs (pay_group, currency, period_start, period_end, lrd_per_usd)
     values ('monthly', 'LRD', $1, $1::date + interval '1 month - 1 day', 200) returning id`,
    [month],
  );
  const [slip] = await asOwner(
    client,
    `insert into payslips (pay_run_id, staff_id, user_id, currency, gross, taxable, deductions, net, employer_cost)
     select $1, s.id, s.user_id, 'LRD', 1000, 1000, 90, 910, 60 from staff s where s.user_id = $2 returning id`,
    [run.id, guardHere.id],
  );
  await asOwner(
    client,
    `insert into payslip_lines (payslip_id, position, kind, label, amount, source) values
       ($1, 1, 'salary', 'Salary', 900, '{}'), ($1, 2, 'overtime_1', 'Overtime', 100, '{"minutes": 120}'),
       ($1, 3, 'income_tax', 'Income tax', -50, '{}'), ($1, 4, 'nasscorp', 'NASSCORP', -40, '{}')`,
    [slip.id],
  );
  await asOwner(
    client,
    `update pay_runs set net = 910, gross = 1000, deductions = 90, employer_cost = 60 where id = $1`,
    [run.id],
  );
  for (const status of ['calculated', 'approved', 'locked']) {
    await asOwner(
      client,
      `update pay_runs set status = $2, locked_at = case when $2 = 'locked' then now() end where id = $1`,
      [run.id, status],
    );
  }
  return run.id;
}

const firstOfMonth = (today: string, months: number) =>
  new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1 + months, 1))
    .toISOString()
    .slice(0, 10);

describe('only admins and finance', () => {
  test.each(FUNCTIONS)('read %s', async (name) => {
    await rolledBack(database.owner, async (client) => {
      for (const person of [admin, finance]) {
        await become(client, person);
        await client.query(`select ${name}()`);
      }
      for (const person of [opsManager, dispatcher, hr, guardHere]) {
        await become(client, person);
        const { code } = await refusal(client, () => client.query(`select ${name}()`));
        expect(code).toBe(REFUSED);
      }
    });
  });
});

describe('cash', () => {
  test('expects an open invoice when its client usually pays, and a late one as late again', () =>
    story(async (client, today) => {
      const billing = await addClient(client, 'Habitual');
      const other = await addClient(client, 'Newcomer');
      const paid = await addDraft(client, billing, [300], '2026-01-01');
      await issueOn(client, paid, plus(today, -60));
      await receive(client, billing, 100, plus(today, -55));
      await receive(client, billing, 200, plus(today, -40));
      // By amount: (5 x 100 + 20 x 200) / 300 = 15 days.
      const open = await addDraft(client, billing, [50], '2026-02-01');
      await issueOn(client, open, plus(today, -5));
      const late = await addDraft(client, billing, [70], '2026-03-01');
      await issueOn(client, late, plus(today, -18));
      const fresh = await addDraft(client, other, [80], '2026-02-01');
      await issueOn(client, fresh, today);
      const forgotten = await addDraft(client, other, [90], '2026-03-01');
      await issueOn(client, forgotten, plus(today, -200));
      const { rows } = await read<Cash>(client, 'cash_ahead');
      const of = (id: string) =>
        rows.find(({ opens, source }) => opens === id && source === 'invoices');
      expect(of(paid)).toBeUndefined();
      expect(of(open)).toMatchObject({ day: plus(today, 10), week: 2, amount: '50.00' });
      expect(of(late)).toMatchObject({ day: plus(today, 3), week: 1, amount: '70.00' });
      // Without a habit, the due date.
      expect(of(fresh)).toMatchObject({ day: plus(today, 14), week: 3 });
      expect(of(forgotten)).toMatchObject({ week: null, amount: '90.00' });
      const [open_amount] = await asOwner(
        client,
        `select sum(open_amount) as sum from invoices where status in ('issued', 'part_paid') and currency = 'USD'`,
      );
      const sum = rows
        .filter(({ source, currency }) => source === 'invoices' && currency === 'USD')
        .reduce((total, { amount }) => total + Number(amount), 0);
      expect(sum).toBeCloseTo(Number(open_amount.sum), 2);
    }));

  test('expects the invoices of periods that no invoice is of, like the last ones of the contract', () =>
    story(async (client, today) => {
      const billing = await addClient(client, 'Monthly');
      const last = firstOfMonth(today, -1);
      const days = (Date.parse(firstOfMonth(today, 0)) - Date.parse(last)) / DAY_MS;
      const invoice = await addDraft(client, billing, [10 * days], last);
      await issueOn(client, invoice, today);
      const { rows } = await read<Cash>(client, 'cash_ahead');
      const month =
        (Date.parse(firstOfMonth(today, 1)) - Date.parse(firstOfMonth(today, 0))) / DAY_MS;
      const own = rows.filter(
        ({ source, opens }) => source === 'invoices_to_come' && opens === billing.contract,
      );
      expect(own[0]?.amount).toBe((10 * month).toFixed(2));
      expect(own.every(({ day }) => day > today)).toBe(true);
      await asOwner(client, 'update contracts set ends_on = $2 where id = $1', [
        billing.contract,
        plus(firstOfMonth(today, 0), -1),
      ]);
      const ended = await read<Cash>(client, 'cash_ahead');
      expect(
        ended.rows.filter(
          ({ source, opens }) => source === 'invoices_to_come' && opens === billing.contract,
        ),
      ).toEqual([]);
    }));

  test('has unpaid and coming pay runs with their returns, until the run is voided', () =>
    story(async (client, today) => {
      const run = await lockRun(client, firstOfMonth(today, -1));
      const own = async () =>
        (await read<Cash>(client, 'cash_ahead')).rows.filter(
          ({ currency, source }) =>
            currency === 'LRD' && ['pay_runs', 'paye', 'nasscorp'].includes(source),
        );
      const rows = await own();
      expect(rows.filter(({ opens }) => opens === run)).toMatchObject([{ amount: '-910.00' }]);
      const ahead = rows.filter(({ source }) => source === 'pay_runs');
      expect(ahead.length).toBeGreaterThanOrEqual(3);
      expect(new Set(ahead.map(({ amount }) => amount))).toEqual(new Set(['-910.00']));
      const first = (source: string) => rows.find((row) => row.source === source)?.amount;
      expect([first('paye'), first('nasscorp')]).toEqual(['-50.00', '-100.00']);
      await asOwner(
        client,
        `update pay_runs set status = 'void', voided_at = now(), void_reason = 'Wrong' where id = $1`,
        [run],
      );
      expect(await own()).toEqual([]);
    }));

  test('begins with the last statements, moved on by the books, else with the books', () =>
    story(async (client, today) => {
      await asOwner(
        client,
        'update receipts set bank_account_id = null where bank_account_id is not null',
      );
      await asOwner(client, 'delete from bank_imports');
      await asOwner(client, 'delete from bank_accounts');
      const money = async () =>
        (await read<Cash>(client, 'cash_ahead')).money.find((m) => m.currency === 'USD');
      const spend = (amount: number, day: string, from: string) =>
        asOwner(
          client,
          `insert into expense_reports (title, amount, category, expense_date, report_type, paid_from)
           values ('Fuel', $1, 'other', $2, 'daily', $3)`,
          [amount, day, from],
        );
      await spend(5, plus(today, -3), 'bank');
      await spend(7, plus(today, -3), 'cash');
      await spend(11, plus(today, -20), 'bank');
      const [books] = await asPerson(
        client,
        finance,
        `select sum(b.closing) filter (where c.key = 'bank') as bank, sum(b.closing) filter (where c.key = 'cash') as cash
         from account_balances('2020-01-01', $1) b join chart_of_accounts c on c.id = b.account_id where b.currency = 'USD'`,
        [today],
      );
      expect(await money()).toMatchObject({ bank: books.bank, cash: books.cash, statements: null });
      const [since] = await asOwner(
        client,
        `select sum(amount) as sum from private.journal_entries($1, $2) where key = 'bank' and currency = 'USD'`,
        [plus(today, -9), today],
      );
      await asOwner(
        client,
        `insert into bank_accounts (account_number, account_title, bank_name, current_balance, balance_type,
           statement_period_start, statement_period_end, status) values
           ('1', 'Own', 'Bank', 500, 'Cr', $1::date - 30, $1, 'ACTIVE'), ('1', 'Own', 'Bank', 999, 'Cr', $1::date - 60, $1::date - 31, 'ACTIVE'),
           ('2', 'Overdrawn', 'Bank', 100, 'Dr', $1::date - 30, $1, 'ACTIVE'), ('3', 'Closed', 'Bank', 77, 'Cr', $1::date - 30, $1, 'CLOSED')`,
        [plus(today, -10)],
      );
      expect(await money()).toMatchObject({
        statements: '400.00',
        statements_on: plus(today, -10),
        bank: (400 + Number(since.sum)).toFixed(2),
        books: books.bank,
      });
    }));
});

test('debtors’ days are what is owed by the documents, in days of what was billed', () =>
  story(async (client, today) => {
    const billing = await addClient(client, 'Slow');
    const end = plus(firstOfMonth(today, 0), -1);
    const invoice = await addDraft(client, billing, [900]);
    await issueOn(client, invoice, plus(end, -5));
    await receive(client, billing, 300, plus(end, -1));
    const [sums] = await asOwner(
      client,
      `select (select coalesce(sum(total), 0) from invoices where currency = 'USD' and issued_on <= $1)
         - (select coalesce(sum(amount), 0) from credit_notes where currency = 'USD' and issued_on <= $1)
         - (select coalesce(sum(amount + withheld), 0) from receipts where currency = 'USD' and received_on <= $1
              and (voided_at is null or voided_at::date > $1)) as owed,
         (select coalesce(sum(total), 0) from invoices where currency = 'USD' and issued_on between $2 and $1)
         - (select coalesce(sum(amount), 0) from credit_notes where currency = 'USD' and issued_on between $2 and $1) as billed`,
      [end, firstOfMonth(today, -3)],
    );
    const days =
      (Date.parse(firstOfMonth(today, 0)) - Date.parse(firstOfMonth(today, -3))) / DAY_MS;
    const { months, clients } = await read<{
      months: Record<string, unknown>[];
      clients: Record<string, unknown>[];
    }>(client, 'debtors_days');
    expect(
      months.find(({ month, currency }) => month === firstOfMonth(today, -1) && currency === 'USD'),
    ).toMatchObject({
      owed: sums.owed,
      billed: sums.billed,
      days: Math.round((Number(sums.owed) * days) / Number(sums.billed)),
    });
    expect(clients.find(({ client_id }) => client_id === billing.client)).toMatchObject({
      open: '600.00',
      habit: 4,
      terms: 14,
    });
  }));

interface ContractMargin {
  contract_id: string | null;
  newest: string | null;
  since: string | null;
  months: { month: string; billed: string; cost: string; margin: string }[];
}

test('costs of a site are shared by what its contracts billed, and those that lose are named', () =>
  story(async (client, today) => {
    const month = firstOfMonth(today, -1);
    const before = await read<number>(client, 'count_losing_contracts');
    const [one, two] = [await addClient(client, 'One'), await addClient(client, 'Two')];
    for (const [billing, amount] of [
      [one, 60],
      [two, 3],
    ] as const) {
      const invoice = await addDraft(client, billing, [{ kind: 'regular', amount }], month);
      const [line] = await linesOf(client, invoice);
      await asOwner(client, 'update invoice_lines set site_id = $2 where id = $1', [
        line,
        scene.sites.here,
      ]);
      await issueOn(client, invoice, today);
    }
    // On the first days of a month the shifts of the scene are of the month before.
    await asOwner(client, 'delete from timesheets where user_id = $1', [guardHere.id]);
    const [sheet] = await asOwner(
      client,
      `insert into timesheets (user_id, period_start, period_end, status)
       values ($1, $2, $2::date + interval '1 month - 1 day', 'open') returning id`,
      [guardHere.id, month],
    );
    await asOwner(
      client,
      `insert into time_segments (timesheet_id, user_id, day, starts_at, ends_at, class, rule, rate, time_rule_id, site_id)
       select $1, $2, $3::date, $3::date + time '08:00', $3::date + time '09:00', 'regular', 'worked', 1,
         (select id from time_rules limit 1), $4`,
      [sheet.id, guardHere.id, plus(month, 4), scene.sites.here],
    );
    // 1,060 Liberian dollars at 200: US$5.30.
    await lockRun(client, month);
    const { contracts, first, last } = await read<{
      contracts: ContractMargin[];
      first: string;
      last: string;
    }>(client, 'contract_margins');
    const of = (billing: Billing) =>
      contracts.find(({ contract_id }) => contract_id === billing.contract);
    expect(of(one)?.months).toEqual([{ month, billed: '60.00', cost: '5.05', margin: '54.95' }]);
    expect(of(two)?.months).toEqual([{ month, billed: '3.00', cost: '0.25', margin: '2.75' }]);
    // Every cent of the margin is in one of them.
    const all = await call<{ margin: string }[]>(client, `margin($1, $2, 'USD')`, [first, last]);
    const cents = (amounts: string[]) =>
      amounts.reduce((sum, each) => sum + Math.round(Number(each) * 100), 0);
    expect(cents(contracts.flatMap(({ months }) => months.map(({ margin }) => margin)))).toBe(
      cents(all.map(({ margin }) => margin)),
    );
    await asOwner(
      client,
      `insert into expense_reports (title, amount, category, expense_date, report_type, site_id)
       values ('Generator', 210, 'equipment', $1, 'daily', $2)`,
      [plus(month, 6), scene.sites.here],
    );
    const lossy = await read<{ contracts: ContractMargin[] }>(client, 'contract_margins');
    const loss = lossy.contracts
      .filter(({ newest }) => newest !== null)
      .map(({ contract_id }) => contract_id);
    expect(loss).toEqual(expect.arrayContaining([one.contract, two.contract]));
    expect(lossy.contracts.find(({ contract_id }) => contract_id === two.contract)).toMatchObject({
      newest: month,
      since: month,
    });
    expect(await read<number>(client, 'count_losing_contracts')).toBe(Number(before) + 2);
    await asOwner(client, 'update contracts set ends_on = $2 where id = $1', [
      two.contract,
      plus(today, -1),
    ]);
    expect(await read<number>(client, 'count_losing_contracts')).toBe(Number(before) + 1);
  }));

test('overtime of locked runs and uncovered hours cost what pay and contract say', () =>
  story(async (client, today) => {
    const month = firstOfMonth(today, -1);
    await lockRun(client, month);
    const billing = await addClient(client, 'Uncovered');
    const [site] = await asOwner(
      client,
      `insert into sites (name, client_name, client_id, address) values ('Depot', 'Uncovered', $1, 'Sinkor') returning id`,
      [billing.client],
    );
    const [post] = await asOwner(
      client,
      `insert into posts (site_id, name) values ($1, 'Gate') returning id`,
      [site.id],
    );
    await asOwner(client, `update contracts set starts_on = '2025-01-01' where id = $1`, [
      billing.contract,
    ]);
    await asOwner(
      client,
      'insert into contract_posts (contract_id, site_id, post_id) values ($1, $2, $3)',
      [billing.contract, site.id, post.id],
    );
    await asOwner(
      client,
      `insert into rates (contract_id, amount, effective_from) values ($1, 2.5, '2025-01-01')`,
      [billing.contract],
    );
    await asOwner(
      client,
      `insert into shifts (site_id, post_id, start_time, end_time, required_headcount)
       values ($1, $2, $3::date + time '08:00', $3::date + time '18:00', 2)`,
      [site.id, post.id, plus(month, 9)],
    );
    const hours = await read<{
      overtime: Record<string, unknown>[];
      clients: Record<string, unknown>[];
    }>(client, 'overtime_and_gaps');
    expect(
      hours.overtime.find((row) => row.month === month && row.currency === 'LRD'),
    ).toMatchObject({
      minutes: 120,
      amount: '100.00',
      gross: '1000.00',
    });
    // Two guards of ten hours at 2.50.
    expect(hours.clients.find(({ client_id }) => client_id === billing.client)).toMatchObject({
      currency: 'USD',
      minutes: 1200,
      unbilled: '50.00',
      credited: '0',
    });
  }));
