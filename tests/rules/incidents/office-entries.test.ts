// What the office enters for others, who follows up an incident, and letters to clients.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bystander,
  guardHere,
  hr,
  opsManager,
  type Person,
  supervisorElsewhere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, REFUSED, rolledBack } from '#tests/support/session.ts';

const INVALID = '23514';
let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

const REPORT = `insert into incidents (site_id, raised_by_user_id, caller, title, category, severity, description)
  values ($1, $2, $3, 'Gate forced', 'security', 'high', 'The gate of the yard was forced at night.')
  returning raised_by_user_id, entered_by, caller`;

const reportAs = async (client: PoolClient, person: Person, values: unknown[]) => {
  await become(client, person);
  return (await client.query(REPORT, values)).rows[0];
};

describe('a report by telephone', () => {
  test('an incident names the reporter and who entered it', async () => {
    await rolledBack(database.owner, async (client) => {
      expect(await reportAs(client, opsManager, [scene.sites.here, guardHere.id, null])).toEqual({
        raised_by_user_id: guardHere.id,
        entered_by: opsManager.id,
        caller: null,
      });
      expect(
        await reportAs(client, opsManager, [scene.sites.here, null, 'Ann Cooper, 0770 123 456']),
      ).toMatchObject({ raised_by_user_id: null, caller: 'Ann Cooper, 0770 123 456' });
      // One's own report was entered by nobody else.
      expect(
        await reportAs(client, guardHere, [scene.sites.here, guardHere.id, null]),
      ).toMatchObject({ entered_by: null });
    });
  });

  test('says when it happened, which the letter to the client repeats, and never the future', async () => {
    await rolledBack(database.owner, async (client) => {
      await become(client, opsManager);
      const enter = (hours: number) =>
        client.query<{ id: string }>(
          `insert into incidents (site_id, caller, title, category, severity, description, happened_at)
           values ($1, 'Ann Cooper', 'Gate forced', 'security', 'high', 'The gate of the yard was forced at night.',
             now() + make_interval(hours => $2)) returning id`,
          [scene.sites.here, hours],
        );
      expect(await attempt(client, () => enter(1))).toBe(INVALID);
      const { rows } = await enter(-9);
      const letter = await client.query(
        `insert into incident_letters (incident_id, addressee, subject, summary, signatory, names_included)
         values ($1, 'Client', 'Gate forced', 'The gate was forced and has been repaired.', 'The manager', false)
         returning (facts ->> 'reported_at')::timestamptz - (facts ->> 'happened_at')::timestamptz = interval '9 hours' as is_told`,
        [rows[0]?.id],
      );
      expect(letter.rows).toEqual([{ is_told: true }]);
    });
  });

  test('a supervisor enters reports of their own site only, and nobody poses as the clerk', async () => {
    await rolledBack(database.owner, async (client) => {
      await become(client, supervisorElsewhere);
      expect(
        await attempt(client, () => client.query(REPORT, [scene.sites.here, guardHere.id, null])),
      ).toBe(REFUSED);
      expect(
        await attempt(client, () =>
          client.query(REPORT, [scene.sites.elsewhere, guardHere.id, null]),
        ),
      ).toBeUndefined();
      await become(client, opsManager);
      expect(
        await attempt(client, () =>
          client.query(`insert into incidents (site_id, entered_by, title, category, severity, description)
            select site_id, raised_by_user_id, title, category, severity, description from incidents limit 1`),
        ),
      ).toBe(REFUSED);
    });
  });

  test('a leave request waits for a decision, and its owner may still cancel it', async () => {
    await rolledBack(database.owner, async (client) => {
      await become(client, hr);
      const { rows } = await client.query<{ id: string }>(
        `insert into leave_requests (user_id, type, start_date, end_date, reason)
         values ($1, 'sick', current_date, current_date + 1, 'Fever') returning id, entered_by, status`,
        [guardHere.id],
      );
      expect(rows).toMatchObject([{ entered_by: hr.id, status: 'pending' }]);
      expect(
        await attempt(client, () =>
          client.query(
            `insert into leave_requests (user_id, type, start_date, end_date, reason, status)
             values ($1, 'sick', current_date, current_date, 'Fever', 'approved')`,
            [bystander.id],
          ),
        ),
      ).toBe(REFUSED);
      await become(client, guardHere);
      const cancelled = await client.query(
        `update leave_requests set status = 'cancelled' where id = $1`,
        [rows[0]?.id],
      );
      expect(cancelled.rowCount).toBe(1);
    });
  });
});

