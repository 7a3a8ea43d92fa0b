// The life of an alert: raised once per cause, acknowledged, escalated, closed by a person or by itself.

import { describe, expect, test } from 'vitest';
import { ALERTS_KIND } from '#shared/database.values.ts';
import { type Story, setUpAlerts } from '#tests/support/alert-story.ts';
import {
  admin,
  bystander,
  dispatcher,
  guardHere,
  opsManager,
  supervisorElsewhere,
  supervisorEverywhere,
  supervisorHere,
} from '#tests/support/people.ts';

const { owner: ownerOf, siteHere, story } = setUpAlerts();

describe('missing', () => {
  test.each([
    [-9, 480, 'not yet ten minutes after the start', []],
    [-10, 480, 'ten minutes after the start', ['missing open']],
    [-700, 60, 'hours later, after the server was down', ['missing open']],
    [-480, -1, 'the shift is over', []],
    [30, 480, 'the shift has not begun', []],
  ])('a shift from %i to %i minutes: %s', (from, to, _when, expected) =>
    story(async (s) => {
      await s.assign(await s.shift(from, to));
      await s.due();
      expect(await s.alerts()).toEqual(expected);
    }),
  );

  test('is raised once, however often the servers look, and tells the planners of the site', () =>
    story(async (s) => {
      await s.assign(await s.shift(-10, 480));
      expect(await s.due()).toBe(1);
      expect(await s.due()).toBe(0);
      expect(await s.told()).toEqual([dispatcher.name, supervisorHere.name]);
      await s.as(dispatcher, 'select close_alert(id, $1) from alerts', ['excused']);
      expect(await s.due()).toBe(0);
      expect(await s.alerts()).toEqual(['missing excused']);
    }));

  test('follows the setting of the site', () =>
    story(async (s) => {
      await s.owner('update sites set alert_after_minutes = 30');
      await s.assign(await s.shift(-29, 480));
      expect(await s.due()).toBe(0);
      await s.owner('update sites set alert_after_minutes = 29');
      expect(await s.due()).toBe(1);
    }));

  test('is never raised for a guard who has clocked in, also when the shift began yesterday', () =>
    story(async (s) => {
      await s.clockIn(await s.assign(await s.shift(-11, 480)), -9);
      await s.clockIn(await s.assign(await s.shift(-1300, 100), bystander), -1290);
      expect(await s.due()).toBe(0);
    }));

  test('names the guard of two who has not come', () =>
    story(async (s) => {
      const shift = await s.shift(-15, 480, 2);
      await s.clockIn(await s.assign(shift), -14);
      await s.assign(shift, bystander);
      await s.due();
      const alert = await s.only();
      expect(alert).toMatchObject({ kind: 'missing', user_id: bystander.id, shift_id: shift });
      expect(alert.detail).toContain(bystander.name);
    }));

  test.each([
    ['a few minutes late', 0, /^Clocked in at \d+:\d\d [AP]M$/],
    ['received an hour after the device stored it', -60, /^Clocked in at .*, received \d+:\d\d/],
  ])('closes by itself when a clock-in arrives, %s', (_when, at, note) =>
    story(async (s) => {
      const mine = await s.assign(await s.shift(-62, 480));
      await s.due();
      await s.clockIn(mine, at);
      const alert = await s.only();
      expect(alert).toMatchObject({ outcome: 'arrived', closed_by: null });
      expect(alert.note).toMatch(note);
      expect(await s.due()).toBe(0);
    }),
  );

  test('gives a guard who is assigned to a running shift the same minutes to come', () =>
    story(async (s) => {
      const shift = await s.shift(-120, 480);
      await s.assign(shift, guardHere, 9);
      expect(await s.due()).toBe(0);
      await s.owner(`update assignments set status = 'cancelled'`);
      await s.assign(shift, bystander, 10);
      expect(await s.due()).toBe(1);
    }));

  test.each([
    [`update assignments set status = 'cancelled'`, 'The assignment was cancelled', 'empty'],
    ['delete from assignments', 'The guard was taken off the shift', 'empty'],
    [`update shifts set start_time = now() + interval '1 hour'`, 'The shift was moved', undefined],
    [
      'update sites set alert_after_minutes = 240',
      'The times or the limit of the site were changed',
      undefined,
    ],
  ])('ends with its cause: %s', (change, note, next) =>
    story(async (s) => {
      await s.assign(await s.shift(-15, 480));
      await s.due();
      await s.owner(change);
      await s.due();
      const [first, second] = await s.owner('select * from alerts order by closed_at');
      expect(first).toMatchObject({ kind: 'missing', outcome: 'closed', note, closed_by: null });
      expect(second?.kind).toBe(next);
    }),
  );

  test('ends when its shift is deleted, and is not forgotten', async () => {
    const owner = ownerOf();
    // Committed: PostgreSQL checks a row again whose transaction made it.
    await owner.query(
      `with shift as (
         insert into shifts (site_id, start_time, end_time)
         values ($1, now() - interval '1 hour', now() + interval '1 hour') returning id
       )
       insert into assignments (shift_id, user_id, created_at)
       select id, $2, now() - interval '1 day' from shift`,
      [siteHere(), guardHere.id],
    );
    await owner.query('select private.raise_due_alerts()');
    await owner.query('delete from shifts');
    const { rows } = await owner.query('delete from alerts returning kind, outcome, note, user_id');
    expect(rows).toEqual([
      {
        kind: 'missing',
        outcome: 'closed',
        note: 'The shift was deleted',
        user_id: guardHere.id,
      },
    ]);
    await owner.query('delete from notices');
  });

  test('returns when a moved shift begins again without the guard', () =>
    story(async (s) => {
      await s.assign(await s.shift(-15, 480));
      await s.due();
      await s.owner(`update shifts set start_time = now() + interval '1 hour'`);
      await s.owner(`update shifts set start_time = now() - interval '11 minutes'`);
      expect(await s.due()).toBe(1);
      expect((await s.alerts()).sort()).toEqual(['missing closed', 'missing open']);
    }));

  test('becomes an empty post with the reason when the guard is marked as a no-show', () =>
    story(async (s) => {
      const shift = await s.shift(-15, 480);
      const mine = await s.assign(shift);
      await s.due();
      await s.as(dispatcher, 'select mark_no_show($1, $2)', [mine, 'Phone is off']);
      expect(await s.only()).toMatchObject({
        kind: 'missing',
        outcome: 'closed',
        note: 'The guard is a no-show: Phone is off',
      });
      await s.due();
      expect(await s.alerts()).toEqual(['empty open', 'missing closed']);
      const [empty] = await s.owner(`select detail from alerts where kind = 'empty'`);
      expect(empty?.detail).toContain(`1 of 1 seats empty (${guardHere.name}: Phone is off)`);
      await s.assign(shift, bystander, 0);
      expect(await s.alerts()).toEqual(['empty covered', 'missing closed']);
      expect(await s.due()).toBe(0);
    }));

  test.each([
    [5, []],
    [-9, []],
    [-10, ['missing open']],
  ])('of a replacement who joins %i minutes from now: %j', (minutes, expected) =>
    story(async (s) => {
      const shift = await s.shift(-60, 480);
      await s.owner(
        `insert into assignments (shift_id, user_id, created_at, joins_at)
         values ($1, $2, now() - interval '55 minutes', now() + make_interval(mins => $3))`,
        [shift, guardHere.id, minutes],
      );
      await s.due();
      expect(await s.alerts()).toEqual(expected);
    }),
  );

  test('stays open after the shift for twelve hours, so that it gets explained', () =>
    story(async (s) => {
      await s.assign(await s.shift(-480, 1));
      await s.due();
      await s.owner(
        `update shifts set end_time = now() - interval '719 minutes', start_time = now() - interval '20 hours'`,
      );
      await s.due();
      expect(await s.alerts()).toEqual(['missing open']);
      await s.owner(`update shifts set end_time = now() - interval '721 minutes'`);
      await s.due();
      expect(await s.only()).toMatchObject({ outcome: 'closed', note: 'The shift is over' });
    }));
});

