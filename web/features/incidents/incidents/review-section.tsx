import { BadgeCheck, Undo2 } from 'lucide-react';
import { useState } from 'react';
import * as limits from '#shared/database.limits.ts';
import { NotSaved } from '#web/components/form/not-saved.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Textarea } from '#web/components/ui/input.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { useReviewIncident } from './review-api.ts';
import { findName, type IncidentDetails, mayReview, type Review } from './schema.ts';

const OTHER_REVIEWER =
  'You reported it and it is high or critical, so someone else marks it reviewed.';

function PastReview({ review }: { review: Review }) {
  const { decision, note, created_at, reviewer } = review;
  return (
    <li className="border-l-2 border-accent-fill pl-3">
      <p className="font-semibold">{decision === 'accepted' ? 'Reviewed' : 'Sent back'}</p>
      {note && <p className="[overflow-wrap:anywhere] whitespace-pre-line">{note}</p>}
      <p className="text-sm text-muted">
        <time dateTime={created_at}>{formatLongDateTime(created_at)}</time>
        {reviewer && ` · ${findName(reviewer) ?? 'Former user'}`}
      </p>
    </li>
  );
}

/** Accepts the report, or sends it back to its reporter with a question. */
function ReviewForm({ incident }: { incident: IncidentDetails }) {
  const [note, setNote] = useState('');
  const [problem, setProblem] = useState<string>();
  const { mutateAsync, isPending, variables, error: failure } = useReviewIncident();
  const { user } = useAuth();
  const mayAccept = mayReview(incident, user?.id);
  const mayAsk = incident.raised_by_user_id !== null && incident.raised_by_user_id !== user?.id;
  if (!mayAccept && !mayAsk) return <p className="text-muted">{OTHER_REVIEWER}</p>;
  async function decide(decision: Review['decision']) {
    if (isPending) return;
    if (decision === 'returned' && note.trim() === '') {
      setProblem('Enter a question for the guard');
      return;
    }
    setProblem(undefined);
    try {
      await mutateAsync({ id: incident.id, decision, note });
      setNote('');
      showSuccess(decision === 'accepted' ? 'Report reviewed' : 'Sent back with your question');
    } catch (error) {
      showError('Error', describeError(error));
    }
  }
  const isAsking = isPending && variables.decision === 'returned';
  const isAccepting = isPending && variables.decision === 'accepted';
  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => event.preventDefault()}>
      <Field
        label={mayAsk ? 'Review note or question' : 'Review note'}
        hint={
          mayAsk
            ? 'The guard who reported it reads this. A question is required to send it back.'
            : incident.raised_by_user_id === null
              ? 'It was reported without an account, so it can’t be sent back.'
              : 'You reported it yourself, so there is nobody to send it back to.'
        }
        error={problem}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            maxLength={limits.INCIDENT_REVIEWS_NOTE_MAX}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        )}
      </Field>
      {!mayAccept && <p className="text-muted">{OTHER_REVIEWER}</p>}
      <NotSaved reason={failure ? describeError(failure) : undefined} />
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        {mayAsk && (
          <Button
            variant="secondary"
            busy={isAsking}
            disabled={isAccepting}
            onClick={() => void decide('returned')}
          >
            {!isAsking && <Undo2 aria-hidden="true" className="size-4.5" />}
            Send back
          </Button>
        )}
        {mayAccept && (
          <Button busy={isAccepting} disabled={isAsking} onClick={() => void decide('accepted')}>
            {!isAccepting && <BadgeCheck aria-hidden="true" className="size-4.5" />}
            Mark reviewed
          </Button>
        )}
      </div>
    </form>
  );
}

export function ReviewSection({ incident }: { incident: IncidentDetails }) {
  const { incident_reviews: reviews, review_state: state } = incident;
  return (
    <div className="grid gap-4">
      {reviews.length > 0 && (
        <ul aria-label="Reviews" className="grid gap-3">
          {reviews.map((review) => (
            <PastReview key={review.id} review={review} />
          ))}
        </ul>
      )}
      {state === 'returned' && (
        <p className="text-muted">
          Waiting for the guard’s answer. You can still mark it reviewed, or ask again.
        </p>
      )}
      {state !== 'reviewed' && <ReviewForm incident={incident} />}
    </div>
  );
}
