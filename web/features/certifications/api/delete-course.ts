// Removes a course; the database refuses while certifications are of it.
import { useChange } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase.ts';
import { certificationsKey } from './certifications-key.ts';

async function deleteCourse(id: string): Promise<void> {
  await supabase().from('training_courses').delete().eq('id', id).throwOnError();
}

export const useDeleteCourse = () => useChange(certificationsKey, deleteCourse);
