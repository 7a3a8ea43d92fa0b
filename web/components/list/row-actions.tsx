import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '#web/components/ui/icon-button.tsx';

export type RowActionsProps = {
  /** Names the row for screen readers: "Edit Musu Flomo". */
  name: string;
  onEdit: () => void;
  /** No Delete button without it. */
  onDelete?: (() => void) | false | undefined;
  /** Further buttons, before Edit. */
  children?: ReactNode;
};

export function RowActions({ name, onEdit, onDelete, children }: RowActionsProps) {
  return (
    <div className="relative flex justify-end print:hidden">
      {children}
      <IconButton title="Edit" label={`Edit ${name}`} Icon={Pencil} onClick={onEdit} />
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
  );
}
