// The step "Backup" of the setup guide knows of backups that the server made, and of those by command.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { secondServer, testServer } from '#tests/support/server.ts';

const Step = z.object({ step: z.string(), done: z.boolean() });

test('the setup guide ticks off the backup once there is one', async () => {
  const server = await testServer();
  const { owner } = server.database;
  const { id, client } = await server.signedUp('Ada Admin');
  await owner.query(`insert into user_roles (user_id, role) values ($1, 'admin')`, [id]);
  const isDone = async () => {
    const { data } = await client.rpc('setup_state').throwOnError();
    return z
      .array(Step)
      .parse(data)
      .find(({ step }) => step === 'backup')?.done;
  };
  expect(await isDone()).toBe(false);
  await owner.query(
    `insert into platform.backups (taken_at, file, bytes, is_scheduled) values (now(), 'a', 1000, false)`,
  );
  await secondServer(server);
  await expect.poll(isDone).toBe(true);
});
