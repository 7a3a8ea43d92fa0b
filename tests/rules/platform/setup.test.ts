// The setup guide of a new company: which steps are done by the data, and what admins confirm or leave for later.
import type { PoolClient } from 'pg';
import { cloneDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { SETUP_MARKS_STEP } from '#shared/database.values.ts';
import { admin, dispatcher, finance, guardHere, opsManager } from '#tests/support/people.ts';
import {
  attempt,
  become,
  becomeOwner,
  call,
  REFUSED,
  refusal,
  rolledBack,
} from '#tests/support/session.ts';

let database: TestDatabase;

const OFFICE = [admin, opsManager, dispatcher, finance, guardHere];

/** A company without anything but its first administrator; the others have no roles yet. */
beforeAll(async () => {
  database = await cloneDatabase(inject('template'));
  for (const { id, name } of OFFICE) {
    await database.owner.query('insert into auth.users (id, email) values ($1, $2)', [
      id,
      `${name.replaceAll(' ', '.')}@people.example`,
    ]);
  }
  await database.owner.query(`insert into user_roles (user_id, role) values ($1, 'admin')`, [
    admin.id,
  ]);
});

type State = { step: string; done: boolean; count: string; mark: string | null; marked_by: string };

/** A transaction of an empty company, as its administrator. */
const inCompany = (work: (client: PoolClient) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    await become(client, admin);
    await work(client);
  });

const stateOf = async (client: PoolClient): Promise<State[]> =>
  (await client.query<State>('select * from setup_state()')).rows;

const doneSteps = async (client: PoolClient): Promise<string[]> =>
  (await stateOf(client)).filter(({ done }) => done).map(({ step }) => step);

/** As the owner of the database. */
async function write(client: PoolClient, sql: string): Promise<void> {
  await becomeOwner(client);
  await client.query(sql);
  await become(client, admin);
}

const mark = (client: PoolClient, step: string, as: string | null) =>
  client.query('select mark_setup_step($1, $2)', [step, as]);

const phaseOf = async (client: PoolClient) =>
  (await client.query<{ setup: string | null }>('select setup from dashboard_start()')).rows[0]
    ?.setup;

const SITE = `insert into sites (name, client_name, address) values ('Harbour', 'Port', 'Bushrod Island')`;
const POST = `insert into posts (site_id, name) select id, 'Gate' from sites`;
const NEEDS = `insert into post_requirements (post_id, valid_from, cycle_days, slots)
  select id, '2031-01-06', 1, '[{"slot": 1, "day": 0, "start": "06:00", "minutes": 720, "headcount": 1}]' from posts`;
const CLIENT = `insert into clients (name, number_of_guards, monthly_rate, location) values ('Port', 1, 1, 'Monrovia')`;

describe('an empty company', () => {
  test('has every step open, in the order of the list', () =>
    inCompany(async (client) => {
      const state = await stateOf(client);
      expect(state.map(({ step }) => step)).toEqual(SETUP_MARKS_STEP);
      expect(state.filter(({ done, mark: marked }) => done || marked !== null)).toEqual([]);
      expect(await phaseOf(client)).toBe('first');
    }));

  test.each([
    ['clients', CLIENT],
    ['sites', SITE],
    ['guards', `insert into user_roles (user_id, role) values ('${guardHere.id}', 'guard')`],
    ['roster_rules', `insert into rule_sets (name, effective_from) values ('Ours', '2031-01-01')`],
    [
      'roster',
      `insert into roster_periods (starts_on, state, publications) values ('2031-01-06', 'published', 1)`,
    ],
    ['time_rules', `insert into time_rules (name, effective_from) values ('Ours', '2031-01-01')`],
    [
      'contracts',
      `insert into contracts (client_id, title, starts_on) select id, 'Gate', '2031-01-01' from clients`,
      CLIENT,
    ],
    ['office', `insert into user_roles (user_id, role) values ('${finance.id}', 'finance')`],
    ['posts', NEEDS, `${SITE}; ${POST}`],
  ])('has the step %s done by its first record', (step, sql, before?: string) =>
    inCompany(async (client) => {
      if (before !== undefined) await write(client, before);
      const already = await doneSteps(client);
      await write(client, sql);
      expect(await doneSteps(client)).toEqual(
        SETUP_MARKS_STEP.filter((one) => one === step || already.includes(one)),
      );
    }),
  );

  test('has no post until one says when it needs guards', () =>
    inCompany(async (client) => {
      await write(client, `${SITE}; ${POST}`);
      expect(await doneSteps(client)).toEqual(['sites']);
    }));

  test('has a drafted week, which is not yet a published one', () =>
    inCompany(async (client) => {
      await write(client, `insert into roster_periods (starts_on) values ('2031-01-06')`);
      expect(await doneSteps(client)).toEqual([]);
    }));

  test('has an office of one person, whatever their roles', () =>
    inCompany(async (client) => {
      await write(
        client,
        `insert into user_roles (user_id, role) values ('${admin.id}', 'finance'), ('${guardHere.id}', 'guard')`,
      );
      const office = (await stateOf(client)).find(({ step }) => step === 'office');
      expect(office).toMatchObject({ done: false, count: '1' });
    }));
});

