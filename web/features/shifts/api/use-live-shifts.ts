// Shifts refresh when one of them changes, or who works on it.
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { shiftsKey } from '../../../lib/data/keys.ts';

const TABLES = ['shifts', 'assignments'] as const;

export function useLiveShifts(): void {
  useLiveTable(TABLES, shiftsKey);
}
