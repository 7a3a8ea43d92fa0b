import { useQuery } from '@tanstack/react-query';
import { certificationsKey, peopleKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { HireEntry } from './hire-schema.ts';
import type { Issued } from './issued-code.ts';

async function fetchCourses() {
  const { data } = await supabase()
    .from('training_courses')
    .select('id, title, validity_months')
    .order('title')
    .throwOnError();
  return data;
}

export type HireCourse = Awaited<ReturnType<typeof fetchCourses>>[number];

export const useHireCourses = () =>
  useQuery({ queryKey: [...certificationsKey, 'choices'], queryFn: fetchCourses });

type Hiring = {
  entries: HireEntry[];
  /** In the file, for messages about a row. */
  numbers?: number[];
};

/** Hires everyone or nobody. @returns the start codes, which are shown only once */
async function hirePeople({ entries, numbers }: Hiring): Promise<Issued[]> {
  const { data } = await supabase()
    .rpc('hire_people', { p_people: entries, ...(numbers && { p_lines: numbers }) })
    .throwOnError();
  return data.map(({ user_id, full_name, code, expires_at }, at) => ({
    id: user_id,
    name: full_name,
    phone: entries[at]?.phone ?? null,
    email: entries[at]?.email ?? null,
    code,
    expires_at,
  }));
}

export const useHirePeople = () => useChange(peopleKey, hirePeople);
