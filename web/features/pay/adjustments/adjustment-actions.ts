import { Check, X } from 'lucide-react';
import type { BulkActions, ListAction } from '#web/components/list/list-actions.ts';
import { listIds } from '#web/lib/data/many-rows.ts';
import { formatPayPeriod } from '#web/lib/format/dates.ts';
import { decideAdjustments, findPerson } from './api.ts';
import { type Adjustment, isOwn } from './schema.ts';

function decision(
  me: string | undefined,
  isApproved: boolean,
  action: Pick<ListAction<Adjustment>, 'label' | 'icon' | 'isDanger' | 'consequence' | 'done'>,
): ListAction<Adjustment> {
  return {
    ...action,
    appliesTo: (row) => row.status === 'to_decide' && !isOwn(row, me),
    leftOut: 'already decided, about your own pay, or entered by you',
    fields: [{ kind: 'text', name: 'note', label: 'Note', most: 1000, optional: true }],
    run: async (rows, { note = '' }) => ({
      changed: await decideAdjustments({ ids: listIds(rows), isApproved, note }),
    }),
  };
}

/** @param me id of the user, who can't decide about their own pay */
export const adjustmentActions = (me: string | undefined): BulkActions<Adjustment> => ({
  noun: ['adjustment', 'adjustments'],
  nameOf: (row) => `${findPerson(row)}, ${formatPayPeriod(row.period_start, row.period_end)}`,
  actions: [
    decision(me, true, {
      label: 'Approve',
      icon: Check,
      consequence: () =>
        'The next pay run that is calculated pays them. Late hours also become attendance.',
      done: 'approved',
    }),
    decision(me, false, {
      label: 'Reject',
      icon: X,
      isDanger: true,
      consequence: () => 'Nothing is paid for them.',
      done: 'rejected',
    }),
  ],
});
