// Removes a course and hands it back; the database refuses while certifications are of it.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { certificationsKey } from '../../../lib/data/keys.ts';
import type { Course } from '../schema.ts';

/** @returns the row as it was at the end; null when somebody else had removed it before */
async function deleteCourse(id: string): Promise<Course | null> {
  const { data } = await supabase()
    .from('training_courses')
    .delete()
    .eq('id', id)
    .select()
    .maybeSingle()
    .throwOnError();
  return data;
}

export const useDeleteCourse = () => useChange(certificationsKey, deleteCourse);
