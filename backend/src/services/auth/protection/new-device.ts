// Detects the first sign-in of an account on a device, and mails its owner after the response.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../database.ts';
import { notify } from '../mail/notify.ts';
import type { Service } from '../service.ts';
import type { Account } from '../users/account.ts';
import { fingerprintOf } from './device.ts';
import { networkHash } from './guesser.ts';

const newcomers = new WeakMap<FastifyRequest, Account>();

/** Records device and network. Every device but the account's first is marked for a mail. */
export async function rememberDevice(
  db: Db,
  request: FastifyRequest,
  account: Account,
): Promise<void> {
  const { rows } = await db.query<{ is_new: boolean }>(
    `with network as (
         insert into auth.known_networks (user_id, network) values ($1, $3)
         on conflict (user_id, network) do update set seen_at = now()
       ), known as (select exists (select from auth.seen_devices where user_id = $1) as any),
       seen as (
         insert into auth.seen_devices (user_id, fingerprint) values ($1, $2)
         on conflict (user_id, fingerprint) do update set seen_at = now()
         returning xmax = 0 as is_fresh
       )
     select seen.is_fresh and known.any as is_new from seen, known`,
    [account.id, fingerprintOf(request), networkHash(request)],
  );
  if (rows[0]?.is_new) newcomers.set(request, account);
}

/** After the response, when the sign-in is committed. */
export async function tellOfNewDevice(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const account = newcomers.get(request);
  if (account === undefined || reply.statusCode >= 400) return;
  notify(service, request, 'new_device', account);
}
