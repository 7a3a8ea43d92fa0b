import { z } from 'zod';
import { transaction } from '../../database.ts';
import { authError } from '../../errors.ts';
import { passkeysOf, removePasskey } from '../../factors/passkeys.ts';
import { notify } from '../../mail/notices.ts';
import { audit } from '../../protection/audit.ts';
import type { Endpoint } from '../../service.ts';
import { requireAdmin } from '../../sessions/authenticate.ts';
import { removeFactor } from '../../sessions/sessions.ts';
import { factorObject } from '../../users/account.ts';
import { passkeyIdOf, requirePasskeys } from '../passkeys.ts';
import { accountOfPath } from './users.ts';

// GET /admin/users/{id}/factors and DELETE …/factors/{factorId}: for users who lost their second factor.
const Params = z.object({ factorId: z.guid() });

export const listFactors: Endpoint = async (call) => {
  await requireAdmin(call);
  const account = await accountOfPath(call);
  return account.factors.map(factorObject);
};

export const deleteFactor: Endpoint = async (call) => {
  await requireAdmin(call);
  const account = await accountOfPath(call);
  const params = Params.safeParse(call.request.params);
  if (!params.success) throw authError('badFactorId');
  const factor = account.factors.find(({ id }) => id === params.data.factorId);
  if (factor === undefined) throw authError('noSuchFactor');
  await transaction(call.pool, async (db) => {
    await removeFactor(db, factor);
    await audit(db, call, 'factor_deleted', account, { factor_id: factor.id });
  });
  if (factor.status === 'verified') notify(call, 'factor_removed', account);
  return factorObject(factor);
};

// GET /admin/users/{id}/passkeys and DELETE …/passkeys/{passkeyId}: for users who lost a device.
export const listPasskeysOf: Endpoint = async (call) => {
  requirePasskeys(call);
  await requireAdmin(call);
  const { id } = await accountOfPath(call);
  return passkeysOf(call.pool, id);
};

export const deletePasskeyOf: Endpoint = async (call) => {
  requirePasskeys(call);
  await requireAdmin(call);
  const account = await accountOfPath(call);
  const passkeyId = passkeyIdOf(call);
  await transaction(call.pool, async (db) => {
    await removePasskey(db, account.id, passkeyId);
    const traits = { passkey_id: passkeyId, by: 'administrator' };
    await audit(db, call, 'passkey_removed', account, traits);
  });
  notify(call, 'passkey_removed', account);
  return call.reply.code(204).send();
};
