import { Check, X } from 'lucide-react';
import { PAY_ADJUSTMENTS_CURRENCY } from '#shared/database.values.ts';
import { formatMoney, sumCents } from '#shared/money.ts';
import type { BulkActions, ListAction } from '#web/components/list/list-actions.ts';
import { listIds } from '#web/lib/data/many-rows.ts';
import { formatPayPeriod } from '#web/lib/format/dates.ts';
import { OTHER_PAYERS } from '#web/lib/vocabulary/deciders.ts';
import { decideAdjustments, findPerson } from './api.ts';
import { type Adjustment, isOwn } from './schema.ts';

/** For example "US$ 120.00 and late hours that are valued then". */
function sumsOf(rows: readonly Adjustment[]): string {
  const sums = PAY_ADJUSTMENTS_CURRENCY.flatMap((currency) => {
    const amounts = rows.flatMap((row) => (row.currency === currency ? (row.amount ?? []) : []));
    return amounts.length > 0 ? [formatMoney(sumCents(amounts), currency)] : [];
  });
  const isToValue = rows.some(({ amount }) => amount === null);
  return [...sums, ...(isToValue ? ['hours that it values'] : [])].join(' and ');
}

function decision(
  me: string | undefined,
  isApproved: boolean,
  action: Pick<ListAction<Adjustment>, 'label' | 'icon' | 'isDanger' | 'consequence' | 'done'>,
): ListAction<Adjustment> {
  return {
    ...action,
    appliesTo: (row) => row.status === 'to_decide' && !isOwn(row, me),
    leftOut: `already decided, or for ${OTHER_PAYERS}: about your own pay, or entered by you`,
    fields: [{ kind: 'text', name: 'note', label: 'Note', most: 1000, optional: true }],
    run: async (rows, { note = '' }) => ({
      changed: await decideAdjustments({ ids: listIds(rows), isApproved, note }),
      ...(isApproved && { note: 'The next pay run that is calculated pays them.' }),
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
      consequence: (rows) =>
        `The next pay run that is calculated pays ${sumsOf(rows)}. Late hours also become attendance.`,
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
