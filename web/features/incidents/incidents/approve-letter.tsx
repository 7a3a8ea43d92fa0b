import { BadgeCheck } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { useAuth } from '#web/lib/session/auth.ts';
import type { Letter } from './letter-api.ts';
import { ChosenPhotos } from './letter-photos.tsx';
import { useApproveLetter } from './review-api.ts';
import { type IncidentDetails, isGrave } from './schema.ts';

type ApproveLetterProps = { letter: Letter; incident: IncidentDetails };

/** Why the user can't approve it; the database decides. */
function obstacleOf({ letter, incident }: ApproveLetterProps, me: string | undefined) {
  if (incident.review_state !== 'reviewed') return 'Review the report first.';
  const needsSecond = isGrave(incident.severity) || isGrave(letter.facts.severity);
  return needsSecond && letter.sent_by === me
    ? 'Someone else must approve a letter of yours about a high or critical incident.'
    : undefined;
}

export function ApproveLetter(props: ApproveLetterProps) {
  const { letter, incident } = props;
  const { user } = useAuth();
  const [isOpen, setOpen] = useState(false);
  const { mutateAsync } = useApproveLetter();
  const isMailed = letter.email !== null;
  const label = isMailed ? 'Approve and send' : 'Approve';
  return (
    <>
      <Button
        variant="secondary"
        aria-haspopup="dialog"
        aria-label={`Approve version ${letter.version}`}
        onClick={() => setOpen(true)}
      >
        <BadgeCheck aria-hidden="true" className="size-4.5" />
        Approve
      </Button>
      {isOpen && (
        <ConfirmDialog
          title="Approve letter"
          question={
            isMailed
              ? `Version ${letter.version} is mailed to ${letter.email}. This can’t be undone.`
              : `Version ${letter.version} may then go to the client. This can’t be undone.`
          }
          obstacle={obstacleOf(props, user?.id)}
          confirmLabel={label}
          busyLabel="Approving..."
          variant="primary"
          success="Letter approved"
          onConfirm={() => mutateAsync(letter.id)}
          onClose={() => setOpen(false)}
        >
          <section
            aria-label="Text of the letter"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard user could not scroll it otherwise (WCAG 2.1.1).
            tabIndex={0}
            className="grid max-h-[50vh] gap-3 overflow-y-auto rounded-sm border border-line p-4 [overflow-wrap:anywhere] whitespace-pre-line"
          >
            <p className="font-semibold">{letter.subject}</p>
            <p>{letter.summary}</p>
            {letter.actions && (
              <p>
                <span className="block font-semibold">Actions taken</span>
                {letter.actions}
              </p>
            )}
            <ChosenPhotos
              photos={incident.evidence.filter(({ id }) => letter.photo_ids.includes(id))}
            />
            <p className="text-sm text-muted">
              To {letter.addressee}, signed by {letter.signatory}.{' '}
              {letter.names_included ? 'It names our people.' : 'It names none of our people.'}
            </p>
          </section>
        </ConfirmDialog>
      )}
    </>
  );
}