describe('an incident', () => {
  test('is owned by an overseer of its site, and the timeline keeps owner and due time', async () => {
    await rolledBack(database.owner, async (client) => {
      const incident = scene.rows.incidents.find(({ site }) => site === 'here')?.id;
      await become(client, opsManager);
      const owners = await client.query<{ id: string }>('select id from incident_owners($1)', [
        scene.sites.here,
      ]);
      expect(owners.rows.map(({ id }) => id)).toContain(opsManager.id);
      expect(owners.rows.map(({ id }) => id)).not.toContain(supervisorElsewhere.id);
      const own = (person: Person) => () =>
        client.query(
          `update incidents set owner_id = $2, due_at = '2027-01-02T10:00Z' where id = $1`,
          [incident, person.id],
        );
      expect(await attempt(client, own(guardHere))).toBe(INVALID);
      expect(await attempt(client, own(supervisorElsewhere))).toBe(INVALID);
      expect(await attempt(client, own(opsManager))).toBeUndefined();
      const steps = await client.query(
        `select changed, owner_id, due_at, from_status = to_status as only from incident_updates
         where incident_id = $1 order by created_at desc limit 1`,
        [incident],
      );
      expect(steps.rows).toEqual([
        {
          changed: ['owner', 'due'],
          owner_id: opsManager.id,
          due_at: new Date('2027-01-02T10:00Z'),
          only: true,
        },
      ]);
      expect(
        await attempt(client, () =>
          client.query(`update incidents set due_at = 'infinity' where id = $1`, [incident]),
        ),
      ).toBe(INVALID);
    });
  });

  test('counts as overdue, mine or without an owner while it is active', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query(`update incidents set status = 'closed'`);
      const [late, grave] = scene.rows.incidents.filter(({ site }) => site === 'here');
      await client.query(
        `update incidents set status = 'open', owner_id = $2, due_at = now() - interval '1 hour' where id = $1`,
        [late?.id, opsManager.id],
      );
      await client.query(
        `update incidents set status = 'investigating', severity = 'critical' where id = $1`,
        [grave?.id],
      );
      await become(client, opsManager);
      const work = () => client.query('select * from incident_work()');
      expect((await work()).rows).toEqual([{ overdue: 1, mine: 1, unowned: 1, unowned_grave: 1 }]);
      await become(client, supervisorElsewhere);
      expect((await work()).rows).toEqual([{ overdue: 0, mine: 0, unowned: 0, unowned_grave: 0 }]);
    });
  });
});

describe('a letter to the client', () => {
  const write = (client: PoolClient, incident: string | undefined, more = '', value = '') =>
    client.query<{ version: number; sent_by: string; facts: Record<string, unknown> }>(
      `insert into incident_letters (incident_id, addressee, subject, summary, signatory${more})
       values ($1, 'Ann Cooper', 'Broken fence', 'The fence was broken and is mended.', 'Ellen'${value})
       returning version, sent_by, facts`,
      [incident],
    );

  test('is numbered, keeps the facts of its day, and names the reporter only if chosen', async () => {
    await rolledBack(database.owner, async (client) => {
      const incident = scene.rows.incidents.find(({ owner }) => owner === guardHere.id)?.id;
      await client.query('delete from incident_letters');
      await become(client, opsManager);
      const [first] = (await write(client, incident)).rows;
      expect(first).toMatchObject({ version: 1, sent_by: opsManager.id });
      expect(first?.facts).toMatchObject({ site: 'Here', severity: 'low', status: 'open' });
      expect(first?.facts).not.toHaveProperty('reported_by');
      const [second] = (await write(client, incident, ', names_included', ', true')).rows;
      expect(second?.version).toBe(2);
      expect(second?.facts.reported_by).toBe(guardHere.name);
      expect(
        await attempt(client, () => client.query(`update incident_letters set summary = 'Other'`)),
      ).toBe(REFUSED);
    });
  });

  test('is queued for mailing only with an address, at most 20 in an hour', async () => {
    await rolledBack(database.owner, async (client) => {
      const incident = scene.rows.incidents.find(({ owner }) => owner === guardHere.id)?.id;
      await become(client, opsManager);
      // A letter leaves once its report is reviewed.
      await client.query(`select review_incident($1, 'accepted')`, [incident]);
      await write(client, incident);
      const mail = () => write(client, incident, ', email', `, 'ann@client.example'`);
      for (let sent = 0; sent < 20; sent += 1) await mail();
      expect(await attempt(client, mail)).toBe('PT429');
      await becomeOwner(client);
      const queued = await client.query('select count(*)::int as mails from private.letter_mails');
      expect(queued.rows).toEqual([{ mails: 20 }]);
    });
  });
});
