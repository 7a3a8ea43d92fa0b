// The month of a client: every figure beside rows that the test made itself.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { clientMonthSchema } from '#shared/documents/client-month.ts';
import { billingStory } from '#tests/support/billing-story.ts';
import {
  contactElsewhere,
  contactHere,
  formerContact,
  guardHere,
  opsManager,
  type Person,
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

/** In a month long past; Monrovia is at UTC all year. */
const MONTH = '2021-03-01';

type Incident = {
  at: string;
  severity: string;
  category?: string;
  /** Minutes after the report. */
  responded?: number;
  resolved?: number;
  isReviewed?: boolean;
};

async function addIncident(client: PoolClient, site: string, incident: Incident): Promise<void> {
  const { at, severity, category = 'security', responded, resolved, isReviewed = true } = incident;
  const status = resolved === undefined ? 'open' : 'resolved';
  const { rows } = await client.query<{ id: string }>(
    `insert into incidents (site_id, raised_by_user_id, title, category, severity, status, description, created_at)
     values ($1, $2, 'Gate forced', $3, $4, $5, 'The gate of the yard was forced at night.', $6) returning id`,
    [site, guardHere.id, category, severity, status, at],
  );
  const id = rows[0]?.id;
  const update = (minutes: number, to: string) =>
    client.query(
      `insert into incident_updates (incident_id, from_status, to_status, created_at)
       values ($1, 'open', $2, $3::timestamptz + make_interval(mins => $4))`,
      [id, to, at, minutes],
    );
  if (responded !== undefined) await update(responded, 'open');
  if (resolved !== undefined) await update(resolved, 'resolved');
  if (!isReviewed) return;
  // Long after the first response, so that it never is the first.
  await client.query(
    `insert into incident_reviews (incident_id, decision, created_at) values ($1, 'accepted', now())`,
    [id],
  );
}

async function clientOf(client: PoolClient, site: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'select client_id as id from sites where id = $1',
    [site],
  );
  return rows[0]?.id ?? '';
}

async function monthFor(client: PoolClient, person: Person, clientId: string, month = MONTH) {
  await become(client, person);
  const { rows } = await client.query('select client_month($1, $2) as month', [clientId, month]);
  return clientMonthSchema.parse(rows[0]?.month);
}

describe('incidents of a month', () => {
  test('are counted by severity and kind, with the times against the goals', () =>
    rolledBack(database.owner, async (client) => {
      const { here, elsewhere } = scene.sites;
      await client.query('delete from incidents');
      const add = (incident: Incident) => addIncident(client, here, incident);
      // Critical: 15 minutes to respond, a day to resolve. On the minute is in time.
      await add({ at: '2021-03-01T00:00Z', severity: 'critical', responded: 15, resolved: 1440 });
      await add({ at: '2021-03-31T23:59Z', severity: 'critical', responded: 5, resolved: 1441 });
      await add({
        at: '2021-03-07T22:00Z',
        severity: 'critical',
        category: 'fire',
        responded: 100,
        resolved: 200,
      });
      // Low, late in both: still open.
      await add({ at: '2021-03-10T10:00Z', severity: 'low' });
      // Left out: not reviewed, of other months, of another client.
      await add({ at: '2021-03-12T10:00Z', severity: 'high', isReviewed: false });
      await add({ at: '2021-02-28T23:59Z', severity: 'high' });
      await add({ at: '2021-04-01T00:00Z', severity: 'high' });
      await addIncident(client, elsewhere, { at: '2021-03-12T10:00Z', severity: 'high' });
      const month = await monthFor(client, opsManager, await clientOf(client, here));
      expect(month).toMatchObject({ from: '2021-03-01', to: '2021-03-31', not_reviewed: 1 });
      const own = await monthFor(client, contactHere, await clientOf(client, here));
      expect(own).toEqual({ ...month, not_reviewed: 0 });
      await becomeOwner(client);
      const none = {
        incidents: 0,
        response_in_time: 0,
        response_late: 0,
        response_minutes: null,
        resolution_in_time: 0,
        resolution_late: 0,
        resolution_minutes: null,
      };
      expect(month.severities).toEqual([
        {
          severity: 'critical',
          incidents: 3,
          response_in_time: 2,
          response_late: 1,
          response_minutes: 15,
          resolution_in_time: 2,
          resolution_late: 1,
          resolution_minutes: 1440,
        },
        { ...none, severity: 'high' },
        { ...none, severity: 'medium' },
        {
          ...none,
          severity: 'low',
          incidents: 1,
          response_late: 1,
          // The review, years later.
          response_minutes: expect.any(Number),
          resolution_late: 1,
        },
      ]);
      expect(month.categories).toEqual([
        { category: 'security', incidents: 3 },
        { category: 'fire', incidents: 1 },
      ]);
    }));

  test('with time left are neither in time nor late, and a due time of the office changes no figure', () =>
    rolledBack(database.owner, async (client) => {
      const { here } = scene.sites;
      await client.query('delete from incidents');
      const { rows } = await client.query<{ at: string; month: string }>(
        `select now()::text as at, private.company_date()::text as month`,
      );
      const { at = '', month = '' } = rows[0] ?? {};
      await addIncident(client, here, { at, severity: 'low' });
      await client.query(`update incidents set due_at = '2020-01-01T00:00Z'`);
      const facts = await monthFor(client, opsManager, await clientOf(client, here), month);
      // Setting the due time was the response.
      expect(facts.severities[3]).toMatchObject({
        incidents: 1,
        response_in_time: 1,
        response_late: 0,
        resolution_in_time: 0,
        resolution_late: 0,
      });
    }));
});

