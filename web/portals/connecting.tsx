// Fetches the configuration of the backend, and shows an error if that fails.
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
    // Mostly connected before the first render.
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
