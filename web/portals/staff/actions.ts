// What a guard does from the staff portal: each a card that opens a dialog, loaded when it is opened.
import { CalendarDays, Clock4, type LucideIcon, Siren } from 'lucide-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

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
    Dialog: lazy(async () => ({
      default: (await import('#web/features/clock/clock-dialog.tsx')).ClockDialog,
    })),
  },
  {
    title: 'Report Incident',
    text: 'What happened, with photos and documents.',
    Icon: Siren,
    Dialog: lazy(async () => ({
      default: (await import('#web/features/incidents/guard/report-incident-dialog.tsx'))
        .ReportIncidentDialog,
    })),
  },
  {
    title: 'Request Leave',
    text: 'Ask for days off, and see what became of it.',
    Icon: CalendarDays,
    Dialog: lazy(async () => ({
      default: (await import('#web/features/leave/guard/request-leave-dialog.tsx'))
        .RequestLeaveDialog,
    })),
  },
];
