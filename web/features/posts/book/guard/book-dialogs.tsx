// A sheet for each kind of line that the guard writes.
import { useRef } from 'react';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { VISITS_DOCUMENT_TYPE } from '#shared/database.values.ts';
import { createFields } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { serverNow } from '#web/lib/clock/server-now.ts';
import { orNull, textField } from '#web/lib/form-fields/text-field.ts';
import { type SubmitOutcome, waitingText } from '#web/lib/outbox/submit.ts';
import {
  DOCUMENT_LABELS,
  type EntryKind,
  LINE_KIND_LABELS,
  type VisitKind,
  visitorName,
} from '#web/lib/vocabulary/book.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import type { BookDuty, KnownVisitor } from './book.ts';
import { submitToBook } from './submit-book.ts';

type DialogProps = { userId: string; duty: BookDuty; onClose: () => void };

const entrySchema = z.object({
  text: textField('Text', limits.POST_ENTRIES_TEXT_MAX).min(1, 'Write what happened'),
});

export function EntryDialog(props: DialogProps & { kind: EntryKind }) {
  const { userId, duty, kind, onClose } = props;
  const outcome = useRef<SubmitOutcome>(undefined);
  return (
    <Dialog open onOpenChange={onClose} title={LINE_KIND_LABELS[kind]}>
      <RecordForm
        schema={entrySchema}
        defaultValues={{ text: '' }}
        submitLabel="Write in Book"
        save={async ({ text }) => {
          outcome.current = await submitToBook(userId, duty, { action: 'write', kind, text });
        }}
        onSaved={() => {
          showSuccess('Written in the book', waitingText(outcome.current));
          onClose();
        }}
        onCancel={onClose}
      >
        {(form) => createFields(form).notes('text', 'What', { rows: 4, optional: false })}
      </RecordForm>
    </Dialog>
  );
}

const visitFields = {
  company: textField('Company', limits.VISITS_COMPANY_MAX),
  host: textField('To see', limits.VISITS_HOST_MAX),
  document: z.enum(['', ...VISITS_DOCUMENT_TYPE]),
  badge: textField('Badge', limits.VISITS_BADGE_MAX),
};
const name = textField('Name', limits.VISITS_NAME_MAX);
const plate = textField('Plate', limits.VISITS_PLATE_MAX);

const visitSchemas = {
  person: z.object({ name: name.min(1, 'Write the name'), plate, ...visitFields }),
  vehicle: z.object({ name, plate: plate.min(1, 'Write the plate'), ...visitFields }),
};

const SUGGESTIONS = 3;

/** @returns who came lately and fits what was typed */
function suggestionsFor(
  known: readonly KnownVisitor[],
  kind: VisitKind,
  typed: string,
): KnownVisitor[] {
  const wanted = typed.trim().toLowerCase();
  const fits = (visitor: KnownVisitor) =>
    visitor.kind === kind &&
    visitorName(visitor).toLowerCase().includes(wanted) &&
    visitor[kind === 'vehicle' ? 'plate' : 'name']?.toLowerCase() !== wanted;
  return known.filter(fits).slice(0, SUGGESTIONS);
}

type VisitorDialogProps = DialogProps & { kind: VisitKind; known: readonly KnownVisitor[] };

