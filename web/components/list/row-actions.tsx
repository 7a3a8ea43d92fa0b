// What may be done with a row: small buttons, named for the row they belong to.
import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#web/components/ui/button.tsx';

type RowActionsProps = {
  /** Names the row for screen readers: "Edit Musu Flomo". */
  name: string;
  onEdit: () => void;
  /** Without it there is no such button. */
  onDelete?: (() => void) | undefined;
  /** Further buttons, before Edit. */
  children?: ReactNode;
};

export function RowActions({ name, onEdit, onDelete, children }: RowActionsProps) {
  return (
    <div className="relative flex justify-end print:hidden">
      {children}
      <Button variant="ghost" size="icon" title="Edit" aria-label={`Edit ${name}`} onClick={onEdit}>
        <Pencil aria-hidden="true" className="size-4" />
      </Button>
      {onDelete && (
        <Button
          variant="danger-ghost"
          size="icon"
          title="Delete"
          aria-label={`Delete ${name}`}
          onClick={onDelete}
        >
          <Trash2 aria-hidden="true" className="size-4" />
        </Button>
      )}
    </div>
  );
}
