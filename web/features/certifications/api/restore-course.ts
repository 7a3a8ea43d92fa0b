// Puts back a course that was deleted: the same row with the same id.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { certificationsKey } from '../../../lib/data/keys.ts';
import type { Course } from '../schema.ts';

async function restoreCourse(row: Course): Promise<void> {
  await supabase().from('training_courses').insert(row).throwOnError();
}

export const useRestoreCourse = () => useChange(certificationsKey, restoreCourse);
