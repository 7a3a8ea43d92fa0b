import { BadgeDollarSign } from 'lucide-react';
import { deleteAction } from '#web/components/list/delete-action.ts';
import type { BulkActions, ListAction } from '#web/components/list/list-actions.ts';
import { changeRecords, listIds } from '#web/lib/data/many-rows.ts';
import { today } from '#web/lib/format/dates.ts';
import type { PayrollRow } from './schema.ts';

const actions: readonly ListAction<PayrollRow>[] = [
  {
    label: 'Mark as paid',
    icon: BadgeDollarSign,
    appliesTo: ({ payment_status }) => payment_status === 'pending',
    leftOut: 'not pending',
    fields: [{ kind: 'day', name: 'date', label: 'Payment date', initial: today }],
    run: (rows, { date = '' }) =>
      changeRecords(
        'payroll',
        listIds(rows),
        { payment_status: 'paid', payment_date: date },
        { payment_status: 'pending' },
      ),
    done: 'marked as paid',
  },
  deleteAction('payroll', () => 'The records and their payslips will be deleted.'),
];

export const payrollActions: BulkActions<PayrollRow> = {
  noun: ['payroll record', 'payroll records'],
  nameOf: ({ staff }) => `payroll of ${staff.full_name}`,
  actions,
};
