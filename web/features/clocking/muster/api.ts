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

export const musterSchema = z.object({
  assignmentId: z.uuid(),
  gps: z.string().nullable(),
  accuracyM: z.number().nullable(),
  fixAgeS: z.number().nullable(),
});

/** @returns the assignments that wait to be sent */
export function waitingMusters(entries: readonly OutboxEntry[]): Set<string> {
  const musters = entries.filter(({ kind }) => kind === MUSTER_KIND);
  return new Set(
    musters.flatMap(({ payload }) => musterSchema.safeParse(payload).data?.assignmentId ?? []),
  );
}

type Muster = {
  userId: string;
  row: MusterRow;
  position: Position | undefined;
  picture: Blob | undefined;
};

/** Marks that the guard stands at post. @throws the reason, if the server refuses it */
export async function muster({ userId, row, position, picture }: Muster) {
  return submitForm(
    {
      id: timeOrderedId(),
      userId,
      kind: MUSTER_KIND,
      title: `${row.guard_name} at post, ${row.site_name}`,
      payload: {
        assignmentId: row.assignment_id,
        ...recordedPlace(position),
      },
    },
    picture ? [{ name: 'picture', label: 'Picture', blob: picture }] : [],
  );
}
