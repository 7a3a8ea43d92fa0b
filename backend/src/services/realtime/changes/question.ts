import type { CallOptions } from '../../../database/callers.ts';
import { QUERY_TIMEOUT_MS } from '../limits.ts';

/** For every query about changes. */
export const QUERY_OPTIONS: CallOptions = {
  readOnly: true,
  settings: [['statement_timeout', String(QUERY_TIMEOUT_MS)]],
};
