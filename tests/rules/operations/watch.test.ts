// The handover of the watch: signed by who leaves, accepted by who comes, and never changed.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import {
  admin,
  bystander,
  contactHere,
  dispatcher,
  finance,
  guardHere,
  hr,
  opsManager,
  type Person,
  supervisorEverywhere,
  supervisorHere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

const FIRST = '00000000-0000-4000-8000-00000000aa01';
const SECOND = '00000000-0000-4000-8000-00000000aa02';

const sign = (client: PoolClient, id: string, remarks: string | null = null) =>
  client.query('select * from sign_watch($1, $2)', [id, remarks]);
const accept = (client: PoolClient, id: string) => client.query('select accept_watch($1)', [id]);
const correct = (client: PoolClient, body: string, id = crypto.randomUUID()) =>
  client.query('select correct_watch($1, $2, $3)', [id, FIRST, body]);

/** A night in which something of each kind happened, without the handovers of the scene. */
async function addNight(client: PoolClient): Promise<void> {
  await client.query(`delete from watch_handovers`);
  await client.query(`delete from room_notes`);
  await client.query(
    `insert into room_notes (body, is_pinned, created_at) values
       ('Radio check: all answered.', false, now() - interval '2 hours'),
       ('Yesterday’s note.', false, now() - interval '30 hours'),
       ('Car 2 is in the workshop.', true, now() - interval '30 hours')`,
  );
  await client.query('delete from replacement_calls');
  await client.query(
    `insert into replacement_calls (shift_id, user_id, result, site_id, created_at)
     select id, $1, 'no_answer', site_id, now() - interval '1 hour' from shifts where id = $2`,
    [bystander.id, scene.openShifts.here],
  );
}

async function factsOf(client: PoolClient) {
  const { rows } = await client.query('select facts from watch_handovers where id = $1', [FIRST]);
  return rows[0]?.facts;
}

test('the page has what happened since the handover before, and what is open now', async () => {
  await rolledBack(database.owner, async (client) => {
    await addNight(client);
    await become(client, dispatcher);
    const { rows: drafts } = await client.query('select * from watch_draft()');
    await sign(client, FIRST, '  Keys are in the safe.  ');
    const { rows } = await client.query('select * from watch_handovers where id = $1', [FIRST]);
    expect(rows[0]).toMatchObject({
      remarks: 'Keys are in the safe.',
      signed_by: dispatcher.id,
      accepted_at: null,
      facts: drafts[0].facts,
      from_at: drafts[0].from_at,
    });
    const facts = await factsOf(client);
    const { notes, calls, alerts, seats, coverage, incidents } = facts;
    expect(facts.service_calls).toHaveLength(2);
    expect(facts.service_calls).toContainEqual(
      expect.objectContaining({
        kind: 'alarm',
        state: 'assigned',
        site: 'Here',
        units: ['Rapid here'],
      }),
    );
    expect(notes.map(({ body }: { body: string }) => body)).toEqual([
      'Car 2 is in the workshop.',
      'Radio check: all answered.',
    ]);
    expect(calls).toMatchObject([{ user_id: bystander.id, result: 'no_answer' }]);
    await becomeOwner(client);
    const { rows: open } = await client.query(
      `select (select count(*)::integer from alerts where closed_at is null) as alerts,
         (select count(*)::integer from incidents where status in ('open', 'investigating')) as incidents`,
    );
    expect(alerts.open).toHaveLength(open[0].alerts);
    expect(incidents.open).toBe(open[0].incidents);
    await become(client, dispatcher);
    const { rows: starts } = await client.query(
      'select uncovered, gaps_now from dashboard_start()',
    );
    expect(coverage).toMatchObject(starts[0]);
    expect(seats).toHaveProperty('unconfirmed');
    // Names change and are erased: the page has ids.
    expect(JSON.stringify(coverage)).not.toContain('late_guards');
  });
});

