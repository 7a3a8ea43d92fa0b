// Adds a course, or changes one.

import { existing, useChange } from '#web/lib/data/records.ts';
import { codeOf } from '#web/lib/errors/error-message.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { certificationsKey } from '../../../lib/data/keys.ts';
import { type CourseForm, courseColumnsOf } from '../schema.ts';

type Save = {
  /** Of the one to change; a new one has none. */
  id: string | undefined;
  form: CourseForm;
};

async function saveCourse({ id, form }: Save): Promise<void> {
  const columns = courseColumnsOf(form);
  const table = supabase().from('training_courses');
  try {
    if (id === undefined) {
      await table.insert(columns).throwOnError();
      return;
    }
    const change = table.update(columns).eq('id', id).select('id').maybeSingle();
    existing((await change.throwOnError()).data, 'course');
  } catch (error) {
    if (codeOf(error) === '23505') throw new Error('There is a course of this title already.');
    throw error;
  }
}

export const useSaveCourse = () => useChange(certificationsKey, saveCourse);
