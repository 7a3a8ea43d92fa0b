// The profile of the person who is signed in.
import { queryOptions } from '@tanstack/react-query';
import { KEPT } from '../cache/query-client.ts';
import { supabase } from '../supabase/client.ts';

async function readProfile(userId: string) {
  const { data } = await supabase()
    .from('profiles')
    .select('full_name, must_change_password')
    .eq('id', userId)
    .maybeSingle()
    .throwOnError();
  return data ?? { full_name: null, must_change_password: false };
}

export function profileQuery(userId: string | undefined) {
  return queryOptions({
    queryKey: ['profile', userId],
    queryFn: () => (userId ? readProfile(userId) : null),
    enabled: userId !== undefined,
    meta: KEPT,
  });
}
