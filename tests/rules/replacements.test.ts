// Standing in for a guard who does not come: the ranking, offers to several guards, calls and no-shows.
import pg from 'pg';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bystander,
  dispatcher,
  guardElsewhere,
  guardHere,
  hr,
  newcomer,
  type Person,
  supervisorElsewhere,
} from '#tests/support/people.ts';
import { buildScene, type Scene } from '#tests/support/scene.ts';
import { attempt, become, becomeOwner, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

/** Nobody is on duty, and three people are guards: guardHere, bystander and guardElsewhere. */
const EMPTY = `
  delete from notices; delete from offers; delete from replacement_calls;
  delete from attendance; delete from clock_events; delete from assignments; delete from shifts`;

beforeAll(async () => {
  database = await freshDatabase();
  scene = await buildScene(database.owner);
  await database.owner.query(EMPTY);
  await database.owner.query(
    `delete from user_roles where role = 'guard' and user_id <> all ($1)`,
    [[guardHere.id, bystander.id, guardElsewhere.id]],
  );
});

type Row = Record<string, unknown>;

class Story {
  constructor(private readonly client: pg.PoolClient) {}

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
      [scene.sites.here, hours * 60, (hours + length) * 60, seats],
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

const story = (work: (story: Story) => Promise<void>) =>
  rolledBack(database.owner, (client) => work(new Story(client)));

const MARK = 'select no_show_reason, no_show_by, status from mark_no_show($1, $2)';

describe('the ranking', () => {
  test('has those who may lawfully come: not without rest, on leave, banned, gone, or no guard', () =>
    story(async (s) => {
      const shift = await s.shift(30);
      expect((await s.ranked(shift)).sort()).toEqual(
        [guardHere.id, bystander.id, guardElsewhere.id].sort(),
      );
      await s.assign(await s.shift(15), guardHere); // 7 hours before
      await s.owner(
        `insert into leave_requests (user_id, type, start_date, end_date, reason, status)
         values ($1, 'annual', current_date, current_date + 5, 'Family', 'approved')`,
        [bystander.id],
      );
      expect(await s.ranked(shift)).toEqual([guardElsewhere.id]);
      await s.owner(`update profiles set left_on = current_date where id = $1`, [
        guardElsewhere.id,
      ]);
      expect(await s.ranked(shift)).toEqual([]);
    }));

  test('agrees with the rules about every guard, whatever else they do', () =>
    story(async (s) => {
      // Duties of 8 and 12 hours through two weeks: short rests, full weeks, many days in a row.
      const guards = [guardHere, bystander, guardElsewhere];
      for (let day = 1; day < 14; day += 1) {
        for (const [place, guard] of guards.entries()) {
          if ((day * (place + 3)) % (place + 4) < 2) continue;
          const duty = await s.shift(24 * day + 5 * place, { length: place === 1 ? 12 : 8 });
          await s.assignIfLawful(duty, guard);
        }
      }
      const verdicts = new Set<boolean>();
      for (let hour = 20; hour < 300; hour += 9) {
        const shift = await s.shift(hour, { length: hour % 2 === 0 ? 12 : 6 });
        const may = await s.owner(
          `select p.id from profiles p, shifts s
           where s.id = $1 and private.obstacle_to_replace(p.id, s) is null order by p.id`,
          [shift],
        );
        expect((await s.ranked(shift)).sort(), `${hour} h`).toEqual(may.map(({ id }) => id));
        for (const { id } of guards) verdicts.add(may.some((row) => row.id === id));
      }
      expect(verdicts.size).toBe(2);
    }));

  test('prefers who knows the site, lives near and said yes last time, and says why', () =>
    story(async (s) => {
      await s.owner(`update profiles set home_position = '6.31,-10.8' where id = $1`, [
        bystander.id,
      ]);
      await s.owner(`update profiles set home_position = '6.6,-10.8' where id = $1`, [
        guardElsewhere.id,
      ]);
      for (const days of [2, 4, 6, 8]) {
        await s.assign(await s.shift(-24 * days), guardHere);
      }
      const shift = await s.shift(30);
      expect(await s.ranked(shift)).toEqual([guardHere.id, bystander.id, guardElsewhere.id]);
      await s.as(dispatcher, 'select note_call($1, $2, $3)', [shift, guardHere.id, 'wrong_number']);
      const rows = await s.as(
        dispatcher,
        'select user_id, rank, distance_km, knows_site, last_answer, reasons from rank_replacements($1)',
        [shift],
      );
      expect(rows[0]).toMatchObject({
        user_id: bystander.id,
        rank: 1,
        distance_km: '1.1',
        knows_site: 0,
        last_answer: null,
      });
      expect(rows.find(({ user_id }) => user_id === guardHere.id)).toMatchObject({
        knows_site: 4,
        last_answer: 'wrong_number',
        reasons: expect.arrayContaining(['Knows this site: 4 shifts']),
      });
    }));

  test('of a running shift counts the rest of it', () =>
    story(async (s) => {
      // It ended 11 hours before this shift began, which is 12.5 hours before anybody could be there now.
      await s.assign(await s.shift(-20), guardHere);
      const running = await s.shift(-1, { length: 8 });
      expect(await s.ranked(running)).toContain(guardHere.id);
      const [asked] = await s.offer(running, guardHere);
      expect(await s.answer(guardHere, asked, true)).toMatchObject({ status: 'approved' });
      const [row] = await s.owner(
        `select starts_at between now() + interval '28 minutes' and now() + interval '30 minutes' as is_soon,
           upper(period) = (select end_time from shifts where id = $1) as is_to_the_end
         from assignments where shift_id = $1`,
        [running],
      );
      expect(row).toEqual({ is_soon: true, is_to_the_end: true });
      expect(await s.ranked(await s.shift(-8, { length: 8.25 }))).toEqual([]);
    }));

  test('leaves out who is on duty now, even if planned to be home', () =>
    story(async (s) => {
      const ended = await s.assign(await s.shift(-14, { length: 12 }), guardHere);
      await s.owner(
        `insert into attendance (assignment_id, clock_in_at) values ($1, now() - interval '14 hours')`,
        [ended],
      );
      const shift = await s.shift(11);
      expect(await s.ranked(shift)).not.toContain(guardHere.id);
      expect(
        await s.refused(dispatcher, 'select offer_shift($1, $2)', [shift, [guardHere.id]]),
      ).toBe(`${guardHere.name}: On duty now.`);
    }));

  test('is for planners of the site alone', () =>
    story(async (s) => {
      const shift = await s.shift(30);
      for (const person of [supervisorElsewhere, hr, guardHere, newcomer]) {
        for (const sql of [
          'select * from rank_replacements($1)',
          `select note_call($1, '${guardHere.id}', 'coming')`,
          `select offer_shift($1, array['${guardHere.id}']::uuid[])`,
        ]) {
          expect(await s.refused(person, sql, [shift]), person.name).toMatch(
            /You don't plan the shifts of this site|Finish signing in/,
          );
        }
      }
    }));
});

describe('an offer', () => {
  test('to several gives the seat to the first yes, and tells the others', () =>
    story(async (s) => {
      const shift = await s.shift(2);
      const [here, theirs, elsewhere] = await s.offer(shift, guardHere, bystander, guardElsewhere);
      expect(await s.told(guardHere)).toEqual(['Can you come?']);
      expect(await s.answer(bystander, theirs, false)).toMatchObject({ status: 'declined' });
      expect(await s.answer(guardHere, here, true)).toMatchObject({ status: 'approved' });
      expect(await s.staffed(shift)).toEqual([guardHere.id]);
      expect(await s.told(guardElsewhere)).toContain('The shift has gone to somebody else');
      expect(await s.told(bystander)).toEqual(['Can you come?']);
      expect(await s.told(dispatcher)).toEqual([`${guardHere.name} is coming`]);
      // Too late is an answer, and is kept.
      expect(await s.answer(guardElsewhere, elsewhere, true)).toEqual({
        status: 'lapsed',
        answer: 'yes',
        decision_note: 'The shift has gone to somebody else.',
      });
      // A no that becomes a yes is too late as well.
      expect(await s.answer(bystander, theirs, true)).toMatchObject({ status: 'lapsed' });
      expect(await s.staffed(shift)).toEqual([guardHere.id]);
    }));

  test('is sent at once, not with the notices of the next minutes', () =>
    story(async (s) => {
      await s.offer(await s.shift(2), guardHere);
      expect(
        await s.owner(
          'select distinct next_at <= now() as is_due from private.notice_deliveries where user_id = $1',
          [guardHere.id],
        ),
      ).toEqual([{ is_due: true }]);
    }));

  test('counts once, however often it is asked or answered', () =>
    story(async (s) => {
      const shift = await s.shift(2, { seats: 2 });
      const [first] = await s.offer(shift, guardHere);
      expect(await s.offer(shift, guardHere)).toEqual([first]);
      for (const _ of [1, 2, 3]) {
        expect(await s.answer(guardHere, first, true)).toMatchObject({ status: 'approved' });
      }
      // The seat is taken: declining it is another matter.
      expect(await s.answer(guardHere, first, false)).toMatchObject({ status: 'approved' });
      expect(await s.staffed(shift)).toEqual([guardHere.id]);
    }));

  test('for the second seat stays open', () =>
    story(async (s) => {
      const shift = await s.shift(2, { seats: 2 });
      const [here, theirs] = await s.offer(shift, guardHere, bystander);
      await s.answer(guardHere, here, true);
      expect(await s.answer(bystander, theirs, true)).toMatchObject({ status: 'approved' });
      expect(await s.staffed(shift)).toEqual([guardHere.id, bystander.id].sort());
    }));

  test('is refused with the rule when the guard may no longer come', () =>
    story(async (s) => {
      const shift = await s.shift(30);
      const [asked] = await s.offer(shift, guardHere);
      await s.assign(await s.shift(15), guardHere);
      expect(await s.answer(guardHere, asked, true)).toEqual({
        status: 'lapsed',
        answer: 'yes',
        decision_note: "You can't take this shift: 7 h rest, 12 needed.",
      });
      expect(await s.staffed(shift)).toEqual([]);
    }));

  test('closes when a planner assigns somebody, and without a notice for who is assigned', () =>
    story(async (s) => {
      const shift = await s.shift(2);
      const [here] = await s.offer(shift, guardHere, bystander);
      await s.assign(shift, bystander);
      expect(await s.told(bystander)).toEqual(['Can you come?']);
      expect(await s.answer(guardHere, here, true)).toMatchObject({ status: 'lapsed' });
    }));

  test('needs a free seat and people who may come, all or none', () =>
    story(async (s) => {
      const shift = await s.shift(30);
      await s.assign(await s.shift(15), bystander);
      const people = [guardHere.id, bystander.id, hr.id];
      const message = await s.refused(dispatcher, 'select offer_shift($1, $2)', [shift, people]);
      expect(message).toMatch(/^Nothing was offered: 2 of 3 rows can't be\./);
      expect(message).toContain('7 h rest, 12 needed.');
      expect(await s.owner('select * from offers')).toEqual([]);
      await s.assign(shift, guardHere);
      expect(
        await s.refused(dispatcher, 'select offer_shift($1, $2)', [shift, [guardElsewhere.id]]),
      ).toBe('Every post of this shift has been given.');
    }));

  test('is answered by the guard alone, who sees it while the shift is not over', () =>
    story(async (s) => {
      const shift = await s.shift(-1);
      const [asked] = await s.offer(shift, guardHere);
      for (const person of [bystander, dispatcher]) {
        expect(await s.refused(person, 'select answer_offer($1, true)', [asked])).toBe(
          'This offer no longer exists.',
        );
      }
      const mine = 'select id, status, is_free from offers_to_me()';
      expect(await s.as(guardHere, mine)).toEqual([{ id: asked, status: 'asked', is_free: true }]);
      expect(await s.as(bystander, mine)).toEqual([]);
    }));

  test('ends with the shift, and bids and swaps at its start', () =>
    story(async (s) => {
      const running = await s.shift(-1);
      const coming = await s.shift(2);
      const over = await s.shift(-9);
      for (const [kind, shift] of [
        ['offer', running],
        ['offer', over],
        ['bid', running],
        ['bid', coming],
      ]) {
        await s.owner(
          `insert into offers (kind, shift_id, user_id, status, site_id)
           select $1, id, $3, case $1 when 'bid' then 'open' else 'asked' end, site_id from shifts where id = $2`,
          [kind, shift, guardHere.id],
        );
      }
      expect(await s.owner('select private.close_due_offers() as closed')).toEqual([{ closed: 2 }]);
      expect(await s.owner('select private.close_due_offers() as closed')).toEqual([{ closed: 0 }]);
      expect(
        await s.owner(`select kind, shift_id from offers where status = 'lapsed' order by kind`),
      ).toEqual([
        { kind: 'bid', shift_id: running },
        { kind: 'offer', shift_id: over },
      ]);
      expect(await s.told(guardHere)).toEqual(['You did not get the shift']);
    }));
});

describe('a no-show', () => {
  test('keeps its reason, frees the seat, and can be undone', () =>
    story(async (s) => {
      const shift = await s.shift(-1);
      const absent = await s.assign(shift, bystander);
      expect(
        await s.refused(dispatcher, 'select offer_shift($1, $2)', [shift, [guardHere.id]]),
      ).toBe('Every post of this shift has been given.');
      expect(await s.as(dispatcher, MARK, [absent, ' Phone is off '])).toEqual([
        { no_show_reason: 'Phone is off', no_show_by: dispatcher.id, status: 'no_show' },
      ]);
      const [asked] = await s.offer(shift, guardHere);
      await s.answer(guardHere, asked, true);
      expect(await s.staffed(shift)).toEqual([guardHere.id]);
      expect(
        await s.as(dispatcher, 'select status, no_show_reason, no_show_at from undo_no_show($1)', [
          absent,
        ]),
      ).toEqual([{ status: 'assigned', no_show_reason: null, no_show_at: null }]);
    }));

  test('is cleared when the guard clocks in after all, and the planners are told', () =>
    story(async (s) => {
      const absent = await s.assign(await s.shift(-1), guardHere);
      await s.as(dispatcher, MARK, [absent, 'Phone is off']);
      await s.as(
        guardHere,
        `select record_clock_event(gen_random_uuid(), 'in', $1, now(), p_gps => '6.3,-10.8')`,
        [absent],
      );
      expect(
        await s.owner('select status, attendance_state, no_show_reason from assignments'),
      ).toEqual([{ status: 'confirmed', attendance_state: 'in', no_show_reason: null }]);
      expect(await s.told(dispatcher)).toEqual([`${guardHere.name} has come after all`]);
      expect(await s.refused(dispatcher, MARK, [absent, 'Again'])).toBe(
        'The guard has already clocked in on this shift.',
      );
    }));

  test('needs a reason, a shift that begins, and a planner of the site', () =>
    story(async (s) => {
      const due = await s.assign(await s.shift(-1), guardHere);
      const later = await s.assign(await s.shift(30), guardHere);
      expect(await s.refused(dispatcher, MARK, [due, ' '])).toContain('Give a reason');
      expect(await s.refused(dispatcher, MARK, [later, 'Ill'])).toContain('has not begun');
      for (const person of [supervisorElsewhere, guardHere, hr]) {
        expect(await s.refused(person, MARK, [due, 'Ill'])).toContain("You don't plan");
        expect(await s.refused(person, 'select undo_no_show($1)', [due])).toContain(
          "You don't plan",
        );
      }
    }));
});

test('two guards who say yes at once: one gets the seat, the other is told', async () => {
  const { owner } = database;
  for (let round = 0; round < 5; round += 1) {
    const { rows } = await owner.query<{ id: string }>(
      `insert into shifts (site_id, start_time, end_time)
       values ($1, now() + make_interval(days => $2), now() + make_interval(days => $2, hours => 8)) returning id`,
      [scene.sites.here, 30 + 7 * round],
    );
    const shift = rows[0]?.id;
    const guards = [guardHere, bystander];
    const offers = await owner.query<{ id: string }>(
      `insert into offers (kind, shift_id, user_id, status, site_id)
       select 'offer', $1, g.id, 'asked', $2 from unnest($3::uuid[]) with ordinality g (id, place)
       order by place returning id`,
      [shift, scene.sites.here, guards.map(({ id }) => id)],
    );
    const statuses = await Promise.all(
      guards.map(async (guard, index) => {
        const client = new pg.Client(database.connection);
        await client.connect();
        try {
          await client.query('begin');
          await client.query(
            `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`,
            [JSON.stringify(guard.claims)],
          );
          const { rows: answers } = await client.query<{ status: string }>(
            'select status from answer_offer($1, true)',
            [offers.rows[index]?.id],
          );
          await client.query('commit');
          return answers[0]?.status;
        } finally {
          await client.end();
        }
      }),
    );
    expect(statuses.sort()).toEqual(['approved', 'lapsed']);
    const { rowCount } = await owner.query('select from assignments where shift_id = $1', [shift]);
    expect(rowCount).toBe(1);
  }
  await owner.query(EMPTY);
});
