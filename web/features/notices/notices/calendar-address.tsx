import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { CopyButton } from '#web/components/ui/copy-button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { useChange } from '#web/lib/data/use-change.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const feedKey = ['calendar-feed'] as const;

async function fetchFeed() {
  const { data } = await supabase()
    .rpc('calendar_feed', undefined, { get: true })
    .maybeSingle()
    .throwOnError();
  return { feed: data };
}

async function makeAddress(): Promise<string> {
  const { data } = await supabase().rpc('make_calendar_secret').throwOnError();
  return `${location.origin}/calendar/${data}.ics`;
}

async function revokeAddress(): Promise<void> {
  await supabase().rpc('revoke_calendar_secret').throwOnError();
}

function Address({ address }: { address: string }) {
  return (
    <div className="grid gap-3 rounded-sm border border-success/45 p-4">
      <p className="font-semibold">Your calendar address</p>
      <p className="font-mono text-sm [overflow-wrap:anywhere] select-all">{address}</p>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={address} label="Copy address" />
        <a
          href={address.replace(/^https?/, 'webcal')}
          className="inline-flex min-h-11 items-center text-sm font-semibold underline underline-offset-4"
        >
          Add to this device's calendar
        </a>
      </div>
      <p className="text-sm text-muted">
        It is shown only now. Anyone who has it can read your shifts: keep it to yourself.
      </p>
    </div>
  );
}

export function CalendarAddress() {
  const query = useQuery({ queryKey: feedKey, queryFn: fetchFeed });
  const make = useChange(feedKey, makeAddress);
  const revoke = useChange(feedKey, revokeAddress);
  const [asking, setAsking] = useState<'make' | 'revoke'>();
  const [address, setAddress] = useState<string>();
  async function makeNew() {
    setAddress(await make.mutateAsync());
  }
  return (
    <Card className="grid gap-4 p-5 sm:p-6">
      <h1 className="font-display text-xl leading-tight">Calendar</h1>
      <p className="text-pretty text-muted">
        See your shifts in the calendar of your phone or computer. It reads them from a secret
        address a few times a day.
      </p>
      <Loaded query={query} loadingText="Loading..." failure="Error">
        {({ feed }) => (
          <>
            {address && feed && <Address address={address} />}
            {feed && !address && (
              <p>
                You made an address on {formatDateTime(feed.made_at)}.{' '}
                {feed.read_at
                  ? `A calendar last read it on ${formatDateTime(feed.read_at)}.`
                  : 'No calendar has read it yet.'}
              </p>
            )}
            <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
              <Button
                variant={feed ? 'secondary' : 'primary'}
                busy={make.isPending}
                onClick={() => (feed ? setAsking('make') : void makeNew())}
              >
                {feed ? 'New address' : 'Make an address'}
              </Button>
              {feed && (
                <Button variant="danger-ghost" onClick={() => setAsking('revoke')}>
                  Stop the calendar
                </Button>
              )}
            </div>
          </>
        )}
      </Loaded>
      {asking === 'make' && (
        <ConfirmDialog
          title="Make a new address?"
          confirmLabel="Make Address"
          onConfirm={makeNew}
          onClose={() => setAsking(undefined)}
        >
          Calendars that use the old address stop updating.
        </ConfirmDialog>
      )}
      {asking === 'revoke' && (
        <ConfirmDialog
          title="Stop the calendar?"
          confirmLabel="Stop Calendar"
          success="Calendar Stopped"
          onConfirm={async () => {
            await revoke.mutateAsync(undefined);
            setAddress(undefined);
          }}
          onClose={() => setAsking(undefined)}
        >
          Calendars can't read your shifts any more. You can make another address later.
        </ConfirmDialog>
      )}
    </Card>
  );
}
