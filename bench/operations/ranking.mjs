// Ranks replacements for shifts of the coming days on the demo company, as a dispatcher.

const SHIFTS = `
  select s.id, r.user_id from public.shifts s, (
    select user_id from public.user_roles where role = 'dispatcher' order by user_id limit 1
  ) r
  where s.start_time between now() - interval '4 hours' and now() + interval '3 days'
  order by md5(s.id::text) limit 50`;

const ranking = ({ id, user_id }) => `explain (analyze, timing off, format json)
  with caller as materialized (
    select set_config('request.jwt.claims', '{"sub":"${user_id}","role":"authenticated","aal":"aal1"}', true)
  )
  select (select count(*) from public.rank_replacements('${id}')) from caller`;

/**
 * @param {(text: string) => Promise<Record<string, any>[]>} query as the owner of the demo database; returns the rows
 * @returns {Promise<number[]>} milliseconds in the database, of each shift
 */
export async function rankingTimes(query) {
  const times = [];
  for (const shift of await query(SHIFTS)) {
    const [{ 'QUERY PLAN': plan }] = await query(ranking(shift));
    times.push(plan[0]['Execution Time']);
  }
  return times;
}
