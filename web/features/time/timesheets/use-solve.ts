import { useQueryClient } from '@tanstack/react-query';
import { undoAction } from '#web/components/form/undo-action.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { showSuccess } from '#web/components/ui/toast.ts';
import { timesheetsKey } from '#web/lib/data/keys.ts';

type Done = { text: string; undo?: (() => Promise<unknown>) | undefined };

export function useSolve() {
  const queryClient = useQueryClient();
  const { save, busy } = useSave();
  const reload = () => queryClient.invalidateQueries({ queryKey: timesheetsKey });
  const solve = (work: () => Promise<Done>) =>
    save(async () => {
      const { text, undo } = await work();
      showSuccess(text, undefined, undo && undoAction(undo, { reload }));
      await reload();
    });
  return { solve, busy };
}