test('calls for service are counted by priority, with the times against the goals that they store', () =>
  rolledBack(database.owner, async (client) => {
    const { here, elsewhere } = scene.sites;
    type Call = {
      at: string;
      priority?: string;
      answered?: number;
      there?: number;
      ended?: string;
    };
    // Goals: answered within 3 minutes, on scene within 15.
    const addCall = (site: string, { at, priority = 'danger', answered, there, ended }: Call) =>
      client.query(
        `insert into service_calls (site_id, client_id, address, kind, priority, received_at, answer_due_at,
           en_route_due_at, on_scene_due_at, answered_at, on_scene_at, state, closed_at, outcome)
         select t.id, t.client_id, 'Monrovia', 'alarm', $2, c.at, c.at + interval '3 minutes', c.at + interval '5 minutes',
           c.at + interval '15 minutes', c.at + make_interval(mins => $4), c.at + make_interval(mins => $5),
           case when $6::text is null then 'open' when $6 = 'cancelled' then 'cancelled' else 'closed' end,
           case when $6 is not null then c.at + interval '1 hour' end, nullif($6, 'cancelled')
         from sites t cross join (select $3::timestamptz as at) c where t.id = $1`,
        [site, priority, at, answered, there, ended],
      );
    await client.query('delete from service_calls');
    // On the minute is in time.
    await addCall(here, { at: '2021-03-01T00:00Z', answered: 3, there: 15, ended: 'secured' });
    await addCall(here, { at: '2021-03-31T23:59Z', answered: 4, there: 21, ended: 'false_alarm' });
    // Settled on the telephone: neither in time nor late. Still open after years: late in both.
    await addCall(here, { at: '2021-03-05T10:00Z', ended: 'other' });
    await addCall(here, { at: '2021-03-06T10:00Z', priority: 'routine' });
    // Left out: cancelled, of other months, of another client.
    await addCall(here, { at: '2021-03-07T10:00Z', ended: 'cancelled' });
    await addCall(here, { at: '2021-02-28T23:59Z', ended: 'secured' });
    await addCall(here, { at: '2021-04-01T00:00Z', ended: 'secured' });
    await addCall(elsewhere, { at: '2021-03-12T10:00Z', ended: 'secured' });

    const own = await clientOf(client, here);
    const month = await monthFor(client, contactHere, own);
    const none = {
      calls: 0,
      false_alarms: 0,
      answered_in_time: 0,
      answered_late: 0,
      answer_minutes: null,
      on_scene_in_time: 0,
      on_scene_late: 0,
      on_scene_minutes: null,
    };
    expect(month.calls).toEqual([
      {
        priority: 'danger',
        calls: 3,
        false_alarms: 1,
        answered_in_time: 1,
        answered_late: 1,
        answer_minutes: 4,
        on_scene_in_time: 1,
        on_scene_late: 1,
        on_scene_minutes: 18,
      },
      { ...none, priority: 'urgent' },
      { ...none, priority: 'routine', calls: 1, answered_late: 1, on_scene_late: 1 },
    ]);
    const { rows } = await client.query('select * from client_calls($1, $2)', [own, '2021-03-31']);
    expect(rows).toEqual(month.calls);
  }));

