// Guards say before a shift that they are late or can't come: what counts, what ends it, and who takes the seat.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bystander,
  dispatcher,
  guardElsewhere,
  guardHere,
  opsManager,
  type Person,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { emptyPosts, ReplacementStory } from '#tests/support/replacement-story.ts';
import type { Scene } from '#tests/support/scene.ts';
import { rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await emptyPosts());
  await database.owner.query('delete from alerts; delete from duty_notices');
});

type Said = {
  id?: string;
  kind?: 'running_late' | 'cant_come';
  reason?: string | null;
  minutes?: number | null;
  /** Minutes from now by the clock of the phone. */
  at?: number;
};

const REPORT = `select report_duty_notice($1, $2, $3, $4, now() + make_interval(mins => $5), $6) as counts`;

class NoticeStory extends ReplacementStory {
  valuesOf(assignment: string, { id, kind, reason, minutes, at }: Said = {}): unknown[] {
    return [
      id ?? crypto.randomUUID(),
      assignment,
      kind ?? 'cant_come',
      reason === undefined ? 'Ill' : reason,
      at ?? 0,
      minutes ?? null,
    ];
  }

  async says(assignment: string, said?: Said, person: Person = guardHere): Promise<unknown> {
    return (await this.as(person, REPORT, this.valuesOf(assignment, said)))[0]?.counts;
  }

  refusal(assignment: string, said?: Said, person: Person = guardHere): Promise<string> {
    return this.refused(person, REPORT, this.valuesOf(assignment, said));
  }

  async alerts(): Promise<unknown[]> {
    await this.owner('select private.raise_due_alerts()');
    const rows = await this.owner(
      `select concat_ws(' ', kind, outcome, '|', detail) as text from alerts order by raised_at, kind`,
    );
    return rows.map(({ text }) => String(text).replace(/, \d+:.*$/, ''));
  }

  async onBoard(shift: string): Promise<unknown> {
    const [row] = await this.as(
      dispatcher,
      'select operations_board(null, null, array[$1::uuid]) b',
      [shift],
    );
    return row?.b;
  }
}

const story = (work: (story: NoticeStory) => Promise<void>) =>
  rolledBack(database.owner, (client) => work(new NoticeStory(client, scene)));

describe('a guard who is late', () => {
  test('says by how many minutes and why: the board and one alert show it, and the seat stays taken', () =>
    story(async (s) => {
      const shift = await s.shift(2);
      const seat = await s.assign(shift, guardHere);
      const said = { kind: 'running_late', minutes: 20, reason: ' Bus broke down ' } as const;
      expect(await s.says(seat, said)).toBe(true);
      expect(await s.staffed(shift)).toEqual([guardHere.id]);
      expect(await s.onBoard(shift)).toMatchObject({
        shifts: [
          {
            empty: 0,
            guards: [
              {
                status: 'assigned',
                notice: { kind: 'running_late', said: 'says: 20 min late, Bus broke down' },
              },
            ],
          },
        ],
      });
      expect(await s.alerts()).toEqual([
        'running_late | guard on the site says: 20 min late, Bus broke down',
      ]);
      for (const reader of [dispatcher, supervisorHere]) {
        expect(await s.told(reader)).toEqual(['Running late: Here']);
      }
      for (const other of [supervisorElsewhere, guardHere]) expect(await s.told(other)).toEqual([]);
      await s.alerts();
      expect(await s.told(dispatcher)).toHaveLength(1);
    }));

  test('is not late when they clock in: the alert closes by itself', () =>
    story(async (s) => {
      const shift = await s.shift(0.5);
      const seat = await s.assign(shift, guardHere);
      await s.says(seat, { kind: 'running_late', minutes: 20 });
      await s.alerts();
      await s.owner(
        `insert into attendance (assignment_id, clock_in_at, clock_in_gps) values ($1, now(), '6.3000,-10.8000')`,
        [seat],
      );
      expect(await s.alerts()).toEqual([
        'running_late arrived | guard on the site says: 20 min late, Ill',
      ]);
      expect(await s.onBoard(shift)).toMatchObject({ shifts: [{ guards: [{ notice: null }] }] });
    }));

  test('needs a reason and minutes, and nobody else can say it for them', () =>
    story(async (s) => {
      const seat = await s.assign(await s.shift(2), guardHere);
      expect(await s.refusal(seat, { kind: 'running_late' })).toMatch(/by how many minutes/);
      expect(await s.refusal(seat, { kind: 'running_late', minutes: 241 })).toMatch(/1 to 240/);
      expect(await s.refusal(seat, { minutes: 5 })).toMatch(/by how many minutes/);
      expect(await s.refusal(seat, { reason: '  ' })).toMatch(/Give a reason/);
      expect(await s.refusal(seat, {}, bystander)).toBe('This shift is no longer yours.');
      const later = await s.assign(await s.shift(30), guardHere);
      expect(await s.refusal(later)).toMatch(/more than 24 hours. Decline it/);
    }));
});

