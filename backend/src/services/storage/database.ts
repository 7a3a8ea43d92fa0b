import { DatabaseError } from 'pg';
import { z } from 'zod';
import type { Caller } from '../../database/callers.ts';
import type { Database } from '../../database/database.ts';

type Values = (string | null)[];

export interface Db {
  /** Runs a statement whose only column is JSON. */
  rows<T extends z.ZodType>(schema: T, text: string, values: Values): Promise<z.output<T>[]>;
  /** @returns the number of affected rows. Returns no columns, so that no right to read is needed. */
  write(text: string, values: Values): Promise<number>;
  /** Runs a statement and rolls it back. @throws pg's DatabaseError when it is not allowed */
  try(text: string, values: Values): Promise<void>;
}

const Text = z.string().transform((text): unknown => JSON.parse(text));

class RollBack extends Error {}

/** Subject to row-level security. */
export function asCaller({ callers }: Database, caller: Caller): Db {
  return {
    rows: async (schema, text, values) => {
      const reply = await callers.run(caller, { text, values });
      return reply.rows.map(([cell]) => Text.pipe(schema).parse(cell));
    },
    write: async (text, values) => {
      const { command } = await callers.run(caller, { text, values });
      return Number(/\d+$/.exec(command)?.[0] ?? 0);
    },
    try: async (text, values) => {
      const work = callers.transaction(caller, async (run) => {
        await run({ text, values });
        throw new RollBack();
      });
      await work.catch((error: unknown) => {
        if (!(error instanceof RollBack)) throw error;
      });
    },
  };
}

/** Bypasses row-level security, for public buckets and signed URLs. */
export function asService({ storage }: Database): Db {
  return {
    rows: async (schema, text, values) => {
      const { rows } = await storage.query<unknown[]>({ text, values, rowMode: 'array' });
      return rows.map(([cell]) => schema.parse(cell));
    },
    write: async (text, values) => (await storage.query(text, values)).rowCount ?? 0,
    try: async () => {},
  };
}

/** Whether the error has this SQLSTATE. */
export function isState(error: unknown, code: string): boolean {
  return error instanceof DatabaseError && error.code === code;
}
