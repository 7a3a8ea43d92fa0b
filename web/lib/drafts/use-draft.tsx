import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type FieldValues, type UseFormReturn, useWatch } from 'react-hook-form';
import { useAuth } from '../session/auth.ts';
import {
  type Draft,
  type DraftKey,
  deleteDraft,
  openDraft,
  saveDraftValues,
} from './draft-store.ts';

export type OpenDraft = Draft<unknown> & {
  key: DraftKey;
  /** The browser blocks storage: the form works, but its contents last only while it is open. */
  isVolatile: boolean;
  /** Deletes the draft after it was submitted. */
  forget: () => Promise<void>;
  /** Replaces it with an empty one. */
  startOver: () => Promise<void>;
};

async function read(key: DraftKey) {
  try {
    return { ...(await openDraft(key)), isVolatile: false };
  } catch (error) {
    console.warn('Drafts can’t be stored on this device:', error);
    return {
      id: crypto.randomUUID(),
      values: {},
      files: [],
      savedAt: Date.now(),
      isVolatile: true,
    };
  }
}

/** @returns undefined while the draft is being read, and when no user is signed in */
export function useDraft(kind: string): OpenDraft | undefined {
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const userId = user?.id;
  const key = useMemo(() => ({ userId: userId ?? '', kind }), [userId, kind]);
  // Read each time the form opens, also at once after it closed, and never while the user is typing.
  const [opening] = useState(() => crypto.randomUUID());
  const queryKey = ['draft', key.userId, kind, opening];
  const { data } = useQuery({
    queryKey,
    queryFn: () => read(key),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: userId !== undefined,
  });
  if (!data) return undefined;
  const forget = async () => {
    if (!data.isVolatile) await deleteDraft(key);
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

type SaveDraftProps<Form extends FieldValues> = { draft: OpenDraft; form: UseFormReturn<Form> };

/** Saves the form's values on each change. Renders nothing, so that typing re-renders only this component. */
export function SaveDraft<Form extends Record<string, string>>({
  draft: { key, id, isVolatile },
  form,
}: SaveDraftProps<Form>) {
  useWatch({ control: form.control });
  const text = JSON.stringify(form.getValues());
  const saved = useRef(text);

  useEffect(() => {
    if (isVolatile || text === saved.current) return;
    saved.current = text;
    saveDraftValues(key, id, form.getValues()).catch((error: unknown) => {
      console.warn('The draft could not be saved:', error);
    });
  }, [text, key, id, isVolatile, form]);
  return null;
}
