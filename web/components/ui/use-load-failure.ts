import type { UseQueryResult } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useRef } from 'react';
import { describeError } from '#web/lib/errors/error-message.ts';
import { showError } from './toast.ts';

/** Parts of one screen fail together: the same message is shown once while its toast is open, milliseconds. */
const REPEAT_MS = 5000;
let latest = { message: '', at: 0 };

function showOnce(title: string, description: string): void {
  const message = `${title}\n${description}`;
  const now = performance.now();
  if (message === latest.message && now - latest.at < REPEAT_MS) return;
  latest = { message, at: now };
  showError(title, description);
}

type FailureToast = {
  title: string;
  /** Default: the backend's message. */
  text?: string | undefined;
};

/** The toast of each part of a screen that sets no title of its own. */
export const LoadFailureToast = createContext<FailureToast | undefined>(undefined);

/**
 * Shows the toast once until loading succeeds; repeated failures of background refetches stay silent.
 * @param ownTitle of the toast; default {@link LoadFailureToast}, without either there is no toast
 * @returns the reason to show, and a refetch whose failure is shown again
 */
export function useLoadFailure<Data>(
  { data, error, isFetching, isPlaceholderData, refetch }: UseQueryResult<Data>,
  ownTitle: string | undefined,
) {
  const inherited = useContext(LoadFailureToast);
  const title = ownTitle ?? inherited?.title;
  const text = ownTitle === undefined ? inherited?.text : undefined;
  const reason = error ? describeError(error) : undefined;
  const isLoaded = !error && data !== undefined && !isPlaceholderData;
  const hasShown = useRef(false);
  useEffect(() => {
    if (isLoaded) hasShown.current = false;
    // A refetch in flight, for example since the phone is back online, still has the error of the one before.
    if (title === undefined || reason === undefined || isFetching || hasShown.current) return;
    hasShown.current = true;
    showOnce(title, text ?? reason);
  }, [isLoaded, isFetching, reason, title, text]);
  return {
    reason,
    retry: () => {
      hasShown.current = false;
      latest.at = 0;
      return refetch();
    },
  };
}
