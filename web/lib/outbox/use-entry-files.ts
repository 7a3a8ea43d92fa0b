// The files of one entry with what has become of each, kept up to date.
import { useEffect, useState } from 'react';
import { onChange } from './changes.ts';
import type { KeptFile } from './entry.ts';
import { filesOf } from './outbox.ts';

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
