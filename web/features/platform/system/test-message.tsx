import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import type { Database } from '#shared/database.types.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { systemKey } from '#web/lib/data/keys.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Tone } from '#web/lib/vocabulary/statuses.ts';

type Way = Database['public']['Functions']['test_message_state']['Returns'][number];

const testKey = [...systemKey, 'test-message'] as const;
/** Milliseconds between questions while a message is on its way. */
const SENDING_MS = 3000;

async function fetchWays(): Promise<Way[]> {
  const { data } = await supabase().rpc('test_message_state').throwOnError();
  return data;
}

const isOnItsWay = ({ state }: Way) => state === 'open' || state === 'sending';

const useWays = () =>
  useQuery({
    queryKey: testKey,
    queryFn: fetchWays,
    refetchInterval: ({ state }) => (state.data?.some(isOnItsWay) ? SENDING_MS : false),
  });

const CHANNELS: Record<string, string> = { email: 'Mail', sms: 'Text message' };

const OBSTACLES: Record<string, string> = {
  no_gateway:
    'The server can’t send text messages: set up [auth.sms.twilio] or [auth.hook.send_sms] in supabase/config.toml.',
  no_address: 'Your account has no phone number.',
  off: 'Switched off in your account, under notices.',
};

const STATES: Record<string, readonly [tone: Tone, label: string]> = {
  open: ['blue', 'On its way'],
  sending: ['blue', 'On its way'],
  sent: ['green', 'Sent'],
  failed: ['red', 'Given up'],
};

function WayLine({ channel, obstacle, state, at, problem }: Way) {
  const shown = state === null ? undefined : STATES[state];
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2">
      <div className="min-w-0">
        <p className="font-semibold">{CHANNELS[channel] ?? channel}</p>
        {obstacle && <p className="text-sm text-muted">{OBSTACLES[obstacle] ?? obstacle}</p>}
        {problem && <p className="text-sm text-danger wrap-anywhere">{problem}</p>}
      </div>
      {shown && (
        <p className="text-sm">
          <Badge tone={shown[0]}>{shown[1]}</Badge>{' '}
          {at && <span className="text-muted tabular-nums">{formatDateTime(at)}</span>}
        </p>
      )}
    </li>
  );
}

/** Whether messages of the company arrive: one to the user, by every way that their account allows. */
export function TestMessage({ mail }: { mail: 'server' | 'folder' }) {
  const queryClient = useQueryClient();
  const { save, busy } = useSave({ success: 'Test message sent', failure: 'Not sent' });
  const send = () =>
    save(async () => {
      await supabase().rpc('send_test_message').throwOnError();
      await queryClient.invalidateQueries({ queryKey: testKey });
    });
  return (
    <>
      {mail === 'folder' && (
        <p className="mb-3 text-sm text-warning">
          There is no mail server yet: mails become files in the folder outbox of the server. Set
          SMTP_URL and MAIL_FROM.
        </p>
      )}
      <Loaded query={useWays()} loadingText="Loading...">
        {(ways) => (
          <ul className="divide-y divide-line">
            {ways.map((way) => (
              <WayLine key={way.channel} {...way} />
            ))}
          </ul>
        )}
      </Loaded>
      <Button variant="secondary" className="mt-3" busy={busy} onClick={() => void send()}>
        <Send aria-hidden="true" className="size-4.5" />
        Send Test Message
      </Button>
    </>
  );
}
