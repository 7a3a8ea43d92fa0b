import type { Database } from '#shared/database.types.ts';

export type Entry = Database['public']['Functions']['client_statement']['Returns'][number];

/** Whose statement, and of which days, yyyy-MM-dd. */
export type Period = { client: string; currency: string; from: string; to: string };

export type Statement = {
  period: Period;
  /** Between the opening and the closing balance. */
  entries: Entry[];
  client: { id: string; name: string; location: string };
};
