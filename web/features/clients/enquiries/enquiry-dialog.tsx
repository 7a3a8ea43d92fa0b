import { Building2, Mail } from 'lucide-react';
import { useState } from 'react';
import { company } from '#company';
import { CONTACT_MESSAGES_STAGE, CONTACT_MESSAGES_STATE } from '#shared/database.values.ts';
import { mayManageAccounts } from '#shared/screens.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { EraseDialog } from '#web/components/records/erase-dialog.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatDateTime, formatLongDateTime } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import {
  type HandledEnquiry,
  useEnquiry,
  useEraseEnquirer,
  useHandleEnquiry,
  useOwners,
} from './api.ts';
import { QuotesSection } from './quotes-section.tsx';
import { handlingSchema, toHandling } from './schema.ts';

type HandlingFormProps = { enquiry: HandledEnquiry; onClose: () => void };

function HandlingForm({ enquiry, onClose }: HandlingFormProps) {
  const { id, handler, handled_at, updated_at } = enquiry;
  const { mutateAsync } = useHandleEnquiry();
  const { data: owners = [] } = useOwners();
  const latest = toHandling(enquiry);
  // RecordForm compares both to report another person's change without losing what was typed.
  const [opened] = useState(latest);
  const who = handler?.full_name || handler?.email || 'Former user';
  return (
    <section aria-label="Handling" className="border-t border-line pt-6">
      <RecordForm
        schema={handlingSchema}
        defaultValues={opened}
        latest={latest}
        submitLabel="Save"
        save={(handling) => mutateAsync({ id, seen: updated_at, handling })}
        onSaved={() => {
          showSuccess('Enquiry updated');
          onClose();
        }}
        onCancel={onClose}
      >
        {(form) => {
          const field = createFields(form);
          return (
            <FieldGrid>
              {field.select('state', 'State', toOptions(CONTACT_MESSAGES_STATE, STATUS_LABELS))}
              {field.select('stage', 'Stage', toOptions(CONTACT_MESSAGES_STAGE, STATUS_LABELS))}
              {form.watch('stage') === 'lost' &&
                field.text('lost_reason', 'Reason', { wide: true, hint: 'Why it was lost.' })}
              {field.text('next_action', 'Next action', {
                optional: true,
                placeholder: 'Call back',
              })}
              {field.day('next_action_on', 'On', {
                optional: true,
                hint: 'The owner gets a notice on that day.',
              })}
              {field.select(
                'owner_id',
                'Owner',
                owners.map(({ id: owner, name }) => [owner, name]),
                { empty: 'Nobody yet', hint: 'Who has the next step.' },
              )}
              {field.notes('note', 'Internal note', {
                hint: 'Only administrators and operations managers see it.',
              })}
              {handled_at && (
                <p className="col-span-full text-sm text-muted">
                  Last changed by {who},{' '}
                  <time dateTime={handled_at}>{formatDateTime(handled_at)}</time>
                </p>
              )}
            </FieldGrid>
          );
        }}
      </RecordForm>
    </section>
  );
}

/** A mailto: link with the message quoted. */
function replyLink({ name, email, message }: HandledEnquiry): string {
  const quoted = message.replace(/^/gm, '> ');
  const subject = encodeURIComponent(`Your enquiry to ${company.name}`);
  const body = encodeURIComponent(`Dear ${name},\n\n\n\n${company.name}\n\n${quoted}`);
  return `mailto:${encodeURIComponent(email)}?subject=${subject}&body=${body}`;
}

function EnquiryDetails({ enquiry, onClose }: { enquiry: HandledEnquiry; onClose: () => void }) {
  const { company: firm, email, message, created_at } = enquiry;
  const { roles } = useAuth();
  const { mutateAsync } = useEraseEnquirer();
  const [isErasing, setErasing] = useState(false);
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <ul className="grid min-w-0 gap-1 text-[0.9375rem]">
          {firm && (
            <li className="flex items-center gap-2.5">
              <Building2 aria-hidden="true" className="size-4 shrink-0 text-accent" />
              <span className="min-w-0 break-words">{firm}</span>
            </li>
          )}
          <li className="flex items-center gap-2.5">
            <Mail aria-hidden="true" className="size-4 shrink-0 text-accent" />
            <span className="min-w-0 break-all">{email}</span>
          </li>
          <li className="text-sm text-muted">
            Received <time dateTime={created_at}>{formatLongDateTime(created_at)}</time>
          </li>
        </ul>
        <a href={replyLink(enquiry)} className={buttonStyles({ variant: 'secondary' })}>
          Reply by email
        </a>
      </div>
      <blockquote className="border-l-4 border-accent-fill bg-sunken px-5 py-4 [overflow-wrap:anywhere] whitespace-pre-line">
        {message}
      </blockquote>
      <QuotesSection enquiryId={enquiry.id} />
      <HandlingForm enquiry={enquiry} onClose={onClose} />
      {mayManageAccounts(roles) && (
        <Button
          variant="danger-ghost"
          className="justify-self-start"
          aria-haspopup="dialog"
          onClick={() => setErasing(true)}
        >
          Erase the sender
        </Button>
      )}
      {isErasing && (
        <EraseDialog
          title="Erase Sender"
          kind="enquiry"
          id={enquiry.id}
          name={enquiry.name}
          success="Sender erased"
          erase={async (typed) => {
            await mutateAsync({ id: enquiry.id, typed });
            onClose();
          }}
          onClose={() => setErasing(false)}
        >
          <p>
            All enquiries from {email} are deleted, with their notes, history and quotes. A quote
            that became a contract stays without the sender. Other records stay as they are, also
            those that mention the sender.
          </p>
        </EraseDialog>
      )}
    </div>
  );
}

export function EnquiryDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useEnquiry(id);
  return (
    <DetailDialog
      query={query}
      title={query.data ? `Enquiry from ${query.data.name}` : 'Enquiry'}
      missing="This enquiry does not exist."
      onClose={onClose}
    >
      {(enquiry) => <EnquiryDetails enquiry={enquiry} onClose={onClose} />}
    </DetailDialog>
  );
}
