// Waits for the address of the backend, and says so when it can't be had.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '#web/components/layout/screen.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { backend } from '#web/lib/supabase/client.ts';

export function WhenConnected({ children }: { children: ReactNode }) {
  const connection = useQuery({
    queryKey: ['connection'],
    queryFn: () => backend.connect().then(() => true),
    // Connected before the first picture, most of the time.
    initialData: () => backend.isConnected || undefined,
    retry: 2,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  if (connection.data) return children;
  if (!connection.isError) return <Loading className="min-h-dvh" />;
  return (
    <Failure
      title="The portal could not be opened"
      message={messageOf(connection.error)}
      onRetry={() => connection.refetch()}
    />
  );
}
