// Everybody clocks in and out as their phones do: some over HTTP with their own session, the others through the same
// function, many events in one statement. The office corrects what was forgotten, and looks at what was flagged.

import type { Pool } from 'pg';
import { type Actor, actAs, ask, type Row } from '#tests/support/acting.ts';
import { instant } from './calendar.ts';
import type { Decision, Presence } from './facts.ts';
import type { Office } from './office.ts';
import type { Settled } from './settling.ts';

const GPS = '6.3000,-10.8000';
/** Connections that clock at once. */
const AT_ONCE = 3;
/** Every which guard without a session clocks; the records of the others are imported, which is quicker. */
const CLOCKING = 8;

interface Event {
  p_id: string;
  p_kind: 'in' | 'out';
  p_assignment_id: string;
  p_attendance_id: string;
  p_device_at: string;
  p_gps: string;
}

/** Events of a phone, then what the office enters in one record. */
interface Step {
  events: Event[];
  correction?: { attendance: string; at: string };
}

/** Whose clock events, at which shifts. */
export interface Clocked {
  guard: Pick<Settled['guard'], 'duties'>;
  assignments: Settled['assignments'];
}

export interface Decided {
  attendance: string;
  kind: Decision;
  approved: boolean;
}

/** The two events of a presence; the record of attendance has the id of the first. */
export function eventsOf(presence: Presence, assignment: string): [Event, Event] {
  const attendance = crypto.randomUUID();
  const event = (p_kind: 'in' | 'out', at: string): Event => ({
    p_id: p_kind === 'in' ? attendance : crypto.randomUUID(),
    p_kind,
    p_assignment_id: assignment,
    p_attendance_id: attendance,
    p_device_at: at,
    p_gps: GPS,
  });
  return [
    event('in', instant(presence.in, presence.inSecond)),
    event('out', instant(presence.out, presence.outSecond)),
  ];
}

/** What a guard's phone and the office do in the order of time, and what is to decide about it. */
function stepsOf({ guard, assignments }: Clocked): { steps: Step[]; decided: Decided[] } {
  const steps: Step[] = [{ events: [] }];
  const decided: Decided[] = [];
  for (const duty of guard.duties) {
    for (const presence of duty.presences) {
      const [came, went] = eventsOf(presence, assignments.get(duty) ?? '');
      const step = steps.at(-1);
      step?.events.push(came);
      if (step && presence.isCorrected) {
        step.correction = { attendance: came.p_id, at: went.p_device_at };
        steps.push({ events: [] });
      } else {
        step?.events.push(went);
      }
      for (const kind of ['early_arrival', 'stayed_on', 'overtime'] as const) {
        const approved = presence.decisions[kind];
        if (approved !== undefined) decided.push({ attendance: came.p_id, kind, approved });
      }
    }
  }
  return { steps, decided };
}

/** Over HTTP if the guard has a session. @returns when the events are stored */
export async function send({ owner }: Office, sender: Settled, events: Event[]): Promise<void> {
  if (events.length === 0) return;
  if (sender.client) {
    for (const event of events) {
      const sent = { ...event, p_sent_at: new Date().toISOString() };
      await sender.client.rpc('record_clock_event', sent).throwOnError();
    }
    return;
  }
  await actAs(owner, sender, (client) =>
    client.query(
      `select (record_clock_event(p_id => (e ->> 'p_id')::uuid, p_kind => e ->> 'p_kind',
         p_assignment_id => (e ->> 'p_assignment_id')::uuid, p_attendance_id => (e ->> 'p_attendance_id')::uuid,
         p_device_at => (e ->> 'p_device_at')::timestamptz, p_gps => e ->> 'p_gps', p_sent_at => now())).id
       from (select e from jsonb_array_elements($1) with ordinality sent (e, place) order by place) sent`,
      [JSON.stringify(events)],
    ),
  );
}

