// Files for the bank: complete, checkable, made once.
import { createHash } from 'node:crypto';
import Papa from 'papaparse';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  makeRun,
  type Name,
  type PaymentStory,
  paymentStory,
} from '#tests/support/payment-story.ts';
import { admin, finance, guardHere, hr, type Person } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const story = (work: (story: PaymentStory) => Promise<void>, unverified: Name[] = []) =>
  paymentStory(database.owner, work, unverified);

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
