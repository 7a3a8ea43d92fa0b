import { useEffect, useRef } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';

type NotSavedProps = {
  /** Nothing is shown without one. */
  reason: string | undefined;
  title?: string;
  className?: string;
};

/** Why a form was not saved, before its buttons: the toast disappears after some seconds. */
export function NotSaved({ reason, title = 'Not saved', className }: NotSavedProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone it would push the buttons off the screen.
    if (reason !== undefined)
      place.current?.nextElementSibling?.scrollIntoView({ block: 'nearest' });
  }, [reason]);
  if (reason === undefined) return null;
  return (
    <div ref={place} className={className}>
      <Alert tone="danger" title={title}>
        {reason}
      </Alert>
    </div>
  );
}
