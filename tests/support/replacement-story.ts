// A site whose guards don't come, and their replacements.
import type pg from 'pg';
import { bystander, dispatcher, guardElsewhere, guardHere, type Person } from './people.ts';
import type { Scene } from './scene.ts';
import { type SceneDatabase, sceneDatabase } from './scene-database.ts';
import { attempt, become, becomeOwner, refusal } from './session.ts';

/** Nobody is on duty, and three people are guards: guardHere, bystander and guardElsewhere. */
export const NOBODY_ON_DUTY = `
  delete from notices; delete from offers; delete from replacement_calls;
  delete from attendance; delete from clock_events; delete from assignments; delete from shifts`;

/** @returns the sites; only three people are guards, and nobody is on duty */
export async function emptyPosts(): Promise<SceneDatabase> {
  const made = await sceneDatabase();
  const { owner } = made.database;
  await owner.query(NOBODY_ON_DUTY);
  await owner.query(`delete from user_roles where role = 'guard' and user_id <> all ($1)`, [
    [guardHere.id, bystander.id, guardElsewhere.id],
  ]);
  return made;
}

type Row = Record<string, unknown>;

/** Steps of a scenario, in one transaction. */
export class ReplacementStory {
  constructor(
    private readonly client: pg.PoolClient,
    private readonly scene: Scene,
  ) {}

  async owner(sql: string, values: unknown[] = []): Promise<Row[]> {
    await becomeOwner(this.client);
    return (await this.client.query<Row>(sql, values)).rows;
  }

  async as(person: Person, sql: string, values: unknown[] = []): Promise<Row[]> {
    await become(this.client, person);
    return (await this.client.query<Row>(sql, values)).rows;
  }

  async refused(person: Person, sql: string, values: unknown[] = []): Promise<string> {
    await become(this.client, person);
    return (await refusal(this.client, () => this.client.query(sql, values))).message;
  }

  private async idOf(sql: string, values: unknown[]): Promise<string> {
    const [row] = await this.owner(sql, values);
    return String(row?.id);
  }

  /** @param hours from now */
  shift(hours: number, { seats = 1, length = 8 } = {}): Promise<string> {
    return this.idOf(
      `insert into shifts (site_id, start_time, end_time, required_headcount)
       values ($1, now() + make_interval(mins => $2), now() + make_interval(mins => $3), $4) returning id`,
      [this.scene.sites.here, hours * 60, (hours + length) * 60, seats],
    );
  }

  assign(shift: string, person: Person): Promise<string> {
    return this.idOf('insert into assignments (shift_id, user_id) values ($1, $2) returning id', [
      shift,
      person.id,
    ]);
  }

  async assignIfLawful(shift: string, person: Person): Promise<void> {
    await attempt(this.client, () => this.assign(shift, person));
  }

  /** @returns the ids of the offers, in order of the people */
  async offer(shift: string, ...people: Person[]): Promise<string[]> {
    const ids = people.map(({ id }) => id);
    const rows = await this.as(dispatcher, 'select * from offer_shift($1, $2)', [shift, ids]);
    return ids.map((id) => String(rows.find(({ user_id }) => user_id === id)?.id));
  }

  async answer(person: Person, offer: string | undefined, accept: boolean) {
    const [row] = await this.as(
      person,
      'select status, answer, decision_note from answer_offer($1, $2)',
      [offer, accept],
    );
    return row;
  }

  async ranked(shift: string): Promise<unknown[]> {
    const rows = await this.as(dispatcher, 'select user_id from rank_replacements($1)', [shift]);
    return rows.map(({ user_id }) => user_id);
  }

  async staffed(shift: string): Promise<unknown[]> {
    const rows = await this.owner(
      'select user_id from assignments where shift_id = $1 and counts_as_staffed order by user_id',
      [shift],
    );
    return rows.map(({ user_id }) => user_id);
  }

  async told(person: Person): Promise<unknown[]> {
    const rows = await this.owner(
      'select title from notices where user_id = $1 order by created_at, title',
      [person.id],
    );
    return rows.map(({ title }) => title);
  }
}
