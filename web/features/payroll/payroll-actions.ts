import { BadgeDollarSign, Trash2 } from 'lucide-react';
import type { BulkActions, ListAction } from '#web/components/list/list-actions.ts';
import { changeRecords, deleteRecords, idsOf } from '#web/lib/data/many-rows.ts';
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
        idsOf(rows),
        { payment_status: 'paid', payment_date: date },
        { payment_status: 'pending' },
      ),
    done: 'marked as paid',
  },
  {
    label: 'Delete',
    icon: Trash2,
    isDanger: true,
    consequence: () => 'The records and their payslips will be deleted.',
    run: (rows) => deleteRecords('payroll', idsOf(rows)),
    done: 'deleted',
  },
];

export const payrollActions: BulkActions<PayrollRow> = {
  noun: ['payroll record', 'payroll records'],
  nameOf: ({ staff }) => `payroll of ${staff.full_name}`,
  actions,
};
