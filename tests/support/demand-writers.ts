// Posts and requirements of the tests of demand.
import type { PoolClient } from 'pg';
import { guardElsewhere } from './people.ts';
import type { Scene } from './scene.ts';
import { call } from './session.ts';

export interface Outcome {
  made: number;
  changed: number;
  kept: number;
  removed: number;
  protected: number;
  guards: number;
  removed_shifts: { start_time: string; guards: string[] }[];
}

export interface Shift {
  id: string;
  /** At the site: "3 18:00" is three days from now. */
  at: string;
  hours: number;
  headcount: number;
  is_manual: boolean;
}

export const slot = (
  number: number,
  day: number,
  start: string,
  minutes: number,
  headcount = 1,
) => ({
  slot: number,
  day,
  start,
  minutes,
  headcount,
});
export const DAY_AND_NIGHT = [slot(1, 0, '06:00', 720), slot(2, 0, '18:00', 720)];
export const DAILY = { cycle_days: 1, slots: DAY_AND_NIGHT };

export const day = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** @param scene of the file, which is built before its tests */
export function demandWriters(scene: () => Scene) {
  async function addPost(client: PoolClient, site = scene().sites.here): Promise<string> {
    const { rows } = await client.query(
      `insert into posts (site_id, name, valid_from) values ($1, 'Main gate', '2020-01-01') returning id`,
      [site],
    );
    return rows[0].id;
  }

  const save = (client: PoolClient, post: string, requirement: object | null, from?: string) =>
    call<Outcome>(client, 'save_requirement($1, $2, $3)', [
      post,
      requirement && JSON.stringify(requirement),
      from,
    ]);

  async function shiftsOf(client: PoolClient, post: string): Promise<Shift[]> {
    const { rows } = await client.query<Shift>(
      `select s.id, (s.start_time at time zone t.timezone)::date - private.company_date()
        || to_char(s.start_time at time zone t.timezone, ' HH24:MI') as at,
      extract(epoch from s.end_time - s.start_time)::float / 3600 as hours, s.required_headcount as headcount, s.is_manual
     from shifts s join sites t on t.id = s.site_id where s.post_id = $1 order by s.start_time, s.slot`,
      [post],
    );
    return rows;
  }

  const expand = (client: PoolClient, sites: string[] | null = [scene().sites.here]) =>
    call<Outcome>(client, 'expand_demand($1, $2, $3)', [day(0), day(42), sites]);

  /** A post that is manned from tomorrow on, day and night, and its shifts. */
  async function mannedPost(client: PoolClient) {
    const post = await addPost(client);
    await save(client, post, { ...DAILY, valid_from: day(1) });
    const shifts = await shiftsOf(client, post);
    return { post, shifts };
  }

  const assign = async (
    client: PoolClient,
    shift: string | undefined,
    guard = guardElsewhere.id,
  ) => {
    await client.query('insert into assignments (shift_id, user_id) values ($1, $2)', [
      shift,
      guard,
    ]);
  };
  return { addPost, save, shiftsOf, expand, mannedPost, assign };
}
