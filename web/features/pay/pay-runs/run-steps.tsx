import { Check } from 'lucide-react';
import { MomentText } from '#web/components/text/date-text.tsx';
import { cn } from '#web/lib/cn.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { type PayRun, RUN_STEPS, type RunStep, reachedStep } from './schema.ts';

const momentOf = (run: PayRun): Record<RunStep, string | null> => ({
  draft: run.created_at,
  calculated: run.calculated_at,
  approved: run.approved_at,
  locked: run.locked_at,
  paid: run.paid_at,
});

export function RunSteps({ run }: { run: PayRun }) {
  const reached = reachedStep(run.status);
  const moments = momentOf(run);
  return (
    <ol aria-label="Steps" className="grid gap-2 xl:grid-cols-5">
      {RUN_STEPS.map((step, place) => {
        const isDone = place <= reached;
        const at = isDone ? moments[step] : null;
        return (
          <li
            key={step}
            aria-current={place === reached ? 'step' : undefined}
            className={cn(
              'flex flex-wrap items-baseline gap-x-2 border-t-2 border-line pt-2 text-muted',
              isDone && 'border-accent-fill text-ink',
            )}
          >
            {isDone && <Check aria-hidden="true" className="size-4 shrink-0 self-center" />}
            <span className={cn(place === reached && 'font-semibold')}>{STATUS_LABELS[step]}</span>
            {at && (
              <span className="text-sm text-muted">
                <MomentText at={at} />
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
