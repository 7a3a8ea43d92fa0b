import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { musterKey } from '#web/lib/data/keys.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { MUSTER_KIND } from '#web/lib/outbox/kinds.ts';
import { submitForm } from '#web/lib/outbox/submit.ts';
import { timeOrderedId } from '#web/lib/outbox/time-ordered-id.ts';
import { type Position, recordedPlace } from '#web/lib/position/locate.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** The guards who should be at post now, at the sites that the user oversees. Kept for the round without a signal. */
export const musterQuery = queryOptions({
  queryKey: musterKey,
  queryFn: async () =>
    (await supabase().rpc('muster_list', undefined, { get: true }).throwOnError()).data,
  meta: PERSISTED,
  refetchOnMount: 'always',
});

export type MusterRow = Awaited<ReturnType<NonNullable<typeof musterQuery.queryFn>>>[number];

/** Two pairs of which one takes the other back. */
const MARKS = ['in', 'withdraw', 'absent', 'expected'] as const;
export type Mark = (typeof MARKS)[number];

export const musterSchema = z.object({
  /** Versions before it existed marked presence alone. */
  mark: z.enum(MARKS).default('in'),
  assignmentId: z.uuid(),
  gps: z.string().nullable(),
  accuracyM: z.number().nullable(),
  fixAgeS: z.number().nullable(),
});

/** @returns the last mark of each assignment that waits to be sent */
export function waitingMarks(entries: readonly OutboxEntry[]): Map<string, Mark> {
  const musters = entries.filter(({ kind }) => kind === MUSTER_KIND);
  return new Map(
    musters.flatMap(({ payload }) => {
      const { data } = musterSchema.safeParse(payload);
      return data ? [[data.assignmentId, data.mark] as const] : [];
    }),
  );
}

const TITLES: Record<Mark, string> = {
  in: 'at post',
  withdraw: 'not at post, marked by mistake',
  absent: 'not here',
  expected: 'expected again',
};

type Muster = {
  userId: string;
  row: MusterRow;
  mark: Mark;
  position: Position | undefined;
  picture?: Blob | undefined;
};

/** Marks whether the guard stands at post, or takes it back. @throws the reason, if the server refuses it */
export async function muster({ userId, row, mark, position, picture }: Muster) {
  return submitForm(
    {
      id: timeOrderedId(),
      userId,
      kind: MUSTER_KIND,
      title: `${row.guard_name} ${TITLES[mark]}, ${row.site_name}`,
      payload: {
        mark,
        assignmentId: row.assignment_id,
        ...recordedPlace(position),
      },
    },
    picture ? [{ name: 'picture', label: 'Picture', blob: picture }] : [],
  );
}