describe('a guard who can’t come', () => {
  test('keeps the seat until another guard has it: found by the search, asked, and then told', () =>
    story(async (s) => {
      const shift = await s.shift(20);
      const seat = await s.assign(shift, guardHere);
      expect(
        await s.refused(dispatcher, 'select offer_shift($1, $2)', [shift, [bystander.id]]),
      ).toBe('Every post of this shift has been given.');
      await s.says(seat, { reason: 'Ill' });
      expect(await s.alerts()).toEqual(["cant_come | guard on the site can't come: Ill"]);
      expect(await s.staffed(shift)).toEqual([guardHere.id]);
      expect(await s.ranked(shift)).toContain(bystander.id);
      const [first, second] = await s.offer(shift, bystander, guardElsewhere);
      expect(await s.answer(bystander, first, true)).toMatchObject({ status: 'approved' });
      expect(await s.staffed(shift)).toEqual([bystander.id]);
      expect(
        await s.owner('select status, declined_reason from assignments where id = $1', [seat]),
      ).toEqual([{ status: 'cancelled', declined_reason: 'Ill' }]);
      expect(await s.told(guardHere)).toEqual(['Another guard has your shift']);
      expect(await s.answer(guardElsewhere, second, true)).toMatchObject({ status: 'lapsed' });
      expect(await s.alerts()).toEqual(["cant_come covered | guard on the site can't come: Ill"]);
    }));

  test('leaves their seat to whom the dispatcher assigns, and a free seat is filled first', () =>
    story(async (s) => {
      const shift = await s.shift(20, { seats: 2 });
      await s.says(await s.assign(shift, guardHere));
      const assign = (person: Person) =>
        s.as(dispatcher, 'select * from assign_replacement($1, $2)', [shift, person.id]);
      await assign(bystander);
      expect(await s.staffed(shift)).toEqual([guardHere.id, bystander.id].sort());
      await assign(guardElsewhere);
      expect(await s.staffed(shift)).toEqual([bystander.id, guardElsewhere.id].sort());
    }));

  test('can come after all until then: those who were asked learn that the shift is gone', () =>
    story(async (s) => {
      const shift = await s.shift(20);
      const seat = await s.assign(shift, guardHere);
      const id = crypto.randomUUID();
      await s.says(seat, { id });
      await s.alerts();
      const [asked] = await s.offer(shift, bystander);
      const takesBack = () => s.as(guardHere, 'select withdraw_duty_notice($1)', [id]);
      await takesBack();
      await takesBack();
      expect(await s.answer(bystander, asked, true)).toMatchObject({ status: 'lapsed' });
      expect(await s.staffed(shift)).toEqual([guardHere.id]);
      expect(await s.alerts()).toEqual(["cant_come closed | guard on the site can't come: Ill"]);
      expect(await s.says(seat, { id })).toBe(false);
      expect(await s.says(seat)).toBe(true);
    }));

  test('can’t take it back when another guard has the shift, or what somebody else said', () =>
    story(async (s) => {
      const shift = await s.shift(20);
      const id = crypto.randomUUID();
      await s.says(await s.assign(shift, guardHere), { id });
      expect(await s.refused(bystander, 'select withdraw_duty_notice($1)', [id])).toMatch(
        /nothing to take back/,
      );
      await s.as(dispatcher, 'select assign_replacement($1, $2)', [shift, bystander.id]);
      expect(await s.refused(guardHere, 'select withdraw_duty_notice($1)', [id])).toMatch(
        /no longer yours: another guard has it/,
      );
    }));

  test.each([
    ['the dispatcher unassigns them', 'delete from assignments where id = $1'],
    ['the assignment is cancelled', `update assignments set status = 'cancelled' where id = $1`],
    ['they are a no-show', `update assignments set status = 'no_show' where id = $1`],
    [
      'the shift is moved',
      `update shifts set start_time = start_time + interval '3 hours', end_time = end_time + interval '3 hours'
       where id = (select shift_id from assignments where id = $1)`,
    ],
    [
      'the shift is deleted',
      'delete from shifts where id = (select shift_id from assignments where id = $1)',
    ],
  ])('is no longer counted on to stay away when %s', (_, sql) =>
    story(async (s) => {
      const shift = await s.shift(3);
      const seat = await s.assign(shift, guardHere);
      await s.says(seat);
      await s.alerts();
      await s.owner(sql, [seat]);
      expect(await s.owner('select public.is_open(n) as open from duty_notices n')).toEqual([
        { open: false },
      ]);
      expect(await s.owner('select private.guards_who_cant_come($1) as guards', [shift])).toEqual([
        { guards: [] },
      ]);
      expect(await s.alerts()).toEqual([expect.stringMatching(/^cant_come closed/)]);
    }),
  );
});

