// Shifts and assignments of the tests of rosters' rules.
import type { PoolClient } from 'pg';
import { guardHere } from './people.ts';
import type { Scene } from './scene.ts';
import { refusal } from './session.ts';

export const OVERLAP = '23P01';
export const BROKEN = '23514';

/** @param time '05 18:00' of January 2035, in UTC, which is the company's time; the 1st is a Monday */
export const at = (time: string) => `2035-01-${time.replace(' ', 'T')}Z`;

export const days = (first: number, last: number, start = '06:00', hours = 12) =>
  Array.from(
    { length: last - first + 1 },
    (_, index) => [`${String(first + index).padStart(2, '0')} ${start}`, hours] as const,
  );

/** @param scene of the file, which is built before its tests */
export function rosterWriters(scene: () => Scene) {
  /** @param span '05 18:00', and hours */
  async function addShift(
    client: PoolClient,
    [start, hours]: readonly [string, number],
    { site = scene().sites.here, post = null as string | null } = {},
  ): Promise<string> {
    const { rows } = await client.query<{ id: string }>(
      `insert into shifts (site_id, start_time, end_time, post_id)
       values ($1, $2::timestamptz, $2::timestamptz + $3 * interval '1 hour', $4) returning id`,
      [site, at(start), hours, post],
    );
    return rows[0]?.id ?? '';
  }

  const assign = (
    client: PoolClient,
    shift: string,
    person = guardHere,
    reason: string | null = null,
  ) =>
    client.query<{ id: string }>(
      'insert into assignments (shift_id, user_id, override_reason) values ($1, $2, $3) returning id',
      [shift, person.id, reason],
    );

  /** Puts the guard on the shifts. @returns their ids */
  async function work(client: PoolClient, spans: readonly (readonly [string, number])[]) {
    const ids: string[] = [];
    for (const span of spans) {
      const id = await addShift(client, span);
      await assign(client, id);
      ids.push(id);
    }
    return ids;
  }

  /** What the refusal of an assignment names. */
  async function problems(client: PoolClient, shift: string, person = guardHere) {
    const error = await refusal(client, () => assign(client, shift, person));
    return JSON.parse(error.detail ?? '[]').map(
      ({ rule, message, can_override }: { rule: string; message: string; can_override: boolean }) =>
        `${rule}${can_override ? '' : '!'}: ${message}`,
    );
  }
  return { addShift, assign, work, problems };
}
