// What a guard does from the staff portal: each a card that opens a dialog, loaded when it is opened.
import type { LucideIcon } from 'lucide-react';
import type { LazyExoticComponent } from 'react';

export type Action = {
  title: string;
  text: string;
  Icon: LucideIcon;
  Dialog: LazyExoticComponent<(props: { onClose: () => void }) => React.ReactNode>;
};

export const ACTIONS: readonly Action[] = [];
