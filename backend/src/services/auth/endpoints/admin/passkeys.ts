// GET /admin/users/{id}/passkeys and DELETE …/passkeys/{passkeyId}: for users who lost a device.
import { transaction } from '../../database.ts';
import { notify } from '../../mail/notify.ts';
import { audit } from '../../protection/audit.ts';
import type { Endpoint } from '../../service.ts';
import { requireAdmin } from '../../sessions/authenticate.ts';
import { passkeysOf, removePasskey } from '../../webauthn/passkeys.ts';
import { passkeyIdOf, requirePasskeys } from '../passkeys/caller.ts';
import { accountOfPath } from './one-user.ts';

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
