// The Error toast of a failed load. The screen shows the reason too, with a button to try again.
import type { UseQueryResult } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useRef } from 'react';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { showError } from './toast.ts';

/** Parts of one screen fail together: the same words are not shown again while their toast is open, milliseconds. */
const REPEAT_MS = 5000;
let latest = { words: '', at: 0 };

function showOnce(title: string, description: string): void {
  const words = `${title}\n${description}`;
  const now = performance.now();
  if (words === latest.words && now - latest.at < REPEAT_MS) return;
  latest = { words, at: now };
  showError(title, description);
}

type FailureToast = {
  title: string;
  /** The backend's message without it. */
  text?: string | undefined;
};

/** The toast of every part of a screen that names none of its own. */
export const LoadFailureToast = createContext<FailureToast | undefined>(undefined);

/**
 * Shows the toast once until loading succeeds: background refetches that fail again stay silent.
 * @param ownTitle of the toast; without one it is as {@link LoadFailureToast} says, or there is none
 * @returns the reason on screen, and a refetch whose failure is shown again
 */
export function useLoadFailure<Data>(
  { data, error, isPlaceholderData, refetch }: UseQueryResult<Data>,
  ownTitle: string | undefined,
) {
  const inherited = useContext(LoadFailureToast);
  const title = ownTitle ?? inherited?.title;
  const text = ownTitle === undefined ? inherited?.text : undefined;
  const reason = error ? messageOf(error) : undefined;
  const isLoaded = !error && data !== undefined && !isPlaceholderData;
  const told = useRef<string>(undefined);
  useEffect(() => {
    if (isLoaded) told.current = undefined;
    if (title === undefined || reason === undefined || told.current === reason) return;
    told.current = reason;
    showOnce(title, text ?? reason);
  }, [isLoaded, reason, title, text]);
  return {
    reason,
    retry: () => {
      told.current = undefined;
      latest.at = 0;
      void refetch();
    },
  };
}
