import { keepPreviousData } from '@tanstack/react-query';
import { everyRow } from '#web/lib/data/every-row.ts';
import { shiftsKey } from '#web/lib/data/keys.ts';
import { dayAfter, startOfDay } from '#web/lib/format/days.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type PostWeek, toPostWeeks } from './post-weeks.ts';

const fetchStaffing = (siteId: string, monday: string) =>
  everyRow(async (first, last) => {
    const { data } = await supabase()
      .from('shift_board')
      .select('id, start_time, end_time, assigned, required_headcount')
      .eq('site_id', siteId)
      .gte('start_time', startOfDay(monday))
      .lt('start_time', startOfDay(dayAfter(monday, 7)))
      .order('start_time')
      .order('id')
      .range(first, last)
      .throwOnError();
    return data;
  });

const fetchPostsOfShifts = (siteId: string, monday: string) =>
  everyRow(async (first, last) => {
    const { data } = await supabase()
      .from('shifts')
      .select('id, post_id, posts(name)')
      .eq('site_id', siteId)
      .gte('start_time', startOfDay(monday))
      .lt('start_time', startOfDay(dayAfter(monday, 7)))
      .order('start_time')
      .order('id')
      .range(first, last)
      .throwOnError();
    return data;
  });

async function fetchWeek(siteId: string, monday: string): Promise<PostWeek[]> {
  const [shifts, places, { data: posts }] = await Promise.all([
    fetchStaffing(siteId, monday),
    fetchPostsOfShifts(siteId, monday),
    supabase()
      .from('posts')
      .select('id, name')
      .eq('site_id', siteId)
      .order('name')
      .order('id')
      .throwOnError(),
  ]);
  const postOf = new Map(
    places.flatMap(({ id, post_id, posts: post }) =>
      post_id === null || post === null ? [] : [[id, { id: post_id, name: post.name }] as const],
    ),
  );
  return toPostWeeks(posts, shifts, postOf, Date.now());
}

/** @param monday yyyy-MM-dd */
export const useSiteWeek = (siteId: string, monday: string) =>
  useLiveQuery(['shifts', 'assignments', 'posts'], [...shiftsKey, 'week of site', siteId], {
    queryKey: [...shiftsKey, 'week of site', siteId, monday],
    queryFn: () => fetchWeek(siteId, monday),
    placeholderData: keepPreviousData,
  });

/** Days in which working there counts as lately. */
export const LATELY_DAYS = 30;
/** Duties that are read; people who worked there more often come first. */
const MOST_DUTIES = 1_000;
const MOST_PEOPLE = 6;

export type Regular = {
  id: string;
  name: string;
  phone: string | null;
  duties: number;
  last: string;
};

async function fetchRegulars(siteId: string): Promise<Regular[]> {
  const { data } = await supabase()
    .from('assignments')
    .select('user_id, starts_at, profiles!user_id!inner(full_name, email, phone, left_on)')
    .eq('site_id', siteId)
    .neq('attendance_state', 'none')
    .is('profiles.left_on', null)
    .gte('starts_at', new Date(Date.now() - LATELY_DAYS * 86_400_000).toISOString())
    .order('starts_at', { ascending: false })
    .order('id')
    .limit(MOST_DUTIES)
    .throwOnError();
  const people = new Map<string, Regular>();
  for (const { user_id, starts_at, profiles } of data) {
    if (starts_at === null) continue;
    const known = people.get(user_id);
    people.set(user_id, {
      id: user_id,
      name: formatName(profiles),
      phone: profiles.phone,
      duties: (known?.duties ?? 0) + 1,
      last: known?.last ?? starts_at,
    });
  }
  return [...people.values()].sort((a, b) => b.duties - a.duties).slice(0, MOST_PEOPLE);
}

/** Who worked at the site lately, the most experienced first. */
export const useRegulars = (siteId: string) =>
  useLiveQuery('assignments', [...shiftsKey, 'regulars', siteId], {
    queryKey: [...shiftsKey, 'regulars', siteId],
    queryFn: () => fetchRegulars(siteId),
  });
