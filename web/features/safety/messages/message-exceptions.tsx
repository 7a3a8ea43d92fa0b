import { formatPhone } from '#shared/phone.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { type MessageException, useHandleMessage, useMessageExceptions } from './api.ts';
import { MESSAGE_ADVICE, MESSAGE_EXCEPTION_LABELS } from './outcomes.ts';

type RowProps = { message: MessageException; onHandle: () => void; isBusy: boolean };

function MessageRow({ message, onHandle, isBusy }: RowProps) {
  const { outcome, kind, body, from_phone, received_at, guard, user_id, site } = message;
  const number = from_phone === null ? 'Unknown caller' : formatPhone(from_phone);
  const name = guard?.full_name || guard?.email;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3.5 sm:px-5">
      <div className="min-w-56 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Badge tone={outcome === 'refused' || outcome === 'wrong_pin' ? 'red' : 'orange'}>
            {MESSAGE_EXCEPTION_LABELS[outcome]}
          </Badge>
          <span className="font-semibold break-words">
            {name && user_id ? <PersonLink id={user_id} name={name} /> : number}
          </span>
        </p>
        <p className="mt-1 break-words">{kind === 'call' ? 'Missed call' : `“${body}”`}</p>
        <p className="mt-0.5 text-sm text-muted">
          {[
            name && from_phone ? number : undefined,
            site?.name,
            formatDateTime(received_at, site?.timezone),
          ]
            .filter(Boolean)
            .join(', ')}
        </p>
        <p className="mt-1 text-sm text-muted">{MESSAGE_ADVICE[outcome]}</p>
      </div>
      <Button
        variant="secondary"
        busy={isBusy}
        aria-label={`Done: ${MESSAGE_EXCEPTION_LABELS[outcome]}, ${name ?? number}`}
        onClick={onHandle}
      >
        Done
      </Button>
    </li>
  );
}

/** Text messages and missed calls that made no record, until a planner has seen to them. */
export function MessageExceptions() {
  const query = useMessageExceptions();
  const { mutateAsync, isPending, variables } = useHandleMessage();
  async function handle(id: string, isHandled: boolean) {
    try {
      await mutateAsync({ id, isHandled });
      if (!isHandled) return;
      const undo = { label: 'Undo', onPress: () => void handle(id, false) };
      showSuccess('Message Done', undefined, undo);
    } catch (error) {
      showError('Error', describeError(error));
    }
  }
  return (
    <LoadedCard
      title="Messages to look at"
      query={query}
      loadingText="Loading messages..."
      emptyText="Every message of a guard has been understood."
    >
      {(messages) => (
        <ul className="divide-y divide-line">
          {messages.map((message) => (
            <MessageRow
              key={message.id}
              message={message}
              isBusy={isPending && variables?.id === message.id}
              onHandle={() => void handle(message.id, true)}
            />
          ))}
        </ul>
      )}
    </LoadedCard>
  );
}
