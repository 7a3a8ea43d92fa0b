import { Check, X } from 'lucide-react';
import type { BulkActions, ListAction } from '#web/components/list/list-actions.ts';
import { changeRecords, listIds } from '#web/lib/data/many-rows.ts';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { OTHER_PEOPLE_MANAGERS } from '#web/lib/vocabulary/deciders.ts';
import { fetchSeatsLost } from './api.ts';
import type { LeaveRow } from './schema.ts';
import { SeatsLost, seatsText } from './seats-lost.tsx';

/** A decision can't be undone, so it opens a dialog. */
function decision(
  me: string | undefined,
  status: 'approved' | 'rejected',
  action: Pick<ListAction<LeaveRow>, 'label' | 'icon' | 'isDanger' | 'consequence'>,
): ListAction<LeaveRow> {
  return {
    ...action,
    appliesTo: (row) => row.status === 'pending' && row.user_id !== me,
    leftOut: `already decided, or your own request, for ${OTHER_PEOPLE_MANAGERS}`,
    fields: [
      {
        kind: 'text',
        name: 'note',
        label: 'Note',
        hint: 'The people see it with the outcome.',
        most: 2000,
        optional: true,
      },
    ],
    async run(rows, { note }) {
      const values = { status, decision_note: note || null };
      // Counted before: afterwards the seats are empty.
      const lost = status === 'approved' ? await fetchSeatsLost(listIds(rows)) : undefined;
      const { changed } = await changeRecords('leave_requests', listIds(rows), values, {
        status: 'pending',
      });
      return {
        changed,
        note: lost && lost.seats > 0 ? seatsText(lost.seats, lost.sites) : undefined,
      };
    },
    done: status,
  };
}

/** @param me id of the user, who can't decide their own leave */
export const leaveActions = (me: string | undefined): BulkActions<LeaveRow> => ({
  noun: ['leave request', 'leave requests'],
  nameOf: (row) => `${row.person_name}, ${formatPeriod(row.start_date, row.end_date)}`,
  actions: [
    decision(me, 'approved', {
      label: 'Approve',
      icon: Check,
      consequence: (rows) => (
        <>
          <SeatsLost ids={listIds(rows)} />
          <p>An approval can only be cancelled, one at a time and with a reason.</p>
        </>
      ),
    }),
    decision(me, 'rejected', {
      label: 'Reject',
      icon: X,
      isDanger: true,
      consequence: () => 'A rejection is final: the people have to ask again.',
    }),
  ],
});
