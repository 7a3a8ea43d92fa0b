// Shared by the rows of posts and of guards.
import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';
import { type GridState, HEAD } from './grid-state.ts';
import type { GuardRow, SeatRow } from './roster-rows.ts';

export const cellFrame = cn(
  'relative min-w-0 border-r border-b border-line outline-none select-none [-webkit-touch-callout:none]',
  'aria-selected:bg-chosen data-active:z-10 focus-visible:inset-ring-3 focus-visible:inset-ring-focus focus-visible:outline-none',
);
const headFrame = cn(
  cellFrame,
  'sticky left-0 z-15 flex items-center gap-2 border-r-line-strong/50 bg-raised pr-2 pl-3 text-left text-[0.8125rem]',
);

export type CellProps = {
  row: string;
  column: number;
  isActive: boolean;
  isSelected: boolean;
};

type LabelledCell = CellProps & {
  label: string;
  /** Something in it can be dragged. */
  carries: boolean;
};

/** The attributes of a cell below a day. */
export function cellAttributes({
  row,
  column,
  isActive,
  isSelected,
  label,
  carries,
}: LabelledCell) {
  return {
    role: 'gridcell',
    tabIndex: isActive ? 0 : -1,
    'aria-colindex': column + 2,
    'aria-selected': isSelected,
    'aria-label': label,
    title: label,
    'data-row': row,
    'data-column': column,
    'data-active': isActive || undefined,
    'data-carries': carries || undefined,
  };
}

type RowHeadProps = {
  row: SeatRow | GuardRow;
  state: GridState;
  className?: string;
  children: ReactNode;
};

export function RowHead({ row, state, className, children }: RowHeadProps) {
  const isActive = state.isActive(row.key, HEAD);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtualised grid can't be a table.
    <div
      role="rowheader"
      tabIndex={isActive ? 0 : -1}
      aria-colindex={1}
      data-row={row.key}
      data-column={HEAD}
      data-active={isActive || undefined}
      className={cn(headFrame, className)}
    >
      {children}
    </div>
  );
}
