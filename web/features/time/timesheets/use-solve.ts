import { useQueryClient } from '@tanstack/react-query';
import { useSave } from '#web/components/form/use-save.ts';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { timesheetsKey } from '#web/lib/data/keys.ts';
import { describeError } from '#web/lib/errors/error-message.ts';

type Done = { text: string; undo?: (() => Promise<unknown>) | undefined };

export function useSolve() {
  const queryClient = useQueryClient();
  const { save, busy } = useSave();
  const reload = () => queryClient.invalidateQueries({ queryKey: timesheetsKey });
  const solve = (work: () => Promise<Done>) =>
    save(async () => {
      const { text, undo } = await work();
      const takeBack = () =>
        void undo?.()
          .then(() => showSuccess('Restored'))
          .catch((error: unknown) => showError('Nothing was restored', describeError(error)))
          .finally(reload);
      showSuccess(text, undefined, undo && { label: 'Undo', onPress: takeBack });
      await reload();
    });
  return { solve, busy };
}
