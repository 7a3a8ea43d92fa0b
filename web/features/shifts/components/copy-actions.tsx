// Carries out a copy of shifts that was previewed, and says what came of it.
import type { UseMutationResult } from '@tanstack/react-query';
import { formatCount } from '#shared/count.ts';
import { Button } from '#web/components/ui/button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { type CopiedDay, shiftCount, sumOf } from './copy-preview.tsx';

type CopyActionsProps<Copy> = {
  copy: Copy;
  /** Of the preview; nothing is created while it is not known. */
  made: number;
  mutation: UseMutationResult<CopiedDay[], Error, Copy>;
  onClose: () => void;
};

export function CopyActions<Copy>({ copy, made, mutation, onClose }: CopyActionsProps<Copy>) {
  const { mutate, isPending } = mutation;

  function create() {
    mutate(copy, {
      onSuccess: (days) => {
        const { made: count, existing } = sumOf(days);
        const rest = existing > 0 ? `${formatCount(existing)} existed already` : undefined;
        showSuccess(`${shiftCount(count)} created`, rest);
        onClose();
      },
      onError: (error) => showError('Error', messageOf(error)),
    });
  }
  return (
    <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
      <Button variant="secondary" onClick={onClose}>
        Cancel
      </Button>
      <Button busy={isPending} disabled={made === 0} onClick={create}>
        {isPending ? 'Creating...' : `Create ${shiftCount(made)}`}
      </Button>
    </div>
  );
}
