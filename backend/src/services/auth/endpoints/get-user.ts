import type { Endpoint } from '../service.ts';
import { authenticate } from '../sessions/authenticate.ts';
import { userObject } from '../users/user-object.ts';

export const getUser: Endpoint = async (service, request) => {
  const { account } = await authenticate(service, request);
  return userObject(account);
};
