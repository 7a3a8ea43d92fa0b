import { NotebookPen, Pin, PinOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { createFields } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { LabelledCheckbox } from '#web/components/ui/checkbox.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { SiteLink } from '#web/components/ui/place-links.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { useSiteOptions } from '#web/lib/data/lookups.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import {
  BOARD_DAYS,
  type RoomNote,
  useAddRoomNote,
  usePinRoomNote,
  useRoomNotes,
} from './room-log-api.ts';

const noteSchema = z.object({
  body: textField('Note', limits.ROOM_NOTES_BODY_MAX).min(1, 'Write the note'),
  site_id: z.string(),
  is_pinned: z.boolean(),
});

function NewNoteDialog({ onClose }: { onClose: () => void }) {
  const add = useAddRoomNote();
  const { data: sites = [] } = useSiteOptions();
  const [id] = useState(() => crypto.randomUUID());
  return (
    <Dialog open onOpenChange={onClose} title="New Note">
      <RecordForm
        schema={noteSchema}
        defaultValues={{ body: '', site_id: '', is_pinned: false }}
        submitLabel="Add Note"
        failure="The note was not added"
        save={({ site_id, ...note }) =>
          add.mutateAsync({ id, ...note, site_id: site_id === '' ? null : site_id })
        }
        onSaved={() => {
          showSuccess('Note added');
          onClose();
        }}
        onCancel={onClose}
      >
        {(form) => {
          const field = createFields(form);
          return (
            <div className="grid gap-5">
              {field.notes('body', 'Note', { optional: false, rows: 4 })}
              {field.select(
                'site_id',
                'Site',
                sites.map((site) => [site.id, `${site.name} (${site.client_name})`]),
                {
                  optional: true,
                  empty: 'No site',
                  isSearched: true,
                  hint: 'Supervisors of one site read and write notes about it only.',
                },
              )}
              <LabelledCheckbox
                label="Pin for the next watch"
                hint="Stays on top until you or a colleague unpins it."
                checked={form.watch('is_pinned')}
                onChange={({ target }) =>
                  form.setValue('is_pinned', target.checked, { shouldDirty: true })
                }
              />
            </div>
          );
        }}
      </RecordForm>
    </Dialog>
  );
}

type NoteRowProps = { note: RoomNote; isBusy: boolean; onPin: () => void };

function NoteRow({ note, isBusy, onPin }: NoteRowProps) {
  const { body, is_pinned, created_at, sites, author } = note;
  return (
    <li className={`flex items-start gap-1 py-1.5 pl-3 ${is_pinned ? 'bg-accent-fill/10' : ''}`}>
      <div className="min-w-0 flex-1 py-1 text-sm">
        <p className="[overflow-wrap:anywhere] whitespace-pre-line">{body}</p>
        <p className="text-muted">
          {formatDateTime(created_at)}, {formatName(author)}
          {sites && (
            <>
              , <SiteLink id={note.site_id} name={sites.name} />
            </>
          )}
        </p>
      </div>
      <IconButton
        label={`${is_pinned ? 'Unpin' : 'Pin'}: ${body.slice(0, 60)}`}
        title={is_pinned ? 'Unpin' : 'Pin for the next watch'}
        Icon={is_pinned ? PinOff : Pin}
        busy={isBusy}
        onClick={onPin}
      />
    </li>
  );
}

function Notes({ notes }: { notes: readonly RoomNote[] }) {
  const pin = usePinRoomNote();

  function togglePin({ id, is_pinned }: RoomNote) {
    pin.mutateAsync({ id, isPinned: !is_pinned }).then(
      () => showSuccess(is_pinned ? 'Note unpinned' : 'Note pinned'),
      (error: unknown) => showError('Error', describeError(error)),
    );
  }
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-sm border border-line bg-raised">
      {notes.map((note) => (
        <NoteRow
          key={note.id}
          note={note}
          isBusy={pin.isPending && pin.variables.id === note.id}
          onPin={() => togglePin(note)}
        />
      ))}
    </ul>
  );
}

export function NewNoteButton() {
  const [isWriting, setWriting] = useState(false);
  return (
    <>
      <Button variant="secondary" className="px-3" onClick={() => setWriting(true)}>
        New Note
      </Button>
      {isWriting && <NewNoteDialog onClose={() => setWriting(false)} />}
    </>
  );
}

type LoadedNotesProps = {
  query: ReturnType<typeof useRoomNotes>;
  empty: string;
};

export const LoadedNotes = ({ query, empty }: LoadedNotesProps) => (
  <Loaded query={query} loadingText="Loading the log..." missing="The log could not be loaded">
    {(notes) =>
      notes.length === 0 ? <p className="text-sm text-muted">{empty}</p> : <Notes notes={notes} />
    }
  </Loaded>
);

/** Beside the board: pinned notes, then the newest. @param action beside New Note */
export function RoomLog({ action }: { action: ReactNode }) {
  return (
    <section aria-label="Log" className="shrink-0">
      <div className="flex items-center justify-between gap-3 pb-2">
        <h3 className="flex items-center gap-2 font-display text-lg leading-tight">
          <NotebookPen aria-hidden="true" className="size-4.5" />
          Log
        </h3>
        <span className="flex gap-2">
          {action}
          <NewNoteButton />
        </span>
      </div>
      <LoadedNotes query={useRoomNotes(BOARD_DAYS)} empty="Nothing was noted in the last days." />
    </section>
  );
}
