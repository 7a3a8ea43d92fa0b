// How long a guard's clock-in takes in the database, from the call until all that follows from it is checked.
import { median } from '../../backend/bench/support/report.mjs';

const CLOCK_INS = 60;

/** Guards on a shift that runs now, who have not clocked in yet. */
const EXPECTED = `
  select a.id, a.user_id from public.assignments a
  where a.starts_at between now() - interval '12 hours' and now() + interval '12 hours' and upper(a.period) > now()
    and a.attendance_state = 'none' and a.counts_as_staffed
    and not exists (select from public.attendance r where r.user_id = a.user_id and r.clock_out_at is null)
  order by a.starts_at, a.id limit $1`;

/**
 * Nothing is left of them.
 * @param {import('pg').Client[]} clients superusers
 * @returns {Promise<number>} milliseconds, the median
 */
export async function clockInTime([client]) {
  const { rows } = await client.query(EXPECTED, [CLOCK_INS]);
  const times = [];
  for (const { id, user_id: user } of rows) {
    await client.query('begin');
    await client.query('set local role authenticated');
    await client.query(`select set_config('request.jwt.claims', $1, true)`, [
      JSON.stringify({ sub: user, role: 'authenticated', aal: 'aal1' }),
    ]);
    const started = performance.now();
    await client.query(
      `select public.record_clock_event(gen_random_uuid(), 'in', $1, now(), p_gps => '6.3000,-10.8000')`,
      [id],
    );
    await client.query('set constraints all immediate');
    times.push(performance.now() - started);
    await client.query('rollback');
  }
  return median(times);
}