describe('empty', () => {
  test('is raised at the start for seats without a guard, and closes when they are filled', () =>
    story(async (s) => {
      const shift = await s.shift(0, 480, 2);
      await s.shift(1, 480);
      await s.assign(shift);
      await s.due();
      expect(await s.only()).toMatchObject({ kind: 'empty', shift_id: shift });
      expect((await s.only()).detail).toContain('1 of 2 seats empty');
      await s.assign(shift, bystander);
      expect(await s.only()).toMatchObject({ outcome: 'covered', note: 'All seats have a guard' });
    }));

  test('counts a guard on leave as absent', () =>
    story(async (s) => {
      await s.assign(await s.shift(-20, 480));
      await s.owner('update assignments set on_leave = true');
      await s.due();
      expect(await s.alerts()).toEqual(['empty open']);
    }));
});

describe('left early', () => {
  const leave = (s: Story, record: string, minutes: number) =>
    s.owner(
      `update attendance set clock_out_at = now() + make_interval(mins => $2), clock_out_gps = '6.3000,-10.8000'
       where id = $1`,
      [record, minutes],
    );

  test.each([
    [16, ['left_early open']],
    [15, []],
  ])('%i minutes before the end', (left, expected) =>
    story(async (s) => {
      await leave(s, await s.clockIn(await s.assign(await s.shift(-400, left)), -400), 0);
      await s.due();
      expect(await s.alerts()).toEqual(expected);
    }),
  );

  test('closes when the guard undoes it, and is raised again when they leave again', () =>
    story(async (s) => {
      const record = await s.clockIn(await s.assign(await s.shift(-400, 200)), -400);
      await leave(s, record, -1);
      await s.due();
      await s.owner('update attendance set clock_out_at = null');
      expect(await s.only()).toMatchObject({
        outcome: 'arrived',
        note: 'The clock-out was undone',
      });
      await leave(s, record, 0);
      expect(await s.due()).toBe(1);
    }));

  test('is not raised while another guard of the shift is at the post', () =>
    story(async (s) => {
      const shift = await s.shift(-400, 200);
      await s.owner('update shifts set required_headcount = 2');
      const record = await s.clockIn(await s.assign(shift), -400);
      const relief = await s.assign(shift, bystander);
      await s.owner('update shifts set required_headcount = 1');
      await leave(s, record, -1);
      await s.clockIn(relief, 0);
      expect(await s.due()).toBe(0);
    }));
});

