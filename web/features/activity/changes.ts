// What an entry of the log tells of a record: its name, and each field before and after.
import { z } from 'zod';
import { formatAmount } from '#shared/money.ts';
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import type { Entry } from './schema.ts';

const recordSchema = z.record(z.string(), z.unknown()).catch({});
type Values = z.infer<typeof recordSchema>;

/** The fields by which people know a record, best first. */
const NAMES = [
  'title',
  'full_name',
  'name',
  'guard_name',
  'account_title',
  'email',
  'role',
  'type',
];

/** Kept by the database for itself: of no interest to whoever asks what somebody did. */
const UNTOLD = ['id', 'created_at'];

export type Change = { field: string; before: unknown; after: unknown; isChanged: boolean };

const isEmpty = (value: unknown) => value === null || value === undefined || value === '';

/** @returns each field that the entry tells of, in the order of the table; empty ones of a new or deleted record are left out */
export function changesOf(entry: Pick<Entry, 'action' | 'old_values' | 'new_values'>): Change[] {
  const before: Values = recordSchema.parse(entry.old_values ?? {});
  const after: Values = recordSchema.parse(entry.new_values ?? {});
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => !UNTOLD.includes(field))
    .map((field) => ({
      field,
      before: before[field],
      after: after[field],
      // An update holds only what changed.
      isChanged: entry.action === 'update',
    }))
    .filter((change) => change.isChanged || !isEmpty(change.before) || !isEmpty(change.after));
}

/** @returns what people call the record, where the entry tells it */
export function recordName({ old_values, new_values }: Entry): string | undefined {
  const values: Values = {
    ...recordSchema.parse(old_values ?? {}),
    ...recordSchema.parse(new_values ?? {}),
  };
  const name = NAMES.map((field) => values[field]).find((value) => typeof value === 'string');
  return typeof name === 'string' && name !== '' ? name : undefined;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Columns that hold amounts of money. */
const AMOUNTS =
  /^(monthly_rate|total_expenses|deductions|bonuses)$|(^|_)(amount|balance|revenue|profit|debit|credit)$/;

/** @returns a value as it is shown, `-` for none */
export function shown(field: string, value: unknown, names: ReadonlyMap<string, string>): string {
  if (isEmpty(value)) return '-';
  if (typeof value === 'number' && AMOUNTS.test(field)) return formatAmount(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value !== 'string') return JSON.stringify(value);
  const isInstant = INSTANT.test(value) && !Number.isNaN(Date.parse(value));
  return names.get(value) ?? (isInstant ? formatLongDateTime(value) : value);
}

/** @returns ids that stand in fields of people and of sites, to be shown by name */
export function referencesOf(changes: Change[]): { people: string[]; sites: string[] } {
  const idsIn = (pattern: RegExp) => {
    const values = changes
      .filter(({ field }) => pattern.test(field))
      .flatMap(({ before, after }) => [before, after]);
    return [
      ...new Set(
        values.filter((value) => typeof value === 'string' && UUID.test(value)).map(String),
      ),
    ];
  };
  return { people: idsIn(/(user_id|_by)$/), sites: idsIn(/site_id$/) };
}
