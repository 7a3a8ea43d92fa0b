// npm run admin:create -- --email you@company.example [--name "Your Name"]: the first administrator of a new database.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Client, DatabaseError } from 'pg';
import { ownerConnection } from 'supabase-in-node/owner-connection';
import { StartError } from 'supabase-in-node/start-error';
import { inTransaction, withClient } from 'supabase-in-node/with-client';
import { z } from 'zod';
import { readConfig } from '#server/config.ts';
import { insertAccounts } from '#server/set-up-accounts.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const Email = z.email();

async function create(client: Client, email: string, fullName: string): Promise<string> {
  const id = crypto.randomUUID();
  const password = randomBytes(15).toString('base64url');
  const role = `insert into public.user_roles (user_id, role) values ($1, 'admin')`;
  const change = 'update public.profiles set must_change_password = true where id = $1';
  await inTransaction(client, async () => {
    await insertAccounts(client, [{ id, email, fullName }], password);
    await client.query(role, [id]);
    await client.query(change, [id]);
  }).catch((error: unknown) => {
    if (error instanceof DatabaseError && error.code === '23505') {
      throw new StartError(
        `There is an account for ${email} already. An administrator can give it the role.`,
      );
    }
    throw error;
  });
  return password;
}

try {
  const { values } = parseArgs({
    options: { email: { type: 'string' }, name: { type: 'string' } },
  });
  const email = Email.safeParse(values.email);
  if (!email.success) {
    throw new StartError(
      'Say whose account it is: npm run admin:create -- --email you@company.example',
    );
  }
  const password = await withClient(
    await ownerConnection(readConfig(process.env, ROOT)),
    (client) => create(client, email.data, values.name ?? 'Administrator'),
  );
  console.log(`Administrator ${email.data} was created.`);
  console.log(`Password, shown this once and changed at the first sign-in: ${password}`);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
