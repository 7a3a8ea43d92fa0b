// How every question about a change is put to the database.
import type { CallOptions } from '../../../database/callers.ts';
import { QUESTION_MS } from '../limits.ts';

export const QUESTION: CallOptions = {
  readOnly: true,
  settings: [['statement_timeout', String(QUESTION_MS)]],
};
