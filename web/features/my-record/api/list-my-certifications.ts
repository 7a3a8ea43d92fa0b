// The certificates of whoever is signed in, the ones that run out first on top.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { KEPT } from '#web/lib/cache/query-client.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { myRecordKey } from '../../../lib/data/keys.ts';

async function listMyCertifications(userId: string) {
  const { data } = await supabase()
    .from('certifications')
    .select('id, certificate_number, issued_at, expires_at, course:training_courses!inner(title)')
    .eq('user_id', userId)
    .order('expires_at')
    .order('id')
    .throwOnError();
  return data;
}

export function myCertificationsQuery(userId: string) {
  return queryOptions({
    queryKey: [...myRecordKey, 'certifications', userId],
    queryFn: () => listMyCertifications(userId),
    meta: KEPT,
  });
}

export function useMyCertifications(userId: string) {
  useLiveTable('certifications', myRecordKey);
  return useQuery(myCertificationsQuery(userId));
}
