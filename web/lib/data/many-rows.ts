// Calls that change, delete or restore many rows: all of them or none, in one request, with the ids in its body.
import { z } from 'zod';
import { errorFrom } from '../errors/error-message.ts';
import { supabase } from '../supabase/client.ts';

type ChangeTable =
  | 'attendance'
  | 'certifications'
  | 'contact_messages'
  | 'incidents'
  | 'leave_requests'
  | 'payroll'
  | 'shifts'
  | 'staff';

export type DeleteTable =
  | 'bank_accounts'
  | 'certifications'
  | 'deployments'
  | 'expense_reports'
  | 'financial_statements'
  | 'loans'
  | 'payroll'
  | 'shifts'
  | 'user_roles';

type Values = Record<string, string | number | boolean | null>;

const json = z.json();
const rowsSchema = z.array(json);

type Outcome = {
  changed: number;
  /** @returns which guards of restored shifts could not be assigned again, and why */
  undo: () => Promise<string | undefined>;
};

/** @param changed what a function like change_records returned */
export function undoableChange(table: ChangeTable, changed: unknown): Outcome {
  const rows = rowsSchema.parse(changed);
  return {
    changed: rows.length,
    async undo() {
      if (rows.length === 0) return undefined;
      await supabase().rpc('restore_values', { p_table: table, p_rows: rows }).throwOnError();
      return undefined;
    },
  };
}

/**
 * Sets the same values in all rows.
 * @param expected values that each row must still have
 */
export async function changeRecords(
  table: ChangeTable,
  ids: string[],
  values: Values,
  expected: Values = {},
): Promise<Outcome> {
  const { data } = await supabase()
    .rpc('change_records', { p_table: table, p_ids: ids, p_values: values, p_expected: expected })
    .throwOnError();
  return undoableChange(table, data);
}

async function restoreRecords(table: DeleteTable, rows: z.infer<typeof rowsSchema>) {
  const { data } = await supabase()
    .rpc('restore_records', { p_table: table, p_rows: rows })
    .single()
    .throwOnError();
  return data.left_out.length > 0 ? `Not assigned again: ${data.left_out.join(' ')}` : undefined;
}

/** @param deleted what a function like delete_records returned */
export function undoableDeletion(table: DeleteTable, deleted: unknown): Outcome {
  const rows = rowsSchema.parse(deleted);
  return { changed: rows.length, undo: () => restoreRecords(table, rows) };
}

export async function deleteRecords(table: DeleteTable, ids: string[]): Promise<Outcome> {
  const { data } = await supabase()
    .rpc('delete_records', { p_table: table, p_ids: ids })
    .throwOnError();
  return undoableDeletion(table, data);
}

export const listIds = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

const refusalsSchema = z.array(z.object({ id: z.string(), name: z.string(), reason: z.string() }));
export type Refusal = z.infer<typeof refusalsSchema>[number];

/** @returns the rows that the database refused, and why; empty for other errors */
export function readRefusals(thrown: unknown): Refusal[] {
  const error = errorFrom(thrown);
  const details: unknown = error && Reflect.get(error, 'details');
  if (typeof details !== 'string' || !details.startsWith('[')) return [];
  try {
    return refusalsSchema.safeParse(JSON.parse(details)).data ?? [];
  } catch {
    // Details of another error.
    return [];
  }
}
