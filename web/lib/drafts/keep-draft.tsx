// Keeps what is typed into a form as it is typed. Draws nothing.
import { useEffect, useRef } from 'react';
import { type FieldValues, type UseFormReturn, useWatch } from 'react-hook-form';
import { keepValues } from './draft-store.ts';
import type { OpenDraft } from './use-draft.ts';

type KeepDraftProps<Form extends FieldValues> = { draft: OpenDraft; form: UseFormReturn<Form> };

export function KeepDraft<Form extends Record<string, string>>({
  draft: { key, id, isFleeting },
  form,
}: KeepDraftProps<Form>) {
  useWatch({ control: form.control });
  const text = JSON.stringify(form.getValues());
  const kept = useRef(text);

  useEffect(() => {
    if (isFleeting || text === kept.current) return;
    kept.current = text;
    keepValues(key, id, form.getValues()).catch((error: unknown) => {
      // The form itself goes on working.
      console.warn('The draft could not be kept:', error);
    });
  }, [text, key, id, isFleeting, form]);
  return null;
}
