// What is said when a file of the app can't be had, and the reload that helps.
// A part of a screen whose file can't be had: why, and the one way on. Nothing is reloaded by itself: a form may be open.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { reloadInNewVersion } from '#web/lib/app/updates.ts';
import { fileIsGone } from '#web/lib/errors/missing-file.ts';

const NOT_LOADED = {
  title: 'This part of the app could not be loaded',
  message: 'Check your network, then reload the page.',
};

/** @param advice what to do where the app was updated */
export function useMissingFile(error: Error, advice: string) {
  const [isReloading, setReloading] = useState(false);
  const { data: isGone } = useQuery({
    queryKey: ['missing file', error.message],
    queryFn: () => fileIsGone(error),
    // Not behind the client library (query-client.ts): that may be the very file that is gone.
    persister: undefined,
    gcTime: 0,
  });
  const reload = () => {
    setReloading(true);
    void reloadInNewVersion();
  };
  const { title, message } = isGone
    ? { title: 'The app was updated', message: `This part of it needs the new version. ${advice}` }
    : NOT_LOADED;
  return { title, message, isReloading, reload };
}

type MissingFileNoticeProps = {
  error: Error;
  /** With it, the message stands at the foot of the screen. */
  onClose: (() => void) | undefined;
};

export function MissingFileNotice({ error, onClose }: MissingFileNoticeProps) {
  const { title, message, isReloading, reload } = useMissingFile(
    error,
    'Finish what you are typing, then reload the page.',
  );
  const alert = (
    <Alert
      tone="danger"
      title={title}
      className={onClose && 'mx-auto max-w-3xl border-none'}
      action={
        <>
          <Button variant="secondary" busy={isReloading} onClick={reload}>
            Reload page
          </Button>
          {onClose && (
            <Button variant="ghost" onClick={onClose}>
              Not now
            </Button>
          )}
        </>
      }
    >
      {message}
    </Alert>
  );
  if (!onClose) return alert;
  // Beside the app and above all of it: an open dialog hides the app from screen readers, and takes every press beside it.
  return createPortal(
    <div className="pointer-events-auto fixed inset-x-0 bottom-0 z-60 border-t border-line bg-raised shadow-overlay print:hidden">
      {alert}
    </div>,
    document.body,
  );
}
