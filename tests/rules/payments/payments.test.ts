// A locked run has one payment for each payslip, and is paid once.
import type { Pool, PoolClient } from 'pg';
import { poolOf, type TestDatabase } from 'supabase-in-node/testing/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  giveAccounts,
  importResult,
  lockRun,
  makeRun,
  type Name,
  type PaymentFile,
  type PaymentStory,
  paymentStory,
} from '#tests/support/payment-story.ts';
import { admin, finance } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, refusal } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const story = (work: (story: PaymentStory) => Promise<void>, unverified: Name[] = []) =>
  paymentStory(database.owner, work, unverified);

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

  test('has references that no spreadsheet takes for numbers', () =>
    story(async ({ payments }) => {
      for (const { code } of await payments()) expect(code).toMatch(/^P[0-9A-F]{12}$/);
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

describe('two connections at once', () => {
  let pool: Pool;
  afterAll(() => pool.end());

  test('make one file, and pay each line once', async () => {
    pool = poolOf(database.connection, 4);
    const owner = await pool.connect();
    await owner.query('begin');
    const run = await makeRun(owner);
    await giveAccounts(owner);
    await lockRun(owner, run);
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
          client.query<PaymentFile>(`select * from create_payment_file($1, 'mtn_momo', 'USD')`, [
            run,
          ]),
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
      [1, 2, 3].map(() => asFinance((client) => importResult(client)(made, lines))),
    );
    expect(outcomes.map(({ paid }) => paid).sort()).toEqual([0, 0, 2]);
  });
});