export function VisitorDialog({ userId, duty, kind, known, onClose }: VisitorDialogProps) {
  const outcome = useRef<SubmitOutcome>(undefined);
  const isVehicle = kind === 'vehicle';
  return (
    <Dialog open onOpenChange={onClose} title={isVehicle ? 'Vehicle in' : 'Visitor in'}>
      <RecordForm
        schema={visitSchemas[kind]}
        defaultValues={{ name: '', company: '', host: '', document: '', plate: '', badge: '' }}
        submitLabel="Sign In"
        stickyActions
        save={async ({ document, ...visit }) => {
          outcome.current = await submitToBook(userId, duty, {
            ...{
              action: 'enter',
              kind,
              documentType: VISITS_DOCUMENT_TYPE.find((each) => each === document) ?? null,
            },
            ...{ name: orNull(visit.name), company: orNull(visit.company) },
            ...{ host: orNull(visit.host), badge: orNull(visit.badge) },
            plate: orNull(visit.plate.toUpperCase()),
          });
        }}
        onSaved={() => {
          showSuccess(
            isVehicle ? 'Vehicle signed in' : 'Visitor signed in',
            waitingText(outcome.current),
          );
          onClose();
        }}
        onCancel={onClose}
      >
        {(form) => {
          const field = createFields(form);
          const first = isVehicle ? 'plate' : 'name';
          const suggested = suggestionsFor(known, kind, form.watch(first));
          const fill = (visitor: KnownVisitor) => {
            for (const part of ['name', 'company', 'host', 'plate'] as const) {
              form.setValue(part, visitor[part] ?? '', { shouldValidate: part === first });
            }
            const document = VISITS_DOCUMENT_TYPE.find((each) => each === visitor.document_type);
            form.setValue('document', document ?? '');
          };
          return (
            <div className="grid gap-4">
              {isVehicle ? field.text('plate', 'Plate') : field.text('name', 'Name')}
              {suggested.length > 0 && (
                <ul aria-label="Came before" className="-mt-2 flex flex-wrap gap-2">
                  {suggested.map((visitor) => (
                    <li key={visitorName(visitor)} className="max-w-full">
                      <button
                        type="button"
                        onClick={() => fill(visitor)}
                        className="min-h-11 max-w-full truncate rounded-full border border-line-strong px-4 text-sm font-semibold hover:bg-sunken"
                      >
                        {visitorName(visitor)}
                      </button>
                    </li>
                  ))}
                </ul>
              )}
              {isVehicle && field.text('name', 'Driver', { optional: true })}
              {field.text('company', 'Company', { optional: true })}
              <div className="grid grid-cols-2 gap-4">
                {field.text('host', 'To see', { optional: true })}
                {field.text('badge', 'Badge', { optional: true })}
              </div>
              {field.select(
                'document',
                'Document shown',
                toOptions(VISITS_DOCUMENT_TYPE, DOCUMENT_LABELS),
                {
                  empty: 'Not asked',
                  hint: 'Only which one, never its number.',
                },
              )}
              {!isVehicle && field.text('plate', 'Plate', { optional: true })}
            </div>
          );
        }}
      </RecordForm>
    </Dialog>
  );
}

const HOURS = ['', '1', '2', '4', '8'] as const;
const keySchema = z.object({
  key: textField('Key', limits.KEY_MOVEMENTS_KEY_NAME_MAX).min(1, 'Write which key'),
  taken_by: textField('Taken by', limits.KEY_MOVEMENTS_TAKEN_BY_MAX).min(1, 'Write who takes it'),
  hours: z.enum(HOURS),
});

export function KeyDialog({ userId, duty, onClose }: DialogProps) {
  const outcome = useRef<SubmitOutcome>(undefined);
  return (
    <Dialog open onOpenChange={onClose} title="Key out">
      <RecordForm
        schema={keySchema}
        defaultValues={{ key: '', taken_by: '', hours: '' }}
        submitLabel="Give Out"
        save={async ({ key, taken_by, hours }) => {
          const due = hours === '' ? null : new Date(serverNow() + Number(hours) * 3_600_000);
          outcome.current = await submitToBook(userId, duty, {
            ...{ action: 'take', keyName: key, takenBy: taken_by },
            dueAt: due === null ? null : due.toISOString(),
          });
        }}
        onSaved={() => {
          showSuccess('Key given out', waitingText(outcome.current));
          onClose();
        }}
        onCancel={onClose}
      >
        {(form) => {
          const field = createFields(form);
          return (
            <div className="grid gap-4">
              {field.text('key', 'Key', { placeholder: 'Store 2' })}
              {field.text('taken_by', 'Taken by')}
              {field.select(
                'hours',
                'Back within',
                [
                  ['1', '1 hour'],
                  ['2', '2 hours'],
                  ['4', '4 hours'],
                  ['8', '8 hours'],
                ],
                { empty: 'No time' },
              )}
            </div>
          );
        }}
      </RecordForm>
    </Dialog>
  );
}
