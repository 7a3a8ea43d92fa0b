import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { useAssignReplacement, useUnassignReplacement } from './api.ts';

type Guard = { shiftId: string; userId: string; name: string };

/** Gives a guard the free seat, with an Undo in the toast. @throws what the rules say against it */
export function useAssign({ shiftId, userId, name }: Guard) {
  const { mutateAsync: assign, isPending } = useAssignReplacement();
  const { mutateAsync: unassign } = useUnassignReplacement();
  async function undo() {
    try {
      await unassign({ shiftId, userId });
      showSuccess('Guard Unassigned');
    } catch (error) {
      showError('The guard was not unassigned', describeError(error));
    }
  }
  return {
    isPending,
    assign: async (call?: { note: string }) => {
      await assign({ shiftId, userId, ...(call && { call }) });
      showSuccess('Guard Assigned', name, { label: 'Undo', onPress: () => void undo() });
    },
  };
}
