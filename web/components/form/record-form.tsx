import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type { z } from 'zod';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';

export type RecordFormProps<Form extends FieldValues, Saved = unknown> = {
  schema: z.ZodType<Form, Form>;
  defaultValues: DefaultValues<Form>;
  /** The record as it is now, from the live list: when it differs from `defaultValues`, both versions are offered. */
  latest?: DefaultValues<Form> | undefined;
  submitLabel: string;
  savingLabel?: string;
  /** Of the button that leaves the form, where Cancel would be ambiguous. */
  cancelLabel?: string;
  /** Title of the toast when saving fails. */
  failure?: string | undefined;
  /** Title of the toast that tells the first message; without it the fields alone tell. */
  invalid?: string | undefined;
  /** @returns the field that a refusal is about, whose message is then shown beside it too */
  fieldOf?: ((error: unknown) => FieldPath<Form> | undefined) | undefined;
  save: (form: Form) => Promise<Saved>;
  onSaved: (saved: Saved) => void;
  onCancel: () => void;
  children: (form: UseFormReturn<Form>) => ReactNode;
};

/** @returns the first message, in the order of the fields in the schema */
function firstMessage(errors: FieldErrors): string | undefined {
  const [first] = Object.values(errors);
  return typeof first?.message === 'string' ? first.message : undefined;
}

/**
 * @param message the first one that the fields show
 * @returns a function that shows it as a toast, which goes once the message does
 */
function useFieldToast(message: string | undefined) {
  const shown = useRef<{ message: string; dismiss: () => void }>(undefined);
  useEffect(() => {
    if (shown.current?.message === message) return;
    shown.current?.dismiss();
    shown.current = undefined;
  }, [message]);
  useEffect(() => () => shown.current?.dismiss(), []);
  return (title: string, text: string) => {
    shown.current = { message: text, dismiss: showError(title, text) };
  };
}

export function RecordForm<Form extends FieldValues, Saved>(props: RecordFormProps<Form, Saved>) {
  const { failure = 'Error', savingLabel = 'Saving...', cancelLabel = 'Cancel' } = props;
  const [opened] = useState(props.defaultValues);
  const form = useForm<Form, unknown, Form>({
    resolver: zodResolver(props.schema),
    defaultValues: opened,
  });
  const busy = form.formState.isSubmitting;
  const showFieldToast = useFieldToast(firstMessage(form.formState.errors));
  function refuse(error: unknown) {
    const message = messageOf(error);
    const field = props.fieldOf?.(error);
    if (field === undefined) {
      showError(failure, message);
      return;
    }
    form.setError(field, { message }, { shouldFocus: true });
    showFieldToast(failure, message);
  }
  const submit = form.handleSubmit(
    (values) => props.save(values).then(props.onSaved).catch(refuse),
    (errors) => {
      const message = firstMessage(errors);
      if (props.invalid && message) showFieldToast(props.invalid, message);
    },
  );
  return (
    <form onSubmit={submit} noValidate className="grid gap-7">
      <ChangedUnderneath form={form} opened={opened} latest={props.latest} />
      {props.children(form)}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={props.onCancel}>
          {cancelLabel}
        </Button>
        <Button type="submit" busy={busy}>
          {busy ? savingLabel : props.submitLabel}
        </Button>
      </div>
    </form>
  );
}

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
