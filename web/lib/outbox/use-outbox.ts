import { useEffect, useState } from 'react';
import { useAuth } from '../session/auth.ts';
import { onChange } from './changes.ts';
import type { OutboxEntry, StoredFile } from './entry.ts';
import { listEntries, listFiles } from './outbox.ts';
import { startSending } from './sending.ts';

const NONE: OutboxEntry[] = [];

export type Outbox = {
  /** Oldest first. */
  waiting: OutboxEntry[];
  refused: OutboxEntry[];
  /** Whether the entries have been read from the device. */
  isRead: boolean;
};

/** The signed-in user's entries. Also starts sending them. */
export function useOutbox(): Outbox {
  const userId = useAuth().user?.id;
  const [known, setKnown] = useState<{ userId: string; entries: OutboxEntry[] }>();

  useEffect(() => {
    if (!userId) return;
    startSending();
    let isCurrent = true;
    const read = async () => {
      try {
        const entries = await listEntries(userId);
        if (isCurrent) setKnown({ userId, entries });
      } catch (error) {
        console.error('The outbox could not be read:', error);
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

/** @param id of the entry @returns empty until they are read, and once the entry is sent */
export function useEntryFiles(id: string): StoredFile[] {
  const [files, setFiles] = useState<StoredFile[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const known = await listFiles(id);
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
