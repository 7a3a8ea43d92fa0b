// Notices leave the portal as text messages, through the operator's gateway.
import path from 'node:path';
import { projectWith } from 'supabase-in-node/testing/project';
import { smsGateway } from 'supabase-in-node/testing/sms-gateway';
import { expect, it } from 'vitest';
import { company } from '#company';
import { testServer } from '#tests/support/server.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const gateway = await smsGateway();
const server = await testServer({ PROJECT_DIR: await projectWith({}, gateway.config, ROOT) });
const { owner } = server.database;

const stateOf = async (user: string) => {
  const { rows } = await owner.query<{ state: string }>(
    `select state from private.notice_deliveries where user_id = $1 and channel = 'sms'`,
    [user],
  );
  return rows.map(({ state }) => state);
};

it('a guard who wants text messages gets one for all notices, and none after changing that', async () => {
  await owner.query('update private.settings set digest_seconds = 3600');
  const { id, client } = await server.signedUp('Moses Kollie');
  await owner.query(`update profiles set phone = '+231770123456' where id = $1`, [id]);
  const { data: options } = await client.rpc('notice_options').single().throwOnError();
  expect(options).toMatchObject({ sms: false, phone: '+231770123456', has_text_messages: true });
  const choose = (p_sms: boolean) =>
    client.rpc('save_notice_options', { p_push: false, p_email: false, p_sms }).throwOnError();
  const notify = (title: string, body: string) =>
    owner.query(`select private.notify($1, 'roster', $2, $3, '/staff/shifts', null)`, [
      id,
      title,
      body,
    ]);
  const due = () =>
    owner.query('update private.notice_deliveries set next_at = now() where user_id = $1', [id]);

  await notify('Not wanted yet', '');
  await client.rpc('read_notices').throwOnError();
  await choose(true);
  await notify('New shift', 'Freeport Gate, Nov 24, 6:00 PM');
  await notify('Shift removed', 'Bushrod Depot, Nov 25, 6:00 AM');
  await due();
  await expect.poll(() => stateOf(id)).toEqual(['sent']);
  const message = await gateway.messages.next();
  expect(message).toMatchObject({ phone: '231770123456', isSigned: true });
  expect(message.text).toBe(
    `${company.shortName}: New shift: Freeport Gate, Nov 24, 6:00 PM; Shift removed: Bushrod Depot, Nov 25, 6:00 AM ${server.url}/staff/notices`,
  );

  await notify('New shift', 'Freeport Gate, Nov 26, 6:00 PM');
  await choose(false);
  await due();
  await expect.poll(() => stateOf(id)).toEqual(['sent', 'sent']);
  // The next message is the one sent now: the one before was left out.
  await choose(true);
  await notify('Last', '');
  await due();
  expect((await gateway.messages.next()).text).toContain('Last');
});

it('the call of a unit comes as a text message to somebody who wants none, and nothing else with it', async () => {
  const { id } = await server.signedUp('Trokon Goll');
  await owner.query(`update profiles set phone = '+231770123457' where id = $1`, [id]);
  const notify = (kind: string, title: string) =>
    owner.query(`select private.notify($1, $2, $3, '', '/staff', null)`, [id, kind, title]);
  await notify('roster', 'New shift');
  await notify('unit_call', 'Rapid 1 is called');
  await owner.query('update private.notice_deliveries set next_at = now() where user_id = $1', [
    id,
  ]);
  const message = await gateway.messages.next();
  expect(message).toMatchObject({ phone: '231770123457' });
  expect(message.text).toContain('Rapid 1 is called');
  expect(message.text).not.toContain('New shift');
});
