// What is said when a file of the app can't be had, and the reload that helps.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reloadInNewVersion } from '#web/lib/app/updates.ts';
import { fileIsGone } from '#web/lib/errors/missing-file.ts';

const NOT_LOADED = {
  title: 'This part of the app could not be loaded',
  message: 'Check your network, then reload the page.',
};

/** @param advice what to do where the app was updated */
export function useMissingFile(error: Error, advice: string) {
  const [isReloading, setReloading] = useState(false);
  const { data: isGone } = useQuery({
    queryKey: ['missing file', error.message],
    queryFn: () => fileIsGone(error),
    // Not behind the client library (query-client.ts): that may be the very file that is gone.
    persister: undefined,
    gcTime: 0,
  });
  const reload = () => {
    setReloading(true);
    void reloadInNewVersion();
  };
  const { title, message } = isGone
    ? { title: 'The app was updated', message: `This part of it needs the new version. ${advice}` }
    : NOT_LOADED;
  return { title, message, isReloading, reload };
}
