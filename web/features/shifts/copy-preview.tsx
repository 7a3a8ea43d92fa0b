import type { UseMutationResult } from '@tanstack/react-query';
import { Ban, TriangleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { formatCount } from '#shared/count.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { formatDayOfWeek } from './shift-times.ts';

type WithGuardsProps = { checked: boolean; onChange: (checked: boolean) => void; hint: string };

export function WithGuards({ checked, onChange, hint }: WithGuardsProps) {
  const id = useId();
  return (
    <div className="relative flex min-h-11 items-start gap-3">
      <Checkbox
        id={id}
        checked={checked}
        onChange={() => onChange(!checked)}
        aria-describedby={`${id}-hint`}
      />
      <div>
        <label htmlFor={id} className="font-medium">
          With its guards
        </label>
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      </div>
    </div>
  );
}

export type CopiedDay = {
  /** yyyy-MM-dd in site time. */
  day: string;
  made: number;
  existing: number;
  assigned: number;
  left_out: string[];
  warned: string[];
};

export function sumDays(days: CopiedDay[]) {
  const sum = (figure: 'made' | 'existing' | 'assigned') =>
    days.reduce((total, day) => total + day[figure], 0);
  return { made: sum('made'), existing: sum('existing'), assigned: sum('assigned') };
}

export const shiftCount = (count: number) =>
  count === 1 ? '1 shift' : `${formatCount(count)} shifts`;

type NotesProps = { icon: ReactNode; title: string; lines: string[] };

function Notes({ icon, title, lines }: NotesProps) {
  if (lines.length === 0) return null;
  return (
    <details className="border-t border-line pt-1 text-sm" open={lines.length <= 5}>
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-semibold">
        {icon}
        {title}
      </summary>
      <ul className="grid gap-1 pb-2 text-muted">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );
}

export function CopyPreview({ days }: { days: CopiedDay[] }) {
  const { made, existing, assigned } = sumDays(days);
  const leftOut = days.flatMap((day) => day.left_out);
  const warned = days.flatMap((day) => day.warned);
  return (
    <section aria-label="Preview" className="rounded-sm border border-line p-4">
      <p role="status" className="font-semibold">
        {made === 0 ? 'Nothing to create' : `${shiftCount(made)} to create`}
        {assigned > 0 &&
          `, with ${assigned === 1 ? '1 assignment' : `${formatCount(assigned)} assignments`}`}
        {existing > 0 &&
          `; ${formatCount(existing)} ${existing === 1 ? 'exists' : 'exist'} already`}
      </p>
      <ul className="my-3 grid max-h-56 grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-4 gap-y-1 overflow-y-auto text-sm">
        {days.map(({ day, made: count, existing: existingCount }) => (
          <li key={day} className="flex justify-between gap-2 border-b border-line py-1">
            <span className="whitespace-nowrap">{formatDayOfWeek(day)}</span>
            <span className="text-right text-muted">
              {[
                count > 0 && `${formatCount(count)} new`,
                existingCount > 0 &&
                  (existingCount === 1 ? 'exists' : `${formatCount(existingCount)} exist`),
              ]
                .filter(Boolean)
                .join(', ')}
            </span>
          </li>
        ))}
      </ul>
      <Notes
        icon={<Ban aria-hidden="true" className="size-4 text-danger" />}
        title={`${formatCount(leftOut.length)} can't be assigned and will be left out`}
        lines={leftOut}
      />
      <Notes
        icon={<TriangleAlert aria-hidden="true" className="size-4 text-warning" />}
        title={`${formatCount(warned.length)} ${warned.length === 1 ? 'warning' : 'warnings'}`}
        lines={warned}
      />
    </section>
  );
}

type CopyActionsProps<Copy> = {
  copy: Copy;
  /** Shifts to create, from the preview; 0 while it is loading. */
  made: number;
  mutation: UseMutationResult<CopiedDay[], Error, Copy>;
  onClose: () => void;
};

export function CopyActions<Copy>({ copy, made, mutation, onClose }: CopyActionsProps<Copy>) {
  const { mutate, isPending } = mutation;

  function create() {
    mutate(copy, {
      onSuccess: (days) => {
        const { made: count, existing } = sumDays(days);
        const rest = existing > 0 ? `${formatCount(existing)} existed already` : undefined;
        showSuccess(`${shiftCount(count)} created`, rest);
        onClose();
      },
      onError: (error) => showError('Error', messageOf(error)),
    });
  }
  return (
    <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
      <Button variant="secondary" onClick={onClose}>
        Cancel
      </Button>
      <Button busy={isPending} disabled={made === 0} onClick={create}>
        {isPending ? 'Creating...' : `Create ${shiftCount(made)}`}
      </Button>
    </div>
  );
}