describe('a notice', () => {
  test('arrives once however often it is sent, and the newest counts', () =>
    story(async (s) => {
      const seat = await s.assign(await s.shift(2), guardHere);
      const id = crypto.randomUUID();
      const late = { id, kind: 'running_late', minutes: 20 } as const;
      expect(await s.says(seat, late)).toBe(true);
      expect(await s.says(seat, late)).toBe(true);
      expect(await s.says(seat, { kind: 'running_late', minutes: 45 })).toBe(true);
      expect(await s.says(seat, late)).toBe(false);
      expect(
        await s.owner(
          'select minutes, public.is_open(n) as open from duty_notices n order by minutes',
        ),
      ).toEqual([
        { minutes: 20, open: false },
        { minutes: 45, open: true },
      ]);
      await s.alerts();
      await s.says(seat, { reason: 'Ill' });
      expect(await s.alerts()).toEqual([
        "cant_come | guard on the site can't come: Ill",
        'running_late closed | guard on the site says: 45 min late, Ill',
      ]);
    }));

  test('has an id of its own', () =>
    story(async (s) => {
      const id = crypto.randomUUID();
      await s.says(await s.assign(await s.shift(2), guardHere), { id });
      const theirs = await s.assign(await s.shift(2), bystander);
      expect(await s.refusal(theirs, { id }, bystander)).toMatch(/belongs to another notice/);
    }));

  test('that arrives after the start says why the guard is missing; after the end it opens no search', () =>
    story(async (s) => {
      const running = await s.shift(-0.5);
      const seat = await s.assign(running, guardHere);
      expect(await s.says(seat, { at: -60 })).toBe(true);
      expect(await s.owner('select private.guards_who_cant_come($1) as guards', [running])).toEqual(
        [{ guards: [guardHere.id] }],
      );
      const over = await s.shift(-9);
      const theirs = await s.assign(over, bystander);
      expect(await s.says(theirs, { at: -600 }, bystander)).toBe(false);
      expect(
        await s.owner(
          `select device_at = now() - interval '10 hours' as as_made, said_at = device_at as corrected,
             received_at >= now() as received
           from duty_notices where assignment_id = $1`,
          [theirs],
        ),
      ).toEqual([{ as_made: true, corrected: true, received: true }]);
      const told = await s.alerts();
      expect(told).toContain("cant_come | guard on the site can't come: Ill");
      expect(told.filter((text) => String(text).startsWith('cant_come'))).toHaveLength(1);
    }));

  test('of a phone whose clock is ahead is never from the future', () =>
    story(async (s) => {
      const seat = await s.assign(await s.shift(2), guardHere);
      await s.says(seat, { at: 300 });
      expect(
        await s.owner(
          `select device_at = now() + interval '5 hours' as as_made, said_at <= received_at as sane from duty_notices`,
        ),
      ).toEqual([{ as_made: true, sane: true }]);
    }));

  test('shows in the attendance of the day, for as long as it was not taken back', () =>
    story(async (s) => {
      const seat = await s.assign(await s.shift(2), guardHere);
      const id = crypto.randomUUID();
      await s.says(seat, { id, kind: 'running_late', minutes: 20 });
      const said = async () =>
        (
          await s.as(opsManager, 'select said from attendance_overview where assignment_id = $1', [
            seat,
          ])
        )[0];
      expect(await said()).toEqual({ said: 'says: 20 min late, Ill' });
      await s.as(guardHere, 'select withdraw_duty_notice($1)', [id]);
      expect(await said()).toEqual({ said: null });
    }));
});
