// Hours, contracts and rates that are written at the same time as they are summed, in sessions that commit.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { BillingStory, dateOf, type Row } from '#tests/support/billing-story.ts';
import { finance, guardElsewhere, guardHere } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(`update private.settings set time_zone = 'UTC'`);
});

const ask = async (sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.owner.query(sql, values)).rows;

const sum = () => ask('select private.check_billed_timesheets()');

/** `reason minutes` of each guard at the site: what the screen shows, and what is found in every hour. */
async function hours({ client, site }: BillingStory) {
  const text = (rows: Row[]) => rows.map((row) => Object.values(row).join(' '));
  const days = [dateOf(1), dateOf(31)];
  const shown = await asPerson<Row>(
    database.owner,
    finance,
    'select reason, minutes from unbilled_hours($1, $2, $3) order by 1, 2',
    [...days, client],
  );
  const found = await ask(
    `select case when contract_id is null then 'no_contract' when rate is null then 'no_rate' else 'not_drafted' end,
       sum(minutes) from private.open_spans(array[$3::uuid], $1, $2) group by 1, user_id order by 1, 2`,
    [...days, site],
  );
  return { shown: text(shown), found: text(found) };
}

const WRITES: Record<string, (story: BillingStory) => Promise<unknown>> = {
  contract: (story) => story.bill('gate'),
  rate: (story) => story.rate(2),
  hours: async (story) =>
    story.work(guardHere, await story.shift('gate', 3, '06:00-18:00'), '06:00-18:00'),
};

const ORDERS = [
  ['contract', 'rate', 'hours'],
  ['contract', 'hours', 'rate'],
  ['rate', 'contract', 'hours'],
  ['rate', 'hours', 'contract'],
  ['hours', 'contract', 'rate'],
  ['hours', 'rate', 'contract'],
];

test.for(ORDERS)('none sees the others, and they end in the order %s, %s, %s', async (order) => {
  const story = new BillingStory(ask);
  await story.setUp(`Embassy ${order.join()}`);
  await ask('delete from timesheets');
  await sum();
  const open: Record<string, PoolClient> = {};
  for (const [name, write] of Object.entries(WRITES)) {
    const client = await database.owner.connect();
    open[name] = client;
    await client.query('begin');
    const own = new BillingStory(
      async (sql, values = []) => (await client.query(sql, values)).rows,
    );
    Object.assign(own, {
      client: story.client,
      site: story.site,
      posts: story.posts,
      contract: story.contract,
    });
    await write(own);
  }
  for (const name of order) {
    await open[name]?.query('commit');
    open[name]?.release();
    const before = await hours(story);
    expect(before.shown, `after ${name}`).toEqual(before.found);
    await sum();
    expect((await hours(story)).shown, `summed after ${name}`).toEqual(before.found);
  }
  expect((await hours(story)).shown).toEqual(['not_drafted 720']);
});

test('hours that are written while the job runs are not lost', async () => {
  const story = new BillingStory(ask);
  await story.setUp('Consulate');
  await ask('delete from timesheets');
  await story.work(guardHere, await story.shift('gate', 3, '06:00-18:00'), '06:00-18:00', {
    attendance: '00000000-0000-4000-8000-0000000000a1',
  });
  const job = await database.owner.connect();
  try {
    await job.query('begin');
    await job.query('select private.check_billed_timesheets()');
    for (const guard of [guardHere, guardElsewhere]) {
      await story.work(guard, await story.shift('gate', 5, '06:00-18:00'), '06:00-14:00', {
        attendance: `00000000-0000-4000-8000-0000000000${guard === guardHere ? 'b1' : 'c1'}`,
      });
    }
    // Another server's run leaves the work to this one.
    await sum();
    await job.query('commit');
  } finally {
    job.release();
  }
  const { shown, found } = await hours(story);
  expect(shown).toEqual(found);
  expect(shown).toEqual(['no_contract 480', 'no_contract 1200']);
  await sum();
  expect((await hours(story)).shown).toEqual(found);
  expect(await ask('select from private.unbilled_changes')).toEqual([]);
});
