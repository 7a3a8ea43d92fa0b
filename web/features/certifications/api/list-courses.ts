// All courses by title, refreshed whenever one changes.
import { useQuery } from '@tanstack/react-query';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { certificationsKey } from '../../../lib/data/keys.ts';
import type { Course } from '../schema.ts';

export async function listCourses(): Promise<Course[]> {
  const { data } = await supabase()
    .from('training_courses')
    .select()
    .order('title')
    .order('id')
    .throwOnError();
  return data;
}

export function useCourses() {
  useLiveTable('training_courses', certificationsKey);
  return useQuery({ queryKey: [...certificationsKey, 'courses'], queryFn: listCourses });
}
