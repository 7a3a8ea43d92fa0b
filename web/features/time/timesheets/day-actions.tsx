// Actions for a day that needs no decision: look at the attendance, pay an early arrival, undo a decision.
import { Button } from '#web/components/ui/button.tsx';
import { formatDayOfWeek } from '#web/lib/format/days.ts';
import { decideTime, takeBackDecision } from './issue-api.ts';
import type { DecisionKind } from './issue-kinds.ts';
import type { NamedSheet } from './sheet-page-api.ts';
import { useSolve } from './use-solve.ts';

const DECISIONS: Record<DecisionKind, string> = {
  early_arrival: 'Early arrival',
  stayed_on: 'Staying on',
  overtime: 'Overtime',
  rest_override: 'Short rest',
};

const LINK = '-ml-1 max-w-full text-left text-sm whitespace-normal md:min-h-9';

type DayActionsProps = {
  sheet: NamedSheet;
  day: string;
  isDecidable: boolean;
  onAttendance: (id: string) => void;
};

export function DayActions({ sheet, day, isDecidable, onAttendance }: DayActionsProps) {
  const { solve, busy } = useSolve();
  const on = formatDayOfWeek(day);
  const segments = sheet.segments.filter((segment) => segment.day === day);
  const records = new Set(segments.flatMap(({ attendance_id: id }) => (id ? [id] : [])));
  const decided = sheet.decisions.filter(({ attendance_id }) => records.has(attendance_id));
  const early = segments.find(
    ({ rule, attendance_id }) =>
      rule === 'early_arrival' &&
      !decided.some(
        (each) => each.attendance_id === attendance_id && each.kind === 'early_arrival',
      ),
  )?.attendance_id;
  const duties = sheet.duties.filter(({ plan_day }) => plan_day === day);
  return (
    <div className="flex flex-wrap gap-x-4 empty:hidden print:hidden">
      {duties.map(({ id, site }) => (
        <Button
          key={id}
          variant="link"
          className={LINK}
          aria-label={`Attendance at ${site}, ${on}`}
          onClick={() => onAttendance(id)}
        >
          <span className="min-w-0 [overflow-wrap:anywhere]">{site}</span>
        </Button>
      ))}
      {isDecidable && early && (
        <Button
          variant="link"
          className={LINK}
          busy={busy}
          aria-label={`Pay the early arrival, ${on}`}
          onClick={() =>
            void solve(async () => {
              const decision = {
                attendance_id: early,
                kind: 'early_arrival' as const,
                approved: true,
              };
              return { text: 'Early arrival approved', undo: await decideTime(decision) };
            })
          }
        >
          Pay the early arrival
        </Button>
      )}
      {isDecidable &&
        decided.map(({ attendance_id, kind, approved }) => (
          <Button
            key={`${attendance_id} ${kind}`}
            variant="link"
            className={LINK}
            busy={busy}
            aria-label={`Undo the decision about ${DECISIONS[kind].toLowerCase()}, ${on}`}
            onClick={() =>
              void solve(async () => {
                await takeBackDecision(attendance_id, kind);
                return { text: 'Decision undone' };
              })
            }
          >
            {DECISIONS[kind]} {approved ? 'approved' : 'not approved'}: take back
          </Button>
        ))}
    </div>
  );
}
