import { type ReactNode, useEffect, useState } from 'react';
import { useToasterWanted } from './toast.ts';

/** After what the first screen loads. */
const LATER_MS = 3_000;

/** Loads the toaster before there is a toast: the one that says that there is no connection would come too late. */
export function ToasterPlace() {
  const isWanted = useToasterWanted();
  const [Toaster, setToaster] = useState<() => ReactNode>();

  useEffect(() => {
    if (Toaster) return;
    const load = async () => {
      const loaded = await import('./toaster.tsx').catch(() => undefined);
      if (loaded) setToaster(() => loaded.Toaster);
    };
    const timer = setTimeout(load, isWanted ? 0 : LATER_MS);
    addEventListener('online', load);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', load);
    };
  }, [Toaster, isWanted]);

  return isWanted && Toaster && <Toaster />;
}
