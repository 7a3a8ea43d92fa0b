import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { formatDay } from '#web/lib/format/dates.ts';

type DatedRowProps = {
  heading: ReactNode;
  detail?: string;
  /** ISO dates; both are included. */
  from: string;
  to: string | null | undefined;
  /** What the buttons name. */
  name: string;
  onEdit: () => void;
  onDelete: (() => void) | false;
  /** More buttons. */
  children?: ReactNode;
};

/** Something in a person's pay, with its first and last day. */
export function DatedRow(props: DatedRowProps) {
  const { heading, detail, from, to, name, onEdit, onDelete, children } = props;
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
      <div className="-mr-3 flex">
        <IconButton title="Edit" label={`Edit ${name}`} Icon={Pencil} onClick={onEdit} />
        {children}
        {onDelete && (
          <IconButton
            variant="danger-ghost"
            title="Delete"
            label={`Delete ${name}`}
            Icon={Trash2}
            onClick={onDelete}
          />
        )}
      </div>
    </li>
  );
}
