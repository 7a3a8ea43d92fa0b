import type { Pool } from 'pg';
import webPush from 'web-push';

export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

/** The server's key pair for web push (RFC 8292), made at the first start. Processes that start together agree on one. */
export async function openPushKeys(pool: Pool): Promise<PushKeys> {
  const known = await readKeys(pool);
  if (known) return known;
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  await pool.query(
    'insert into private.push_keys (public_key, private_key) values ($1, $2) on conflict do nothing',
    [publicKey, privateKey],
  );
  const made = await readKeys(pool);
  if (!made) throw new Error('The keys for web push were not stored.');
  return made;
}

async function readKeys(pool: Pool): Promise<PushKeys | undefined> {
  const { rows } = await pool.query<PushKeys>(
    'select public_key as "publicKey", private_key as "privateKey" from private.push_keys',
  );
  return rows[0];
}
