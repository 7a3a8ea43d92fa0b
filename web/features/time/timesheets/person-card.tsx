import { Card } from '#web/components/ui/card.tsx';
import { formatMinutes, formatPayPeriod } from '#web/lib/format/dates.ts';
import type { SheetIssue } from './issue-api.ts';
import { issueLabel } from './issue-kinds.ts';
import { IssueList } from './issue-list.tsx';
import { SheetLink } from './sheet-columns.tsx';
import type { ListedSheet } from './timesheet-api.ts';

type PersonCardProps = {
  row: ListedSheet;
  /** Undefined while they are loading. */
  issues: readonly SheetIssue[] | undefined;
  isDecidable: boolean;
  onAttendance: (id: string) => void;
};

/** A person with something to decide, and all of it. */
export function PersonCard({ row, issues, isDecidable, onAttendance }: PersonCardProps) {
  return (
    <Card className="h-full px-4 pt-2 pb-1 sm:px-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="min-w-0 text-lg [overflow-wrap:anywhere]">
          <SheetLink row={row} />
        </h3>
        <p className="text-sm text-muted tabular-nums">
          {formatPayPeriod(row.period_start, row.period_end)}: {formatMinutes(row.paid_minutes)}{' '}
          paid of {formatMinutes(row.planned_minutes)} planned
        </p>
      </div>
      {issues ? (
        <IssueList
          issues={issues}
          guard={row.full_name}
          isDecidable={isDecidable}
          onAttendance={onAttendance}
        />
      ) : (
        // As high as the issues with their buttons, which are below the text on a phone.
        [...new Set(row.issues)].map((kind) => (
          <p key={kind} className="min-h-31 py-3 text-muted sm:min-h-18">
            {issueLabel(kind)}
          </p>
        ))
      )}
    </Card>
  );
}
