// The rounds of the guard's shift, and scans: queued on the phone in order, whatever the network does.

import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { CHECKPOINT_SCANS_WAY } from '#shared/database.values.ts';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { guardToursKey } from '#web/lib/data/keys.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { SCAN_KIND } from '#web/lib/outbox/kinds.ts';
import { deviceTime } from '#web/lib/outbox/outbox.ts';
import { type SubmitOutcome, submit } from '#web/lib/outbox/submit.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { type Position, placeOf } from '#web/lib/position/locate.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { numberOfCode, tidyCode } from './code.ts';

const pointSchema = z.object({
  id: z.uuid(),
  number: z.number(),
  name: z.string(),
  scanned_at: z.string().nullable(),
});

export type TourPoint = z.infer<typeof pointSchema>;

async function fetchTours() {
  const { data } = await supabase().rpc('my_tours', undefined, { get: true }).throwOnError();
  return data.map((row) => ({ ...row, points: z.array(pointSchema).parse(row.points ?? []) }));
}

export type GuardTour = Awaited<ReturnType<typeof fetchTours>>[number];

export const scanSchema = z.object({
  code: z.string(),
  way: z.enum(CHECKPOINT_SCANS_WAY),
  deviceAt: z.number(),
  offsetMs: z.number().nullable(),
  gps: z.string().nullable(),
  accuracyM: z.number().nullable(),
  tourId: z.string(),
});
type Scan = z.infer<typeof scanSchema>;

export type Way = Scan['way'];

/** The rounds as if the queued scans had been stored. */
export function withScans(
  tours: readonly GuardTour[],
  waiting: readonly OutboxEntry[],
): GuardTour[] {
  const scans = waiting.flatMap(({ kind, payload }) => {
    const scan = kind === SCAN_KIND ? scanSchema.safeParse(payload).data : undefined;
    return scan
      ? [{ ...scan, at: new Date(scan.deviceAt + (scan.offsetMs ?? 0)).toISOString() }]
      : [];
  });
  return tours.map((tour) => ({
    ...tour,
    points: tour.points.map((point) => {
      const scan = scans.find(
        ({ code, tourId, at }) =>
          tourId === tour.tour_id &&
          numberOfCode(code) === point.number &&
          Date.parse(at) >= Date.parse(tour.opens_at) &&
          Date.parse(at) <= Date.parse(tour.finish_by),
      );
      return { ...point, scanned_at: point.scanned_at ?? scan?.at ?? null };
    }),
  }));
}

export function useGuardTours(userId: string) {
  // Tours themselves are readable through the function only.
  useLiveTable(ownRows(userId, 'checkpoint_scans', 'assignments'), guardToursKey);
  const query = useQuery({
    queryKey: [...guardToursKey, userId],
    queryFn: fetchTours,
    meta: PERSISTED,
  });
  const { waiting } = useOutbox();
  return { query, tours: withScans(query.data ?? [], waiting) };
}

type NewScan = {
  userId: string;
  tour: GuardTour;
  code: string;
  way: Way;
  position: Position | undefined;
};

/** @throws OutboxFull */
export async function submitScan(scan: NewScan): Promise<SubmitOutcome> {
  const { userId, tour, code, way, position } = scan;
  const { at, offsetMs } = await deviceTime();
  const number = numberOfCode(code);
  const point = tour.points.find((one) => one.number === number);
  const payload: Scan = {
    code: tidyCode(code).slice(0, 64) || code.slice(0, 64),
    way,
    deviceAt: at,
    offsetMs,
    ...placeOf(position),
    tourId: tour.tour_id,
  };
  return submit({
    id: crypto.randomUUID(),
    userId,
    kind: SCAN_KIND,
    title: `Checkpoint ${point?.name ?? 'scan'}, ${tour.site_name}`,
    payload,
  });
}
