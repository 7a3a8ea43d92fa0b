import { z } from 'zod';
import { formatAmount } from '#shared/money.ts';
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import type { Entry } from './schema.ts';

export const recordSchema = z.record(z.string(), z.unknown()).catch({});
type Values = z.infer<typeof recordSchema>;

/** Columns that can name a record, best first. */
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

/** Columns that the database maintains itself. */
const HIDDEN = ['id', 'created_at'];

export type Change = { field: string; before: unknown; after: unknown; isChanged: boolean };

const isEmpty = (value: unknown) => value === null || value === undefined || value === '';

/** @returns the entry's fields in table order, without the empty fields of a new or deleted record */
export function listChanges(entry: Pick<Entry, 'action' | 'old_values' | 'new_values'>): Change[] {
  const before: Values = recordSchema.parse(entry.old_values ?? {});
  const after: Values = recordSchema.parse(entry.new_values ?? {});
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => !HIDDEN.includes(field))
    .map((field) => ({
      field,
      before: before[field],
      after: after[field],
      // The entry of an update contains only the changed columns.
      isChanged: entry.action === 'update',
    }))
    .filter((change) => change.isChanged || !isEmpty(change.before) || !isEmpty(change.after));
}

/** @returns the record's name, if the entry contains one */
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

/** A range of times as PostgreSQL writes it. */
const RANGE =
  /^[[(]"?(\d{4}-\d\d-\d\d \d\d:\d\d[^",]*)"?,"?(\d{4}-\d\d-\d\d \d\d:\d\d[^",]*)"?[\])]$/;
const toIso = (written: string) => written.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00');

/** Whether the change has nothing to read: an id of something that has no name here. */
export const isUnnamed = (
  { before, after }: Change,
  names: ReadonlyMap<string, string>,
): boolean => {
  const ids = [before, after].filter((value) => !isEmpty(value));
  return ids.every((value) => typeof value === 'string' && UUID.test(value) && !names.has(value));
};

/** Columns with amounts of money. */
const AMOUNTS =
  /^(monthly_rate|total_expenses|deductions|bonuses)$|(^|_)(amount|balance|revenue|profit|debit|credit)$/;

/** @returns the value as shown on screen, `-` if empty */
export function displayValue(
  field: string,
  value: unknown,
  names: ReadonlyMap<string, string>,
): string {
  if (isEmpty(value)) return '-';
  if (typeof value === 'number' && AMOUNTS.test(field)) return formatAmount(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.join(', ') || '-';
  if (typeof value !== 'string') return JSON.stringify(value);
  const [, from, until] = RANGE.exec(value) ?? [];
  if (from && until)
    return `${formatLongDateTime(toIso(from))} to ${formatLongDateTime(toIso(until))}`;
  const isInstant = INSTANT.test(value) && !Number.isNaN(Date.parse(value));
  return names.get(value) ?? (isInstant ? formatLongDateTime(value) : value);
}

/** @returns ids in columns that refer to people and sites, to be replaced by names */
export function listReferences(changes: Change[]): { people: string[]; sites: string[] } {
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
