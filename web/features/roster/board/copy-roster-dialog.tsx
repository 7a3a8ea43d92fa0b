// Last week's guards at the same posts, as a draft: who is copied, who not, and why.
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { formatCount } from '#shared/count.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatDateTime, formatPeriod } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import { type RosterCopy, rosterCopiesQuery } from './roster-api.ts';
import type { RosterSession } from './roster-session.ts';

/** Names shown until the planner asks for more. */
const NAMES = 12;

type Props = { copies: readonly RosterCopy[] };

function Copied({ copies }: Props) {
  const names = [...new Set(copies.map(({ name }) => name))];
  const line = names.slice(0, NAMES).join(', ');
  if (names.length <= NAMES) return <p className="text-sm text-muted">{line}</p>;
  return (
    <details className="text-sm text-muted">
      <summary className="min-h-11 cursor-pointer py-2">
        {`${line} and ${formatCount(names.length - NAMES)} more`}
      </summary>
      <p>{names.slice(NAMES).join(', ')}</p>
    </details>
  );
}

function LeftOut({ copies }: Props) {
  return (
    <ul aria-label="Not copied" className="max-h-64 divide-y divide-line overflow-y-auto text-sm">
      {copies.map(({ shift_id, user_id, name, site, zone, start, obstacle }) => (
        <li key={`${shift_id} ${user_id}`} className="py-2">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span className="font-medium">{name}</span>
            <span className="text-danger">{obstacle}</span>
          </p>
          <p className="text-muted">{`${site}, ${formatDateTime(start, zone)}`}</p>
        </li>
      ))}
    </ul>
  );
}

type CopyRosterDialogProps = {
  session: RosterSession;
  /** Monday of the week to copy to, yyyy-MM-dd. */
  monday: string;
  /** Only these shifts are filled. */
  shiftIds: readonly string[];
  onClose: () => void;
};

export function CopyRosterDialog({ session, monday, shiftIds, onClose }: CopyRosterDialogProps) {
  const from = dayAfter(monday, -7);
  const shown = new Set(shiftIds);
  const query = useQuery(rosterCopiesQuery(from, monday));
  const statusId = useId();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Copy the Week Before"
      description={`The guards of ${formatPeriod(from, dayAfter(from, 6))}, on the open seats of the same posts and times.`}
      className="sm:max-w-2xl"
    >
      <Loaded query={query} loadingText="Checking guards...">
        {(all) => {
          const copies = all.filter(({ shift_id }) => shown.has(shift_id));
          const copied = copies.filter(({ obstacle }) => obstacle === null);
          const leftOut = copies.filter(({ obstacle }) => obstacle !== null);
          return (
            <div className="grid gap-5">
              <section aria-label="Preview" className="grid gap-3">
                <p role="status" id={statusId} className="font-semibold">
                  {copies.length === 0
                    ? 'Nothing to copy: no open seat here had a guard in the week before.'
                    : copied.length === 0
                      ? 'Nothing to copy: none of these guards may work the open seats. The reasons are below.'
                      : `${formatCount(copied.length)} to copy, ${formatCount(leftOut.length)} can’t be`}
                </p>
                {copied.length > 0 && <Copied copies={copied} />}
                {leftOut.length > 0 && <LeftOut copies={leftOut} />}
              </section>
              <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
                <Button variant="secondary" onClick={onClose}>
                  Cancel
                </Button>
                <Button
                  disabled={copied.length === 0}
                  {...(copied.length === 0 && { 'aria-describedby': statusId })}
                  onClick={() => {
                    const moves = copied.map(({ shift_id, user_id }) => ({
                      shift_id,
                      user_id,
                      on: true,
                    }));
                    void session.edit({ label: 'Copy the week before', moves })?.then((isSaved) => {
                      if (!isSaved) return;
                      showSuccess(
                        `${formatCount(copied.length)} copied as a draft`,
                        'Guards see it when you publish. Undo takes it back.',
                      );
                    });
                    onClose();
                  }}
                >
                  {copied.length === 0
                    ? 'Copy as Draft'
                    : `Copy ${formatCount(copied.length)} as Draft`}
                </Button>
              </div>
            </div>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
