// Shifts and assignments of the tests of copies and lists.
import type { PoolClient } from 'pg';
import type { Scene } from './scene.ts';

/** A Monday far from every shift of the scene. */
export const MONDAY = '2035-01-01';
export const TUESDAY = '2035-01-02';

/** @param scene of the file, which is built before its tests */
export function shiftWriters(scene: () => Scene) {
  /** @returns the id of a new shift; times are local times in `zone` */
  async function shift(
    client: PoolClient,
    from: string,
    to: string,
    { site = scene().sites.here, zone = 'Africa/Monrovia', notes = 'Front gate' } = {},
  ): Promise<string> {
    const { rows } = await client.query<{ id: string }>(
      `insert into shifts (site_id, start_time, end_time, required_headcount, notes)
     values ($1, $2::timestamp at time zone $4, $3::timestamp at time zone $4, 2, $5) returning id`,
      [site, from, to, zone, notes],
    );
    return rows[0]?.id ?? '';
  }

  async function assign(client: PoolClient, id: string, ...people: { id: string }[]) {
    for (const person of people) {
      await client.query(
        `insert into assignments (shift_id, user_id, role_at_shift) values ($1, $2, 'Gate')`,
        [id, person.id],
      );
    }
  }
  return { shift, assign };
}

const DAYS = `select day::text, made, existing, assigned, left_out, warned from`;

export interface Day {
  day: string;
  made: number;
  existing: number;
  assigned: number;
  left_out: string[];
  warned: string[];
}

export async function days(client: PoolClient, call: string, values: unknown[]): Promise<Day[]> {
  return (await client.query<Day>(`${DAYS} ${call}`, values)).rows;
}
