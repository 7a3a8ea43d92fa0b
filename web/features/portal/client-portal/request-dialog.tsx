import { useState } from 'react';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import {
  placeValue,
  type RequestForm,
  type RequestKind,
  schemas,
  useSendRequest,
} from './send-request.ts';

type Place = {
  client_id: string;
  client_name: string;
  site_id: string | null;
  site_name: string | null;
};

const TEXTS = {
  message: { title: 'Write a message', success: 'Message sent', body: 'Message' },
  extra_guard: {
    title: 'Ask for extra guards',
    success: 'Request sent',
    body: 'What is it for?',
  },
} as const;

/** @returns the client as a whole, then its sites */
function optionsOf(places: readonly Place[]): [value: string, label: string][] {
  const clients = new Map(places.map((place) => [place.client_id, place.client_name]));
  return [...clients].flatMap(([id, name]): [string, string][] => [
    [placeValue(id, null), clients.size === 1 ? 'No particular site' : name],
    ...places
      .filter((place) => place.client_id === id && place.site_id !== null)
      .map((place): [string, string] => [placeValue(id, place.site_id), place.site_name ?? '']),
  ]);
}

type RequestDialogProps = { kind: RequestKind; places: readonly Place[]; onClose: () => void };

export function RequestDialog({ kind, places, onClose }: RequestDialogProps) {
  const send = useSendRequest();
  const [id] = useState(() => crypto.randomUUID());
  const options = optionsOf(places);
  const { title, success, body } = TEXTS[kind];
  return (
    <EntryDialog<RequestForm>
      title={title}
      success={success}
      schema={schemas[kind]}
      defaultValues={{
        place: options[0]?.[0] ?? '',
        body: '',
        starts_at: '',
        ends_at: '',
        headcount: kind === 'extra_guard' ? '1' : '',
      }}
      submitLabel="Send"
      savingLabel="Sending..."
      save={(form) => send.mutateAsync({ id, kind, form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.select('place', 'Site', options, { wide: true, isSearched: true })}
            {kind === 'extra_guard' && (
              <>
                {field.text('starts_at', 'From', { type: 'datetime-local' })}
                {field.text('ends_at', 'To', { type: 'datetime-local' })}
                {field.count('headcount', 'Number of Guards')}
              </>
            )}
            {field.notes('body', body, { rows: 4, optional: false })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}
