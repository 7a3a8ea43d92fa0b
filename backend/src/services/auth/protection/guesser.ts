// Who tries a password or a code: the account, and the network of the request.
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { networkOf } from '../../../http/request.ts';
import type { Db } from '../database.ts';
import { addressOf } from './address.ts';

/** A network counts as known for this many days after its last use. */
export const KNOWN_DAYS = 90;

export interface Guesser {
  /** Canonical e-mail address or phone number, whether or not the account exists. */
  account: string;
  network: string;
  /** Whether the account was used from this network recently. */
  isKnown: boolean;
}

/** The key of a network in `auth.known_networks`. */
export function networkHash(request: FastifyRequest): string {
  return createHash('sha256')
    .update(networkOf(addressOf(request)))
    .digest('hex');
}

/** @param account canonical e-mail address or E.164 digits; unknown ones take the same query, hence the same time */
export async function guesserOf(
  db: Db,
  request: FastifyRequest,
  account: string,
): Promise<Guesser> {
  const { rows } = await db.query<{ is_known: boolean }>(
    `select exists (
       select from auth.users u join auth.known_networks n on n.user_id = u.id
       where ((u.email = $1 and not u.is_sso_user) or u.phone = $1) and u.deleted_at is null
         and n.network = $2 and n.seen_at > now() - make_interval(days => $3)
     ) as is_known`,
    [account, networkHash(request), KNOWN_DAYS],
  );
  const network = networkOf(addressOf(request));
  return { account, network, isKnown: rows[0]?.is_known ?? false };
}