test('the next watch begins where the one before was signed', async () => {
  await rolledBack(database.owner, async (client) => {
    await addNight(client);
    await become(client, dispatcher);
    await sign(client, FIRST);
    await becomeOwner(client);
    await client.query(`update watch_handovers set from_at = now() - interval '20 hours',
      signed_at = now() - interval '8 hours'`);
    await become(client, opsManager);
    await sign(client, SECOND);
    const { rows } = await client.query(
      `select a.signed_at = b.from_at as joined from watch_handovers a, watch_handovers b
       where a.id = $1 and b.id = $2`,
      [FIRST, SECOND],
    );
    expect(rows).toEqual([{ joined: true }]);
  });
});

test('a lost reply is repeated with the same id, and signs once', async () => {
  await rolledBack(database.owner, async (client) => {
    await become(client, dispatcher);
    await sign(client, FIRST, 'First');
    await sign(client, FIRST, 'Second');
    const { rows } = await client.query('select remarks from watch_handovers where id = $1', [
      FIRST,
    ]);
    expect(rows).toEqual([{ remarks: 'First' }]);
    await become(client, opsManager);
    expect(await attempt(client, () => sign(client, FIRST))).toBe('PT409');
  });
});

test('another than the signer accepts it, once', async () => {
  await rolledBack(database.owner, async (client) => {
    await become(client, dispatcher);
    await sign(client, FIRST);
    expect(await attempt(client, () => accept(client, FIRST))).toBe(REFUSED);
    await become(client, opsManager);
    await accept(client, FIRST);
    await accept(client, FIRST);
    await become(client, admin);
    expect(await attempt(client, () => accept(client, FIRST))).toBe('PT409');
    expect(await attempt(client, () => accept(client, SECOND))).toBe('PT404');
    const { rows } = await client.query(
      'select accepted_by, accepted_at is not null as accepted from watch_handovers where id = $1',
      [FIRST],
    );
    expect(rows).toEqual([{ accepted_by: opsManager.id, accepted: true }]);
  });
});

test('nobody edits or deletes what was signed: a correction is added below it', async () => {
  await rolledBack(database.owner, async (client) => {
    await become(client, dispatcher);
    await sign(client, FIRST, 'All quiet.');
    for (const person of [dispatcher, admin]) {
      await become(client, person);
      for (const sql of [
        `update watch_handovers set remarks = 'Changed'`,
        'delete from watch_handovers',
        `update watch_corrections set body = 'Changed'`,
        'delete from watch_corrections',
      ]) {
        expect(await attempt(client, () => client.query(sql)), sql).toBe(REFUSED);
      }
    }
    await become(client, dispatcher);
    const id = crypto.randomUUID();
    await correct(client, ' Signed too early: gate 3 was open. ', id);
    await correct(client, 'Signed too early: gate 3 was open.', id);
    expect(await attempt(client, () => correct(client, '   '))).toBe('22023');
    const { rows } = await client.query(
      'select body, created_by from watch_corrections where handover_id = $1',
      [FIRST],
    );
    expect(rows).toEqual([
      { body: 'Signed too early: gate 3 was open.', created_by: dispatcher.id },
    ]);
  });
});

test('what waits counts for those who may accept it', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query('delete from watch_handovers');
    const waiting = async (person: Person) => {
      await become(client, person);
      const { rows } = await client.query(`select amount from office_work() where item = 'watch'`);
      return rows[0]?.amount;
    };
    await become(client, dispatcher);
    await sign(client, FIRST);
    expect(await waiting(dispatcher)).toBe(0);
    expect(await waiting(supervisorEverywhere)).toBe(1);
    // The watch is of all sites.
    expect(await waiting(supervisorHere)).toBeUndefined();
    await become(client, supervisorEverywhere);
    await accept(client, FIRST);
    expect(await waiting(admin)).toBe(0);
  });
});

test.each([[supervisorHere], [hr], [finance], [guardHere], [contactHere]])(
  '$name neither drafts, signs, accepts nor corrects',
  async (person) => {
    await rolledBack(database.owner, async (client) => {
      await become(client, dispatcher);
      await sign(client, FIRST);
      await become(client, person);
      const calls = [
        () => client.query('select * from watch_draft()'),
        () => sign(client, SECOND),
        () => accept(client, FIRST),
        () => correct(client, 'Changed'),
      ];
      for (const call of calls) expect(await attempt(client, call)).toBe(REFUSED);
    });
  },
);
