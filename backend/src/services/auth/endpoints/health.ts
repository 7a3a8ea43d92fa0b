import type { Endpoint } from '../service.ts';

/** The release of GoTrue whose API this is. */
const VERSION = 'v2.196.0';

export const health: Endpoint = async () => ({
  version: VERSION,
  name: 'GoTrue',
  description: 'GoTrue is a user registration and authentication API',
});