describe('a mark', () => {
  test('confirms settings, says who did, and is taken back', () =>
    inCompany(async (client) => {
      await mark(client, 'company', 'confirmed');
      const [company] = await stateOf(client);
      expect(company).toMatchObject({
        done: true,
        mark: 'confirmed',
        marked_by: `${admin.name.replaceAll(' ', '.')}@people.example`,
      });
      await mark(client, 'company', 'later');
      expect((await stateOf(client))[0]).toMatchObject({ done: false, mark: 'later' });
      await mark(client, 'company', null);
      expect((await stateOf(client))[0]).toMatchObject({
        done: false,
        mark: null,
        marked_by: null,
      });
    }));

  test('can’t confirm what only records prove, or a step that there isn’t', () =>
    inCompany(async (client) => {
      expect((await refusal(client, () => mark(client, 'sites', 'confirmed'))).code).toBe('23514');
      expect((await refusal(client, () => mark(client, 'sites', 'done'))).code).toBe('23514');
      expect((await refusal(client, () => mark(client, 'sauna', 'later'))).code).toBe('22023');
      expect(await doneSteps(client)).toEqual([]);
    }));

  test('is in the history', () =>
    inCompany(async (client) => {
      await mark(client, 'backup', 'confirmed');
      await mark(client, 'backup', 'confirmed');
      const { rows } = await client.query(
        `select action, actor_id, new_values ->> 'step' as step from audit_log where table_name = 'setup_marks'`,
      );
      expect(rows).toEqual([{ action: 'insert', actor_id: admin.id, step: 'backup' }]);
    }));
});

test('the guide is over when each step is done or left for later, and back when one is neither', () =>
  inCompany(async (client) => {
    for (const step of SETUP_MARKS_STEP) await mark(client, step, 'later');
    expect(await phaseOf(client)).toBeNull();
    await mark(client, 'backup', null);
    expect(await phaseOf(client)).toBe('first');
    await mark(client, 'backup', 'confirmed');
    expect(await phaseOf(client)).toBeNull();
  }));

test('with the first assignment the dashboard has more to show than the guide', () =>
  inCompany(async (client) => {
    await write(
      client,
      `${SITE}; insert into user_roles (user_id, role) values ('${guardHere.id}', 'guard');
       insert into shifts (site_id, start_time, end_time)
         select id, now() + interval '1 day', now() + interval '32 hours' from sites;
       insert into assignments (shift_id, user_id) select id, '${guardHere.id}' from shifts`,
    );
    expect(await phaseOf(client)).toBe('open');
  }));

test('only admins read, mark, and send test messages', () =>
  inCompany(async (client) => {
    await write(
      client,
      `insert into user_roles (user_id, role) values ('${opsManager.id}', 'ops_manager'),
        ('${finance.id}', 'finance'), ('${guardHere.id}', 'guard')`,
    );
    for (const person of [opsManager, finance, guardHere]) {
      await become(client, person);
      for (const sql of [
        'select * from setup_state()',
        `select mark_setup_step('sites', 'later')`,
        'select send_test_message()',
        'select * from test_message_state()',
      ]) {
        expect(await attempt(client, () => client.query(sql))).toBe(REFUSED);
      }
      expect((await client.query('select from setup_marks')).rows).toEqual([]);
    }
    await become(client, opsManager);
    expect(await phaseOf(client)).toBeNull();
  }));

describe('a test message', () => {
  const ways = async (client: PoolClient) =>
    (
      await client.query<{ channel: string; obstacle: string | null; state: string | null }>(
        'select channel, obstacle, state from test_message_state()',
      )
    ).rows;

  test('goes out at once by mail, once a minute, and text messages say what they lack', () =>
    inCompany(async (client) => {
      expect(await ways(client)).toEqual([
        { channel: 'email', obstacle: null, state: null },
        { channel: 'sms', obstacle: 'no_gateway', state: null },
      ]);
      await client.query('select send_test_message(), send_test_message()');
      expect(await ways(client)).toEqual([
        { channel: 'email', obstacle: null, state: 'open' },
        { channel: 'sms', obstacle: 'no_gateway', state: null },
      ]);
      await becomeOwner(client);
      expect(
        await call<string>(
          client,
          '(select count(*) from private.notice_deliveries d where d.next_at <= now())',
          [],
        ),
      ).toBe('1');
    }));

  test('goes by text message once there are a gateway, a number and the wish', () =>
    inCompany(async (client) => {
      const sms = async () => (await ways(client)).at(-1)?.obstacle;
      await write(client, 'update private.settings set text_messages = true');
      expect(await sms()).toBe('no_address');
      await write(client, `update auth.users set phone = '231770000001' where id = '${admin.id}'`);
      expect(await sms()).toBe('off');
      await write(
        client,
        `insert into private.notice_settings (user_id, sms) values ('${admin.id}', true)`,
      );
      await client.query('select send_test_message()');
      expect((await ways(client)).at(-1)).toEqual({
        channel: 'sms',
        obstacle: null,
        state: 'open',
      });
    }));
});
