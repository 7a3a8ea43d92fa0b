// What is said when a file of the app can't be had, and the reload that helps.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fileIsGone } from '#web/lib/app/missing-file.ts';
import { reloadInNewVersion } from '#web/lib/app/updates.ts';

const UPDATED = {
  title: 'The app was updated',
  message:
    'This part of it needs the new version. Finish what you are typing, then reload the page.',
};

const NOT_LOADED = {
  title: 'This part of the app could not be loaded',
  message: 'Check your network, then reload the page.',
};

export function useMissingFile(error: Error) {
  const [isReloading, setReloading] = useState(false);
  const { data: isGone } = useQuery({
    queryKey: ['missing file', error.message],
    queryFn: () => fileIsGone(error),
    // Also asked without a network, where the answer is no.
    networkMode: 'always',
    gcTime: 0,
  });
  const reload = () => {
    setReloading(true);
    void reloadInNewVersion();
  };
  return { ...(isGone ? UPDATED : NOT_LOADED), isReloading, reload };
}
