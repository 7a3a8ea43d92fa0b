// Takes a piece of evidence off, after a question.
import { Trash2 } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import { fileNameOf } from '../../evidence-kind.ts';
import type { Evidence } from '../../schema.ts';

type RemoveButtonProps = { piece: Evidence; onPress: () => void; iconOnly?: boolean };

export function RemoveButton({ piece, onPress, iconOnly = false }: RemoveButtonProps) {
  return (
    <Button
      variant="danger-ghost"
      size={iconOnly ? 'icon' : 'default'}
      className={iconOnly ? 'shrink-0' : 'px-2'}
      aria-label={`Remove ${fileNameOf(piece)}`}
      onClick={onPress}
    >
      <Trash2 aria-hidden="true" className="size-4" />
      {!iconOnly && 'Remove'}
    </Button>
  );
}
