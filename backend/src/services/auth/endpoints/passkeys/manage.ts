// GET /passkeys, PATCH and DELETE /passkeys/{id}. Another user's passkey is a 404, like an unknown one.
import { z } from 'zod';
import { transaction } from '../../database.ts';
import { refusals } from '../../errors/catalogue.ts';
import { readBody, text } from '../../input/json.ts';
import { notify } from '../../mail/notify.ts';
import { audit } from '../../protection/audit.ts';
import type { Endpoint } from '../../service.ts';
import { passkeysOf, removePasskey, renamePasskey } from '../../webauthn/passkeys.ts';
import { passkeyIdOf, passkeyManager, passkeyOwner } from './caller.ts';

const LONGEST_NAME = 120;
const Body = z.object({ friendly_name: text });

export const listPasskeys: Endpoint = async (service, request) => {
  const { id } = await passkeyOwner(service, request);
  return passkeysOf(service.pool, id);
};

export const namePasskey: Endpoint = async (service, request) => {
  const { id } = await passkeyManager(service, request);
  const name = readBody(request, Body).friendly_name.trim();
  if (name === '') throw refusals.invalid('friendly_name is required');
  if (name.length > LONGEST_NAME) {
    throw refusals.invalid(`friendly_name must be at most ${LONGEST_NAME} characters`);
  }
  return renamePasskey(service.pool, id, passkeyIdOf(request), name);
};

export const deletePasskey: Endpoint = async (service, request, reply) => {
  const account = await passkeyManager(service, request);
  const passkeyId = passkeyIdOf(request);
  await transaction(service.pool, async (db) => {
    await removePasskey(db, account.id, passkeyId);
    await audit(db, request, 'passkey_removed', account, { passkey_id: passkeyId });
  });
  notify(service, request, 'passkey_removed', account);
  return reply.code(204).send();
};
