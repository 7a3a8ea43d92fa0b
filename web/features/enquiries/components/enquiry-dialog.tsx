// One enquiry: what was asked, the way to answer, and what the company notes about it.
import { Building2, Mail } from 'lucide-react';
import { company } from '#company';
import { buttonStyles } from '#web/components/ui/button-styles.ts';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import { type HandledEnquiry, useEnquiry } from '../api/get-enquiry.ts';
import { HandlingForm } from './handling-form.tsx';

/** Opens the person's own mail program, with what is answered quoted below. */
function replyLink({ name, email, message }: HandledEnquiry): string {
  const quoted = message.replace(/^/gm, '> ');
  const subject = encodeURIComponent(`Your enquiry to ${company.name}`);
  const body = encodeURIComponent(`Dear ${name},\n\n\n\n${company.name}\n\n${quoted}`);
  return `mailto:${encodeURIComponent(email)}?subject=${subject}&body=${body}`;
}

function EnquiryDetails({ enquiry, onClose }: { enquiry: HandledEnquiry; onClose: () => void }) {
  const { company: firm, email, message, created_at } = enquiry;
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
          Reply by e-mail
        </a>
      </div>
      <blockquote className="border-l-4 border-accent-fill bg-sunken px-5 py-4 [overflow-wrap:anywhere] whitespace-pre-line">
        {message}
      </blockquote>
      <HandlingForm enquiry={enquiry} onClose={onClose} />
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
