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
import { Button, type ButtonStyle } from '#web/components/ui/button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { cn } from '#web/lib/cn.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { NotSaved } from './not-saved.tsx';

export type RecordFormProps<Form extends FieldValues, Saved = unknown> = {
  schema: z.ZodType<Form, Form>;
  defaultValues: DefaultValues<Form>;
  /** The record as it is now: when it differs from `defaultValues`, the form offers both versions. */
  latest?: DefaultValues<Form> | undefined;
  /** A function where it depends on what is chosen. */
  submitLabel: string | ((form: UseFormReturn<Form>) => string);
  savingLabel?: string | undefined;
  submitVariant?: ButtonStyle['variant'];
  /** Where "Cancel" would be ambiguous. */
  cancelLabel?: string;
  /** Title of the toast when saving fails. */
  failure?: string | undefined;
  /** Title of a toast with the first validation message; without it only the fields show messages. */
  invalid?: string | undefined;
  /** @returns the field that the server's error is about; it then shows the message too */
  fieldOf?: ((error: unknown) => FieldPath<Form> | undefined) | undefined;
  save: (form: Form) => Promise<Saved>;
  onSaved: (saved: Saved) => void;
  onCancel: () => void;
  /** Keeps the buttons in reach at the bottom of a long dialog. */
  stickyActions?: boolean;
  children: (form: UseFormReturn<Form>) => ReactNode;
};

/** In the order of the schema's fields. */
function firstMessage(errors: FieldErrors): string | undefined {
  const [first] = Object.values(errors);
  return typeof first?.message === 'string' ? first.message : undefined;
}

/**
 * A toast that disappears together with the message it repeats.
 * @param message the first message that the fields show
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

/** Input survives a failed save, and a save is never sent twice. */
export function RecordForm<Form extends FieldValues, Saved>(props: RecordFormProps<Form, Saved>) {
  const { failure = 'Error', savingLabel = 'Saving...', cancelLabel = 'Cancel' } = props;
  const [opened] = useState(props.defaultValues);
  const form = useForm<Form, unknown, Form>({
    resolver: zodResolver(props.schema),
    defaultValues: opened,
  });
  const busy = form.formState.isSubmitting;
  const { submitLabel } = props;
  const { root: problem, ...fieldErrors } = form.formState.errors;
  const showFieldToast = useFieldToast(firstMessage(fieldErrors));
  function showFailure(error: unknown) {
    const message = describeError(error);
    const field = props.fieldOf?.(error);
    if (field === undefined) {
      form.setError('root', { message });
      showError(failure, message);
      return;
    }
    form.setError(field, { message }, { shouldFocus: true });
    showFieldToast(failure, message);
  }
  const submit = form.handleSubmit(
    (values) => props.save(values).then(props.onSaved).catch(showFailure),
    (errors) => {
      const message = firstMessage(errors);
      if (props.invalid && message) showFieldToast(props.invalid, message);
    },
  );
  return (
    <form onSubmit={submit} noValidate className="grid gap-7">
      <ConflictNotice form={form} opened={opened} latest={props.latest} />
      {props.children(form)}
      <NotSaved reason={problem?.message} />
      <div
        className={cn(
          'flex flex-col-reverse gap-3 sm:flex-row sm:justify-end',
          // Over the padding of the dialog's body.
          props.stickyActions &&
            'sticky -bottom-5 z-10 -mx-5 -mb-5 flex-row justify-end border-t border-line bg-raised px-5 py-3 max-sm:[&>[type=submit]]:flex-1 sm:-bottom-6 sm:-mx-7 sm:-mb-6 sm:px-7',
        )}
      >
        <Button variant="secondary" onClick={props.onCancel}>
          {cancelLabel}
        </Button>
        <Button type="submit" variant={props.submitVariant} busy={busy}>
          {busy ? savingLabel : typeof submitLabel === 'string' ? submitLabel : submitLabel(form)}
        </Button>
      </div>
    </form>
  );
}

type ConflictNoticeProps<Form extends FieldValues> = {
  form: UseFormReturn<Form>;
  opened: DefaultValues<Form>;
  /** The record as it is now. */
  latest: DefaultValues<Form> | undefined;
};

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export function ConflictNotice<Form extends FieldValues>(props: ConflictNoticeProps<Form>) {
  const { form, opened, latest } = props;
  const [mine, setMine] = useState<Form>();
  // The user's own save may reach the live list before its response arrives.
  if (latest === undefined || form.formState.isSubmitting || same(opened, latest)) return null;
  return (
    <Alert
      title="Someone else changed this record while you had it open"
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
