import { CalendarCheck } from 'lucide-react';
import { deleteAction } from '#web/components/list/delete-action.ts';
import type { BulkActions, ListAction } from '#web/components/list/list-actions.ts';
import { changeRecords, listIds } from '#web/lib/data/many-rows.ts';
import { isInOrder } from '#web/lib/form-fields/day-field.ts';
import { fromLocalInput } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import type { CertificationRow } from './schema.ts';

/** A certificate is valid from the start of its first day to the end of its last day. */
function instantAt(day: string, time: string): string {
  const instant = fromLocalInput(`${day}T${time}`);
  if (instant === undefined) throw new Error('Enter a valid date');
  return instant;
}

const actions: readonly ListAction<CertificationRow>[] = [
  {
    label: 'Renew',
    icon: CalendarCheck,
    fields: [
      { kind: 'day', name: 'expires', label: 'New expiry date' },
      {
        kind: 'day',
        name: 'issued',
        label: 'Issued on',
        optional: true,
        hint: 'Empty keeps the earlier day.',
      },
    ],
    check: ({ issued = '', expires = '' }) =>
      isInOrder(issued, expires) ? undefined : 'The expiry must not be before the day of issue',
    run: (rows, { issued, expires = '' }) =>
      changeRecords('certifications', listIds(rows), {
        expires_at: instantAt(expires, '23:59'),
        ...(issued && { issued_at: instantAt(issued, '00:00') }),
      }),
    done: 'renewed',
  },
  deleteAction(
    'certifications',
    () => 'The certificates will be removed from the records of their holders.',
  ),
];

export const certificationActions: BulkActions<CertificationRow> = {
  noun: ['certification', 'certifications'],
  nameOf: (row) => `${row.training_courses.title} of ${formatName(row.profiles)}`,
  actions,
};
