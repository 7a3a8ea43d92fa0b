// Guards bid for open shifts and swap theirs; the rules hold when they ask and again when a planner decides.
import pg from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  bystander,
  dispatcher,
  guardElsewhere,
  guardHere,
  newcomer,
  type Person,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  // Only what the stories make: nobody is on duty in the coming days.
  await database.owner.query(`
    delete from notices; delete from offers;
    delete from attendance; delete from clock_events; delete from assignments; delete from shifts`);
});

type Row = { id?: string } & Record<string, unknown>;

const idOf = ([row]: Row[]): string => row?.id ?? '';

interface Story {
  as: (person: Person, sql: string, values?: unknown[]) => Promise<Row[]>;
  /** Message of the refusal. */
  refusal: (person: Person, sql: string, values?: unknown[]) => Promise<string>;
  owner: (sql: string, values?: unknown[]) => Promise<Row[]>;
  /** @param hours from now @returns its id */
  shift: (
    hours: number,
    more?: { site?: 'here' | 'elsewhere'; seats?: number; length?: number },
  ) => Promise<string>;
  /** @returns the id of the assignment */
  assign: (shift: string, person: Person) => Promise<string>;
  bid: (person: Person, shift: string) => Promise<string>;
  staffed: (shift: string) => Promise<unknown[]>;
}

const story = (work: (story: Story) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    const owner: Story['owner'] = async (sql, values = []) => {
      await becomeOwner(client);
      return (await client.query(sql, values)).rows;
    };
    const as: Story['as'] = async (person, sql, values = []) => {
      await become(client, person);
      return (await client.query(sql, values)).rows;
    };
    await work({
      as,
      owner,
      refusal: async (person, sql, values = []) => {
        await become(client, person);
        await client.query('savepoint tried');
        try {
          await client.query(sql, values);
        } catch (error) {
          if (!(error instanceof pg.DatabaseError)) throw error;
          await client.query('rollback to savepoint tried');
          return error.message;
        }
        return 'nothing was refused';
      },
      shift: async (hours, { site = 'here', seats = 1, length = 8 } = {}) =>
        idOf(
          await owner(
            `insert into shifts (site_id, start_time, end_time, required_headcount)
             values ($1, now() + make_interval(hours => $2), now() + make_interval(hours => $3), $4) returning id`,
            [scene.sites[site], hours, hours + length, seats],
          ),
        ),
      assign: async (shift, person) =>
        idOf(
          await owner('insert into assignments (shift_id, user_id) values ($1, $2) returning id', [
            shift,
            person.id,
          ]),
        ),
      bid: async (person, shift) =>
        idOf(await as(person, 'select * from bid_for_shift($1)', [shift])),
      staffed: async (shift) =>
        (
          await owner(
            'select user_id from assignments where shift_id = $1 and counts_as_staffed order by user_id',
            [shift],
          )
        ).map(({ user_id }) => user_id),
    });
  });

const DECIDE = 'select * from decide_offers(array[$1::uuid], $2)';
const SWAP = 'select * from propose_swap($1, $2, $3)';
const ANSWER = 'select * from answer_swap($1, $2)';

