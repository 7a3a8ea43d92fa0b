import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { Ban, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '#shared/count.ts';
import { Button } from '#web/components/ui/button.tsx';
import { LabelledCheckbox } from '#web/components/ui/checkbox.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatDayOfWeek } from '#web/lib/format/days.ts';
import { shiftCount } from './staffing.ts';

type WithGuardsProps = { checked: boolean; onChange: (checked: boolean) => void; hint: string };

function WithGuards({ checked, onChange, hint }: WithGuardsProps) {
  return (
    <LabelledCheckbox
      label="With its guards"
      hint={hint}
      checked={checked}
      onChange={() => onChange(!checked)}
    />
  );
}

type CopiedDay = {
  /** yyyy-MM-dd in site time. */
  day: string;
  made: number;
  existing: number;
  assigned: number;
  left_out: string[];
  warned: string[];
};

function sumDays(days: CopiedDay[]) {
  const sum = (figure: 'made' | 'existing' | 'assigned') =>
    days.reduce((total, day) => total + day[figure], 0);
  return { made: sum('made'), existing: sum('existing'), assigned: sum('assigned') };
}

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

type CopyPreviewProps = { days: CopiedDay[]; choices: ReactNode; aboutExisting: ReactNode };

function CopyPreview({ days, choices, aboutExisting }: CopyPreviewProps) {
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
      {existing > 0 && aboutExisting}
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
      {choices ?? (
        <>
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
        </>
      )}
    </section>
  );
}

type CopyStepsProps<Copy> = {
  copy: Copy;
  withGuards: WithGuardsProps;
  /** Undefined while the entries are incomplete or wrong. */
  preview: UseQueryResult<CopiedDay[]> | undefined;
  /** Shown instead of the preview: what to enter. */
  incomplete: ReactNode;
  /** Shown when there is nothing to copy. */
  empty?: string;
  /** Replaces the lists of guards who are left out or have a warning. */
  choices?: ReactNode;
  /** Shown if some of the shifts exist already: what becomes of their guards. */
  aboutExisting?: ReactNode;
  /** The choices are still being loaded: nothing can be created before they are seen. */
  isChecking?: boolean;
  mutation: UseMutationResult<CopiedDay[], Error, Copy>;
  onClose: () => void;
};

/** Shared by copying a week and repeating a shift: with or without guards, the preview, the buttons. */
export function CopySteps<Copy>(props: CopyStepsProps<Copy>) {
  const { copy, withGuards, preview, incomplete, empty, mutation, onClose } = props;
  const { choices, aboutExisting, isChecking = false } = props;
  const { mutate, isPending } = mutation;
  const made = preview?.data ? sumDays(preview.data).made : 0;

  function create() {
    mutate(copy, {
      onSuccess: (days) => {
        const { made: count, existing } = sumDays(days);
        const rest = existing > 0 ? `${formatCount(existing)} existed already` : undefined;
        showSuccess(`${shiftCount(count)} created`, rest);
        onClose();
      },
      onError: (error) => showError('Error', describeError(error)),
    });
  }
  return (
    <>
      <WithGuards {...withGuards} />
      {preview ? (
        <Loaded query={preview} loadingText="Checking existing shifts...">
          {(days) =>
            empty && days.length === 0 ? (
              <EmptyNote>{empty}</EmptyNote>
            ) : (
              <CopyPreview days={days} choices={choices} aboutExisting={aboutExisting} />
            )
          }
        </Loaded>
      ) : (
        incomplete
      )}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button busy={isPending} disabled={made === 0 || isChecking} onClick={create}>
          {isPending ? 'Creating...' : `Create ${shiftCount(made)}`}
        </Button>
      </div>
    </>
  );
}
