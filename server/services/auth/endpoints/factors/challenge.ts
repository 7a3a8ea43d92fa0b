// POST /factors/{id}/challenge: asks for a code, to be given within five minutes.

import { transaction } from '../../database.ts';
import { addressOf } from '../../protection/address.ts';
import type { Endpoint } from '../../service.ts';
import { ownFactor } from './own-factor.ts';

/** Seconds. */
export const CHALLENGE_LIFETIME_S = 300;

export const challengeFactor: Endpoint = async (service, request) => {
  const { factor } = await ownFactor(service, request);
  const id = crypto.randomUUID();
  const createdAt = service.context.now();
  await transaction(service.pool, async (db) => {
    await db.query(
      'insert into auth.mfa_challenges (id, factor_id, created_at, ip_address) values ($1, $2, $3, $4)',
      [id, factor.id, createdAt, addressOf(request)],
    );
    await db.query(
      'update auth.mfa_factors set last_challenged_at = clock_timestamp() where id = $1',
      [factor.id],
    );
  });
  const expiresAt = Math.floor(createdAt.getTime() / 1000) + CHALLENGE_LIFETIME_S;
  return { id, type: factor.factor_type, expires_at: expiresAt };
};
