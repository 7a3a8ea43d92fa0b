// Equal cases of a period, decided at once: "37 stayed on, up to 15 min".
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { undoAction } from '#web/components/form/undo-action.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { DisclosureButton, DisclosureMark } from '#web/components/ui/disclosure.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { resolveRecords } from '#web/lib/data/attendance-changes.ts';
import { timesheetsKey } from '#web/lib/data/keys.ts';
import { formatMinutes } from '#web/lib/format/dates.ts';
import { decideTimes, type EqualIssues, useEqualIssues } from './issue-api.ts';
import { findWay, isDecision, issueLabel } from './issue-kinds.ts';
import type { TimesheetFilters } from './search.ts';

/** @returns for example "Stayed on, up to 15 min", "Outside the fence, 100 m to 300 m" */
function labelOf({ kind, above, up_to }: EqualIssues): string {
  const sized = kind === 'outside_fence' ? (by: number) => `${formatCount(by)} m` : formatMinutes;
  const label = issueLabel(kind);
  if (above === null) return up_to === null ? label : `${label}, up to ${sized(up_to)}`;
  if (up_to === null) return `${label}, more than ${sized(above)}`;
  return `${label}, ${sized(above)} to ${sized(up_to)}`;
}

type Answer = 'Pay' | 'Don’t pay' | 'Accept';

/** What each answer means for the cases, said before it is given. */
const CAUSES: Record<Answer, string> = {
  Pay: 'Their time counts as worked and is paid with the timesheet.',
  'Don’t pay': 'Their time stays on the timesheets and is not paid.',
  Accept: 'The records stay as they are and wait no longer.',
};

/** @returns how to take it back */
function answerAll({ kind, attendance_ids }: EqualIssues, answer: Answer) {
  if (isDecision(kind)) return decideTimes(attendance_ids, kind, answer !== 'Don’t pay');
  return resolveRecords(attendance_ids, 'Accepted with equal cases');
}

type Asked = { group: EqualIssues; answer: Answer };

type GroupProps = { group: EqualIssues; onAsk: (answer: Answer) => void };

function GroupRow({ group, onAsk }: GroupProps) {
  const answers: Answer[] = findWay(group.kind) === 'decide' ? ['Pay', 'Don’t pay'] : ['Accept'];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2 sm:px-5">
      <p className="min-w-0 flex-1 basis-52">
        <span className="font-semibold tabular-nums">{formatCount(group.amount)}</span>{' '}
        {labelOf(group)}
      </p>
      <div className="flex gap-2">
        {answers.map((answer) => (
          <Button
            key={answer}
            variant="secondary"
            aria-label={`${answer} all: ${labelOf(group)}`}
            onClick={() => onAsk(answer)}
          >
            {answer} all
          </Button>
        ))}
      </div>
    </li>
  );
}

export function EqualCases({ filters }: { filters: TimesheetFilters }) {
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const query = useEqualIssues(filters, isOpen);
  const reload = () => queryClient.invalidateQueries({ queryKey: timesheetsKey });
  // What was asked about is what is decided, also when the list grows while the question is open.
  const [asked, setAsked] = useState<Asked>();
  const bodyId = useId();
  return (
    <section aria-label="Equal cases">
      <Card>
        <div className="relative flex items-center gap-3 px-4 py-1 sm:px-5">
          <h3 className="min-w-0 flex-1 font-semibold">
            <DisclosureButton isOpen={isOpen} controls={bodyId} onToggle={() => setOpen(!isOpen)}>
              Decide equal cases at once
            </DisclosureButton>
          </h3>
          <DisclosureMark isOpen={isOpen} className="size-5" />
        </div>
        <div id={bodyId} hidden={!isOpen} className="border-t border-line">
          <Loaded query={query} loadingText="Looking for equal cases...">
            {(found) => {
              const groups = found.filter(({ kind }) => !filters.issue || kind === filters.issue);
              return groups.length === 0 ? (
                <p className="px-4 py-3 text-muted sm:px-5">No two cases are equal here.</p>
              ) : (
                <ul className="divide-y divide-line">
                  {groups.map((group) => (
                    <GroupRow
                      key={labelOf(group)}
                      group={group}
                      onAsk={(answer) => setAsked({ group, answer })}
                    />
                  ))}
                </ul>
              );
            }}
          </Loaded>
        </div>
      </Card>
      {asked && (
        <ConfirmDialog
          title={`${asked.answer} ${formatCount(asked.group.amount)} cases?`}
          question={`${labelOf(asked.group)}, in the period and the filters shown.`}
          confirmLabel={`${asked.answer} ${formatCount(asked.group.amount)} Cases`}
          variant="primary"
          failure="Nothing was decided"
          onConfirm={async () => {
            const { changed, undo } = await answerAll(asked.group, asked.answer);
            showSuccess(
              `${formatCount(changed)} ${changed === 1 ? 'case' : 'cases'} decided`,
              changed < asked.group.amount ? 'Somebody decided the others before.' : undefined,
              undoAction(undo, { reload }),
            );
            await reload();
          }}
          onClose={() => setAsked(undefined)}
        >
          {CAUSES[asked.answer]} Each can be taken back on its timesheet until that is approved.
        </ConfirmDialog>
      )}
    </section>
  );
}
