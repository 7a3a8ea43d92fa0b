import { BadgeCheck, Milestone, UserRoundCheck } from 'lucide-react';
import { INCIDENTS_STATUS } from '#shared/database.values.ts';
import type { BulkActions } from '#web/components/list/list-actions.ts';
import { changeRecords, listIds } from '#web/lib/data/many-rows.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { reviewIncidents } from './review-api.ts';
import { type IncidentRow, mayReview } from './schema.ts';

type Owner = { id: string; label: string };

/** @param owners who oversees incidents @param me id of the user, who can't review their own grave reports */
export const incidentActions = (
  owners: Owner[],
  me: string | undefined,
): BulkActions<IncidentRow> => ({
  noun: ['incident', 'incidents'],
  nameOf: ({ title }) => title,
  actions: [
    {
      label: 'Mark reviewed',
      icon: BadgeCheck,
      appliesTo: (row) => row.review_state !== 'reviewed' && mayReview(row, me),
      leftOut: 'already reviewed, or high or critical and reported by you',
      fields: [
        {
          kind: 'text',
          name: 'note',
          label: 'Note',
          hint: 'The reporters read it.',
          most: 2000,
          optional: true,
        },
      ],
      run: async (rows, { note = '' }) => ({
        changed: await reviewIncidents(listIds(rows), note),
      }),
      done: 'reviewed',
    },
    {
      label: 'Assign',
      icon: UserRoundCheck,
      fields: [
        {
          kind: 'choice',
          name: 'owner',
          label: 'Owner',
          hint: 'Someone who oversees the sites of the incidents.',
          options: owners.map(({ id, label }) => [id, label] as const),
        },
      ],
      run: (rows, { owner = '' }) => changeRecords('incidents', listIds(rows), { owner_id: owner }),
      done: 'assigned',
    },
    {
      label: 'Change status',
      icon: Milestone,
      fields: [
        {
          kind: 'choice',
          name: 'status',
          label: 'Status',
          options: INCIDENTS_STATUS.map((status) => [status, STATUS_LABELS[status]] as const),
        },
        {
          kind: 'text',
          name: 'note',
          label: 'Internal note',
          hint: 'Added to the timeline of each incident.',
          most: 5000,
          optional: true,
        },
      ],
      run: (rows, { status = '', note }) =>
        changeRecords('incidents', listIds(rows), { status, notes: note || null }),
      done: 'updated',
    },
  ],
});
