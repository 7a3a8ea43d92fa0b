// The form of a deployment.
import { RecordForm, type RecordFormProps } from '#web/components/records/record-form.tsx';
import { deploymentSchema, type DeploymentForm as Form } from '../schema.ts';
import { DeploymentFields } from './deployment-fields.tsx';

type DeploymentFormProps = Omit<RecordFormProps<Form>, 'schema' | 'children'>;

export function DeploymentForm(props: DeploymentFormProps) {
  return (
    <RecordForm {...props} schema={deploymentSchema}>
      {(form) => <DeploymentFields form={form} />}
    </RecordForm>
  );
}
