// DELETE /factors/{id}
import { transaction } from '../../database.ts';
import { refusals } from '../../errors/catalogue.ts';
import { notify } from '../../mail/notify.ts';
import { audit } from '../../protection/audit.ts';
import type { Endpoint } from '../../service.ts';
import { removeFactor } from '../../sessions/raise-session.ts';
import { ownFactor } from './own-factor.ts';

export const unenrollFactor: Endpoint = async (service, request) => {
  const { caller, factor } = await ownFactor(service, request);
  if (factor.status === 'verified' && caller.aal !== 'aal2') throw refusals.secondStepToUnenroll();
  await transaction(service.pool, async (db) => {
    await removeFactor(db, factor);
    await audit(db, request, 'factor_deleted', caller.account, { factor_id: factor.id });
  });
  if (factor.status === 'verified') notify(service, request, 'factor_removed', caller.account);
  return { id: factor.id };
};
