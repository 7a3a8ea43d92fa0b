// GET /admin/users/{id}
import type { Endpoint } from '../../service.ts';
import { requireAdmin } from '../../sessions/authenticate.ts';
import { userObject } from '../../users/user-object.ts';
import { accountOfPath } from './one-user.ts';

export const getAnyUser: Endpoint = async (service, request) => {
  await requireAdmin(service, request);
  return userObject(await accountOfPath(service.pool, request));
};
