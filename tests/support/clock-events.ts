import type { PoolClient } from 'pg';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll } from 'vitest';
import { guardHere as guard, type Person } from '#tests/support/people.ts';
import { buildScene, LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { become, rolledBack } from '#tests/support/session.ts';

export const HOUR = 3_600_000;
export const AT_THE_GATE = '6.3000,-10.8000';
export const A_KILOMETRE_AWAY = '6.3100,-10.8000';

export interface Sent {
  id?: string;
  kind: 'in' | 'out' | 'reopen' | 'withdraw';
  assignment: string;
  attendance?: string;
  /** Milliseconds from now on the device's clock. */
  at?: number;
  offset?: number;
  sentAt?: number;
  enteredAt?: number;
  gps?: string | null;
  /** Metres. */
  accuracy?: number;
  /** Seconds. */
  fixAge?: number;
  reason?: string;
  previous?: string;
  hash?: string;
}

export interface Stored {
  id: string;
  attendance_id: string;
  device_at: Date;
  effective_at: Date;
  clock_off: boolean;
  chain_intact: boolean;
  entered_by_guard: boolean;
  hash: string;
}

export const RECORD = `select * from record_clock_event(p_id => $1, p_kind => $2, p_assignment_id => $3, p_attendance_id => $4,
  p_device_at => $5, p_server_offset_ms => $6, p_sent_at => $7, p_entered_at => $8, p_gps => $9, p_reason => $10,
  p_previous_hash => $11, p_hash => $12, p_accuracy_m => $13, p_fix_age_s => $14)`;

const moment = (ms: number | undefined) => (ms === undefined ? null : new Date(Date.now() + ms));

export function valuesOf({ gps = AT_THE_GATE, ...sent }: Sent): unknown[] {
  return [
    sent.id ?? crypto.randomUUID(),
    sent.kind,
    sent.assignment,
    sent.attendance ?? null,
    moment(sent.at ?? 0),
    sent.offset ?? null,
    moment(sent.sentAt),
    moment(sent.enteredAt),
    gps,
    sent.reason ?? null,
    sent.previous ?? null,
    sent.hash ?? null,
    sent.accuracy ?? 12.5,
    sent.fixAge ?? 4,
  ];
}

export async function record(client: PoolClient, sent: Sent): Promise<Stored> {
  const { rows } = await client.query<Stored>(RECORD, valuesOf(sent));
  if (rows[0] === undefined) throw new Error('No answer.');
  return rows[0];
}

export async function attendanceOf(client: PoolClient, assignment: string) {
  const { rows } = await client.query<{
    id: string;
    clock_in_at: Date;
    clock_out_at: Date | null;
    flags: string[];
    needs_review: boolean;
  }>(
    'select id, clock_in_at, clock_out_at, flags, needs_review from attendance where assignment_id = $1',
    [assignment],
  );
  return rows;
}

/** A database with sites and people but no assignments. @returns what the tests of a file share; set in `beforeAll` */
export function setUpClockEvents() {
  let database: TestDatabase;
  let scene: Scene;

  beforeAll(async () => {
    database = await freshDatabase();
    scene = await buildScene(database.owner);
    await database.owner.query('delete from attendance; delete from assignments');
    await database.owner.query(LENIENT_RULES);
  });

  async function assign(client: PoolClient, from: string, to: string, person: Person = guard) {
    const { rows } = await client.query<{ id: string }>(
      `with shift as (
         insert into shifts (site_id, start_time, end_time)
         values ($1, now() + $3::interval, now() + $4::interval) returning id
       )
       insert into assignments (shift_id, user_id) select id, $2 from shift returning id`,
      [scene.sites.here, person.id, from, to],
    );
    return rows[0]?.id ?? '';
  }

  /** A guard on a shift from three hours ago to five hours from now, in a new transaction. */
  async function onShift(work: (client: PoolClient, assignment: string) => Promise<void>) {
    await rolledBack(database.owner, async (client) => {
      const assignment = await assign(client, '-3 hours', '5 hours');
      await become(client, guard);
      await work(client, assignment);
    });
  }

  return { assign, onShift, database: () => database };
}
