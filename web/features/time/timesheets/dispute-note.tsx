import type { ReactNode } from 'react';
import { formatDateTime } from '#web/lib/format/dates.ts';
import type { Dispute } from './sheet-days.ts';

type DisputeNoteProps = {
  author: string;
  dispute: Pick<Dispute, 'note' | 'answer' | 'answered_at'>;
  /** Where the answer will be, for example a form. */
  children?: ReactNode;
};

export function DisputeNote({ author, dispute, children }: DisputeNoteProps) {
  const { note, answer, answered_at } = dispute;
  return (
    <div className="mt-2 border-l-2 border-accent-fill pl-3 text-sm">
      <p className="break-words whitespace-pre-line">
        <span className="font-semibold">{author}: </span>
        {note}
      </p>
      {answer && (
        <p className="mt-1 break-words whitespace-pre-line">
          <span className="font-semibold">Answer: </span>
          {answer}
          {answered_at && <span className="text-muted"> {formatDateTime(answered_at)}</span>}
        </p>
      )}
      {children}
    </div>
  );
}