describe('open shifts', () => {
  test('are those with a free seat that the guard may lawfully take, nearest first', () =>
    story(async ({ as, owner, shift, assign }) => {
      await owner(`update sites set latitude = 6.35 where id = $1`, [scene.sites.elsewhere]);
      await owner(`update profiles set home_position = '6.36,-10.8' where id = $1`, [guardHere.id]);
      const duty = await shift(20);
      await assign(duty, guardHere);
      await shift(30, { length: 4 }); // 2 hours after the duty
      const taken = await shift(60);
      await assign(taken, bystander);
      const here = await shift(60, { seats: 2 });
      const there = await shift(90, { site: 'elsewhere' });
      await shift(24 * 15);
      await shift(-1);
      const open = await as(guardHere, 'select shift_id, seats, distance_km from open_shifts()');
      expect(open).toEqual([
        { shift_id: there, seats: 1, distance_km: '1.1' },
        { shift_id: here, seats: 2, distance_km: '6.7' },
      ]);
      expect(await as(newcomer, 'select * from open_shifts()')).toEqual([]);
    }));

  test('of a week that is still being planned are not offered, nor seats that a draft fills', () =>
    story(async ({ as, owner, shift }) => {
      const planned = await shift(60);
      const drafted = await shift(60);
      await owner('update shifts set is_manual = false where id = $1', [planned]);
      await owner(
        `insert into roster_changes (shift_id, user_id, change) values ($1, $2, 'assign')`,
        [drafted, bystander.id],
      );
      expect(await as(guardHere, 'select * from open_shifts()')).toEqual([]);
      await owner(
        `insert into roster_periods (starts_on, state)
         select date_trunc('week', start_time at time zone 'Africa/Monrovia')::date, 'published'
         from shifts where id = $1`,
        [planned],
      );
      expect(await as(guardHere, 'select shift_id from open_shifts()')).toEqual([
        { shift_id: planned },
      ]);
    }));

  test('leave out what the guard has declined, until a planner assigns the guard again', () =>
    story(async ({ as, owner, shift, assign }) => {
      const declined = await shift(60);
      await as(guardHere, `select answer_assignment($1, 'decline', 'Ill')`, [
        await assign(declined, guardHere),
      ]);
      const listed = 'select shift_id from open_shifts()';
      expect(await as(guardHere, listed)).toEqual([]);
      expect(await as(bystander, listed)).toEqual([{ shift_id: declined }]);
      const again = await assign(declined, guardHere);
      await owner(`update assignments set status = 'cancelled' where id = $1`, [again]);
      expect(await as(guardHere, listed)).toEqual([{ shift_id: declined }]);
    }));
});

