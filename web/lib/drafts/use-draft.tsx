// The draft of a form: read when the form opens, kept with each change, forgotten when it is submitted.
// Keeps what is typed into a form as it is typed. Draws nothing.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { type FieldValues, type UseFormReturn, useWatch } from 'react-hook-form';
import { useAuth } from '../session/auth.ts';
import { type Draft, type DraftKey, dropDraft, keepValues, openDraft } from './draft-store.ts';

export type OpenDraft = Draft<unknown> & {
  key: DraftKey;
  /** Whether this browser lets nothing be kept (storage blocked): the form works, but only while it is open. */
  isFleeting: boolean;
  /** After it was submitted. */
  forget: () => Promise<void>;
  /** Throws it away for an empty one. */
  startOver: () => Promise<void>;
};

async function read(key: DraftKey) {
  try {
    return { ...(await openDraft(key)), isFleeting: false };
  } catch (error) {
    console.warn('No draft can be kept on this device:', error);
    return {
      id: crypto.randomUUID(),
      values: {},
      files: [],
      savedAt: Date.now(),
      isFleeting: true,
    };
  }
}

/** @returns undefined until it was read, which takes a moment, and while nobody is signed in */
export function useDraft(kind: string): OpenDraft | undefined {
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const userId = user?.id;
  const key = useMemo(() => ({ userId: userId ?? '', kind }), [userId, kind]);
  const queryKey = ['draft', key.userId, kind];
  // Read anew each time the form opens, and never behind the back of somebody typing.
  const { data } = useQuery({
    queryKey,
    queryFn: () => read(key),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: userId !== undefined,
  });
  if (!data) return undefined;
  const forget = async () => {
    if (!data.isFleeting) await dropDraft(key);
  };
  return {
    ...data,
    key,
    forget,
    startOver: async () => {
      await forget();
      await queryClient.resetQueries({ queryKey });
    },
  };
}

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
