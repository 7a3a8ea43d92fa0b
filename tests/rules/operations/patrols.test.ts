// Rounds of tours, scans in every order, and the alert of a round that nobody finished.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bystander,
  guardElsewhere,
  guardHere,
  opsManager,
  type Person,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(`${LENIENT_RULES}; delete from tours; delete from checkpoint_scans;
    delete from checkpoints; delete from alerts; delete from clock_events; delete from attendance;
    delete from assignments where starts_at < now()`);
});

/** Minutes from now; the shift began 120 minutes ago, and a round is due every hour: one 60 minutes ago, one now. */
interface Scanned {
  code?: string;
  at?: number;
  gps?: string;
  id?: string;
  tour?: string;
}

interface Story {
  client: PoolClient;
  tour: string;
  /** Codes of the three checkpoints, in the order of the tour. */
  codes: [string, string, string];
  scan: (scans: Scanned[], person?: typeof guardHere) => Promise<{ id: string; flags: string[] }[]>;
  stored: () => Promise<Record<string, unknown>[]>;
  due: () => Promise<number>;
  alerts: () => Promise<Record<string, unknown>[]>;
  asOwner: (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
}

const story = (work: (story: Story) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    const asOwner: Story['asOwner'] = async (sql, values = []) => {
      await becomeOwner(client);
      return (await client.query(sql, values)).rows;
    };
    await asOwner(
      `update shifts set start_time = now() - interval '120 minutes', end_time = now() + interval '6 hours' where id =
         (select shift_id from assignments where id = $1)`,
      [scene.unattended.get(`${guardHere.id} here`)],
    );
    const points = await asOwner(
      `insert into checkpoints (site_id, name, latitude, longitude)
       select $1, n, 6.3, -10.8 from unnest(array['Gate', 'Store', 'Roof']) n returning id, code_secret`,
      [scene.sites.here],
    );
    const [made] = await asOwner(
      `insert into tours (site_id, post_id, name, every_minutes, checkpoints, tolerance_minutes, updated_at)
       values ($1, $2, 'Perimeter', 60, $3, 20, now() - interval '1 day') returning id`,
      [scene.sites.here, scene.posts.here, points.map(({ id }) => id)],
    );
    const [first, second, third] = points.map(({ code_secret }) => String(code_secret));
    const tour = String(made?.id);
    await work({
      client,
      tour,
      codes: [first ?? '', second ?? '', third ?? ''],
      asOwner,
      scan: async (scans, person = guardHere) => {
        await become(client, person);
        const list = scans.map(({ code = '', at = 0, gps = '6.3,-10.8', id, tour: of }) => ({
          id: id ?? crypto.randomUUID(),
          code,
          way: 'typed',
          device_at: new Date(Date.now() + at * 60_000).toISOString(),
          gps,
          tour_id: of,
        }));
        const { rows } = await client.query('select record_scans($1) as done', [
          JSON.stringify(list),
        ]);
        return rows[0].done;
      },
      stored: () =>
        asOwner(`select c.name, s.flags, s.tour_id is not null as in_round from checkpoint_scans s
          left join checkpoints c on c.id = s.checkpoint_id order by s.received_at, s.scanned_at`),
      due: async () => {
        const [row] = await asOwner('select private.due_tours() as n');
        return Number(row?.n);
      },
      alerts: () =>
        asOwner('select kind, detail, outcome, closed_at is not null as is_closed from alerts'),
    });
  });

/** For the office, on the days on which something may have been scanned 30 minutes ago. */
const looseFor = async ({ client, asOwner }: Story, person: Person, site: string | null = null) => {
  await asOwner('select 1');
  await become(client, person);
  const { rows } = await client.query(
    `select l.checkpoint, l.code, l.guard, l.flags from generate_series(0, 1) ago,
       scans_outside_rounds((now() at time zone 'Africa/Monrovia')::date - ago, $1) l order by l.scanned_at`,
    [site],
  );
  return rows;
};

const flagsOf = (done: { flags: string[] }[]) => done.map(({ flags }) => flags);

