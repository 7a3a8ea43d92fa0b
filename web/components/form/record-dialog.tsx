import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { DefaultValues, FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { inSentence, inTitle } from '#web/lib/format/letter-case.ts';
import { RecordForm, type RecordFormProps } from './record-form.tsx';

type EntryDialogProps<Form extends FieldValues> = Omit<
  RecordFormProps<Form>,
  'onSaved' | 'onCancel'
> & {
  title: string;
  description?: string;
  /** Title of the toast. */
  success: string;
  onClose: () => void;
};

/** A form in a dialog that closes after saving. */
export function EntryDialog<Form extends FieldValues>(props: EntryDialogProps<Form>) {
  const { title, description, success, onClose, ...form } = props;
  return (
    <Dialog open onOpenChange={onClose} title={title} {...(description ? { description } : {})}>
      <RecordForm
        {...form}
        onSaved={() => {
          showSuccess(success);
          onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}

type OpenedRecordProps<Row> = {
  /** Null data: the record does not exist, or row-level security hides it. */
  query: UseQueryResult<Row | null>;
  title: string;
  /** Shown when there is no such record. */
  missing: string;
  onClose: () => void;
  /** @param opened the record as of opening the dialog @param now as it is now */
  children: (opened: Row, now: Row) => ReactNode;
};

/** Keeps the form open with the record as it was, even when someone else changes or deletes it. */
export function OpenedRecord<Row>(props: OpenedRecordProps<Row>) {
  const { query, title, missing, onClose } = props;
  const { data } = query;
  const [opened, setOpened] = useState<Row>();
  if (opened === undefined && data) setOpened(data);
  if (opened !== undefined) return props.children(opened, data ?? opened);
  return (
    <DetailDialog query={query} title={title} missing={missing} onClose={onClose}>
      {() => null}
    </DetailDialog>
  );
}

type RecordDialogProps<Row, Form extends FieldValues> = {
  records: {
    name: string;
    schema: z.ZodType<Form, Form>;
    toForm: (row?: Row) => DefaultValues<Form>;
    useOne: (id: string, known: Row | undefined) => UseQueryResult<Row | null>;
    useSave: () => UseMutationResult<string, Error, { id: string | undefined; form: Form }>;
  };
  /** Id of the record to edit, or "new". */
  open: string;
  /** Rows that the list has already loaded. */
  listed: Row[] | undefined;
  /** Where they differ from those of the record's name: titles of the dialog and its button, titles of the toasts. */
  addTitle?: string;
  addLabel?: string;
  addingLabel?: string;
  editTitle?: string;
  added?: string;
  updated?: string;
  failedToAdd?: string;
  failedToUpdate?: string;
  /** Title of the toast with the first message of an invalid form. */
  invalid?: string;
  fieldOf?: (error: unknown) => FieldPath<Form> | undefined;
  /** Called with the id of a new record. */
  onAdded?: ((id: string) => void) | undefined;
  onClose: () => void;
  children: (form: UseFormReturn<Form>, row: Row | undefined) => ReactNode;
};

export function RecordDialog<Row extends { id: string }, Form extends FieldValues>(
  props: RecordDialogProps<Row, Form>,
) {
  if (props.open === 'new') return <AddDialog {...props} />;
  return <EditDialog key={props.open} {...props} />;
}

function AddDialog<Row, Form extends FieldValues>(props: RecordDialogProps<Row, Form>) {
  const { records, invalid, fieldOf, onClose } = props;
  const { addTitle = `Add ${inTitle(records.name)}` } = props;
  const save = records.useSave();
  return (
    <EntryDialog
      {...{ invalid, fieldOf, onClose }}
      title={addTitle}
      schema={records.schema}
      defaultValues={records.toForm()}
      submitLabel={props.addLabel ?? addTitle}
      savingLabel={props.addingLabel}
      failure={props.failedToAdd}
      save={async (form) => {
        const id = await save.mutateAsync({ id: undefined, form });
        props.onAdded?.(id);
      }}
      success={props.added ?? `${inSentence(records.name)} created successfully`}
    >
      {(form) => props.children(form, undefined)}
    </EntryDialog>
  );
}

function EditDialog<Row extends { id: string }, Form extends FieldValues>(
  props: RecordDialogProps<Row, Form>,
) {
  const { records, open: id, listed, invalid, fieldOf, onClose } = props;
  const { editTitle = `Edit ${inTitle(records.name)}` } = props;
  const save = records.useSave();
  const known = listed?.find((row) => row.id === id);
  return (
    <OpenedRecord
      query={records.useOne(id, known)}
      title={editTitle}
      missing={`This ${records.name} no longer exists.`}
      onClose={onClose}
    >
      {(opened, now) => (
        <EntryDialog
          {...{ invalid, fieldOf, onClose }}
          title={editTitle}
          schema={records.schema}
          defaultValues={records.toForm(opened)}
          latest={records.toForm(now)}
          submitLabel="Save Changes"
          failure={props.failedToUpdate}
          save={(form) => save.mutateAsync({ id, form })}
          success={props.updated ?? `${inSentence(records.name)} updated successfully`}
        >
          {(form) => props.children(form, opened)}
        </EntryDialog>
      )}
    </OpenedRecord>
  );
}
