// A phone or a device that should be heard and is silent: raised and closed by the same list of causes.
import { describe, expect, test } from 'vitest';
import { type Story, setUpAlerts } from '#tests/support/alert-story.ts';
import { dispatcher, guardHere, supervisorHere } from '#tests/support/people.ts';

const { siteHere, story } = setUpAlerts();

/** The guard has clocked in at a post with welfare checks, and the app is open on their phone. @returns the assignment */
async function onWatch(s: Story, site = 'welfare_every_minutes = 60'): Promise<string> {
  await s.owner(`update sites set ${site}`);
  const mine = await s.assign(await s.shift(-120, 360));
  await s.clockIn(mine, -120);
  await s.as(guardHere, 'select report_signal(2)');
  return mine;
}

/** Nothing is heard of phone and device for some minutes. */
const silence = (s: Story, minutes: number) =>
  s.owner(
    `with phones as (update private.phone_signals set heard_at = heard_at - make_interval(mins => $1))
     update devices set last_seen_at = last_seen_at - make_interval(mins => $1)`,
    [minutes],
  );

describe('the phone of a guard with welfare checks', () => {
  test('that is silent for the minutes of the site raises one alert, with what it still has to send', () =>
    story(async (s) => {
      const mine = await onWatch(s);
      await silence(s, 14);
      expect(await s.due()).toBe(0);
      await silence(s, 1);
      expect(await s.due()).toBe(1);
      expect(await s.due()).toBe(0);
      const alert = await s.only();
      expect(alert).toMatchObject({
        kind: 'no_signal',
        assignment_id: mine,
        user_id: guardHere.id,
      });
      expect(alert.detail).toMatch(
        new RegExp(`${guardHere.name}, last heard \\d+:\\d\\d [AP]M, 2 waiting to send$`),
      );
      expect(await s.told()).toEqual([dispatcher.name, supervisorHere.name]);
    }));

  test('closes the alert when it is heard again, and raises another when it falls silent again', () =>
    story(async (s) => {
      await onWatch(s);
      await silence(s, 20);
      await s.due();
      await s.wait(5);
      await s.as(guardHere, 'select report_signal()');
      await s.due();
      expect(await s.only()).toMatchObject({ outcome: 'answered', closed_by: null });
      expect((await s.only()).note).toMatch(/^Heard again at \d+:\d\d [AP]M$/);
      await silence(s, 20);
      expect(await s.due()).toBe(1);
    }));

  test.each([
    ['was put away, or the app was closed', 'select report_signal(0, true)'],
    ['was put away with entries that wait', 'select report_signal(3, true)'],
  ])('is not missed when it %s', (_why, sql) =>
    story(async (s) => {
      await onWatch(s);
      await s.as(guardHere, sql);
      await silence(s, 200);
      expect(await s.due()).toBe(0);
    }),
  );

  test.each([
    ['has no checks and no lone post', `welfare_every_minutes = null`],
    ['never alerts of silence', `welfare_every_minutes = 60, no_signal_after_minutes = null`],
    ['waits longer', `welfare_every_minutes = 60, no_signal_after_minutes = 40`],
  ])('is not missed where the site %s', (_why, site) =>
    story(async (s) => {
      await onWatch(s, site);
      await silence(s, 39);
      expect(await s.due()).toBe(0);
    }),
  );

  test.each([
    [
      'was not heard on this duty',
      `update private.phone_signals set heard_at = now() - interval '3 hours'`,
    ],
    ['is signed out', `update private.phone_signals set session_id = gen_random_uuid()`],
    [
      'answered a check by a text message',
      `insert into welfare_checks (assignment_id, shift_id, user_id, site_id, due_at, every_minutes, answered_at,
         received_at, way)
       select id, shift_id, user_id, site_id, now(), 60, now(), now(), 'message' from assignments`,
    ],
    [
      'is of a guard who has clocked out',
      `update attendance set clock_out_at = now(), clock_out_gps = '6.3000,-10.8000'`,
    ],
  ])('is not missed when it %s', (_why, sql) =>
    story(async (s) => {
      await onWatch(s);
      await silence(s, 20);
      await s.owner(sql);
      await s.due();
      expect((await s.alerts()).filter((alert) => alert.startsWith('no_signal'))).toEqual([]);
    }),
  );

  test.each([
    [
      'the guard clocks out',
      `update attendance set clock_out_at = now(), clock_out_gps = '6.3000,-10.8000'`,
      { outcome: 'closed', note: 'The guard clocked out' },
    ],
    [
      'the guard answers a check by a text message',
      `insert into welfare_checks (assignment_id, shift_id, user_id, site_id, due_at, every_minutes, answered_at,
         received_at, way)
       select id, shift_id, user_id, site_id, now(), 60, now(), now(), 'message' from assignments`,
      { outcome: 'answered', note: 'The guard answered a welfare check' },
    ],
    [
      'the guard signs out',
      `update private.phone_signals set session_id = gen_random_uuid()`,
      { outcome: 'closed', note: 'The guard signed out, or the limit of the site was changed' },
    ],
  ])('closes the alert when %s', (_why, sql, expected) =>
    story(async (s) => {
      await onWatch(s);
      await silence(s, 20);
      await s.due();
      await s.owner(sql);
      await s.owner('select private.settle_alerts()');
      expect(await s.only()).toMatchObject(expected);
    }),
  );
});

