// Says that somebody else changed the record while its form was open, and shows either version on request.
import { useState } from 'react';
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';

type ChangedUnderneathProps<Form extends FieldValues> = {
  form: UseFormReturn<Form>;
  /** What the form was opened with. */
  opened: DefaultValues<Form>;
  /** The record as it is now. */
  latest: DefaultValues<Form> | undefined;
};

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export function ChangedUnderneath<Form extends FieldValues>(props: ChangedUnderneathProps<Form>) {
  const { form, opened, latest } = props;
  const [mine, setMine] = useState<Form>();
  // One's own save is also a change, which the list may show before the answer comes.
  if (latest === undefined || form.formState.isSubmitting || same(opened, latest)) return null;
  return (
    <Alert
      title="Somebody else changed this record while you had it open"
      action={
        <div className="flex flex-wrap gap-3">
          <Button
            variant="secondary"
            aria-pressed={mine === undefined}
            disabled={mine === undefined}
            onClick={() => {
              form.reset(mine, { keepDefaultValues: true });
              setMine(undefined);
            }}
          >
            Your version
          </Button>
          <Button
            variant="secondary"
            aria-pressed={mine !== undefined}
            disabled={mine !== undefined}
            onClick={() => {
              setMine(form.getValues());
              form.reset(latest, { keepDefaultValues: true });
            }}
          >
            Their version
          </Button>
        </div>
      }
    >
      {mine === undefined
        ? 'You see what you typed. Saving it replaces their change.'
        : 'You see what they saved. What you typed is kept until this form closes.'}
    </Alert>
  );
}
