// Notices leave the portal by web push and mail: together, once, and also when a process dies while it sends.
import type { SupabaseClient } from '@supabase/supabase-js';
import { letters } from 'supabase-in-node/testing/mailbox';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Deliveries } from '#server/notices/deliveries.ts';
import { type Browser, pushService } from '#tests/support/push-service.ts';
import { secondServer, testServer } from '#tests/support/server.ts';

const service = await pushService();
const server = await testServer({ PUSH_SERVICES: service.origin });
const { owner } = server.database;

/** How long messages wait for more notices, in seconds; at 3600 the test decides when they are due. */
const digest = (seconds: number) =>
  owner.query('update private.settings set digest_seconds = $1', [seconds]);
const due = () =>
  owner.query(
    `update private.notice_deliveries set next_at = now() where state in ('open', 'sending')`,
  );

const notify = (user: string, title: string, body = '') =>
  owner.query(`select private.notify($1, 'roster', $2, $3, '/staff/shifts', null)`, [
    user,
    title,
    body,
  ]);

const subscribe = (client: SupabaseClient, { endpoint, p256dh, auth }: Browser) =>
  client.rpc('subscribe_push', { p_endpoint: endpoint, p_p256dh: p256dh, p_auth: auth });

async function guard() {
  const person = await server.signedUp('Moses Kollie');
  const browser = service.browser();
  await subscribe(person.client, browser).throwOnError();
  return { ...person, browser };
}

const mailsTo = async (email: string) =>
  (await letters(server.context.config.dataDir)).filter(({ to }) => to === email);

const statesOf = async (user: string) => {
  const { rows } = await owner.query<{ line: string }>(
    `select channel || ' ' || state as line from private.notice_deliveries where user_id = $1 order by 1`,
    [user],
  );
  return rows.map(({ line }) => line);
};

describe('notices of one person', () => {
  it('go out together, by push and by mail', async () => {
    await digest(3600);
    const { id, email, browser } = await guard();
    await notify(id, 'New shift', 'Freeport Gate, Nov 24, 6:00 PM');
    await notify(id, 'Shift cancelled', 'Bushrod Depot, Nov 25, 6:00 AM');
    await due();
    await expect.poll(() => statesOf(id)).toEqual(['email sent', 'push sent']);
    expect(browser.received).toEqual([
      {
        title: '2 new notices',
        body: 'New shift: Freeport Gate, Nov 24, 6:00 PM\nShift cancelled: Bushrod Depot, Nov 25, 6:00 AM',
        link: '/staff/notices',
        tag: expect.any(String),
      },
    ]);
    expect(browser.authorization).toMatch(/^vapid t=.+, k=.+/);
    const mails = await mailsTo(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ subject: '2 new notices - Statesman' });
    expect(mails[0]?.text).toContain('New shift: Freeport Gate, Nov 24, 6:00 PM');
  });

  it('are not sent again once read in the portal', async () => {
    await digest(3600);
    const { id, client, browser, email } = await guard();
    await notify(id, 'New shift');
    await client.rpc('read_notices').throwOnError();
    await due();
    await expect.poll(() => statesOf(id)).toEqual(['email sent', 'push sent']);
    expect(browser.received).toEqual([]);
    expect(await mailsTo(email)).toEqual([]);
  });

  it('follow the person’s choice and end with the session', async () => {
    await digest(3600);
    const chosen = await guard();
    await chosen.client
      .rpc('save_notice_options', { p_push: true, p_email: false, p_sms: true })
      .throwOnError();
    await notify(chosen.id, 'New shift');
    expect(await statesOf(chosen.id)).toEqual(['push open']);
    await chosen.client.auth.signOut();
    await due();
    await expect.poll(() => statesOf(chosen.id)).toEqual(['push sent']);
    expect(chosen.browser.received).toEqual([]);
  });
});

