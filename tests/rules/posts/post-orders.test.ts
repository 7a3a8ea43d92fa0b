// Versions of post orders, who has read them, and guards who clock in without.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { bystander, guardElsewhere, guardHere, opsManager } from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  // Only the shifts that start in two hours, before which nobody has clocked in.
  await database.owner.query(`${LENIENT_RULES}; delete from post_orders; delete from clock_events;
    delete from attendance; delete from assignments where starts_at < now()`);
});

interface Story {
  client: PoolClient;
  /** Orders of the site "Here", or of its post. @returns the id */
  write: (title: string, more?: { ofPost?: boolean; from?: string }) => Promise<string>;
  /** What the guard's phone shows of the shift that starts in two hours. */
  phone: () => Promise<
    { order_id: string; title: string; version: number; read_at: Date | null }[]
  >;
  confirm: (ids: (string | null)[] | null, at?: string) => Promise<number>;
  readers: (id: string) => Promise<Record<string, unknown>[]>;
}

const story = (work: (story: Story) => Promise<void>) =>
  rolledBack(database.owner, (client) => {
    const rowsOf = async (sql: string, values: unknown[] = []) =>
      (await client.query(sql, values)).rows;
    return work({
      client,
      write: async (title, { ofPost = false, from = '2026-01-01' } = {}) => {
        await become(client, opsManager);
        const [row] = await rowsOf(
          `insert into post_orders (site_id, post_id, title, body, valid_from)
           values ($1, $2, $3, 'Check every car', $4) returning id`,
          [scene.sites.here, ofPost ? scene.posts.here : null, title, from],
        );
        return row.id;
      },
      phone: async () => {
        await become(client, guardHere);
        return rowsOf('select * from my_post_orders()');
      },
      confirm: async (ids, at = 'now') => {
        await become(client, guardHere);
        const [row] = await rowsOf('select confirm_post_orders($1, $2) as n', [ids, at]);
        return row.n;
      },
      readers: async (id) => {
        await become(client, opsManager);
        return rowsOf('select * from post_order_readers($1)', [id]);
      },
    });
  });

describe('a new version', () => {
  test('replaces the old one for guards, and changes nothing of it', () =>
    story(async ({ client, write, phone }) => {
      const first = await write('Gate');
      const second = await write('Gate, with visitors');
      expect(await phone()).toMatchObject([{ order_id: second, version: 2, read_at: null }]);
      await become(client, opsManager);
      const { rows } = await client.query('select id, version, title from post_orders order by 2');
      expect(rows).toEqual([
        { id: first, version: 1, title: 'Gate' },
        { id: second, version: 2, title: 'Gate, with visitors' },
      ]);
      const change = `update post_orders set body = 'x'`;
      expect(await attempt(client, () => client.query(change))).toBe('42501');
    }));

  test('that begins later leaves the one in force', () =>
    story(async ({ write, phone }) => {
      const now = await write('Now');
      await write('Next year', { from: '2099-01-01' });
      expect(await phone()).toMatchObject([{ order_id: now }]);
    }));

  test('of today reaches a guard who has been on duty since yesterday', () =>
    story(async ({ client, write, phone, readers }) => {
      const start = await write('Gate');
      await becomeOwner(client);
      const assignment = scene.unattended.get(`${guardHere.id} here`);
      await client.query(
        `update shifts set start_time = now() - interval '3 hours' where id =
           (select shift_id from assignments where id = $1)`,
        [assignment],
      );
      await client.query('alter table attendance disable trigger user');
      await client.query(
        `insert into attendance (assignment_id, user_id, site_id, clock_in_at)
         select id, user_id, site_id, now() from assignments where id = $1`,
        [assignment],
      );
      await client.query('alter table sites drop constraint sites_timezone_check');
      // The first hour of a day at the site, whatever the time of the test.
      const { rows } = await client.query(
        `update sites set timezone = (
           select name from pg_timezone_names
           where name like 'Etc/GMT%' and extract(hour from now() at time zone name) = 0 limit 1)
         where id = $1 returning (now() at time zone timezone)::date::text as today`,
        [scene.sites.here],
      );
      expect(await phone()).toMatchObject([{ order_id: start }]);
      const today = await write('Gate, with visitors', { from: rows[0].today });
      expect(await phone()).toMatchObject([{ order_id: today, read_at: null }]);
      const unread = { read_at: null, clocked_in_unread: false };
      expect(await readers(today)).toMatchObject([
        { ...unread, user_id: bystander.id },
        { ...unread, user_id: guardHere.id },
      ]);
      expect(await readers(start)).toHaveLength(2);
    }));

  test('of the post is read beside that of the site, and counts for itself', () =>
    story(async ({ write, phone }) => {
      await write('Site');
      await write('Post', { ofPost: true });
      expect(await phone()).toMatchObject([
        { title: 'Site', version: 1, post_name: null },
        { title: 'Post', version: 1, post_name: 'Gate' },
      ]);
    }));
});

