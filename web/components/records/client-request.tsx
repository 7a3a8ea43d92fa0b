// A contact's message and the office's answer, as both see it.
import type { ReactNode } from 'react';
import { MomentText } from '#web/components/text/date-text.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Card } from '#web/components/ui/card.tsx';
import type { Tone } from '#web/lib/vocabulary/statuses.ts';

type Request = {
  kind: string;
  body: string;
  starts_at: string | null;
  ends_at: string | null;
  headcount: number | null;
  status: string;
  answer: string | null;
  created_at: string;
};

const STATES: Record<string, [label: string, tone: Tone]> = {
  open: ['Open', 'orange'],
  answered: ['Answered', 'green'],
  declined: ['Declined', 'grey'],
};

export function RequestBadge({ status }: { status: string }) {
  const [label, tone] = STATES[status] ?? ['Open', 'orange'];
  return <Badge tone={tone}>{label}</Badge>;
}

type RequestCardProps = {
  request: Request;
  site?: string | null | undefined;
  /** Who wrote it, in the office. */
  writer?: string | undefined;
  children?: ReactNode;
};

export function RequestCard({ request, site, writer, children }: RequestCardProps) {
  const { kind, body, starts_at: starts, ends_at: ends, headcount, answer } = request;
  return (
    <Card className="break-inside-avoid p-4 sm:p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="font-semibold break-words">
            {kind === 'extra_guard' ? `Extra guards: ${headcount}` : 'Message'}
            {site && `, ${site}`}
          </h2>
          <p className="text-sm text-muted">
            {writer && `${writer}, `}
            <MomentText at={request.created_at} />
          </p>
        </div>
        <RequestBadge status={request.status} />
      </div>
      {starts && ends && (
        <p className="mt-2 font-semibold">
          <MomentText at={starts} /> to <MomentText at={ends} />
        </p>
      )}
      <p className="mt-2 break-words whitespace-pre-line">{body}</p>
      {answer && (
        <p className="mt-3 border-l-3 border-accent-fill pl-3 break-words whitespace-pre-line">
          <span className="block text-sm text-muted">Our answer</span>
          {answer}
        </p>
      )}
      {children}
    </Card>
  );
}
