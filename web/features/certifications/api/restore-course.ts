// Puts back a course that was deleted: the same row with the same id.
import { useChange } from '#web/lib/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Course } from '../schema.ts';
import { certificationsKey } from './certifications-key.ts';

async function restoreCourse(row: Course): Promise<void> {
  await supabase().from('training_courses').insert(row).throwOnError();
}

export const useRestoreCourse = () => useChange(certificationsKey, restoreCourse);
