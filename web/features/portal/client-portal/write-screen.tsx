import { useQuery } from '@tanstack/react-query';
import { MessageSquarePlus, UserPlus } from 'lucide-react';
import { lazy, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { RequestCard } from '#web/components/records/client-request.tsx';
import { Below } from '#web/components/ui/below.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { KeptRecords } from './kept-records.tsx';
import { placesQuery, requestsQuery } from './requests-api.ts';

const RequestDialog = lazy(async () => ({
  default: (await import('./request-dialog.tsx')).RequestDialog,
}));

export function WriteScreen() {
  const query = useQuery(requestsQuery);
  const placing = useQuery(placesQuery);
  const { data: places = [] } = placing;
  const [writing, setWriting] = useState<'message' | 'extra_guard'>();
  usePageTitle('Write to us');
  const siteOf = (id: string | null) => places.find((place) => place.site_id === id)?.site_name;
  return (
    <>
      <h1 className="mb-5 font-display text-3xl leading-tight sm:text-4xl">Write to us</h1>
      <div className="mb-6 flex flex-wrap gap-3 print:hidden">
        <Button
          disabled={places.length === 0}
          aria-haspopup="dialog"
          className="max-sm:flex-1"
          onClick={() => setWriting('message')}
        >
          <MessageSquarePlus aria-hidden="true" className="size-4" />
          Write a message
        </Button>
        <Button
          variant="secondary"
          disabled={places.length === 0}
          aria-haspopup="dialog"
          className="max-sm:flex-1"
          onClick={() => setWriting('extra_guard')}
        >
          <UserPlus aria-hidden="true" className="size-4" />
          Ask for extra guards
        </Button>
      </div>
      {/* Each message names its site. */}
      <Loaded query={query} loadingText="Loading your messages" shownWith={[placing]}>
        {(requests) =>
          requests.length === 0 ? (
            <EmptyNote>No messages yet. We answer here.</EmptyNote>
          ) : (
            <ul className="grid gap-4">
              {requests.map((request) => (
                <li key={request.id}>
                  <RequestCard request={request} site={siteOf(request.site_id)} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Below queries={[query, placing]}>
        <KeptRecords />
      </Below>
      {writing && (
        <LazyPart fallback={<Opening title="Write to us" />} onClose={() => setWriting(undefined)}>
          <RequestDialog kind={writing} places={places} onClose={() => setWriting(undefined)} />
        </LazyPart>
      )}
    </>
  );
}
