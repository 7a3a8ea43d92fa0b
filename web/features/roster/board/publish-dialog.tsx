// Shows the changes and who gets a notice before publishing.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { differencesQuery, discardChanges, publishRoster, type Span } from './roster-api.ts';
import { ConflictError, type RosterSession } from './roster-session.ts';

const STEP = 30;

type PublishDialogProps = {
  session: RosterSession;
  span: Span;
  onDiscard: () => void;
  onClose: () => void;
};

/** The reasons of a refusal, with the guards' names. */
function reasonsOf(session: RosterSession, error: unknown): string {
  if (!(error instanceof ConflictError)) return describeError(error);
  const { people } = session.store.index;
  const reasons = error.conflicts
    .slice(0, 5)
    .map(({ user_id, message }) => `${people.get(user_id)?.name ?? 'A guard'}: ${message}.`);
  return [error.message, ...reasons].join(' ');
}

export function PublishDialog({ session, span, onDiscard, onClose }: PublishDialogProps) {
  const query = useQuery(differencesQuery(span));
  const [limit, setLimit] = useState(STEP);

  async function publish() {
    await session.settled();
    await publishRoster(span);
    session.forget();
    await session.refresh();
    showSuccess('Roster published', formatPeriod(span.from, span.to));
  }
  return (
    <ConfirmDialog
      title="Publish the roster"
      question={`${formatPeriod(span.from, span.to)}, all your sites`}
      className="sm:max-w-2xl"
      isDisabled={!query.isSuccess}
      variant="primary"
      confirmLabel="Publish"
      busyLabel="Publishing..."
      failure="Not published"
      reasonOf={(error) => reasonsOf(session, error)}
      otherAction={
        <Button variant="danger-ghost" className="sm:mr-auto" onClick={onDiscard}>
          Discard Draft...
        </Button>
      }
      onConfirm={publish}
      onClose={onClose}
    >
      <Loaded query={query} loadingText="Comparing with what is published...">
        {(people) => (
          <div className="grid gap-5">
            <p role="status">
              {people.length === 0
                ? 'Nothing has changed since the last publication.'
                : `${formatCount(people.length)} ${people.length === 1 ? 'guard gets' : 'guards get'} a message about their shifts:`}
            </p>
            <ul
              aria-label="Messages"
              className="max-h-[40dvh] divide-y divide-line overflow-y-auto empty:hidden"
            >
              {people.slice(0, limit).map(({ user_id, full_name, message }) => (
                <li key={user_id} className="py-2.5">
                  <PersonLink id={user_id} name={full_name} />
                  <p className="text-sm whitespace-pre-line text-muted">{message}</p>
                </li>
              ))}
            </ul>
            {people.length > limit && (
              <Button
                variant="secondary"
                className="justify-self-start"
                onClick={() => setLimit(limit + STEP)}
              >
                Show more ({formatCount(people.length - limit)})
              </Button>
            )}
          </div>
        )}
      </Loaded>
    </ConfirmDialog>
  );
}

type DiscardDialogProps = Pick<PublishDialogProps, 'session' | 'onClose'> & { isPartial: boolean };

export function DiscardDialog({ session, isPartial, onClose }: DiscardDialogProps) {
  const draft = session.store.draft();
  const assigned = draft.filter(({ change }) => change === 'assign').length;
  async function discard() {
    await session.settled();
    await discardChanges(draft);
    session.forget();
    await session.refresh();
  }
  return (
    <ConfirmDialog
      title="Discard the draft?"
      question={
        isPartial
          ? 'The sites on this page return to what is published.'
          : 'The board returns to what is published.'
      }
      confirmLabel="Discard Draft"
      busyLabel="Discarding..."
      success="Draft discarded"
      onConfirm={discard}
      onClose={onClose}
    >
      {`${formatCount(assigned)} planned ${assigned === 1 ? 'assignment' : 'assignments'} and ${formatCount(draft.length - assigned)} removals are lost, also those of other planners. This can't be undone.`}
    </ConfirmDialog>
  );
}
