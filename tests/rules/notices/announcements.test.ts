// Whom an announcement reaches, who has read it, and how it changes and ends.
import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  bystander,
  contactHere,
  finance,
  guardElsewhere,
  guardHere,
  hr,
  newcomer,
  opsManager,
  type Person,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query('delete from announcements; delete from notices');
});

type Text = { id?: string; title?: string; mustRead?: boolean; lastDay?: string };
type Audience = { site?: string; region?: string; counties?: string[]; role?: string };

const kindOf = ({ site, region, role }: Audience) =>
  site ? 'site' : region ? 'region' : role ? 'role' : 'everybody';

interface Story {
  client: PoolClient;
  asOwner: (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  /** By the operations manager. @returns its id, and how many it reached */
  publish: (audience?: Audience, text?: Text) => Promise<{ id: string; people: number }>;
  edit: (id: string, body: string, readAgain: boolean) => Promise<void>;
  withdraw: (id: string) => Promise<void>;
  /** What the person's phone shows. */
  phone: (person: Person) => Promise<{ id: string; body: string; read_at: Date | null }[]>;
  confirm: (person: Person, id: string, version?: number, at?: string) => Promise<boolean>;
  /** By name, as HR sees them. */
  readers: (id: string) => Promise<{ name: string; read: boolean; is_addressed: boolean }[]>;
  noticesOf: (person: Person) => Promise<{ title: string; body: string; link: string }[]>;
}

const inADay = `private.company_date() + 1`;

const story = (work: (story: Story) => Promise<void>) =>
  rolledBack(database.owner, (client) => {
    const rowsOf = async (sql: string, values: unknown[] = []) =>
      (await client.query(sql, values)).rows;
    const asOwner: Story['asOwner'] = async (sql, values) => {
      await becomeOwner(client);
      return rowsOf(sql, values);
    };
    return work({
      client,
      asOwner,
      publish: async (audience = {}, text = {}) => {
        const { id = randomUUID(), title = 'Radios', mustRead = true, lastDay } = text;
        const [day] = await asOwner(`select coalesce($1::date, ${inADay})::text as day`, [lastDay]);
        await become(client, opsManager);
        const [row] = await rowsOf(
          `select publish_announcement($1, $2, 'Charge them.', $3, $4, $5, $6, $7, $8, $9) as people`,
          [
            ...[id, title, mustRead, kindOf(audience), day?.day],
            ...[audience.region, audience.counties, audience.site, audience.role],
          ],
        );
        return { id, people: row.people };
      },
      edit: async (id, body, readAgain) => {
        const [day] = await asOwner(`select (${inADay})::text as day`);
        await become(client, hr);
        await rowsOf(`select edit_announcement($1, 'Radios', $2, true, $3, $4)`, [
          ...[id, body, day?.day, readAgain],
        ]);
      },
      withdraw: async (id) => {
        await become(client, admin);
        await rowsOf('select withdraw_announcement($1)', [id]);
      },
      phone: async (person) => {
        await become(client, person);
        return rowsOf('select id, body, read_at from my_announcements()');
      },
      confirm: async (person, id, version = 1, at = 'now') => {
        await become(client, person);
        const [row] = await rowsOf('select confirm_announcement($1, $2, $3) as ok', [
          ...[id, version, at],
        ]);
        return row.ok;
      },
      readers: async (id) => {
        await become(client, hr);
        return rowsOf(
          `select name, read_at is not null as read, is_addressed from announcement_readers($1) order by name`,
          [id],
        );
      },
      noticesOf: async ({ id }) => {
        const rows = await asOwner(
          `select title, body, link from notices where user_id = $1 order by created_at, title`,
          [id],
        );
        return rows as { title: string; body: string; link: string }[];
      },
    });
  });

const namesOf = (people: { name: string }[]) => people.map(({ name }) => name);

describe('the audience', () => {
  test('everybody is everybody with a role who works here, but not the writer', () =>
    story(async ({ client, asOwner, publish, phone, readers }) => {
      await asOwner(`update profiles set left_on = private.company_date() - 1 where id = $1`, [
        finance.id,
      ]);
      const { id, people } = await publish();
      const names = namesOf(await readers(id));
      expect(names).toHaveLength(people);
      expect(names).toEqual(expect.arrayContaining([guardHere.name, guardElsewhere.name]));
      for (const { name } of [opsManager, finance, newcomer, contactHere]) {
        expect(names).not.toContain(name);
      }
      expect(names).not.toContain('banned admin');
      expect(await phone(opsManager)).toEqual([]);
      expect(await phone(newcomer)).toEqual([]);
      await become(client, contactHere);
      expect(await attempt(client, () => client.query('select my_announcements()'))).toBe('PT401');
    }));

  test('of a site is its guards of these weeks, and its supervisor', () =>
    story(async ({ asOwner, publish, phone, readers }) => {
      await asOwner(
        `delete from assignments where user_id = $1 and id not in (select assignment_id from attendance)`,
        [bystander.id],
      );
      await asOwner(`update assignments set status = 'cancelled' where user_id = $1`, [
        bystander.id,
      ]);
      const { id } = await publish({ site: scene.sites.here });
      expect(namesOf(await readers(id))).toEqual([guardHere.name, supervisorHere.name]);
      expect(await phone(guardHere)).toMatchObject([{ id }]);
      expect(await phone(guardElsewhere)).toEqual([]);
      expect(await phone(supervisorElsewhere)).toEqual([]);
    }));

  test('of a region is who works at its sites, and who lives in it', () =>
    story(async ({ asOwner, publish, readers }) => {
      await asOwner(`update sites set county = 'Bong' where id = $1`, [scene.sites.elsewhere]);
      await asOwner(`update profiles set home_region = 'Lofa' where id = $1`, [finance.id]);
      const { id } = await publish({ region: 'Central Region', counties: ['Bong', 'Lofa'] });
      expect(namesOf(await readers(id))).toEqual([
        finance.name,
        guardElsewhere.name,
        supervisorElsewhere.name,
      ]);
    }));

  test('of a role is who has it, for one site or for all', () =>
    story(async ({ publish, readers }) => {
      const { id } = await publish({ role: 'supervisor' });
      expect(namesOf(await readers(id))).toEqual(
        expect.arrayContaining([supervisorHere.name, supervisorElsewhere.name]),
      );
      expect(namesOf(await readers(id))).not.toContain(guardHere.name);
    }));

  test('that has nobody is refused, and so is one that is not named', () =>
    story(async ({ client, publish }) => {
      const refusal = (audience: Audience) => attempt(client, () => publish(audience));
      expect(await refusal({ region: 'Nowhere', counties: ['Sinoe'] })).toBe('23514');
      expect(await refusal({ region: 'Nowhere' })).toBe('23514');
    }));

  test('is asked each time: who joins it sees the announcement, who leaves it no longer does', () =>
    story(async ({ asOwner, publish, phone, confirm, readers, noticesOf }) => {
      const { id } = await publish({ role: 'finance' });
      expect(await phone(guardHere)).toEqual([]);
      await asOwner(`insert into user_roles (user_id, role) values ($1, 'finance')`, [
        guardHere.id,
      ]);
      expect(await phone(guardHere)).toMatchObject([{ id, read_at: null }]);
      expect(await noticesOf(guardHere)).toEqual([]);
      expect(await confirm(finance, id)).toBe(true);
      await asOwner(`delete from user_roles where user_id = any ($1) and role = 'finance'`, [
        [guardHere.id, finance.id],
      ]);
      expect(await phone(guardHere)).toEqual([]);
      expect(await readers(id)).toMatchObject([
        { name: finance.name, read: true, is_addressed: false },
      ]);
    }));

  test('is counted before it is written to, without the writer', () =>
    story(async ({ client, publish }) => {
      await become(client, opsManager);
      const { rows } = await client.query(
        `select announcement_reach('site', null, $1) as people, announcement_reach('role', p_role => 'ops_manager') as own`,
        [scene.sites.here],
      );
      expect(rows).toEqual([{ people: 3, own: 0 }]);
      expect((await publish({ site: scene.sites.here })).people).toBe(3);
    }));
});

describe('writing', () => {
  test('is for admins, operations managers and HR', () =>
    story(async ({ client, publish }) => {
      const { id } = await publish();
      for (const person of [guardHere, supervisorHere, finance, contactHere]) {
        await become(client, person);
        for (const call of [
          `publish_announcement('${randomUUID()}', 'T', 'B', true, 'everybody', '2199-01-01')`,
          `edit_announcement('${id}', 'T', 'B', true, '2199-01-01', true)`,
          `withdraw_announcement('${id}')`,
          `announcement_reach('everybody')`,
        ]) {
          expect(await attempt(client, () => client.query(`select ${call}`))).toBe(REFUSED);
        }
        const { rows } = await client.query('select * from announcement_readers($1)', [id]);
        expect(rows).toEqual([]);
        expect((await client.query('select id from announcement_list')).rows).toEqual([]);
      }
    }));

  test('twice with one id writes and tells once', () =>
    story(async ({ publish, noticesOf, asOwner }) => {
      const id = randomUUID();
      const first = await publish({ site: scene.sites.here }, { id });
      expect(await publish({ site: scene.sites.here }, { id })).toEqual(first);
      expect(await asOwner('select id from announcements')).toEqual([{ id }]);
      expect(await noticesOf(guardHere)).toEqual([
        {
          title: 'Must read: Radios',
          body: 'Charge them.',
          link: `/staff/announcements?open=${id}`,
        },
      ]);
    }));

  test('stops after 20 within a day', () =>
    story(async ({ client, publish }) => {
      for (let count = 0; count < 20; count += 1) await publish({ role: 'finance' });
      expect(await attempt(client, () => publish({ role: 'finance' }))).toBe('PT429');
    }));

  test('needs a last day from today on, at most a year ahead', () =>
    story(async ({ client, publish }) => {
      const refusal = (lastDay: string) => attempt(client, () => publish({}, { lastDay }));
      expect(await refusal('2020-01-01')).toBe('23514');
      expect(await refusal('2199-01-01')).toBe('23514');
      expect(await refusal('infinity')).toBeDefined();
    }));
});

describe('a reading', () => {
  test('is stored once, with the time of the device and of the server, whenever it arrives', () =>
    story(async ({ publish, confirm, phone, asOwner }) => {
      const { id } = await publish();
      expect(await confirm(guardHere, id, 1, '2026-01-02T03:04:05Z')).toBe(true);
      expect(await confirm(guardHere, id, 1, 'now')).toBe(true);
      const [row] = await phone(guardHere);
      expect(row?.read_at).toEqual(new Date('2026-01-02T03:04:05Z'));
      expect(await asOwner(`select received_at = now() as now from announcement_readings`)).toEqual(
        [{ now: true }],
      );
    }));

  test('is never in the future, and never of a version that does not exist', () =>
    story(async ({ publish, confirm, asOwner }) => {
      const { id } = await publish();
      expect(await confirm(guardHere, id, 2)).toBe(false);
      expect(await confirm(guardHere, id, 1, '2199-01-01')).toBe(true);
      expect(await asOwner('select read_at <= now() as past from announcement_readings')).toEqual([
        { past: true },
      ]);
    }));

  test('of somebody else’s announcement, or of one that is gone, is left out', () =>
    story(async ({ publish, confirm, asOwner }) => {
      const { id } = await publish({ role: 'finance' });
      expect(await confirm(guardHere, id)).toBe(false);
      expect(await confirm(guardHere, randomUUID())).toBe(false);
      expect(await asOwner('select * from announcement_readings')).toEqual([]);
    }));

  test('that arrives after the last day is stored', () =>
    story(async ({ publish, confirm, phone, asOwner }) => {
      const { id } = await publish();
      await asOwner(`update announcements set last_day = private.company_date() - 1`);
      expect(await phone(guardHere)).toEqual([]);
      expect(await confirm(guardHere, id)).toBe(true);
    }));

  test('is delivered for a guard who has signed out', () =>
    story(async ({ client, publish, phone }) => {
      const { id } = await publish();
      await become(client, guardHere);
      const device = randomUUID();
      const { rows } = await client.query('select token from make_delivery_token($1)', [device]);
      await become(client, { claims: null });
      await client.query(`select deliver($1, $2, 'confirm_announcement', $3)`, [
        ...[rows[0].token, device],
        { p_announcement_id: id, p_version: 1, p_read_at: '2026-01-02T03:04:05Z' },
      ]);
      expect(await phone(guardHere)).toMatchObject([
        { id, read_at: new Date('2026-01-02T03:04:05Z') },
      ]);
    }));
});

describe('an edit', () => {
  test('keeps who has read it, and changes what the notice says', () =>
    story(async ({ publish, confirm, edit, phone, noticesOf }) => {
      const { id } = await publish();
      await confirm(guardHere, id);
      await edit(id, 'Charge them at night.', false);
      const [row] = await phone(guardHere);
      expect(row).toMatchObject({ id, body: 'Charge them at night.' });
      expect(row?.read_at).not.toBeNull();
      expect(await noticesOf(guardHere)).toMatchObject([{ body: 'Charge them at night.' }]);
    }));

  test('is read again if the writer says so, with another notice', () =>
    story(async ({ publish, confirm, edit, phone, noticesOf, readers }) => {
      const { id } = await publish({ site: scene.sites.here });
      await confirm(guardHere, id);
      await edit(id, 'Charge them at night.', true);
      expect(await phone(guardHere)).toMatchObject([{ id, read_at: null }]);
      expect(await noticesOf(guardHere)).toHaveLength(2);
      // The old text was read on a phone without a signal.
      expect(await confirm(bystander, id, 1)).toBe(true);
      expect((await readers(id)).every(({ read }) => !read)).toBe(true);
      expect(await confirm(guardHere, id, 2)).toBe(true);
      expect((await readers(id)).filter(({ read }) => read)).toMatchObject([
        { name: guardHere.name },
      ]);
    }));

  test('of one that is over is kept, but nobody is asked to read it again', () =>
    story(async ({ client, asOwner, publish, noticesOf }) => {
      const { id } = await publish();
      await asOwner(
        'update announcements set last_day = private.company_date() - 1 where id = $1',
        [id],
      );
      await become(client, hr);
      const edit = (readAgain: boolean) =>
        client.query(
          `select edit_announcement(id, title, 'Charge them at night.', must_read, last_day, $2)
           from announcements where id = $1`,
          [id, readAgain],
        );
      expect(await attempt(client, () => edit(true))).toBe('23514');
      expect(await attempt(client, () => edit(false))).toBeUndefined();
      expect(await noticesOf(guardHere)).toHaveLength(1);
    }));

  test('of a withdrawn one is refused', () =>
    story(async ({ client, publish, withdraw, edit }) => {
      const { id } = await publish();
      await withdraw(id);
      expect(await attempt(client, () => edit(id, 'x', false))).toBe('PT409');
      expect(await attempt(client, () => edit(randomUUID(), 'x', false))).toBe('PT404');
    }));
});

describe('an announcement ends', () => {
  test('when it is withdrawn: on every phone, with its notices, and not in the office', () =>
    story(async ({ client, publish, edit, withdraw, phone, noticesOf, confirm, readers }) => {
      const { id } = await publish();
      await confirm(guardHere, id);
      await edit(id, 'Charge them at night.', true);
      await withdraw(id);
      await withdraw(id);
      expect(await phone(guardHere)).toEqual([]);
      expect(await noticesOf(guardHere)).toEqual([]);
      expect(await readers(id)).toEqual([]);
      const { rows } = await client.query('select state, unread from announcement_list');
      expect(rows).toEqual([{ state: 'withdrawn', unread: 0 }]);
      expect(await attempt(client, () => withdraw(randomUUID()))).toBe('PT404');
    }));

  test('after its last day', () =>
    story(async ({ client, publish, phone, asOwner }) => {
      await publish();
      expect(await phone(guardHere)).toHaveLength(1);
      await asOwner(`update announcements set last_day = private.company_date()`);
      expect(await phone(guardHere)).toHaveLength(1);
      await asOwner(`update announcements set last_day = private.company_date() - 1`);
      expect(await phone(guardHere)).toEqual([]);
      await become(client, hr);
      const { rows } = await client.query('select state, unread from announcement_list');
      expect(rows).toEqual([{ state: 'ended', unread: 0 }]);
    }));

  test('for a reader who leaves the company', () =>
    story(async ({ client, publish, readers, phone }) => {
      const { id } = await publish({ site: scene.sites.here });
      await become(client, admin);
      await client.query('select end_employment($1, private.company_date())', [guardHere.id]);
      expect(namesOf(await readers(id))).not.toContain(guardHere.name);
      expect(await attempt(client, () => phone(guardHere))).toBe('PT401');
    }));
});
