// POST /sso: sign-in with a company's own identity provider (PROTOCOL.md 1.16).
import { refusals } from '../errors/catalogue.ts';
import type { Endpoint } from '../service.ts';

export const singleSignOn: Endpoint = async () => {
  throw refusals.samlOff();
};
