// Times to respond to a report and to resolve it: reminders before they are over, escalation after it, each step once.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  guardHere,
  opsManager,
  supervisorEverywhere,
  supervisorHere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

type Facts = { at: string; severity?: string; owner?: string; due?: string };

/** One incident at the site "here", in a database without others; Monrovia is at UTC all year. */
async function story(facts: Facts, tell: (it: ReturnType<typeof stepsOf>) => Promise<void>) {
  await rolledBack(database.owner, async (client) => {
    await client.query('delete from incidents');
    const { rows } = await client.query<{ id: string }>(
      `insert into incidents (site_id, raised_by_user_id, title, category, severity, description, created_at, owner_id, due_at)
       values ($1, $2, 'Gate forced', 'security', $3, 'The gate of the yard was forced at night.', $4, $5, $6)
       returning id`,
      [
        scene.sites.here,
        guardHere.id,
        facts.severity ?? 'medium',
        facts.at,
        facts.owner ?? null,
        facts.due ?? null,
      ],
    );
    await tell(stepsOf(client, rows[0]?.id ?? ''));
  });
}

function stepsOf(client: PoolClient, id: string) {
  const owner = async (sql: string, values: unknown[] = []) => {
    await becomeOwner(client);
    return (await client.query(sql, values)).rows;
  };
  return {
    owner,
    /** The steps that are due at an instant, as "goal level". They count as taken from then on. */
    at: async (instant: string) => {
      const rows = await owner(
        `insert into incident_escalations (incident_id, goal, level, deadline, owner_id)
         select incident_id, goal, level, deadline, owner_id from private.due_escalations($1)
         order by goal, level returning goal, level`,
        [instant],
      );
      return rows.map(({ goal, level }) => `${goal} ${level}`);
    },
    respond: (instant: string) =>
      owner(
        `insert into incident_updates (incident_id, from_status, to_status, created_at)
         values ($1, 'open', 'open', $2)`,
        [id, instant],
      ),
    set: (columns: string) => owner(`update incidents set ${columns} where id = $1`, [id]),
  };
}

describe('the response', () => {
  test('is reminded of when a quarter of the time is left, then escalated twice, also over midnight', () =>
    // Medium: 4 hours, from a quarter to midnight.
    story({ at: '2031-03-04T23:45Z' }, async (it) => {
      expect(await it.at('2031-03-05T02:44Z')).toEqual([]);
      expect(await it.at('2031-03-05T02:45Z')).toEqual(['response 0']);
      expect(await it.at('2031-03-05T03:44Z')).toEqual([]);
      expect(await it.at('2031-03-05T03:45Z')).toEqual(['response 1']);
      expect(await it.at('2031-03-05T07:44Z')).toEqual([]);
      expect(await it.at('2031-03-05T07:45Z')).toEqual(['response 2']);
      expect(await it.at('2031-03-05T11:45Z')).toEqual(['response 3']);
      expect(await it.at('2031-03-05T12:00Z')).toEqual([]);
    }));

  test('is due at weekends and on holidays too', () =>
    // Friday evening to Saturday night; 2031-03-08 is a Saturday.
    story({ at: '2031-03-07T22:00Z', severity: 'low' }, async (it) => {
      expect(await it.at('2031-03-08T16:00Z')).toEqual(['response 0']);
      expect(await it.at('2031-03-08T22:00Z')).toEqual(['response 1']);
    }));

  test('in time ends it: no step follows, and the resolution has its own', () =>
    story({ at: '2031-03-04T08:00Z', severity: 'critical' }, async (it) => {
      await it.respond('2031-03-04T08:10Z');
      expect(await it.at('2031-03-04T08:20Z')).toEqual([]);
      // A quarter of 24 hours is left.
      expect(await it.at('2031-03-05T02:00Z')).toEqual(['resolution 0']);
      expect(await it.at('2031-03-05T08:00Z')).toEqual(['resolution 1']);
      expect(await it.at('2031-03-05T08:15Z')).toEqual(['resolution 2']);
      expect(await it.at('2031-03-05T08:30Z')).toEqual(['resolution 3']);
    }));

  test('counts from a review too', () =>
    story({ at: '2031-03-04T08:00Z', severity: 'critical' }, async (it) => {
      await it.owner(`insert into incident_reviews (incident_id, decision, note, created_at)
        select id, 'returned', 'Which gate?', '2031-03-04T08:05Z' from incidents`);
      expect(await it.at('2031-03-04T09:00Z')).toEqual([]);
    }));
});

describe('the resolution', () => {
  const facts = { at: '2031-03-04T08:00Z', owner: supervisorHere.id };

  test('is due when the owner said, and a moved time starts again', () =>
    story({ ...facts, due: '2031-03-06T08:00Z' }, async (it) => {
      await it.respond('2031-03-04T08:01Z');
      expect(await it.at('2031-03-05T20:00Z')).toEqual(['resolution 0']);
      await it.set(`due_at = '2031-03-08T08:00Z'`);
      expect(await it.at('2031-03-06T08:00Z')).toEqual([]);
      expect(await it.at('2031-03-07T08:00Z')).toEqual(['resolution 0']);
      expect(await it.at('2031-03-08T08:00Z')).toEqual(['resolution 1']);
    }));

  test('reminds a new owner, who has had no notice', () =>
    story({ ...facts, due: '2031-03-06T08:00Z' }, async (it) => {
      await it.respond('2031-03-04T08:01Z');
      expect(await it.at('2031-03-05T21:00Z')).toEqual(['resolution 0']);
      await it.set(`owner_id = '${opsManager.id}'`);
      expect(await it.at('2031-03-05T22:00Z')).toEqual(['resolution 0']);
      expect(await it.at('2031-03-05T23:00Z')).toEqual([]);
    }));

  test.each(['resolved', 'closed'])(
    'ends when it is %s, and begins again when it is reopened',
    (status) =>
      story({ ...facts, due: '2031-03-06T08:00Z' }, async (it) => {
        await it.set(`status = '${status}'`);
        expect(await it.at('2031-03-06T09:00Z')).toEqual([]);
        await it.set(`status = 'open'`);
        expect(await it.at('2031-03-06T09:00Z')).toEqual(['resolution 1']);
      }),
  );

  test('after a day without a server is left to the list', () =>
    story({ ...facts, due: '2031-03-06T08:00Z' }, async (it) => {
      await it.respond('2031-03-04T08:01Z');
      expect(await it.at('2031-03-10T08:00Z')).toEqual([]);
    }));
});