describe('a bid', () => {
  test('is made once, tells the planners, and an approval gives the seat', () =>
    story(async ({ as, owner, shift, bid, staffed }) => {
      const open = await shift(60);
      const first = await bid(guardHere, open);
      expect(await bid(guardHere, open)).toBe(first);
      expect(await as(guardHere, 'select bid_id from open_shifts()')).toEqual([{ bid_id: first }]);
      const told = await owner(`select user_id from notices where kind = 'bid' order by 1`);
      expect(told.map(({ user_id }) => user_id)).toEqual([supervisorHere.id, dispatcher.id]);
      expect(
        await as(supervisorHere, 'select full_name, seats, obstacle from offers_to_decide()'),
      ).toEqual([{ full_name: guardHere.name, seats: 1, obstacle: null }]);
      await as(supervisorHere, DECIDE, [first, true]);
      expect(await staffed(open)).toEqual([guardHere.id]);
      expect(await owner(`select title from notices where user_id = $1`, [guardHere.id])).toEqual([
        { title: 'The shift is yours' },
      ]);
    }));

  test('that would break the rest is refused with the reason', () =>
    story(async ({ shift, assign, refusal }) => {
      await assign(await shift(20), guardHere);
      const early = await shift(36);
      expect(await refusal(guardHere, 'select * from bid_for_shift($1)', [early])).toBe(
        "You can't take this shift: 8 h rest, 12 needed",
      );
    }));

  test('is checked again at the decision', () =>
    story(async ({ owner, shift, assign, bid, refusal, staffed }) => {
      const open = await shift(60);
      const asked = await bid(guardHere, open);
      const other = await assign(await shift(72), guardHere);
      expect(await refusal(supervisorHere, DECIDE, [asked, true])).toContain('4 h rest, 12 needed');
      await owner('delete from assignments where id = $1', [other]);
      await owner(
        `insert into leave_requests (user_id, type, start_date, end_date, reason, status)
         values ($1, 'annual', current_date, current_date + 8, 'Family', 'approved')`,
        [guardHere.id],
      );
      expect(await refusal(supervisorHere, DECIDE, [asked, true])).toContain('On approved leave');
      expect(await staffed(open)).toEqual([]);
    }));

  test('is declined, with what the planner says to who asked', () =>
    story(async ({ as, owner, shift, bid, staffed }) => {
      const open = await shift(60);
      const asked = await bid(guardHere, open);
      await as(supervisorHere, 'select decide_offers($1, false, $2)', [[asked], ' Next week. ']);
      expect(await staffed(open)).toEqual([]);
      expect(
        await owner('select status, decision_note, decided_by from offers where id = $1', [asked]),
      ).toEqual([
        { status: 'declined', decision_note: 'Next week.', decided_by: supervisorHere.id },
      ]);
      expect(
        await owner(
          `select title, right(body, 12) as said from notices where kind = 'offer_declined' and user_id = $1`,
          [guardHere.id],
        ),
      ).toEqual([{ title: 'You did not get the shift', said: '. Next week.' }]);
    }));

  test('for the last seat ends the others', () =>
    story(async ({ as, owner, shift, bid, refusal, staffed }) => {
      const open = await shift(60);
      const [mine, theirs] = [await bid(guardHere, open), await bid(bystander, open)];
      await as(dispatcher, DECIDE, [mine, true]);
      expect(await refusal(dispatcher, DECIDE, [theirs, true])).toContain(
        'It has already been decided.',
      );
      expect(await owner('select status from offers where id = $1', [theirs])).toEqual([
        { status: 'lapsed' },
      ]);
      expect(await staffed(open)).toEqual([guardHere.id]);
      expect(await refusal(bystander, 'select * from bid_for_shift($1)', [open])).toBe(
        'Every post of this shift has been given.',
      );
    }));

  test('of many is approved together, or none', () =>
    story(async ({ shift, bid, refusal, as, staffed }) => {
      const open = await shift(60);
      const other = await shift(60);
      const ids = [
        await bid(guardHere, open),
        await bid(bystander, open),
        await bid(guardElsewhere, other),
      ];
      expect(await refusal(dispatcher, 'select decide_offers($1, true)', [ids])).toMatch(
        /^Nothing was approved: 1 of 3 rows can't be\./,
      );
      expect(await staffed(open)).toEqual([]);
      await as(dispatcher, 'select decide_offers($1, true)', [[ids[0], ids[2]]]);
      expect(await staffed(other)).toEqual([guardElsewhere.id]);
    }));

  test('is decided by planners of the site, and by nobody for themselves', () =>
    story(async ({ owner, shift, bid, refusal, as }) => {
      const open = await shift(60);
      const asked = await bid(guardHere, open);
      for (const person of [guardHere, bystander, supervisorElsewhere]) {
        expect(await refusal(person, DECIDE, [asked, true])).toContain(
          "You don't plan the shifts of this site.",
        );
      }
      expect(await as(supervisorElsewhere, 'select * from offers_to_decide()')).toEqual([]);
      await owner(`insert into user_roles (user_id, role) values ($1, 'guard')`, [dispatcher.id]);
      const own = await bid(dispatcher, open);
      expect(await refusal(dispatcher, DECIDE, [own, true])).toContain('Someone else must decide');
    }));

  test('approves itself where the rules say so', () =>
    story(async ({ owner, shift, bid, staffed }) => {
      await owner('update rule_sets set bids_approve_themselves = true');
      const open = await shift(60);
      await bid(guardHere, open);
      expect(await staffed(open)).toEqual([guardHere.id]);
    }));

  test('can be withdrawn until it is decided', () =>
    story(async ({ shift, bid, as, refusal }) => {
      const open = await shift(60);
      const asked = await bid(guardHere, open);
      await as(guardHere, 'select withdraw_offer($1)', [asked]);
      expect(await refusal(dispatcher, DECIDE, [asked, true])).toContain('already been decided');
      expect(await bid(guardHere, open)).not.toBe(asked);
    }));
});

