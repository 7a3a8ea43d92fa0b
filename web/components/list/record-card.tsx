import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { cn } from '#web/lib/cn.ts';

type RecordCardProps = {
  title: ReactNode;
  subtitle?: ReactNode;
  badge?: ReactNode;
  children: ReactNode;
  notes?: string | null;
  /** Names the record for screen readers: "Edit expense Fuel, May". */
  label: string;
  onEdit: () => void;
  onDelete: () => void;
  isDeleting?: boolean;
  /** Further buttons, before Edit. */
  actions?: ReactNode;
};

export function RecordCard(props: RecordCardProps) {
  return (
    <Card className="flex h-full flex-col break-inside-avoid">
      <div className="flex-1 p-4 sm:p-5">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="min-w-0">
            <h3 className="font-display text-xl leading-tight [overflow-wrap:anywhere]">
              {props.title}
            </h3>
            {props.subtitle && (
              <p className="mt-1 text-sm break-words text-muted">{props.subtitle}</p>
            )}
          </div>
          {props.badge}
        </div>
        {props.children}
        {props.notes && (
          <p className="mt-4 text-sm break-words whitespace-pre-line text-muted">{props.notes}</p>
        )}
      </div>
      <div className="flex flex-wrap justify-end gap-1 border-t border-line px-2 py-1 print:hidden">
        {props.actions}
        <Button
          variant="ghost"
          className="px-3.5"
          onClick={props.onEdit}
          aria-label={`Edit ${props.label}`}
        >
          <Pencil aria-hidden="true" className="size-4" />
          Edit
        </Button>
        <Button
          variant="danger-ghost"
          className="px-3.5"
          busy={props.isDeleting ?? false}
          onClick={props.onDelete}
          aria-label={`Delete ${props.label}`}
        >
          {!props.isDeleting && <Trash2 aria-hidden="true" className="size-4" />}
          Delete
        </Button>
      </div>
    </Card>
  );
}

export function Facts({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <dl className={cn('mt-4 grid gap-1.5 border-t border-line pt-4 text-sm', className)}>
      {children}
    </dl>
  );
}

type FactProps = {
  name: string;
  children: ReactNode;
  /** Right-aligned, with digits of equal width. */
  amount?: boolean;
  /** Larger, for the main figure. */
  strong?: boolean;
  className?: string;
};

export function Fact({ name, children, amount, strong, className }: FactProps) {
  return (
    <div className={cn('flex items-baseline justify-between gap-4', className)}>
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd
        className={cn(
          'min-w-0 text-right [overflow-wrap:anywhere]',
          amount && 'whitespace-nowrap tabular-nums',
          strong && 'text-base font-semibold',
        )}
      >
        {children}
      </dd>
    </div>
  );
}
