// Says how the exceptions of a record were resolved; the reason stays with the record.
import { RecordForm } from '#web/components/records/record-form.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Textarea } from '#web/components/ui/textarea.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useResolveAttendance } from '../api/resolve-attendance.ts';
import { resolutionSchema } from '../schema.ts';

export function ResolveForm({ id, onClose }: { id: string; onClose: () => void }) {
  const { mutateAsync } = useResolveAttendance();
  return (
    <section aria-label="Resolve" className="border-t border-line pt-5">
      <RecordForm
        schema={resolutionSchema}
        defaultValues={{ resolution: '' }}
        submitLabel="Resolve"
        failure="The exceptions were not resolved"
        save={({ resolution }) => mutateAsync({ id, resolution })}
        onSaved={() => {
          showSuccess('Exceptions resolved');
          onClose();
        }}
        onCancel={onClose}
      >
        {({ register, formState: { errors } }) => (
          <Field
            label="How the exceptions were resolved"
            hint="For example: seen at the gate, the phone had no signal."
            error={errors.resolution?.message}
          >
            {(control) => <Textarea {...control} {...register('resolution')} rows={2} />}
          </Field>
        )}
      </RecordForm>
    </section>
  );
}
