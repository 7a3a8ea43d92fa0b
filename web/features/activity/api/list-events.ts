// One page of the security events, newest first.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ASKED, afterCursor, instantsOf, logPageOf } from '#web/lib/data/log-page.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { activityKey } from '../../../lib/data/keys.ts';
import type { EventFilters, SecurityEvent } from '../schema.ts';

/**
 * The events that the filters leave. The view itself orders them, newest first: a further order would make the
 * database sort the whole trail for each page.
 */
export function eventsQuery({ person, event, ...period }: EventFilters) {
  let query = supabase().from('security_events').select();
  if (person) query = query.eq('actor_id', person);
  if (event) query = query.eq('action', event);
  const { since, until } = instantsOf(period);
  if (since) query = query.gte('at', since);
  if (until) query = query.lt('at', until);
  return query;
}

async function listEvents(filters: EventFilters, before: string | undefined) {
  let query = eventsQuery(filters);
  if (before) {
    const { at, or } = afterCursor(before, 'ascending');
    query = query.lte('at', at).or(or);
  }
  const { data } = await query.limit(ASKED).returns<SecurityEvent[]>().throwOnError();
  return logPageOf(data);
}

export function useEvents(filters: EventFilters, before: string | undefined) {
  return useQuery({
    queryKey: [...activityKey, 'events', filters, before],
    queryFn: () => listEvents(filters, before),
    placeholderData: keepPreviousData,
  });
}
