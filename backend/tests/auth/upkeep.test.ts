import { expect, it } from 'vitest';
import { pruneOnce } from '#backend/services/auth/prune.ts';
import { openService } from '#backend/services/auth/service.ts';
import { projectWith } from '#tests/support/project.ts';
import { testServer } from '#tests/support/server.ts';

const server = await testServer({
  PROJECT_DIR: await projectWith(
    {},
    '[auth.sessions]\ninactivity_timeout = "24h"\n[auth.audit_log]\nkeep_days = 400',
  ),
});
const { owner } = server.database;
const service = await openService(server.context);

const count = async (table: string): Promise<number> =>
  (await owner.query(`select from auth.${table}`)).rowCount ?? 0;

it('cleanup deletes expired rows, in one process at a time, and keeps valid ones', async () => {
  const { client, id } = await server.signedUp();
  await client.auth.refreshSession();
  await client.auth.refreshSession();
  const old = await server.signedUp();
  await owner.query(`update auth.refresh_tokens set updated_at = now() - interval '8 days'`);
  await owner.query(
    `update auth.sessions set created_at = now() - interval '2 days' where user_id = $1`,
    [old.id],
  );
  await owner.query(
    `update auth.audit_log_entries set created_at = now() - interval '401 days' where payload ->> 'actor_id' = $1`,
    [old.id],
  );
  await owner.query(
    `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at)
     values (gen_random_uuid(), $1, 'recovery_token', 'x', 'x', now() - interval '3 days'),
       (gen_random_uuid(), $1, 'confirmation_token', 'y', 'y', now())`,
    [id],
  );
  await owner.query(
    `insert into auth.webauthn_challenges (challenge_type, session_data, expires_at)
     values ('authentication', '{}', now() - interval '1 day'), ('authentication', '{}', now())`,
  );
  await owner.query(
    `insert into auth.attempts (key, points, expire) values ('old', 1, 1), ('new', 1, 9000000000000)`,
  );
  await owner.query(
    `insert into auth.known_networks (user_id, network, seen_at)
     values ($1, 'old', now() - interval '91 days'), ($1, 'lately', now() - interval '89 days')`,
    [id],
  );
  const trail = await count('audit_log_entries');

  const results = await Promise.all([pruneOnce(service), pruneOnce(service)]);
  expect(results.some((result) => (result ?? 0) > 0)).toBe(true);

  expect(await count('one_time_tokens')).toBe(1);
  expect(await count('webauthn_challenges')).toBe(1);
  const keys = await owner.query(`select key from auth.attempts where key in ('old', 'new')`);
  expect(keys.rows).toEqual([{ key: 'new' }]);
  const networks = await owner.query(
    `select network from auth.known_networks where network in ('old', 'lately')`,
  );
  expect(networks.rows).toEqual([{ network: 'lately' }]);
  const sessions = await owner.query('select user_id from auth.sessions');
  expect(sessions.rows).toEqual([{ user_id: id }]);
  // The first of three tokens is deleted: the second is the parent of the active one.
  expect(await count('refresh_tokens')).toBe(2);
  expect(await count('audit_log_entries')).toBeLessThan(trail);
  expect((await client.auth.refreshSession()).error).toBeNull();
});

it('cleanup keeps the audit log forever by default', async () => {
  const { audit_log: setting } = server.context.settings.auth;
  delete setting.keep_days;
  await owner.query(`update auth.audit_log_entries set created_at = now() - interval '10 years'`);
  const trail = await count('audit_log_entries');
  await pruneOnce(service);
  expect(await count('audit_log_entries')).toBe(trail);
});
