// The certifications that expire next, within 30 days.
import { useQuery } from '@tanstack/react-query';
import { addDays } from 'date-fns';
import { dashboardKey } from '#web/lib/data/keys.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { REFRESH_MS } from './refresh.ts';

/** Specification, section 9. */
const DAYS = 30;
const SHOWN = 5;

async function listExpiring() {
  const now = new Date();
  const { data } = await supabase()
    .from('certifications')
    .select('id, user_id, expires_at, training_courses(title), profiles(full_name, email)')
    .gte('expires_at', now.toISOString())
    .lte('expires_at', addDays(now, DAYS).toISOString())
    .order('expires_at')
    .order('id')
    .limit(SHOWN)
    .throwOnError();
  return data;
}

export const useExpiring = () =>
  useQuery({
    queryKey: [...dashboardKey, 'expiring'],
    queryFn: listExpiring,
    refetchInterval: REFRESH_MS,
  });
