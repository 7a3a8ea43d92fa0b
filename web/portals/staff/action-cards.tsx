import { CalendarDays, Clock4, type LucideIcon, Siren } from 'lucide-react';
import { type ComponentType, type LazyExoticComponent, lazy, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { ClockSheet } from '#web/features/clocking/clock/clock-sheet.ts';

type ActionDialog = ComponentType<{ onClose: () => void }>;

export type Action = {
  title: string;
  text: string;
  Icon: LucideIcon;
  Dialog: LazyExoticComponent<ActionDialog>;
};

export const ACTIONS: readonly Action[] = [
  {
    title: 'Clock In/Out',
    text: 'Start or end your shift, with your location.',
    Icon: Clock4,
    Dialog: ClockSheet,
  },
  {
    title: 'Report Incident',
    text: 'What happened, with photos and documents.',
    Icon: Siren,
    Dialog: lazy(async () => ({
      default: (await import('#web/features/incidents/incidents/guard/report-incident-dialog.tsx'))
        .ReportIncidentDialog,
    })),
  },
  {
    title: 'Request Leave',
    text: 'Request days off and follow your requests.',
    Icon: CalendarDays,
    Dialog: lazy(async () => ({
      default: (await import('#web/features/leave/requests/guard/request-leave-dialog.tsx'))
        .RequestLeaveDialog,
    })),
  },
];

export function ActionCards() {
  const [open, setOpen] = useState<Action>();
  return (
    <>
      <ul className="mt-3 grid grid-cols-3 gap-3 sm:mt-4 sm:gap-4">
        {ACTIONS.map((action) => (
          <li key={action.title}>
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => setOpen(action)}
              className="flex h-full min-h-20 w-full flex-col items-center gap-1.5 rounded-sm border border-line bg-raised px-1 py-2.5 shadow-panel transition-[border-color] hover:border-accent-fill sm:items-start sm:gap-4 sm:p-5 sm:text-left"
            >
              <span className="grid size-9 shrink-0 sm:size-11 place-items-center rounded-full bg-accent-fill/15">
                <action.Icon aria-hidden="true" className="size-5 text-accent sm:size-6" />
              </span>
              <span>
                <span className="block text-sm leading-tight font-semibold sm:font-display sm:text-xl sm:font-normal">
                  {action.title}
                </span>
                <SecondLine wraps className="mt-1 max-sm:sr-only">
                  {action.text}
                </SecondLine>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {open && (
        <LazyPart
          key={open.title}
          fallback={<Opening title={open.title} />}
          onClose={() => setOpen(undefined)}
        >
          <open.Dialog onClose={() => setOpen(undefined)} />
        </LazyPart>
      )}
    </>
  );
}
