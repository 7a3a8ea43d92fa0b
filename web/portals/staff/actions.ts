// What a guard does from the staff portal: each a card that opens a dialog, loaded when it is opened.
import { Clock4, type LucideIcon } from 'lucide-react';
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
];
