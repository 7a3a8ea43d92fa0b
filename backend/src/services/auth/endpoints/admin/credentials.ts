import { authError } from '../../errors.ts';
import { fetchPasskeys } from '../../factors/passkeys.ts';
import { readUuid } from '../../input/parse.ts';
import type { Endpoint } from '../../service.ts';
import { requireAdmin } from '../../sessions/authenticate.ts';
import { factorObject } from '../../users/account.ts';
import { dropFactor } from '../factors.ts';
import { dropPasskey, requirePasskeys } from '../passkeys.ts';
import { accountOfPath } from './users.ts';

// GET /admin/users/{id}/factors and DELETE …/factors/{factorId}: for users who lost their second factor.
export const listFactors: Endpoint = async (call) => {
  const account = await accountOfPath(call);
  return account.factors.map(factorObject);
};

export const deleteFactor: Endpoint = async (call) => {
  const account = await accountOfPath(call);
  const factorId = readUuid(call, 'factorId', 'badFactorId');
  const factor = account.factors.find(({ id }) => id === factorId);
  if (factor === undefined) throw authError('noSuchFactor');
  await dropFactor(call, account, factor);
  return factorObject(factor);
};

// GET /admin/users/{id}/passkeys and DELETE …/passkeys/{passkeyId}: for users who lost a device.
export const listPasskeysOf: Endpoint = async (call) => {
  requirePasskeys(call);
  await requireAdmin(call);
  const { id } = await accountOfPath(call);
  return fetchPasskeys(call.pool, id);
};

export const deletePasskeyOf: Endpoint = async (call) => {
  requirePasskeys(call);
  await requireAdmin(call);
  return dropPasskey(call, await accountOfPath(call), { by: 'administrator' });
};
