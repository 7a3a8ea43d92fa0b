import { UserRoundCheck, UserRoundX } from 'lucide-react';
import type { BulkActions, ListAction } from '#web/components/list/list-actions.ts';
import { changeRecords, listIds } from '#web/lib/data/many-rows.ts';
import type { StaffRow } from './schema.ts';

const actions: readonly ListAction<StaffRow>[] = [
  {
    label: 'Set active',
    icon: UserRoundCheck,
    appliesTo: ({ status }) => status !== 'active',
    leftOut: 'already active',
    run: (rows) => changeRecords('staff', listIds(rows), { status: 'active' }),
    done: 'set to active',
  },
  {
    label: 'Set inactive',
    icon: UserRoundX,
    appliesTo: ({ status }) => status === 'active',
    leftOut: 'already inactive',
    consequence: () => 'Payroll is no longer drafted for them. Their records are kept.',
    run: (rows) => changeRecords('staff', listIds(rows), { status: 'inactive' }),
    done: 'set to inactive',
  },
];

export const staffActions: BulkActions<StaffRow> = {
  noun: ['staff member', 'staff members'],
  nameOf: ({ full_name }) => full_name,
  actions,
};
