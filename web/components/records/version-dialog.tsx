import type { UseMutationResult } from '@tanstack/react-query';
import type { DefaultValues, FieldValues } from 'react-hook-form';
import type { z } from 'zod';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import type { RecordFormProps } from '#web/components/form/record-form.tsx';
import { inSentence, inTitle } from '#web/lib/format/letter-case.ts';

/** Passed by `VersionsScreen` to its form. */
export type OpenedVersion<Row> = {
  /** The version to edit, or the one that a new one begins as a copy of. */
  row: Row;
  isNew: boolean;
  latest: Row | undefined;
  onClose: () => void;
};

type VersionDialogProps<Row, Form extends FieldValues> = OpenedVersion<Row> &
  Pick<RecordFormProps<Form>, 'children'> & {
    /** For example "rule set". */
    noun: string;
    /** Where it isn't "Add Rule Set". */
    addLabel?: string;
    description: string;
    schema: z.ZodType<Form, Form>;
    toForm: (row: Row, isCopy?: boolean) => DefaultValues<Form>;
    records: {
      useSave: () => UseMutationResult<string, Error, { id: string | undefined; form: Form }>;
    };
  };

/** Adds or edits one dated version of a set of rules. */
export function VersionDialog<Row extends { id: string }, Form extends FieldValues>(
  props: VersionDialogProps<Row, Form>,
) {
  const { row, isNew, latest, noun, schema, toForm } = props;
  const save = props.records.useSave();
  const title = inTitle(noun);
  return (
    <EntryDialog
      title={`${isNew ? 'New' : 'Edit'} ${title}`}
      description={props.description}
      success={`${inSentence(noun)} ${isNew ? 'added' : 'updated'} successfully`}
      schema={schema}
      defaultValues={toForm(row, isNew)}
      latest={latest && toForm(latest)}
      submitLabel={isNew ? (props.addLabel ?? `Add ${title}`) : 'Save Changes'}
      save={(form) => save.mutateAsync({ id: isNew ? undefined : row.id, form })}
      stickyActions
      onClose={props.onClose}
    >
      {props.children}
    </EntryDialog>
  );
}
