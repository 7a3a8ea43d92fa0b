import type { ReactNode } from 'react';
import { formatCount } from '#shared/count.ts';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { type Figures, useFigures } from './api.ts';

export const LOAD_FAILURE = 'Failed to load dashboard data.';

type Card = { id: keyof Figures; label: string; hint: string };

const CARDS = [
  { id: 'todays_shifts', label: "Today's Shifts", hint: 'Starting today' },
  { id: 'active_incidents', label: 'Active Incidents', hint: 'Open or investigating' },
  {
    id: 'attendance_issues',
    label: 'Attendance Issues',
    hint: 'Missing clock-in or clock-out, also once decided',
  },
  { id: 'expiring_certifications', label: 'Expiring Certifications', hint: 'Within 30 days' },
  { id: 'active_staff', label: 'Active Staff', hint: 'On the payroll' },
  { id: 'active_sites', label: 'Active Sites', hint: 'Under guard' },
] as const satisfies Card[];

export type FigureId = (typeof CARDS)[number]['id'];

const BOX =
  'flex h-full flex-col rounded-sm border border-line bg-raised px-3.5 py-2.5 shadow-panel [a&]:transition-[border-color] [a&]:hover:border-accent-fill';

type FigureCardsProps = {
  /** Wraps a card in the link to its list; null when the user may not open that list. */
  linkOf: (id: FigureId, props: { className: string; children: ReactNode }) => ReactNode | null;
};

export function FigureCards({ linkOf }: FigureCardsProps) {
  /** Without the figures while they load. */
  const cards = (figures?: Figures) => (
    <ul className="grid grid-cols-2 gap-3 md:grid-cols-3 md:gap-4 xl:grid-cols-6">
      {CARDS.map(({ id, label, hint }) => {
        const content = (
          <>
            <span className="text-[0.8125rem] font-semibold leading-snug md:max-lg:min-h-[2lh]">
              {label}
            </span>
            <span className="mt-1 min-h-[1lh] font-semibold text-2xl leading-none tabular-nums">
              {figures && formatCount(figures[id])}
            </span>
            <span className="mt-auto pt-1 text-xs leading-snug text-muted">{hint}</span>
          </>
        );
        return (
          <li key={id} className="min-w-0">
            {linkOf(id, { className: BOX, children: content }) ?? (
              <div className={BOX}>{content}</div>
            )}
          </li>
        );
      })}
    </ul>
  );
  return (
    <Loaded
      query={useFigures()}
      loadingText="Loading dashboard..."
      missing={LOAD_FAILURE}
      placeholder={cards()}
    >
      {cards}
    </Loaded>
  );
}
