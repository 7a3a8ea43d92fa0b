import type { ReactNode } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';
import { deviceNow } from '#web/lib/clock/server-now.ts';
import { formatInstantDay } from '#web/lib/format/dates.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { useStorageRisk } from '#web/lib/outbox/persistence.ts';
import { daysWaiting, lossWarning, unsentAdvice, unsentTitle } from './unsent.ts';

type UnsentAlertProps = {
  waiting: readonly OutboxEntry[];
  /** A way to call the control room, shown after a day. */
  help: ReactNode;
};

/** What to do so that entries that wait are not lost. */
export function UnsentAlert({ waiting, help }: UnsentAlertProps) {
  const risk = useStorageRisk();
  // The entries have the times of this device.
  const now = deviceNow();
  const isOld = daysWaiting(waiting, now) > 0;
  return (
    <Alert
      tone={isOld ? 'danger' : 'info'}
      title={unsentTitle(waiting)}
      className="mx-4 mt-4 sm:mx-5"
      action={isOld && help}
    >
      <p>{unsentAdvice(waiting, now)}</p>
      {risk && <p className="mt-2">{lossWarning(risk, now, formatInstantDay)}</p>}
    </Alert>
  );
}
