// Open decisions of a timesheet, each solved where it is listed.
import { useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { Button } from '#web/components/ui/button.tsx';
import { clockOutAtShiftEnd, resolveRecords } from '#web/lib/data/attendance-changes.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import { formatDayOfWeek } from '#web/lib/format/days.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { AnswerForm } from './answer-form.tsx';
import { decideByKey } from './decide-by-key.ts';
import { DisputeNote } from './dispute-note.tsx';
import { decideTime, type SheetIssue } from './issue-api.ts';
import { findWay, isDecision, issueLabel } from './issue-kinds.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { useSolve } from './use-solve.ts';

type ActionsProps = {
  issue: SheetIssue;
  /** For screen readers, for example "Wed, Oct 7". */
  about: string;
  onAttendance: (id: string) => void;
  onAnswer: () => void;
};

function Actions({ issue, about, onAttendance, onAnswer }: ActionsProps) {
  const { kind, attendance_id, assignment_id } = issue;
  const { isAdmin, isOpsManager, isSupervisor } = useAuth();
  const { solve, busy } = useSolve();
  const mayCorrect = isAdmin || isOpsManager || isSupervisor;
  const way = findWay(kind);
  const record = attendance_id ?? assignment_id;
  const named = (label: string) => ({ 'aria-label': `${label}: ${about}`, children: label });
  const look = (label: string) =>
    record && (
      <Button
        variant="ghost"
        className="px-3"
        {...named(label)}
        onClick={() => onAttendance(record)}
      />
    );
  if (way === 'answer') {
    return <Button variant="secondary" {...named('Answer')} onClick={onAnswer} />;
  }
  if (isDecision(kind) && attendance_id) {
    const decide = (approved: boolean) =>
      solve(async () => {
        const undo = await decideTime({ attendance_id, kind, approved });
        return { text: approved ? 'Approved' : 'Not approved', undo };
      });
    return (
      <>
        {way === 'accept' ? (
          <Button
            variant="secondary"
            busy={busy}
            {...named('Accept')}
            aria-keyshortcuts="A"
            onClick={() => void decide(true)}
          />
        ) : (
          <>
            <Button
              variant="secondary"
              busy={busy}
              {...named('Pay')}
              aria-keyshortcuts="A"
              onClick={() => void decide(true)}
            />
            <Button
              variant="secondary"
              busy={busy}
              {...named('Don’t pay')}
              aria-keyshortcuts="D"
              onClick={() => void decide(false)}
            />
          </>
        )}
        {look('Open')}
      </>
    );
  }
  if (!mayCorrect) return look('Open');
  if (kind === 'missing_clock_out' && attendance_id) {
    return (
      <>
        <Button
          variant="secondary"
          busy={busy}
          {...named('Clock out at shift end')}
          onClick={() =>
            void solve(async () => {
              const { undo } = await clockOutAtShiftEnd([attendance_id], 'Forgot to clock out');
              return { text: 'Clocked out at shift end', undo };
            })
          }
        />
        {look('Correct')}
      </>
    );
  }
  if (way === 'review' && attendance_id) {
    return (
      <>
        <Button
          variant="secondary"
          busy={busy}
          {...named('Accept')}
          aria-keyshortcuts="A"
          onClick={() =>
            void solve(async () => {
              const { undo } = await resolveRecords([attendance_id], 'Accepted with the timesheet');
              return { text: 'Accepted', undo };
            })
          }
        />
        {look('Open')}
      </>
    );
  }
  return look('Correct');
}

const shiftOf = ({ start_time, end_time, timezone }: SheetIssue) =>
  start_time && end_time && timezone
    ? `${formatTime(start_time, timezone)} - ${formatTime(end_time, timezone)}`
    : '';

/** @returns what is known beside the kind, in one or two sentences */
function detailOf(issue: SheetIssue): string {
  const { sentence, outside_m, override_reason, also } = issue;
  return [
    sentence,
    outside_m !== null && ['outside_fence', ...also].includes('outside_fence')
      ? `${formatCount(outside_m)} m outside the fence.`
      : '',
    override_reason ? `“${override_reason}”` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

type IssueProps = {
  issue: SheetIssue;
  guard: string;
  isDecidable: boolean;
  onAttendance: (id: string) => void;
};

function Issue({ issue, guard, isDecidable, onAttendance }: IssueProps) {
  const [isAnswering, setAnswering] = useState(false);
  const { kind, also, day, site_name, note, dispute_id } = issue;
  const label = [kind, ...also].map(issueLabel).join(', ');
  const on = formatDayOfWeek(day);
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <p>
            <span className="font-semibold">{label}</span>{' '}
            <span className="text-muted">
              <time dateTime={day}>{on}</time>
              {site_name && `, ${site_name}`}
              {shiftOf(issue) && `, ${shiftOf(issue)}`}
            </span>
          </p>
          {detailOf(issue) && <p className="text-sm text-pretty">{detailOf(issue)}</p>}
          {note && (
            <DisputeNote author={guard} dispute={{ note, answer: null, answered_at: null }} />
          )}
        </div>
        {isDecidable && !isAnswering && (
          <div className="flex flex-wrap gap-2">
            <Actions
              issue={issue}
              about={`${guard}, ${on}, ${label}`}
              onAttendance={onAttendance}
              onAnswer={() => setAnswering(true)}
            />
          </div>
        )}
      </div>
      {isAnswering && dispute_id && (
        <AnswerForm disputeId={dispute_id} onClose={() => setAnswering(false)} />
      )}
    </li>
  );
}

type IssueListProps = Pick<IssueProps, 'guard' | 'isDecidable' | 'onAttendance'> & {
  issues: readonly SheetIssue[];
};

/** In a list: `A` accepts or pays, `D` doesn't pay, arrows go to the next row, `N` to the next person. */
export function IssueList({ issues, ...rest }: IssueListProps) {
  const list = useKeptFocus<HTMLUListElement>();
  return (
    <ul
      ref={list}
      aria-label={`To decide: ${rest.guard}`}
      data-issues
      className="divide-y divide-line"
      onKeyDown={decideByKey}
    >
      {issues.map((issue) => (
        <Issue
          key={`${issue.day} ${issue.kind} ${issue.attendance_id ?? issue.assignment_id ?? issue.dispute_id}`}
          issue={issue}
          {...rest}
        />
      ))}
    </ul>
  );
}