describe('escalation', () => {
  test('tells the managers, then the admins, each once, until it is acknowledged', () =>
    story(async (s) => {
      await s.assign(await s.shift(-15, 480));
      await s.due();
      await s.told();
      const escalate = () => s.owner('select private.escalate_alerts()');
      await s.wait(4);
      await escalate();
      expect(await s.told()).toEqual([]);
      await s.wait(1);
      await escalate();
      await escalate();
      expect(await s.told()).toEqual([opsManager.name]);
      expect(await s.only()).toMatchObject({ escalations: 1 });
      await s.wait(5);
      await escalate();
      expect(await s.told()).toContain(admin.name);
      await s.wait(60);
      await escalate();
      expect(await s.told()).toEqual([]);
      expect(await s.only()).toMatchObject({ escalations: 2 });
    }));

  test.each([
    ['acknowledged', 'select acknowledge_alert(id) from alerts'],
    ['closed', `select close_alert(id, 'covered') from alerts`],
  ])('stops when the alert is %s, and goes on after Undo', (_state, sql) =>
    story(async (s) => {
      await s.assign(await s.shift(-15, 480));
      await s.due();
      await s.as(supervisorHere, sql);
      await s.told();
      await s.wait(6);
      await s.owner('select private.escalate_alerts()');
      expect(await s.told()).toEqual([]);
      await s.as(supervisorHere, 'select reopen_alert(id) from alerts');
      await s.owner('select private.escalate_alerts()');
      expect(await s.told()).toEqual([opsManager.name]);
    }),
  );
});

describe('at many sites at once', () => {
  const emptyPosts = async (s: Story, names: string[]) => {
    await s.shift(-15, 480);
    for (const name of names) await s.shift(-15, 480, 1, await s.site(name));
    await s.due();
  };

  test('is one notice for each person who has more than three of the sites', () =>
    story(async (s) => {
      await emptyPosts(s, ['Airport', 'Bank', 'Clinic']);
      expect(await s.notices()).toEqual([
        `${dispatcher.name}: 4 new alerts at 4 sites`,
        `${supervisorHere.name}: Post empty: Here`,
      ]);
      await s.wait(5);
      await s.owner('select private.escalate_alerts()');
      const bodies = await s.owner(`select body from notices where kind = 'alert'`);
      expect(bodies).toEqual([
        { body: 'Airport: Post empty\nBank: Post empty\nClinic: Post empty\nHere: Post empty' },
      ]);
      expect(await s.notices()).toEqual([
        `${opsManager.name}: 4 alerts not acknowledged at 4 sites`,
      ]);
    }));

  test('is a notice for each site while there are three', () =>
    story(async (s) => {
      await emptyPosts(s, ['Airport', 'Bank']);
      expect(await s.notices()).toEqual([
        `${dispatcher.name}: Post empty: Airport`,
        `${dispatcher.name}: Post empty: Bank`,
        `${dispatcher.name}: Post empty: Here`,
        `${supervisorHere.name}: Post empty: Here`,
      ]);
    }));
});

