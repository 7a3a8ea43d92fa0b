// The message about a file of the app that can't be loaded, with a button to reload. The page never reloads by itself, because a
// form may be open.
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

/** @param advice what to do if the app was updated */
export function useMissingFile(error: Error, advice: string) {
  const [isReloading, setReloading] = useState(false);
  const { data: isGone } = useQuery({
    queryKey: ['missing file', error.message],
    queryFn: () => fileIsGone(error),
    // Must not wait for the client (query-client.ts), whose file may be the missing one.
    persister: undefined,
    gcTime: 0,
  });
  const reload = () => {
    setReloading(true);
    void reloadInNewVersion();
  };
  const { title, message } = isGone
    ? { title: 'The app was updated', message: `This part needs the new version. ${advice}` }
    : NOT_LOADED;
  return { title, message, isReloading, reload };
}

type MissingFileNoticeProps = {
  error: Error;
  /** With it, the message is shown at the bottom of the screen. */
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
  // Outside the app's root: an open dialog hides the app from screen readers and takes all presses outside itself.
  return createPortal(
    <div
      data-missing-file
      className="pointer-events-auto fixed inset-x-0 bottom-(--bottom-bar) z-60 [body:has(.dialog-overlay)_&]:bottom-0 border-t border-line bg-raised shadow-overlay print:hidden"
    >
      {alert}
    </div>,
    document.body,
  );
}