describe('the device of a site', () => {
  const SECRET = 'c7'.repeat(32);
  const DEVICE = { claims: null };

  async function gateTablet(s: Story): Promise<void> {
    await s.owner('delete from devices');
    await s.owner(
      `insert into devices (site_id, name, bound_at, last_seen_at) values ($1, 'Gate tablet', now(), now())`,
      [siteHere()],
    );
    await s.owner(
      `insert into private.device_secrets (device_id, secret_hash) select id, private.hash_of_secret($1) from devices`,
      [SECRET],
    );
  }
  const ask = (s: Story, call: string) => s.as(DEVICE, `select ${call}`, [SECRET]);

  test.each([
    ['during a shift', -60, 400, 1],
    ['in the hour before a shift', 50, 400, 1],
    ['hours before a shift', 70, 400, 0],
    ['after the shift', -400, -5, 0],
  ])('is missed %s', (_when, from, to, raised) =>
    story(async (s) => {
      await gateTablet(s);
      await s.shift(from, to);
      await s.due();
      await s.owner('delete from alerts');
      await silence(s, 16);
      await s.due();
      expect((await s.alerts()).filter((alert) => alert.startsWith('no_signal'))).toHaveLength(
        raised,
      );
    }),
  );

  test('is named in the alert, which closes when it asks for its guards again', () =>
    story(async (s) => {
      await gateTablet(s);
      await s.shift(30, 400);
      await silence(s, 16);
      await s.due();
      expect((await s.only()).detail).toMatch(/^Gate tablet, last heard \d+:\d\d [AP]M$/);
      await s.wait(2);
      await ask(s, 'device_people($1)');
      await s.due();
      expect(await s.only()).toMatchObject({ outcome: 'answered', shift_id: null });
    }));

  test('is not missed while its screen is off, and is expected again once the page is open', () =>
    story(async (s) => {
      await gateTablet(s);
      await s.shift(30, 400);
      await ask(s, 'device_away($1)');
      await silence(s, 16);
      expect(await s.due()).toBe(0);
      await ask(s, 'device_people($1)');
      await silence(s, 16);
      expect(await s.due()).toBe(1);
    }));

  test('closes its alert when it is removed', () =>
    story(async (s) => {
      await gateTablet(s);
      await s.shift(30, 400);
      await silence(s, 16);
      await s.due();
      await s.owner('update devices set revoked_at = now()');
      await s.due();
      expect(await s.only()).toMatchObject({ outcome: 'closed', note: 'The device was removed' });
    }));

  test('closes its alert when it is deleted', () =>
    story(async (s) => {
      await gateTablet(s);
      await s.shift(30, 400);
      await silence(s, 16);
      await s.due();
      await s.owner('delete from devices');
      await s.due();
      expect(await s.only()).toMatchObject({ outcome: 'closed', note: 'The device was removed' });
    }));
});