test('danger sorts them in the order of the screens', () =>
  story(async (s) => {
    await s.owner(
      'insert into alerts (kind, cause, site_id) select k, k, $1 from unnest($2::text[]) k',
      [siteHere(), [...ALERTS_KIND].reverse()],
    );
    const sorted = await s.as(dispatcher, 'select kind from alerts a order by danger(a)');
    expect(sorted.map(({ kind }) => kind)).toEqual(ALERTS_KIND);
  }));

describe('by a person', () => {
  const due = async (s: Story) => {
    await s.assign(await s.shift(-15, 480));
    await s.due();
    return (await s.only()).id;
  };

  test('the first to acknowledge counts; closing keeps who that was', () =>
    story(async (s) => {
      const id = await due(s);
      await s.as(supervisorHere, 'select acknowledge_alert($1)', [id]);
      await s.as(dispatcher, 'select acknowledge_alert($1)', [id]);
      await s.wait(1);
      await s.as(supervisorEverywhere, `select close_alert($1, 'covered', ' By the patrol ')`, [
        id,
      ]);
      expect(await s.only()).toMatchObject({
        acknowledged_by: supervisorHere.id,
        closed_by: supervisorEverywhere.id,
        outcome: 'covered',
        note: 'By the patrol',
      });
      expect(await s.refusal(dispatcher, `select close_alert($1, 'excused')`, [id])).toBe(
        'This alert is already closed.',
      );
    }));

  test('Undo takes back one step, for ten minutes', () =>
    story(async (s) => {
      const id = await due(s);
      await s.as(dispatcher, 'select acknowledge_alert($1)', [id]);
      await s.wait(1);
      await s.as(dispatcher, `select close_alert($1, 'excused')`, [id]);
      await s.as(dispatcher, 'select reopen_alert($1)', [id]);
      expect(await s.alerts()).toEqual(['missing acknowledged']);
      await s.as(dispatcher, 'select reopen_alert($1)', [id]);
      expect(await s.alerts()).toEqual(['missing open']);
      await s.as(dispatcher, `select close_alert($1, 'closed')`, [id]);
      await s.wait(11);
      expect(await s.refusal(dispatcher, 'select reopen_alert($1)', [id])).toContain('10 minutes');
    }));

  test('an alert that closed by itself is not reopened', () =>
    story(async (s) => {
      const mine = await s.assign(await s.shift(-15, 480));
      await s.due();
      await s.clockIn(mine);
      expect(await s.refusal(dispatcher, 'select reopen_alert(id) from alerts')).toContain(
        'closed by itself',
      );
    }));

  test.each([['acknowledge_alert($1)'], [`close_alert($1, 'covered')`], ['reopen_alert($1)']])(
    '%s is for planners of the site',
    (call) =>
      story(async (s) => {
        const id = await due(s);
        for (const person of [guardHere, supervisorElsewhere]) {
          expect(await s.refusal(person, `select ${call}`, [id])).toContain('one of your sites');
        }
        expect(await s.alerts()).toEqual(['missing open']);
      }),
  );

  test.each([['answered'], ['arrived'], [null], ['']])('the outcome %j is refused', (outcome) =>
    story(async (s) => {
      const id = await due(s);
      expect(await s.refusal(dispatcher, 'select close_alert($1, $2)', [id, outcome])).toContain(
        'covered, excused or closed',
      );
    }),
  );
});

test('raise_alert and close_alert of other causes: once, and by themselves', () =>
  story(async (s) => {
    const raise = () =>
      s.owner(
        `select private.raise_alert('sos', 'sos:1', $1, null, null, $2, 'Held for 2 s') as id`,
        [siteHere(), guardHere.id],
      );
    expect((await raise())[0]?.id).toBeTypeOf('string');
    expect((await raise())[0]?.id).toBeNull();
    expect(await s.told()).toHaveLength(2);
    await s.due();
    expect(await s.alerts()).toEqual(['sos open']);
    await s.owner(`select private.close_alert('sos:1', 'answered', 'Called back')`);
    await s.owner(`select private.close_alert('sos:1', 'closed', 'Too late')`);
    expect(await s.only()).toMatchObject({ outcome: 'answered', note: 'Called back' });
  }));