describe('a swap', () => {
  test('goes to the colleague, then to a planner, and exchanges both shifts', () =>
    story(async ({ as, owner, shift, assign, staffed }) => {
      const [night, day] = [await shift(60), await shift(100)];
      const [mine, theirs] = [await assign(night, guardHere), await assign(day, bystander)];
      expect(
        await as(guardHere, 'select full_name, may_take from swap_choices($1)', [mine]),
      ).toEqual([{ full_name: bystander.name, may_take: true }]);
      const swap = idOf(await as(guardHere, SWAP, [mine, bystander.id, theirs]));
      expect(await as(bystander, 'select other_name, is_mine, status from my_offers()')).toEqual([
        { other_name: guardHere.name, is_mine: false, status: 'asked' },
      ]);
      expect(await as(admin, 'select * from offers_to_decide()')).toEqual([]);
      await as(bystander, ANSWER, [swap, true]);
      await as(supervisorHere, DECIDE, [swap, true]);
      expect(await staffed(night)).toEqual([bystander.id]);
      expect(await staffed(day)).toEqual([guardHere.id]);
      const told = await owner(
        `select user_id from notices where kind = 'offer_approved' order by 1`,
      );
      expect(told.map(({ user_id }) => user_id)).toEqual([guardHere.id, bystander.id]);
    }));

  test('approves itself where the rules say so, unless they forbid it by then', () =>
    story(async ({ as, owner, shift, assign, refusal, staffed }) => {
      await owner('update rule_sets set swaps_approve_themselves = true');
      const [night, day] = [await shift(60), await shift(100)];
      const [mine, theirs] = [await assign(night, guardHere), await assign(day, bystander)];
      const swap = idOf(await as(guardHere, SWAP, [mine, bystander.id, theirs]));
      // Not before the colleague has agreed.
      expect(await staffed(night)).toEqual([guardHere.id]);
      const late = await assign(await shift(72, { site: 'elsewhere' }), bystander);
      expect(await refusal(bystander, ANSWER, [swap, true])).toContain('4 h rest');
      await owner('delete from assignments where id = $1', [late]);
      await as(bystander, ANSWER, [swap, true]);
      expect(await staffed(night)).toEqual([bystander.id]);
      expect(await staffed(day)).toEqual([guardHere.id]);
      expect(await as(supervisorHere, 'select * from offers_to_decide()')).toEqual([]);
    }));

  test('is checked again at the decision', () =>
    story(async ({ as, shift, assign, refusal, staffed }) => {
      const night = await shift(60);
      const mine = await assign(night, guardHere);
      await assign(await shift(100), bystander);
      const swap = idOf(await as(guardHere, SWAP, [mine, bystander.id, null]));
      await as(bystander, ANSWER, [swap, true]);
      await assign(await shift(72, { site: 'elsewhere' }), bystander);
      expect(await refusal(supervisorHere, DECIDE, [swap, true])).toContain('4 h rest');
      expect(await staffed(night)).toEqual([guardHere.id]);
    }));

  test('does not tell why a colleague can’t', () =>
    story(async ({ shift, assign, refusal }) => {
      const mine = await assign(await shift(60), guardHere);
      await assign(await shift(70), bystander);
      expect(await refusal(guardHere, SWAP, [mine, bystander.id, null])).toBe(
        `${bystander.name} can't take this shift.`,
      );
    }));

  test('ends when the shift is declined', () =>
    story(async ({ as, owner, shift, assign }) => {
      const mine = await assign(await shift(60), guardHere);
      const swap = idOf(await as(guardHere, SWAP, [mine, bystander.id, null]));
      await as(guardHere, `select answer_assignment($1, 'decline', 'Ill')`, [mine]);
      expect(await owner('select status from offers where id = $1', [swap])).toEqual([
        { status: 'lapsed' },
      ]);
    }));

  test('is answered by the colleague alone', () =>
    story(async ({ as, shift, assign, refusal }) => {
      const mine = await assign(await shift(60), guardHere);
      const swap = idOf(await as(guardHere, SWAP, [mine, bystander.id, null]));
      for (const person of [guardHere, guardElsewhere, admin]) {
        expect(await refusal(person, ANSWER, [swap, true])).toBe('This request is no longer open.');
      }
    }));
});

test('two planners who approve two bids at once give the last seat once', async () => {
  const { owner } = database;
  const one = async (sql: string, values: unknown[]) =>
    String((await owner.query(sql, values)).rows[0].id);
  for (let round = 0; round < 5; round += 1) {
    const open = await one(
      `insert into shifts (site_id, start_time, end_time)
       values ($1, now() + make_interval(days => $2), now() + make_interval(days => $2, hours => 8)) returning id`,
      [scene.sites.here, 3 + 2 * round],
    );
    const bids = await Promise.all(
      [guardHere, bystander].map(({ id }) =>
        one(
          `insert into offers (kind, shift_id, user_id, status, site_id) values ('bid', $1, $2, 'open', $3) returning id`,
          [open, id, scene.sites.here],
        ),
      ),
    );
    const results = await Promise.allSettled(
      bids.map(async (id, index) => {
        const client = await owner.connect();
        try {
          await client.query('begin');
          await become(client, index === 0 ? dispatcher : supervisorHere);
          await client.query(DECIDE, [id, true]);
          await client.query('commit');
        } finally {
          await client.query('rollback');
          client.release();
        }
      }),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { rows } = await owner.query('select from assignments where shift_id = $1', [open]);
    expect(rows).toHaveLength(1);
  }
});
