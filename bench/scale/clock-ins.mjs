// How long a guard's clock-in takes in the database, from the call until all that follows from it is checked.
import { register } from 'tsx/esm/api';
import { median } from '../../backend/bench/support/report.mjs';

const CLOCK_INS = 60;

/** Guards on a shift that runs now, or begins soon. */
const EXPECTED = `
  select a.id, a.user_id, a.shift_id, a.site_id from public.assignments a
  where a.starts_at between now() - interval '12 hours' and now() + interval '3 hours' and upper(a.period) > now()
    and a.counts_as_staffed
  order by a.starts_at, a.id limit $1`;

/** At most times of the day they have clocked in already, or are missing: each comes in time. */
const IN_TIME = [
  [
    'delete from public.attendance where assignment_id = $1 or user_id = $2 and clock_out_at is null',
    'id',
    'user_id',
  ],
  [`update public.assignments set attendance_state = 'none' where id = $1`, 'id'],
  ['delete from public.alerts where shift_id = $1', 'shift_id'],
];
/** The control room has an alert, which the clock-in closes. */
const MISSING = [
  [
    `select private.add_alert('missing', 'missing:' || $1::uuid, $2, $3, $1, $4, 'Missing')`,
    ...['id', 'site_id', 'shift_id', 'user_id'],
  ],
];

/**
 * Each guard three times, because the first clock-in after a start reads pages of indexes from the disk. Nothing is left of them.
 * @param {import('pg').Client[]} clients superusers
 * @returns {Promise<{ first: number, again: number, missing: number }>} milliseconds, medians
 */
export async function clockInTimes([client]) {
  const { rows } = await client.query(EXPECTED, [CLOCK_INS]);
  if (rows.length === 0)
    throw new Error('No guard is expected now, so there is no clock-in to measure.');
  const unregister = register();
  const { timeOrderedId } = await import('../../web/lib/outbox/time-ordered-id.ts');
  await unregister();

  async function clockIn(row, before) {
    const { id, user_id: user } = row;
    await client.query('begin');
    for (const [sql, ...names] of before) {
      await client.query(
        sql,
        names.map((name) => row[name]),
      );
    }
    await client.query('set local role authenticated');
    await client.query(`select set_config('request.jwt.claims', $1, true)`, [
      JSON.stringify({ sub: user, role: 'authenticated', aal: 'aal1' }),
    ]);
    const started = performance.now();
    await client.query(
      `select public.record_clock_event($2, 'in', $1, now(), p_gps => '6.3000,-10.8000')`,
      [id, timeOrderedId()],
    );
    await client.query('set constraints all immediate');
    const took = performance.now() - started;
    await client.query('rollback');
    return took;
  }

  async function clockAllIn(before) {
    const times = [];
    for (const row of rows) times.push(await clockIn(row, before));
    return median(times);
  }

  return {
    first: await clockAllIn(IN_TIME),
    again: await clockAllIn(IN_TIME),
    missing: await clockAllIn([...IN_TIME, ...MISSING]),
  };
}