describe('a confirmation', () => {
  test('counts once, however often and late it arrives, with the time of the phone', () =>
    story(async ({ write, phone, confirm }) => {
      const id = await write('Gate');
      expect(await confirm([id], '2026-06-01T10:00Z')).toBe(1);
      expect(await confirm([id, id])).toBe(1);
      const [shown] = await phone();
      expect(shown?.read_at).toEqual(new Date('2026-06-01T10:00Z'));
    }));

  test('is never in the future', () =>
    story(async ({ write, phone, confirm }) => {
      await confirm([await write('Gate')], '2199-01-01T00:00Z');
      const [shown] = await phone();
      expect(shown?.read_at?.getTime()).toBeLessThan(Date.now() + 60_000);
    }));

  test('leaves out what no longer exists or is another site’s, so that no phone gets stuck', () =>
    story(async ({ client, write, confirm }) => {
      const id = await write('Gate');
      await becomeOwner(client);
      const { rows } = await client.query(
        `insert into post_orders (site_id, title, body) values ($1, 'Elsewhere', 'x') returning id`,
        [scene.sites.elsewhere],
      );
      expect(await confirm([id, rows[0].id, crypto.randomUUID(), null])).toBe(1);
    }));

  test.each([
    [null, 'now'],
    [[], 'now'],
    [[bystander.id], 'infinity'],
  ])('needs orders and a time: %j at %s', (ids, at) =>
    story(async ({ client, confirm }) => {
      expect(await attempt(client, () => confirm(ids, at))).toBe('22023');
    }),
  );

  test('is of a new version again', () =>
    story(async ({ write, phone, confirm }) => {
      await confirm([await write('Gate')]);
      await write('Gate 2');
      expect(await phone()).toMatchObject([{ version: 2, read_at: null }]);
    }));
});

describe('a planner', () => {
  test('sees who has read, and who clocked in without', () =>
    story(async ({ client, write, confirm, readers }) => {
      const id = await write('Gate');
      await confirm([id]);
      await becomeOwner(client);
      await client.query(
        `update shifts set start_time = now() - interval '10 minutes' where id =
           (select shift_id from assignments where id = $1)`,
        [scene.unattended.get(`${bystander.id} here`)],
      );
      await client.query('alter table attendance disable trigger user');
      await client.query(
        `insert into attendance (assignment_id, user_id, site_id, clock_in_at)
         select id, user_id, site_id, now() from assignments where id = $1`,
        [scene.unattended.get(`${bystander.id} here`)],
      );
      expect(await readers(id)).toMatchObject([
        { user_id: bystander.id, read_at: null, clocked_in_unread: true },
        { user_id: guardHere.id, read_at: expect.any(Date), clocked_in_unread: false },
      ]);
    }));

  test('of another site reads nothing', () =>
    story(async ({ client, write }) => {
      const id = await write('Gate');
      await become(client, guardElsewhere);
      expect((await client.query('select * from post_order_readers($1)', [id])).rows).toEqual([]);
      expect((await client.query('select * from newest_post_orders')).rows).toEqual([]);
    }));
});

test('a clock-in without a confirmation is accepted', () =>
  story(async ({ client, write }) => {
    await write('Gate');
    await become(client, guardHere);
    const { rows } = await client.query(
      `select kind from record_clock_event(gen_random_uuid(), 'in', $1, now(), p_gps => '6.3,-10.8')`,
      [scene.unattended.get(`${guardHere.id} here`)],
    );
    expect(rows).toEqual([{ kind: 'in' }]);
  }));
