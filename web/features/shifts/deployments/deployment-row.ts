import { fromLocalInput } from '#web/lib/format/dates.ts';
import type { DeploymentForm } from './schema.ts';

function instant(local: string): string {
  const value = fromLocalInput(local);
  if (value === undefined) throw new RangeError(`${local} is not a valid date and time.`);
  return value;
}

/** @returns the columns to store: times in UTC, null for empty fields */
export function toRow(form: DeploymentForm) {
  return {
    ...form,
    client_name: form.client_name || null,
    notes: form.notes || null,
    shift_start: instant(form.shift_start),
    shift_end: instant(form.shift_end),
  };
}