test('coverage is added up by site and by day', () =>
  billingStory(database.owner, async ({ story, as }) => {
    // The 3rd as planned, half an hour late on the 4th, nobody on the 5th.
    for (const [day, times] of [
      [3, '06:00-18:00'],
      [4, '06:30-18:00'],
    ] as const) {
      await story.work(guardHere, await story.shift('gate', day, '06:00-18:00'), times);
    }
    await story.shift('yard', 5, '06:00-07:00', 2);
    const [row] = await as(opsManager, 'select client_month($1, $2) as month', [
      story.client,
      '2025-03-20',
    ]);
    const month = clientMonthSchema.parse(row?.month);
    expect(month).toMatchObject({
      client: 'Embassy',
      from: '2025-03-01',
      to: '2025-03-31',
      sites: [
        {
          site: 'Residence',
          required: 1560,
          worked: 1410,
          uncovered: 150,
          late: 30,
          overstaffed: 0,
        },
      ],
      days: [
        { day: '2025-03-03', required: 720, uncovered: 0 },
        { day: '2025-03-04', required: 720, uncovered: 30 },
        { day: '2025-03-05', required: 120, uncovered: 120 },
      ],
    });
  }));

test('managers see every client, contacts their own, others none', () =>
  rolledBack(database.owner, async (client) => {
    const own = await clientOf(client, scene.sites.here);
    const may = async (person: Person, clientId: string | null, month: string | null = MONTH) => {
      await become(client, person);
      const refusal = await attempt(client, () =>
        client.query('select client_month($1, $2)', [clientId, month]),
      );
      // Of a client that doesn't exist no call was made.
      if (refusal !== 'PT404') {
        const calls = () => client.query('select client_calls($1, $2)', [clientId, month]);
        expect(await attempt(client, calls)).toBe(refusal);
      }
      await becomeOwner(client);
      return refusal;
    };
    expect(await may(opsManager, own)).toBeUndefined();
    expect(await may(contactHere, own)).toBeUndefined();
    for (const person of [contactElsewhere, formerContact, supervisorHere, guardHere]) {
      expect(await may(person, own)).toBe(REFUSED);
    }
    expect(await may(opsManager, null)).toBe(REFUSED);
    expect(await may(opsManager, guardHere.id)).toBe('PT404');
    expect(await may(opsManager, own, null)).toBe('22023');
    expect(await may(opsManager, own, '2199-01-01')).toBe('22023');
  }));

test.each([
  ['2031-03-01T06:59Z', null],
  ['2031-03-01T07:00Z', '2031-02-01'],
  ['2031-01-03T23:59Z', '2030-12-01'],
  ['2031-03-04T07:00Z', null],
  ['2031-02-28T12:00Z', null],
])('at %s the month to mail is %s', async (at, month) => {
  const { rows } = await database.owner.query('select private.month_to_mail($1)::text as month', [
    at,
  ]);
  expect(rows).toEqual([{ month }]);
});

test('each month is queued once, for clients with an address', () =>
  rolledBack(database.owner, async (client) => {
    const queue = async (month: string) =>
      (await client.query('select private.queue_reports_of($1) as mails', [month])).rows[0]?.mails;
    expect(await queue(MONTH)).toBe(0);
    await client.query(
      `update clients set report_email = 'security@client.example' where id = $1`,
      [await clientOf(client, scene.sites.here)],
    );
    expect(await queue(MONTH)).toBe(1);
    expect(await queue(MONTH)).toBe(0);
    expect(await queue('2021-04-01')).toBe(1);
    const { rows } = await client.query(
      'select month::text, email from private.client_report_mails order by month',
    );
    expect(rows).toEqual([
      { month: '2021-03-01', email: 'security@client.example' },
      { month: '2021-04-01', email: 'security@client.example' },
    ]);
  }));
