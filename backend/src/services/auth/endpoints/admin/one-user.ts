// The account that the path of an administrator's request names.
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Db } from '../../database.ts';
import { refusals } from '../../errors/catalogue.ts';
import { type Account, accountById } from '../../users/account.ts';

const Params = z.object({ id: z.guid() });

/** @throws AuthError 404 when the path holds no uuid or nobody has it */
export async function accountOfPath(db: Db, request: FastifyRequest): Promise<Account> {
  const params = Params.safeParse(request.params);
  if (!params.success) throw refusals.badUserId();
  const account = await accountById(db, params.data.id);
  if (account === undefined) throw refusals.noSuchUser();
  return account;
}
