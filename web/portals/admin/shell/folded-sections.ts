import { useCallback, useState } from 'react';
import { isText, readJson } from '#web/lib/session/read-json.ts';

const KEY = 'sidebar-folded';

function readFolded(): string[] {
  try {
    const names = readJson(localStorage.getItem(KEY) ?? '');
    return Array.isArray(names) ? names.filter(isText) : [];
  } catch {
    return [];
  }
}

/** Names of the folded sections of the sidebar, remembered on this device. */
export function useFoldedSections() {
  const [folded, setFolded] = useState(readFolded);
  const toggle = useCallback((name: string) => {
    const known = readFolded();
    const next = known.includes(name) ? known.filter((each) => each !== name) : [...known, name];
    setFolded(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // Storage may be full or disabled: it stays folded until the page is reloaded.
    }
  }, []);
  return { folded, toggle };
}
