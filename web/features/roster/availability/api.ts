import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { AVAILABILITY_KIND, AVAILABILITY_PART } from '#shared/database.values.ts';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { availabilityKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId, useAuth } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { AvailabilityForm } from './schema.ts';

const typedSchema = z.object({
  kind: z.enum(AVAILABILITY_KIND),
  part: z.enum(AVAILABILITY_PART).nullable(),
});

async function fetchAvailability(userId: string) {
  const { data } = await supabase()
    .from('availability')
    .select('id, kind, weekday, from_day, to_day, part, note')
    .eq('user_id', userId)
    .order('from_day', { nullsFirst: true })
    .order('weekday')
    .order('id')
    .limit(100)
    .throwOnError();
  return data.map((row) => ({ ...row, ...typedSchema.parse(row) }));
}

export type Availability = Awaited<ReturnType<typeof fetchAvailability>>[number];

export function useAvailability() {
  const { user } = useAuth();
  useLiveTable(ownRows(user?.id, 'availability'), availabilityKey);
  return useQuery({
    queryKey: [...availabilityKey, user?.id],
    queryFn: () => fetchAvailability(user?.id ?? ''),
    meta: PERSISTED,
  });
}

async function addAvailability(form: AvailabilityForm): Promise<void> {
  const user_id = await requireUserId();
  const isWeekly = form.when !== 'dates';
  await supabase()
    .from('availability')
    .insert({
      user_id,
      kind: form.kind,
      weekday: isWeekly ? Number(form.when) : null,
      from_day: isWeekly ? null : form.from_day,
      to_day: isWeekly ? null : form.to_day || form.from_day,
      part: form.part === '' ? null : form.part,
      note: form.note || null,
    })
    .throwOnError();
}

async function removeAvailability(row: Availability): Promise<void> {
  await supabase().from('availability').delete().eq('id', row.id).throwOnError();
}

async function restoreAvailability(row: Availability): Promise<void> {
  await supabase().from('availability').insert(row).throwOnError();
}

export const useAddAvailability = () => useChange(availabilityKey, addAvailability);
export const useRemoveAvailability = () => useChange(availabilityKey, removeAvailability);
export const useRestoreAvailability = () => useChange(availabilityKey, restoreAvailability);