async function clock(office: Office, one: Settled): Promise<Decided[]> {
  const { owner, operations } = office;
  const { steps, decided } = stepsOf(one);
  for (const { events, correction } of steps) {
    await send(office, one, events);
    if (!correction) continue;
    await actAs(owner, operations, (client) =>
      client.query(
        `update attendance set clock_out_at = $2, correction_reason = 'The relief saw the guard leave' where id = $1`,
        [correction.attendance, correction.at],
      ),
    );
  }
  return decided;
}

/** Records of people whose clock events came by another system, added at once. */
export async function importRecords(owner: Pool, people: Clocked[]): Promise<Decided[]> {
  const all = people.map((one) => stepsOf(one));
  const records = all.flatMap(({ steps }) =>
    steps.flatMap(({ events, correction }) => {
      const came = events.filter(({ p_kind }) => p_kind === 'in');
      return came.map(({ p_id, p_assignment_id, p_device_at }) => ({
        id: p_id,
        assignment_id: p_assignment_id,
        clock_in_at: p_device_at,
        clock_out_at:
          events.find((event) => event.p_attendance_id === p_id && event.p_kind === 'out')
            ?.p_device_at ?? correction?.at,
      }));
    }),
  );
  await owner.query(
    `insert into attendance (id, assignment_id, clock_in_at, clock_out_at)
     select * from jsonb_to_recordset($1) r (id uuid, assignment_id uuid, clock_in_at timestamptz, clock_out_at timestamptz)`,
    [JSON.stringify(records)],
  );
  return all.flatMap(({ decided }) => decided);
}

/** Another person decides about minutes outside the plan. */
export const decide = (owner: Pool, person: Actor, decided: Decided[]): Promise<Row[]> =>
  ask(
    owner,
    person,
    `select decide_time(d.attendance, d.kind, d.approved)
     from jsonb_to_recordset($1) d (attendance uuid, kind text, approved boolean)`,
    [JSON.stringify(decided)],
  );

/** The office notes who did not come, and looks at what was flagged. */
export async function settleFlags(
  owner: Pool,
  person: Actor,
  absent: (string | undefined)[],
): Promise<void> {
  await ask(owner, person, `select mark_no_show(id, 'Did not answer') from unnest($1::uuid[]) id`, [
    absent,
  ]);
  // Everything was sent late, so all of it is flagged.
  await ask(
    owner,
    person,
    `update attendance set needs_review = false, resolution = 'The duty book agrees' where needs_review`,
  );
}

/**
 * Phones send clock-ins of the last seven days. The month lies further back, so its database allows more; everything else
 * is as in the product.
 */
async function allowOldEvents({ owner }: Office): Promise<void> {
  const { rows } = await owner.query<{ code: string }>(
    `select pg_get_functiondef('private.check_own_event'::regproc) as code`,
  );
  const code = rows[0]?.code ?? '';
  if (!code.includes(`interval '7 days'`)) throw new Error('The limit of seven days has moved.');
  await owner.query(code.replace(`interval '7 days'`, `interval '100 years'`));
}

/** @returns what is to decide, once the hours are computed */
export async function liveThroughTheMonth(office: Office, settled: Settled[]): Promise<Decided[]> {
  const { owner, operations } = office;
  await allowOldEvents(office);
  const decided: Decided[] = [];
  for (const one of settled.filter(({ client }) => client))
    decided.push(...(await clock(office, one)));
  // Its live changes would follow tens of thousands of rows that nobody watches.
  await office.server.stop();
  await owner.query('analyze');
  const clocking = settled.filter(({ client, guard }) => !client && guard.number % CLOCKING === 0);
  const imported = settled.filter(({ client, guard }) => !client && guard.number % CLOCKING !== 0);
  decided.push(...(await importRecords(owner, imported)));
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let one = clocking.shift(); one !== undefined; one = clocking.shift())
        decided.push(...(await clock(office, one)));
    }),
  );
  const absent = settled.flatMap(({ guard, assignments }) =>
    guard.duties.filter((duty) => duty.isNoShow).map((duty) => assignments.get(duty)),
  );
  await settleFlags(owner, operations, absent);
  return decided;
}
