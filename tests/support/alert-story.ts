// An alert's life as a story: shifts around now at the site `Here`, what the servers find due, and minutes that pass.
import type { PoolClient } from 'pg';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect } from 'vitest';
import { guardHere, type Person } from './people.ts';
import { buildScene, LENIENT_RULES, type Scene } from './scene.ts';
import { become, becomeOwner, refusal, rolledBack } from './session.ts';

interface Row {
  id: string;
  [column: string]: unknown;
}

export class Story {
  constructor(
    private readonly client: PoolClient,
    readonly scene: Scene,
  ) {}

  async owner(sql: string, values: unknown[] = []): Promise<Row[]> {
    await becomeOwner(this.client);
    return (await this.client.query<Row>(sql, values)).rows;
  }

  async as(person: Pick<Person, 'claims'>, sql: string, values: unknown[] = []): Promise<Row[]> {
    await become(this.client, person);
    return (await this.client.query<Row>(sql, values)).rows;
  }

  async refusal(person: Person, sql: string, values: unknown[] = []): Promise<string> {
    await become(this.client, person);
    return (await refusal(this.client, () => this.client.query(sql, values))).message;
  }

  async #one(sql: string, values: unknown[]): Promise<string> {
    const [row] = await this.owner(sql, values);
    if (row === undefined) throw new Error(`No row from: ${sql}`);
    return row.id;
  }

  /** @returns the id of another site */
  site(name: string): Promise<string> {
    return this.#one(
      `insert into sites (name, client_name, address) values ($1, 'Client', 'Monrovia') returning id`,
      [name],
    );
  }

  /** @param from minutes from now, `to` too */
  shift(
    from: number,
    to: number,
    seats = 1,
    site: string = this.scene.sites.here,
  ): Promise<string> {
    return this.#one(
      `insert into shifts (site_id, start_time, end_time, required_headcount)
       values ($1, now() + make_interval(mins => $2), now() + make_interval(mins => $3), $4) returning id`,
      [site, from, to, seats],
    );
  }

  /** @param ago minutes since the guard was assigned */
  assign(shift: string, person: Person = guardHere, ago = 1000): Promise<string> {
    return this.#one(
      `insert into assignments (shift_id, user_id, created_at)
       values ($1, $2, now() - make_interval(mins => $3)) returning id`,
      [shift, person.id, ago],
    );
  }

  /** @param at minutes from now on the guard's device; received now */
  clockIn(assignment: string, at = 0): Promise<string> {
    return this.#one(
      `insert into attendance (assignment_id, clock_in_at, clock_in_gps)
       values ($1, now() + make_interval(mins => $2), '6.3000,-10.8000') returning id`,
      [assignment, at],
    );
  }

  /** @returns the number of new alerts */
  async due(): Promise<unknown> {
    return (await this.owner('select private.raise_due_alerts() as raised'))[0]?.raised;
  }

  async alerts(): Promise<string[]> {
    const rows = await this.owner(
      `select kind || ' ' || coalesce(outcome, case when acknowledged_at is null then 'open' else 'acknowledged' end)
         as text from alerts order by raised_at, kind, created_at`,
    );
    return rows.map(({ text }) => String(text));
  }

  async only(): Promise<Row> {
    const rows = await this.owner('select * from alerts');
    expect(rows).toHaveLength(1);
    const [row] = rows;
    if (row === undefined) throw new Error('No alert.');
    return row;
  }

  /** Lets minutes pass for the open alerts. */
  async wait(minutes: number): Promise<void> {
    await this.owner(
      `update alerts set raised_at = raised_at - make_interval(mins => $1),
         escalated_at = escalated_at - make_interval(mins => $1),
         acknowledged_at = acknowledged_at - make_interval(mins => $1),
         closed_at = closed_at - make_interval(mins => $1)`,
      [minutes],
    );
  }

  /** @returns the notices of alerts, as `person: title` */
  async notices(): Promise<string[]> {
    const rows = await this.owner(
      `select p.full_name || ': ' || n.title as text from notices n join profiles p on p.id = n.user_id
       where n.kind = 'alert' order by 1`,
    );
    await this.owner('delete from notices');
    return rows.map(({ text }) => String(text));
  }

  async told(): Promise<string[]> {
    const rows = await this.owner(
      `select p.full_name from notices n join profiles p on p.id = n.user_id where n.kind = 'alert' order by n.created_at, 1`,
    );
    await this.owner('delete from notices');
    return rows.map(({ full_name }) => String(full_name));
  }
}

/** Sets up a database in which nobody is on duty but in the stories. */
export function setUpAlerts() {
  let database: TestDatabase;
  let scene: Scene;
  beforeAll(async () => {
    database = await freshDatabase();
    scene = await buildScene(database.owner);
    await database.owner.query(`
      delete from alerts; delete from notices; delete from offers;
      delete from attendance; delete from clock_events; delete from assignments; delete from shifts`);
    await database.owner.query(LENIENT_RULES);
  });
  return {
    owner: () => database.owner,
    siteHere: () => scene.sites.here,
    story: (work: (story: Story) => Promise<void>) =>
      rolledBack(database.owner, (client) => work(new Story(client, scene))),
  };
}
