import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Name,
  type PaymentStory,
  PEOPLE,
  paymentStory,
  type ResultLine,
} from '#tests/support/payment-story.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { refusal } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const story = (work: (story: PaymentStory) => Promise<void>, unverified: Name[] = []) =>
  paymentStory(database.owner, work, unverified);

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
      expect(await report(await file(), lines)).toMatchObject({ paid: 2, failed: 0, unchanged: 0 });
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
      expect(await report(made, lines)).toMatchObject({ paid: 1, failed: 1, unchanged: 0 });
      const after = await payments();
      expect(await report(made, lines)).toMatchObject({ paid: 0, failed: 0, unchanged: 2 });
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

  test.each<[string, ResultLine, string]>([
    ['another amount', { amount: '144' }, 'Akoi: Its amount is 144, but 143.00 was to be paid.'],
    ['no amount', { amount: 'much' }, 'Akoi: Its amount is not a number.'],
    ['another status', { status: 'pending' }, 'Akoi: Its status must be paid or failed.'],
    ['no status', { status: null }, 'Akoi: Its status must be paid or failed.'],
    ['a day that is none', { paid_on: '2026-02-31' }, 'Akoi: Its date is not a day.'],
    ['an unknown reference', { code: 'ABC' }, 'Reference ABC: It is not in this file.'],
    ['no reference', { code: null }, 'A line without reference: It is not in this file.'],
    ['a line twice', { code: 'BENDU' }, 'Bendu: It is in the result more than once.'],
  ])('with %s is refused as a whole, and the line is named', (_, wrong, refused) =>
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
      expect(error.message).toContain(refused);
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
        [{ code: akoi, status: 'paid', reference: 'TX9' }, 'reference TX1'],
        [{ code: bendu, status: 'paid' }, 'failed before'],
      ] as const) {
        expect((await refusal(client, () => report(made, [line]))).message).toContain(reason);
      }
    }));
});
