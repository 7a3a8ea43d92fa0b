// How the storage service asks the database: as the caller, whom row-level security binds, or as the service itself.

import { DatabaseError } from 'pg';
import { z } from 'zod';
import type { CallOptions } from '../../database/callers.ts';
import type { Visitor } from './identity.ts';
import type { Service } from './service.ts';

type Values = (string | null)[];

/** Runs one statement whose only column is JSON. @returns a value for each row */
export interface Db {
  rows<T extends z.ZodType>(schema: T, text: string, values: Values): Promise<z.output<T>[]>;
  /** @returns how many rows were written; asks for none of them, so that no right to read is needed */
  write(text: string, values: Values): Promise<number>;
  /** Whether it could be written now: done and rolled back. @throws pg's DatabaseError when it could not */
  try(text: string, values: Values): Promise<void>;
}

const Text = z.string().transform((text): unknown => JSON.parse(text));

class Undone extends Error {}

/** As whoever asks: row-level security decides. */
export function asCaller(service: Service, { caller }: Visitor, options?: CallOptions): Db {
  const { callers } = service.context.database;
  return {
    rows: async (schema, text, values) => {
      const reply = await callers.run(caller, { text, values }, options);
      return reply.rows.map(([cell]) => Text.pipe(schema).parse(cell));
    },
    write: async (text, values) => {
      const { command } = await callers.run(caller, { text, values }, options);
      return Number(/\d+$/.exec(command)?.[0] ?? 0);
    },
    try: async (text, values) => {
      await callers
        .transaction(
          caller,
          async (run) => {
            await run({ text, values });
            throw new Undone();
          },
          options,
        )
        .catch((error: unknown) => {
          if (!(error instanceof Undone)) throw error;
        });
    },
  };
}

/** Past row-level security, where the right comes from elsewhere: a public bucket, or an address that we signed. */
export function asService(service: Service): Db {
  const { storage } = service.context.database;
  return {
    rows: async (schema, text, values) => {
      const { rows } = await storage.query<unknown[]>({ text, values, rowMode: 'array' });
      return rows.map(([cell]) => schema.parse(cell));
    },
    write: async (text, values) => (await storage.query(text, values)).rowCount ?? 0,
    try: async () => {},
  };
}

/** @returns whether the error is PostgreSQL's with this SQLSTATE */
export function isState(error: unknown, code: string): boolean {
  return error instanceof DatabaseError && error.code === code;
}
