import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Db } from '../../database.ts';
import { refusals } from '../../errors/catalogue.ts';
import { type Account, accountById } from '../../users/account.ts';

const Params = z.object({ id: z.guid() });

/** @returns the account in the path of an admin request; @throws AuthError 404 if the path has no uuid or it is unknown */
export async function accountOfPath(db: Db, request: FastifyRequest): Promise<Account> {
  const params = Params.safeParse(request.params);
  if (!params.success) throw refusals.badUserId();
  const account = await accountById(db, params.data.id);
  if (account === undefined) throw refusals.noSuchUser();
  return account;
}
