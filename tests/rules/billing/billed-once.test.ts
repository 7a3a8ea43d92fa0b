// Each hour and day of a contract is billed once, whatever its cycle and what happens to it in the year.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { billingStory } from '#tests/support/billing-story.ts';
import { draftDue, issueAll, terms } from '#tests/support/due-invoices.ts';
import { finance, guardHere } from '#tests/support/people.ts';
import { picker } from '#tests/support/picker.ts';
import { LENIENT_RULES } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(LENIENT_RULES);
});

const SEEDS = [1, 2, 3, 4, 5, 6];

test.each(SEEDS)('each hour and day of a year is billed once, whatever the cycle: %i', (seed) =>
  billingStory(database.owner, async (caller) => {
    const { story, owner } = caller;
    const pick = picker(seed);
    const cycles = ['monthly', 'quarterly', 'annually'];
    const begin = pick(200);
    const length = 60 + pick(300);
    const date = (day: number) => new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10);
    const from = date(begin);
    const to = date(begin + length);
    await terms(caller, { cycle: cycles[pick(3)], day: 1 + pick(28), from, to });
    const yard = { basis: 'fixed', starts_on: from, ends_on: to };
    await story.bill('yard', { ...yard, monthly_amount: 1000 });
    await story.bill('gate', { starts_on: from, ends_on: to });
    await story.rate(2, { effective_from: from });
    await story.rate(3, { effective_from: date(begin + pick(length)) });
    for (let day = begin; day <= begin + length; day += 5 + pick(20)) {
      const at = day + 1 - 59;
      await story.work(guardHere, await story.shift('gate', at, '06:00-18:00'), '06:00-18:00');
    }
    for (let day = begin; day < begin + length + 800; day += 20 + pick(40)) {
      if (pick(4) === 0) {
        await terms(caller, { cycle: cycles[pick(3)], day: 1 + pick(28), from, to });
      }
      await draftDue(caller, date(day));
      if (pick(5) > 0) await issueAll(caller);
      if (pick(8) === 0) {
        await caller.as(
          finance,
          `select credit_invoice(id, 'Tried') from invoices
           where client_id = $1 and status = 'issued' and total > 0 order by period_start limit 1`,
          [story.client],
        );
      }
    }
    await draftDue(caller, date(begin + length + 60));
    await draftDue(caller, date(begin + length + 100));
    await issueAll(caller);
    const [billed] = await owner(
      `select sum(l.amount) filter (where l.kind = 'regular') as hours,
         sum(l.amount) filter (where l.kind = 'fixed') as amounts,
         sum((select sum(upper(d) - lower(d)) from unnest(l.days) d)) filter (where l.kind = 'fixed')::integer as days
       from invoice_lines l join invoices i on i.id = l.invoice_id
       where i.client_id = $1 and i.status <> 'draft' and l.credited_at is null`,
      [story.client],
    );
    const [owed] = await owner(
      `select (select sum(720 * private.hour_rate($1, null, 'regular', s.day) / 60) from time_segments s where s.site_id = $2)
           ::numeric(10, 2) as hours,
         (select sum(round(1000.0 * d.days / d.of_month, 2)) from (
           select count(*) as days, extract(day from max(date_trunc('month', g) + interval '1 month - 1 day')) as of_month
           from generate_series($3::timestamp, $4::timestamp, '1 day') g group by date_trunc('month', g)
         ) d) as amounts, ($4::date - $3::date + 1) as days`,
      [story.contract, story.site, from, to],
    );
    expect(billed).toEqual(owed);
  }),
);
