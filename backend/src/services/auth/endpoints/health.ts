// GET /health: that the service answers, and whose behaviour it follows.
import type { Endpoint } from '../service.ts';

/** The release of GoTrue that PROTOCOL.md describes. */
const VERSION = 'v2.196.0';

export const health: Endpoint = async () => ({
  version: VERSION,
  name: 'GoTrue',
  description: 'GoTrue is a user registration and authentication API',
});
