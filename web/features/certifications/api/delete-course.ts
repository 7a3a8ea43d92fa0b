// Removes a course and hands it back; the database refuses while certifications are of it.
import { useChange } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Course } from '../schema.ts';
import { certificationsKey } from './certifications-key.ts';

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
