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

export const listFactors: Endpoint = async (service, request) => {
  await requireAdmin(service, request);
  const account = await accountOfPath(service.pool, request);
  return account.factors.map(factorObject);
};

export const deleteFactor: Endpoint = async (service, request) => {
  await requireAdmin(service, request);
  const account = await accountOfPath(service.pool, request);
  const params = Params.safeParse(request.params);
  if (!params.success) throw authError('badFactorId');
  const factor = account.factors.find(({ id }) => id === params.data.factorId);
  if (factor === undefined) throw authError('noSuchFactor');
  await transaction(service.pool, async (db) => {
    await removeFactor(db, factor);
    await audit(db, request, 'factor_deleted', account, { factor_id: factor.id });
  });
  if (factor.status === 'verified') notify(service, request, 'factor_removed', account);
  return factorObject(factor);
};

// GET /admin/users/{id}/passkeys and DELETE …/passkeys/{passkeyId}: for users who lost a device.
export const listPasskeysOf: Endpoint = async (service, request) => {
  requirePasskeys(service);
  await requireAdmin(service, request);
  const { id } = await accountOfPath(service.pool, request);
  return passkeysOf(service.pool, id);
};

export const deletePasskeyOf: Endpoint = async (service, request, reply) => {
  requirePasskeys(service);
  await requireAdmin(service, request);
  const account = await accountOfPath(service.pool, request);
  const passkeyId = passkeyIdOf(request);
  await transaction(service.pool, async (db) => {
    await removePasskey(db, account.id, passkeyId);
    const traits = { passkey_id: passkeyId, by: 'administrator' };
    await audit(db, request, 'passkey_removed', account, traits);
  });
  notify(service, request, 'passkey_removed', account);
  return reply.code(204).send();
};
