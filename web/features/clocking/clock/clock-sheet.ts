import { lazy } from 'react';

/** The clock dialog, with choices and exceptions. */
export const ClockSheet = lazy(async () => ({
  default: (await import('./clock-dialog.tsx')).ClockDialog,
}));