describe('scans', () => {
  test('in order and in time have no flags, and count once however often they are sent', () =>
    story(async ({ codes, scan, stored }) => {
      const ids = codes.map(() => crypto.randomUUID());
      const list = codes.map((code, n) => ({ code, at: n - 3, id: ids[n] ?? '' }));
      expect(flagsOf(await scan(list))).toEqual([[], [], []]);
      expect(flagsOf(await scan([...list, ...list]))).toHaveLength(6);
      expect(await stored()).toEqual(
        ['Gate', 'Store', 'Roof'].map((name) => ({ name, flags: [], in_round: true })),
      );
    }));

  test.each([
    [
      'spaces, small letters and letters for digits',
      (code: string) =>
        ` ${code
          .toLowerCase()
          .replaceAll('0', 'o')
          .replace(/(.{4})/, '$1-')} `,
      [],
    ],
    ['an unknown code', () => '99ZZZZZZ', ['unknown_code']],
    ['another label altogether', () => 'https://example.com/'.repeat(20), ['unknown_code']],
  ])('are stored with %s', (_what, read, flags) =>
    story(async ({ codes, scan }) => {
      expect(flagsOf(await scan([{ code: read(codes[0]) }]))).toEqual([flags]);
    }),
  );

  test('too far from the checkpoint, too soon after another and out of order are flagged', () =>
    story(async ({ codes: [first, second, third], scan }) => {
      expect(flagsOf(await scan([{ code: third, at: -5, gps: '6.31,-10.8' }]))).toEqual([
        ['too_far', 'out_of_order'],
      ]);
      expect(
        flagsOf(
          await scan([
            { code: first, at: -4 },
            { code: second, at: -3.9 },
          ]),
        ),
      ).toEqual([[], ['too_early']]);
    }));

  test('of a guard without a shift there are stored and flagged, and finish no round', () =>
    story(async ({ codes, scan, asOwner, tour }) => {
      const done = await scan(
        codes.map((code, n) => ({ code, at: n - 3 })),
        guardElsewhere,
      );
      expect(flagsOf(done)).toEqual([['no_shift'], ['no_shift'], ['no_shift']]);
      const [row] = await asOwner(
        `select max(private.count_scanned_checkpoints($1, tour_at)) as n from checkpoint_scans`,
        [tour],
      );
      expect(row?.n).toBe(0);
    }));

  test('from a phone whose clock is ahead are not in the future', () =>
    story(async ({ codes, scan, asOwner }) => {
      await scan([{ code: codes[0], at: 60 * 24 * 400 }]);
      const [row] = await asOwner('select scanned_at <= now() as ok from checkpoint_scans');
      expect(row?.ok).toBe(true);
    }));

  test('keep their owner: nobody else can use the id', () =>
    story(async ({ client, codes, scan }) => {
      const id = crypto.randomUUID();
      await scan([{ code: codes[0], id }]);
      expect(await attempt(client, () => scan([{ code: codes[0], id }], bystander))).toBe('23505');
    }));

  test.each([
    ['null'],
    ['{}'],
    ['[]'],
    ['[1]'],
    ['[{"id":"x"}]'],
    [
      '[{"id":"00000000-0000-4000-8000-000000000000","code":"1","way":"nfc","device_at":"infinity"}]',
    ],
  ])('that no phone sends are refused: %s', (list) =>
    story(async ({ client }) => {
      await become(client, guardHere);
      const send = () => client.query('select record_scans($1::jsonb)', [list]);
      expect(await attempt(client, send)).toBe('22023');
    }),
  );
});

describe('the alert of a round', () => {
  test('is raised once when it is not finished in time, with what was scanned', () =>
    story(async ({ codes, scan, due, alerts }) => {
      await scan([{ code: codes[0], at: -62 }]);
      expect(await due()).toBe(1);
      expect(await due()).toBe(0);
      expect(await alerts()).toEqual([
        {
          kind: 'tour',
          detail: expect.stringMatching(/^Perimeter, due .+: 1 of 3 checkpoints scanned$/),
          outcome: null,
          is_closed: false,
        },
      ]);
    }));

  test('closes when scans made in time arrive late', () =>
    story(async ({ codes, scan, due, alerts }) => {
      await due();
      await scan(codes.map((code, n) => ({ code, at: -62 + n })));
      expect(await alerts()).toMatchObject([{ outcome: 'answered', is_closed: true }]);
      expect(await due()).toBe(0);
    }));

  test('stays open when the last scan was made too late', () =>
    story(async ({ codes, scan, due, alerts }) => {
      await due();
      await scan(codes.map((code, n) => ({ code, at: n === 2 ? -30 : -62 + n })));
      expect(await alerts()).toMatchObject([{ is_closed: false }]);
    }));

  test('is not raised for a finished round, an empty shift, or a tour planned since', () =>
    story(async ({ codes, scan, due, asOwner, client }) => {
      await asOwner('savepoint before');
      await scan(codes.map((code, n) => ({ code, at: -62 + n })));
      expect(await due()).toBe(0);
      await client.query('rollback to savepoint before');
      await asOwner(`update assignments set status = 'cancelled' where starts_at < now()`);
      expect(await due()).toBe(0);
      await client.query('rollback to savepoint before');
      await asOwner(`update tours set name = 'Perimeter wall'`);
      expect(await due()).toBe(0);
    }));
});