it('about a welfare check carries what its button needs, which answers without a session', async () => {
  await digest(3600);
  const { id, browser } = await guard();
  const one = async (sql: string, values: unknown[]) =>
    String((await owner.query<{ id: string }>(`${sql} returning id`, values)).rows[0]?.id);
  const site = await one(
    `insert into sites (name, client_name, address) values ('Port', 'Harbour', 'Bushrod Island')`,
    [],
  );
  const shift = await one(
    `insert into shifts (site_id, start_time, end_time) values ($1, now() - interval '1 hour', now() + interval '7 hours')`,
    [site],
  );
  const assignment = await one('insert into assignments (shift_id, user_id) values ($1, $2)', [
    shift,
    id,
  ]);
  const check = await one(
    `insert into welfare_checks (assignment_id, shift_id, user_id, site_id, due_at, every_minutes)
     values ($1, $2, $3, $4, now(), 60)`,
    [assignment, shift, id, site],
  );
  await owner.query(`select private.notify($1, 'welfare', 'Are you fine?', '', '/staff', $2)`, [
    id,
    `welfare:${check}:0`,
  ]);
  await due();
  await expect.poll(() => browser.received).toHaveLength(1);
  const { answer } = z
    .object({ answer: z.object({ checkId: z.string(), token: z.string() }) })
    .parse(browser.received[0]);
  expect(answer).toMatchObject({ checkId: check, token: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const { data } = await server
    .client()
    .rpc('answer_pushed_check', {
      p_check_id: check,
      p_token: answer.token,
      p_device_at: new Date().toISOString(),
    })
    .throwOnError();
  expect(data).toBe(1);
});

describe('a message', () => {
  it('is tried again when the push service is busy, only on the device that missed it', async () => {
    await digest(3600);
    const { id, client, browser } = await guard();
    const second = service.browser();
    await subscribe(client, second).throwOnError();
    second.answers.push(503);
    await notify(id, 'New shift');
    await due();
    const problem = async () => {
      const { rows } = await owner.query<{ last_error: string | null }>(
        `select last_error from private.notice_deliveries where user_id = $1 and channel = 'push'`,
        [id],
      );
      return rows[0]?.last_error;
    };
    await expect.poll(problem).toContain('503');
    await due();
    await expect.poll(() => statesOf(id)).toContain('push sent');
    expect([browser.received.length, second.received.length]).toEqual([1, 1]);
  });

  it('ends a subscription that the browser has given up', async () => {
    await digest(3600);
    const { id, browser } = await guard();
    browser.answers.push(410);
    await notify(id, 'New shift');
    await due();
    await expect.poll(() => statesOf(id)).toContain('push sent');
    const { rows } = await owner.query(
      'select from private.push_subscriptions where user_id = $1',
      [id],
    );
    expect(rows).toHaveLength(0);
  });

  it('is given up after a day', async () => {
    await digest(3600);
    const { id, browser } = await guard();
    browser.answers.push(500);
    await notify(id, 'New shift');
    await owner.query(
      `update private.notice_deliveries set created_at = now() - interval '25 hours' where user_id = $1`,
      [id],
    );
    await due();
    await expect.poll(() => statesOf(id)).toContain('push failed');
  });

  it('goes out once with two servers on one database', async () => {
    await digest(3600);
    const other = await secondServer(server, { PUSH_SERVICES: service.origin });
    const guards = await Promise.all([1, 2, 3, 4, 5, 6].map(guard));
    for (const { id } of guards) await notify(id, 'New shift');
    await due();
    for (const { id } of guards) {
      await expect.poll(() => statesOf(id)).toEqual(['email sent', 'push sent']);
    }
    expect(guards.map(({ browser }) => browser.received.length)).toEqual([1, 1, 1, 1, 1, 1]);
    await other.stop();
  });

  it('is sent by another process when the lease of a dead one runs out', async () => {
    await digest(3600);
    const { id, browser } = await guard();
    await notify(id, 'New shift');
    // Takes the leases and dies before it sends.
    const dying = await owner.connect();
    await dying.query('begin');
    await dying.query(`update private.notice_deliveries set next_at = now() where user_id = $1`, [
      id,
    ]);
    const taken = await new Deliveries(dying).take();
    await dying.query('commit');
    dying.release();
    expect(taken.map(({ channel }) => channel).sort()).toEqual(['email', 'push']);
    expect(await statesOf(id)).toEqual(['email sending', 'push sending']);
    await due();
    await expect.poll(() => statesOf(id)).toEqual(['email sent', 'push sent']);
    // The dead process wakes up after all: its mark no longer counts.
    for (const delivery of taken) await new Deliveries(owner).retryLater(delivery, 'late');
    expect(await statesOf(id)).toEqual(['email sent', 'push sent']);
    expect(browser.received).toHaveLength(1);
  });
});

describe('the server', () => {
  it('sends push messages only to known push services', async () => {
    const { client } = await server.signedUp();
    for (const endpoint of [
      'http://169.254.169.254/latest/meta-data',
      `${server.url}/rest/v1/`,
      'https://fcm.googleapis.com.evil.example/send/1',
      'https://evil.example/https://fcm.googleapis.com/1',
      'https://fcm.googleapis.com@evil.example/1',
    ]) {
      const { error } = await subscribe(client, { ...service.browser(), endpoint });
      expect(error?.message).toBe('Notices can’t be sent to this browser.'.replace('’', "'"));
    }
    const { error } = await subscribe(client, {
      ...service.browser(),
      endpoint: 'https://fcm.googleapis.com/fcm/send/abc',
    });
    expect(error).toBeNull();
  });

  it('keeps its keys: another start has the same pair', async () => {
    const { client } = await server.signedUp();
    const keyOf = async () =>
      (await client.rpc('notice_options').single<{ push_key: string }>().throwOnError()).data
        .push_key;
    const before = await keyOf();
    const other = await secondServer(server);
    expect(await keyOf()).toBe(before);
    await other.stop();
  });
});