describe('the goals', () => {
  test('of the day of the report hold, whatever is agreed later', () =>
    story({ at: '2031-03-04T23:59Z', severity: 'high' }, async (it) => {
      await it.owner(`insert into incident_goals (name, effective_from, high_response_minutes)
        values ('Faster', '2031-03-05', 10)`);
      const deadline = async () =>
        (await it.owner('select next_deadline(i) as at from incidents i'))[0]?.at.toISOString();
      expect(await deadline()).toBe('2031-03-05T00:59:00.000Z');
      await it.owner('alter table incidents disable trigger d_touch');
      await it.set(`created_at = '2031-03-05T00:00Z'`);
      expect(await deadline()).toBe('2031-03-05T00:10:00.000Z');
      await it.set(`created_at = '2019-01-01T00:00Z'`);
      expect(await deadline()).toBe('2019-01-01T01:00:00.000Z');
    }));

  test('can’t be deleted altogether', () =>
    story({ at: '2031-03-04T08:00Z' }, async (it) => {
      await expect(it.owner('delete from incident_goals')).rejects.toThrow('last goals');
    }));
});

test('the job sends each step once: to the owner, the supervisors, the operations managers, the admins', () =>
  rolledBack(database.owner, async (client) => {
    await client.query('delete from incidents; delete from notices');
    await client.query(
      `insert into incidents (site_id, raised_by_user_id, title, category, severity, description, created_at, owner_id)
       values ($1, $2, 'Gate forced', 'security', 'critical', 'The gate of the yard was forced at night.',
         now() - interval '12 minutes', $3)`,
      [scene.sites.here, guardHere.id, supervisorHere.id],
    );
    const run = async () => {
      await becomeOwner(client);
      await client.query('delete from notices');
      const { rows } = await client.query('select private.escalate_incidents() as steps');
      const notices = await client.query(
        `select p.full_name || ': ' || n.title as text from notices n join profiles p on p.id = n.user_id
         order by 1`,
      );
      return [rows[0]?.steps, ...notices.rows.map(({ text }) => text)];
    };
    // It keeps the time of the report.
    await client.query('alter table incidents disable trigger d_touch');
    const later = async (minutes: number) => {
      await client.query(
        'update incidents set created_at = created_at - make_interval(mins => $1)',
        [minutes],
      );
      await client.query(
        'update incident_escalations set deadline = deadline - make_interval(mins => $1)',
        [minutes],
      );
    };
    expect(await run()).toEqual([1, `${supervisorHere.name}: Respond soon: Gate forced`]);
    expect(await run()).toEqual([0]);
    await later(3);
    expect(await run()).toEqual([
      1,
      ...[supervisorEverywhere.name, supervisorHere.name]
        .sort()
        .map((name) => `${name}: No response in time: Gate forced`),
    ]);
    await later(15);
    const ops = await run();
    expect(ops).toContain(`${opsManager.name}: Still no response: Gate forced`);
    expect(ops.join()).not.toContain(supervisorHere.name);
    await later(15);
    expect(await run()).toContain(`${admin.name}: No response, escalated to admins: Gate forced`);
    // The owner responds: nothing more, and the list no longer shows it as late.
    const late = async () => {
      await become(client, opsManager);
      return (await client.query('select late from incident_queue()')).rows[0]?.late;
    };
    expect(await late()).toBe(1);
    await client.query(`update incidents set notes = 'On my way.'`);
    expect(await late()).toBe(0);
    expect(await run()).toEqual([0]);
  }));

test('each person gets one notice of the steps that a server which was down takes at once', () =>
  rolledBack(database.owner, async (client) => {
    // Who decides at the site is also an operations manager and an admin.
    await client.query(
      `insert into user_roles (user_id, role) values ($1, 'ops_manager'), ($1, 'admin')`,
      [supervisorEverywhere.id],
    );
    await client.query('delete from notices');
    await client.query('alter table incidents disable trigger d_touch');
    await client.query(`update incidents set status = 'closed'`);
    await client.query(
      `insert into incidents (site_id, title, category, severity, description, created_at)
       values ($1, 'Gate forced', 'security', 'critical', 'The gate was forced in the night.', now() - interval '3 hours')`,
      [scene.sites.here],
    );
    const { rows: steps } = await client.query('select private.escalate_incidents() as count');
    expect(steps[0]?.count).toBe(3);
    const { rows } = await client.query(
      `select n.title, count(*)::int as notices from notices n where n.user_id = $1 and n.kind = 'incident'
       group by n.title order by 1`,
      [supervisorEverywhere.id],
    );
    expect(rows).toEqual([{ title: 'No response, escalated to admins: Gate forced', notices: 1 }]);
  }));
