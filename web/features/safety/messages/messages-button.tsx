import { lazy, useState } from 'react';
import { mayDo } from '#shared/permissions.ts';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { useAuth } from '#web/lib/session/auth.ts';
import { useMessageExceptions } from './api.ts';

const MessageExceptions = lazy(async () => ({
  default: (await import('./message-exceptions.tsx')).MessageExceptions,
}));

/** Opens the messages that need a planner, with their number. Nothing for those who can't read them. */
export function MessagesButton() {
  const { roles } = useAuth();
  return mayDo(roles, 'inbound_messages', 'select') ? <Opener /> : null;
}

function Opener() {
  const { data: messages = [] } = useMessageExceptions();
  const [isOpen, setOpen] = useState(false);
  const count = messages.length;
  return (
    <>
      <Button variant="secondary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {/* As wide as with a number, which comes after the buttons beside it. */}
        <span className="min-w-[6.25rem]">{count === 0 ? 'Messages' : `Messages (${count})`}</span>
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Messages of guards"
        description="Text messages and missed calls that could not be recorded."
        className="sm:max-w-2xl"
      >
        <LazyPart fallback={<Loading />}>
          <MessageExceptions />
        </LazyPart>
      </Dialog>
    </>
  );
}
