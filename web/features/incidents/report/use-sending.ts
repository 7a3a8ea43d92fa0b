// What becomes of a report that was handed to the outbox.
import { useEffect, useState } from 'react';
import { onChange } from '#web/lib/outbox/changes.ts';
import { entriesOf } from '#web/lib/outbox/outbox.ts';

type Sending = {
  state: 'waiting' | 'refused' | 'sent';
  /** Why it waits or was refused; null where nothing has been tried. */
  reason: string | null;
  /** Whether the report itself has arrived, and only files are left. */
  isStored?: boolean;
};

/** @param id of the entry @param userId whose it is */
export function useSending(id: string, userId: string): Sending {
  const [sending, setSending] = useState<Sending>({ state: 'waiting', reason: null });

  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const entry = (await entriesOf(userId)).find((one) => one.id === id);
      if (!isCurrent) return;
      setSending(entry ?? { state: 'sent', reason: null });
    };
    void read();
    const stop = onChange(() => void read());
    return () => {
      isCurrent = false;
      stop();
    };
  }, [id, userId]);

  return sending;
}
