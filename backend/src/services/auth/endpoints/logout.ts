// POST /logout?scope=global|local|others
import { transaction } from '../database.ts';
import { refusals } from '../errors/catalogue.ts';
import { queryOf } from '../input/json.ts';
import { audit } from '../protection/audit.ts';
import type { Endpoint } from '../service.ts';
import { authenticate } from '../sessions/authenticate.ts';
import { endSessions, SCOPES } from '../sessions/end-sessions.ts';

export const logout: Endpoint = async (service, request, reply) => {
  const { account, sessionId } = await authenticate(service, request);
  const asked = queryOf(request, 'scope') || 'global';
  const scope = SCOPES.find((known) => known === asked);
  if (scope === undefined) throw refusals.invalid(`Unsupported logout scope "${asked}"`);
  await transaction(service.pool, async (db) => {
    await endSessions(db, account.id, sessionId, scope);
    await audit(db, request, 'logout', account, { scope });
  });
  return reply.code(204).send();
};
