// The morning of a contract's last night is on the day after its end, and belongs to the night. Days count from March 1, 2025.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { billingStory, type Caller } from '#tests/support/billing-story.ts';
import { bystander, finance, guardHere } from '#tests/support/people.ts';
import { LENIENT_RULES } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(LENIENT_RULES);
});

const story = (work: (caller: Caller) => Promise<void>) => billingStory(database.owner, work);

/** A contract until March 31, and its last night. */
async function lastNight({ story }: Caller, terms: Record<string, unknown> = {}): Promise<void> {
  await story.bill('gate', terms);
  await story.rate(2);
  await story.query(`update contracts set ends_on = '2025-03-31' where id = $1`, [story.contract]);
  await story.work(guardHere, await story.shift('gate', 31, '18:00-06:00'), '18:00-06:00');
}

const UNBILLED = `select reason, minutes from unbilled_time('2025-03-01', '2025-04-30') order by reason, minutes`;

describe('the last night of a contract', () => {
  test('is billed with its morning, in the period that ends with the contract', () =>
    story(async (caller) => {
      const { draft, lines, as, story, issue } = caller;
      await lastNight(caller);
      expect(await as(finance, UNBILLED)).toEqual([{ reason: 'not_drafted', minutes: 720 }]);
      const [drafted] = await draft(1, 31);
      expect(await lines()).toEqual(['regular 12 24.00']);
      expect(await as(finance, UNBILLED)).toEqual([]);
      await issue(drafted?.invoice_id);
      expect(await draft(32, 61)).toEqual([]);
      expect(
        await story.query(
          `select sum(b.minutes)::integer as minutes from billed_time b
           join invoice_lines l on l.id = b.invoice_line_id where l.invoice_id = $1`,
          [drafted?.invoice_id],
        ),
      ).toEqual([{ minutes: 720 }]);
    }));

  test('is drafted again without doubling, and its morning has the price and tax of the night', () =>
    story(async (caller) => {
      const { draft, lines, story } = caller;
      await lastNight(caller);
      await story.rate(9, { effective_from: '2025-04-01' });
      await draft(1, 31);
      await draft(1, 31);
      expect(await lines()).toEqual(['regular 12 24.00']);
    }));

  test('leaves a day shift of the next day without a contract', () =>
    story(async (caller) => {
      const { draft, lines, as, story } = caller;
      await lastNight(caller);
      await story.work(bystander, await story.shift('gate', 32, '06:00-18:00'), '06:00-18:00');
      await draft(1, 31);
      expect(await lines()).toEqual(['regular 12 24.00']);
      expect(await as(finance, UNBILLED)).toEqual([{ reason: 'no_contract', minutes: 720 }]);
    }));

  test('gives its morning to the contract that follows', () =>
    story(async (caller) => {
      const { draft, lines, as, story } = caller;
      await lastNight(caller);
      await story.query(
        `with next as (
           insert into contracts (client_id, title, currency, starts_on)
           select client_id, 'Next', currency, '2025-04-01' from contracts where id = $1 returning id
         ), place as (
           insert into contract_posts (contract_id, site_id, post_id, basis, starts_on)
           select n.id, p.site_id, p.post_id, 'worked', '2025-04-01'
           from next n cross join contract_posts p where p.contract_id = $1
         )
         insert into rates (contract_id, amount, effective_from) select id, 5, '2025-04-01' from next`,
        [story.contract],
      );
      await draft(1, 31);
      expect(await lines()).toEqual(['regular 6 12.00']);
      expect(await as(finance, UNBILLED)).toEqual([{ reason: 'not_drafted', minutes: 360 }]);
    }));

  test('is paid for by a monthly amount', () =>
    story(async (caller) => {
      const { draft, lines, as, story } = caller;
      await lastNight(caller, { basis: 'fixed', monthly_amount: 310 });
      const [drafted] = await draft(1, 31);
      expect(await lines()).toEqual(['fixed 1 310.00']);
      expect(await as(finance, UNBILLED)).toEqual([]);
      const [line] = await story.query('select id from invoice_lines where invoice_id = $1', [
        drafted?.invoice_id,
      ]);
      expect(
        await as(finance, 'select sum(minutes)::integer as minutes from hours_of_line($1)', [
          line?.id,
        ]),
      ).toEqual([{ minutes: 720 }]);
    }));

  test('fills a minimum up with its morning', () =>
    story(async (caller) => {
      const { draft, lines } = caller;
      await lastNight(caller, { basis: 'minimum', minimum_hours: 20 });
      await draft(1, 31);
      expect(await lines()).toEqual(['regular 12 24.00', 'minimum 8 16.00']);
    }));
});
