// How long a guard's clock-in takes in the database, from the call until all that follows from it is checked.
import { register } from 'tsx/esm/api';
import { median } from '../../backend/bench/support/report.mjs';

const CLOCK_INS = 60;

/** Guards on a shift that runs now, or begins soon. */
const EXPECTED = `
  select a.id, a.user_id from public.assignments a
  where a.starts_at between now() - interval '12 hours' and now() + interval '3 hours' and upper(a.period) > now()
    and a.counts_as_staffed
  order by a.starts_at, a.id limit $1`;

/** At most times of the day they have clocked in already: each does it again. */
const NOT_YET = `
  delete from public.attendance where assignment_id = $1 or user_id = $2 and clock_out_at is null`;

/**
 * Each guard twice, because the first clock-in after a start reads pages of indexes from the disk. Nothing is left of them.
 * @param {import('pg').Client[]} clients superusers
 * @returns {Promise<{ first: number, again: number }>} milliseconds, medians
 */
export async function clockInTimes([client]) {
  const { rows } = await client.query(EXPECTED, [CLOCK_INS]);
  if (rows.length === 0)
    throw new Error('No guard is expected now, so there is no clock-in to measure.');
  const unregister = register();
  const { timeOrderedId } = await import('../../web/lib/outbox/time-ordered-id.ts');
  await unregister();

  async function clockIn({ id, user_id: user }) {
    await client.query('begin');
    await client.query(NOT_YET, [id, user]);
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

  async function clockAllIn() {
    const times = [];
    for (const row of rows) times.push(await clockIn(row));
    return median(times);
  }

  return { first: await clockAllIn(), again: await clockAllIn() };
}