describe('a tour', () => {
  test('at clock times has its rounds within the shift, by the clock of the site', () =>
    story(async ({ tour, asOwner }) => {
      await asOwner(
        `update tours set every_minutes = null, times = array(
           select (now() at time zone 'Africa/Monrovia' + n * interval '1 hour')::time from unnest(array[-3, 1]) n)`,
      );
      const rounds = await asOwner(
        `select round(extract(epoch from due_at - now()) / 60) as minutes
         from private.tour_rounds(now() - interval '4 hours', now() + interval '4 hours') where tour_id = $1`,
        [tour],
      );
      expect(rounds.map(({ minutes }) => Number(minutes))).toEqual([60]);
    }));

  test.each([
    ['checkpoints of another site', `checkpoints = array[gen_random_uuid()]`],
    ['a checkpoint twice', `checkpoints = checkpoints || checkpoints[1]`],
    ['rounds that overlap', `tolerance_minutes = 31`],
    ['times that overlap', `every_minutes = null, times = '{06:00,06:30}'`],
    ['neither times nor an interval', `every_minutes = null`],
  ])('can’t have %s', (_what, change) =>
    story(async ({ client, asOwner }) => {
      const update = () => asOwner(`update tours set ${change}`);
      expect(await attempt(client, update)).toBe('23514');
    }),
  );

  test('is what the guard’s phone shows, without codes, and the planner’s day', () =>
    story(async ({ client, codes, scan, asOwner }) => {
      await scan([{ code: codes[0], at: -2 }]);
      await become(client, guardHere);
      const { rows } = await client.query('select * from my_tours()');
      expect(rows[1]).toMatchObject({ name: 'Perimeter', site_name: 'Here' });
      expect(rows[1].points).toMatchObject([
        { number: 1, name: 'Gate', scanned_at: expect.any(String) },
        { number: 2, name: 'Store', scanned_at: null },
        { number: 3, name: 'Roof', scanned_at: null },
      ]);
      expect(JSON.stringify(rows)).not.toContain(codes[0]);
      // Patrols end with the shift, and go on if the clock-out is undone.
      const left = (state: string) =>
        asOwner(
          `update assignments set attendance_state = '${state}' where user_id = '${guardHere.id}'`,
        );
      const shown = async () => {
        await become(client, guardHere);
        return (await client.query('select * from my_tours()')).rows.length;
      };
      await left('out');
      expect(await shown()).toBe(0);
      await left('in');
      expect(await shown()).toBe(rows.length);
      expect((await client.query('select * from checkpoints')).rows).toEqual([]);
      const [day] = await asOwner('select private.company_date()::text as day');
      await become(client, opsManager);
      const planned = await client.query('select * from tours_of_day($1, $2)', [
        day?.day,
        scene.sites.here,
      ]);
      expect(planned.rows.flatMap(({ scans }) => scans)).toMatchObject([
        { checkpoint: 'Gate', guard: 'guard on the site', flags: [] },
      ]);
      await become(client, bystander);
      expect((await client.query('select * from tours_of_day(current_date)')).rows).toEqual([]);
    }));
});

test('the check character is the one that phones compute', async () => {
  const { rows } = await database.owner.query(`select private.check_character('07K3QX9') as last`);
  expect(rows).toEqual([{ last: 'V' }]);
});

test('a checkpoint’s code never changes, has a check character, and stays while a tour visits it', () =>
  story(async ({ client, codes, asOwner }) => {
    await asOwner(
      `update checkpoints set code_secret = '01AAAAAA', name = name || ' 2', number = 9`,
    );
    const rows = await asOwner(
      'select number, code_secret, private.check_character(code_secret) as last from checkpoints order by number',
    );
    expect(rows.map(({ code_secret }) => code_secret)).toEqual(codes);
    expect(rows.map(({ code_secret, last }) => String(code_secret).at(-1) === last)).toEqual([
      true,
      true,
      true,
    ]);
    expect(await attempt(client, () => asOwner('delete from checkpoints'))).toBe('23503');
  }));

describe('scans outside a round', () => {
  test('are listed for the planners of the site, with what was read; those of a round are not', () =>
    story(async (s) => {
      const [gate, store] = s.codes;
      await s.scan([
        { code: gate, at: -62 },
        { code: store, at: -30 },
        { code: '99ZZZZZZ', at: -29 },
      ]);
      const expected = [
        { checkpoint: 'Store', code: null, guard: guardHere.name, flags: [] },
        { checkpoint: null, code: '99ZZZZZZ', guard: guardHere.name, flags: ['unknown_code'] },
      ];
      expect(await looseFor(s, opsManager)).toEqual(expected);
      expect(await looseFor(s, supervisorHere, scene.sites.here)).toEqual(expected);
      expect(await looseFor(s, supervisorElsewhere)).toEqual([]);
      expect(await looseFor(s, opsManager, scene.sites.elsewhere)).toEqual([]);
      expect(await looseFor(s, guardHere)).toEqual([]);
    }));

  test('include those of a round that is no longer planned, and of nobody’s site', () =>
    story(async (s) => {
      await s.scan([{ code: s.codes[0], at: -62 }]);
      expect(await looseFor(s, opsManager)).toEqual([]);
      await s.asOwner('update tours set every_minutes = 90');
      expect(await looseFor(s, opsManager)).toMatchObject([{ checkpoint: 'Gate' }]);
      await s.scan([{ code: '99ZZZZZZ', at: -30 }], opsManager);
      expect(await looseFor(s, opsManager)).toHaveLength(2);
      expect(await looseFor(s, supervisorHere)).toHaveLength(1);
    }));
});
