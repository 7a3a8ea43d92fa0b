// The form of a deployment. What was typed stays when saving fails.
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { Button } from '#web/components/ui/button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors.ts';
import { deploymentSchema, type DeploymentForm as Form } from '../schema.ts';
import { DeploymentFields } from './deployment-fields.tsx';

type DeploymentFormProps = {
  defaultValues: Form;
  submitLabel: string;
  savingLabel: string;
  /** Title of the toast when saving fails. */
  failure: string;
  save: (form: Form) => Promise<void>;
  onSaved: () => void;
  onCancel: () => void;
};

export function DeploymentForm(props: DeploymentFormProps) {
  const { register, handleSubmit, formState } = useForm<Form>({
    resolver: zodResolver(deploymentSchema),
    defaultValues: props.defaultValues,
  });
  const busy = formState.isSubmitting;
  const submit = handleSubmit((form) =>
    props
      .save(form)
      .then(props.onSaved)
      .catch((error: unknown) => showError(props.failure, messageOf(error))),
  );
  return (
    <form onSubmit={submit} noValidate className="grid gap-7">
      <DeploymentFields register={register} errors={formState.errors} />
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={props.onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={busy}>
          {busy ? props.savingLabel : props.submitLabel}
        </Button>
      </div>
    </form>
  );
}
