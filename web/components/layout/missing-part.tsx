// A part of a screen whose file can't be had: why, and the one way on. Nothing is reloaded by itself: a form may be open.
import { createPortal } from 'react-dom';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { useMissingFile } from './use-missing-file.ts';

type MissingPartProps = {
  error: Error;
  /** With it, the message stands at the foot of the screen. */
  onClose: (() => void) | undefined;
};

export function MissingPart({ error, onClose }: MissingPartProps) {
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
