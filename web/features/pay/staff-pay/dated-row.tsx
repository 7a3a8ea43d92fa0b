import type { ReactNode } from 'react';
import { RowActions, type RowActionsProps } from '#web/components/list/row-actions.tsx';
import { formatDay } from '#web/lib/format/dates.ts';

type DatedRowProps = RowActionsProps & {
  heading: ReactNode;
  detail?: string;
  /** ISO dates; both are included. */
  from: string;
  to: string | null | undefined;
};

/** Something in a person's pay, with its first and last day. */
export function DatedRow({ heading, detail, from, to, ...actions }: DatedRowProps) {
  return (
    <li className="flex items-center gap-x-2 px-4 py-2 sm:px-5">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold tabular-nums [overflow-wrap:anywhere]">
          {heading}
        </p>
        {detail && <p className="text-sm text-pretty text-muted tabular-nums">{detail}</p>}
        <p className="text-sm text-muted">
          From {formatDay(from)}
          {to && ` to ${formatDay(to)}`}
        </p>
      </div>
      <div className="-mr-3">
        <RowActions {...actions} />
      </div>
    </li>
  );
}
