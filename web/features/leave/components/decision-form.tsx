// The decision about a request: a note that the person sees, and two ways to end it. What was typed stays on failure.
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Textarea } from '#web/components/ui/textarea.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { useDecideLeave } from '../api/decide-leave.ts';
import { upcomingOf, useCollisions } from '../api/get-leave.ts';
import { type Decision, decisionSchema } from '../schema.ts';

const needOf = (shifts: number) =>
  shifts === 1 ? '1 shift needs another guard.' : `${shifts} shifts need other guards.`;

export function DecisionForm({ id, onClose }: { id: string; onClose: () => void }) {
  const { mutateAsync, isPending, variables } = useDecideLeave();
  const { data: collisions } = useCollisions(id);
  const { register, handleSubmit, formState } = useForm<Decision>({
    resolver: zodResolver(decisionSchema),
    defaultValues: { note: '' },
  });
  const decide = (status: 'approved' | 'rejected') =>
    handleSubmit(async ({ note }) => {
      if (isPending) return;
      try {
        await mutateAsync({ id, status, note });
        const emptied = status === 'approved' ? upcomingOf(collisions?.shifts ?? []).length : 0;
        // The dialog stays where it lists shifts that now need somebody else.
        showSuccess(`Leave ${status}`, emptied > 0 ? needOf(emptied) : undefined);
        if (emptied === 0) onClose();
      } catch (error) {
        showError('The decision was not saved', messageOf(error));
      }
    });
  const rejecting = isPending && variables.status === 'rejected';
  const approving = isPending && variables.status === 'approved';
  return (
    <form
      onSubmit={(event) => event.preventDefault()}
      noValidate
      className="grid gap-5 border-t border-line pt-5"
    >
      <Field
        label="Note"
        optional
        hint="The person sees it with the outcome."
        error={formState.errors.note?.message}
      >
        {(control) => <Textarea {...control} {...register('note')} rows={2} />}
      </Field>
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="danger" busy={rejecting} onClick={decide('rejected')}>
          {rejecting ? 'Rejecting...' : 'Reject'}
        </Button>
        <Button busy={approving} onClick={decide('approved')}>
          {approving ? 'Approving...' : 'Approve'}
        </Button>
      </div>
    </form>
  );
}
