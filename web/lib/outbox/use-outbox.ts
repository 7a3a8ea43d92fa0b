// The signed-in person's outbox on screen. Whatever shows it also keeps it going.
// The files of one entry with what has become of each, kept up to date.
import { useEffect, useState } from 'react';
import { useAuth } from '../session/auth.ts';
import { onChange } from './changes.ts';
import type { KeptFile, OutboxEntry } from './entry.ts';
import { entriesOf, filesOf } from './outbox.ts';
import { startSending } from './sending.ts';

const NONE: OutboxEntry[] = [];

export type Outbox = {
  /** In the order in which they were made. */
  waiting: OutboxEntry[];
  refused: OutboxEntry[];
  /** Whether this device has been asked yet: before that nobody knows what waits. */
  isRead: boolean;
};

/** @returns nothing of anybody else's, whoever used this device before */
export function useOutbox(): Outbox {
  const userId = useAuth().user?.id;
  const [known, setKnown] = useState<{ userId: string; entries: OutboxEntry[] }>();

  useEffect(() => {
    if (!userId) return;
    startSending();
    let isCurrent = true;
    const read = async () => {
      try {
        const entries = await entriesOf(userId);
        if (isCurrent) setKnown({ userId, entries });
      } catch (error) {
        console.error('What waits on this device could not be read:', error);
      }
    };
    void read();
    const stop = onChange(() => void read());
    return () => {
      isCurrent = false;
      stop();
    };
  }, [userId]);

  const isRead = known !== undefined && known.userId === userId;
  const entries = isRead ? known.entries : NONE;
  return {
    isRead,
    waiting: entries.filter(({ state }) => state === 'waiting'),
    refused: entries.filter(({ state }) => state === 'refused'),
  };
}

/** @param id of the entry @returns nothing until they are read, and once the entry is through */
export function useEntryFiles(id: string): KeptFile[] {
  const [files, setFiles] = useState<KeptFile[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const known = await filesOf(id);
      if (isCurrent) setFiles(known);
    };
    const readAgain = () => void read().catch(console.warn);
    readAgain();
    const stop = onChange((change) => change.id === id && readAgain());
    return () => {
      isCurrent = false;
      stop();
    };
  }, [id]);
  return files;
}
