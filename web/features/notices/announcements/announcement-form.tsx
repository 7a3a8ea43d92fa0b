import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { formatCount } from '#shared/count.ts';
import { ANNOUNCEMENTS_AUDIENCE, USER_ROLES_ROLE } from '#shared/database.values.ts';
import { ChoiceButtons } from '#web/components/form/choice-buttons.tsx';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { LabelledCheckbox } from '#web/components/ui/checkbox.tsx';
import { useSiteOptions } from '#web/lib/data/lookups.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { REGIONS } from '#web/lib/vocabulary/regions.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import { useEdit, usePublish, useReach } from './api.ts';
import {
  type Announcement,
  type AnnouncementForm,
  AUDIENCE_LABELS,
  announcementSchema,
  type EditForm,
  editSchema,
  newForm,
  toAudience,
  toEditForm,
} from './schema.ts';

const MUST_READ = {
  label: 'Must read',
  hint: 'Stays at the top of each reader’s home until they confirm it.',
};

/** Four beside each other on a phone. */
const CHOICES = { ...AUDIENCE_LABELS, everybody: 'All' };

const BODY = { rows: 6, optional: false, hint: 'Start a heading with # and a list item with -' };
const LAST_DAY = { hint: 'After it, readers no longer see it.' };

/** How many people the choice reaches, before anything is sent. */
function Reach({ form }: { form: UseFormReturn<AnnouncementForm> }) {
  const [audience, region, site_id, role] = form.watch(['audience', 'region', 'site_id', 'role']);
  const chosen = toAudience({ audience, region, site_id, role });
  const { data, error, isPlaceholderData } = useReach(chosen);
  const isKnown = chosen !== undefined && data !== undefined && !isPlaceholderData;
  return (
    <p role="status" className="col-span-full rounded-sm bg-sunken px-4 py-3">
      {chosen === undefined ? (
        <span className="text-muted">Choose whom it is for to see how many it reaches.</span>
      ) : error ? (
        `How many it reaches is not known: ${describeError(error)}`
      ) : !isKnown ? (
        <span className="text-muted">Counting...</span>
      ) : data === 0 ? (
        <span className="font-semibold text-warning">Reaches nobody today.</span>
      ) : (
        <>
          Reaches{' '}
          <strong className="tabular-nums">
            {formatCount(data)} {data === 1 ? 'person' : 'people'}
          </strong>{' '}
          today, with a notice each. Who joins later sees it as well.
        </>
      )}
    </p>
  );
}

function NewFields({ form }: { form: UseFormReturn<AnnouncementForm> }) {
  const { data: sites = [] } = useSiteOptions();
  const field = createFields(form);
  const audience = form.watch('audience');
  return (
    <FieldGrid>
      <ChoiceButtons
        legend="To"
        values={ANNOUNCEMENTS_AUDIENCE}
        labels={CHOICES}
        error={undefined}
        field={form.register('audience')}
        className="col-span-full"
      />
      {audience === 'region' &&
        field.select(
          'region',
          'Region',
          REGIONS.map((name) => [name, name] as const),
          { empty: 'Choose a region', hint: 'Who works at its sites, or lives there.', wide: true },
        )}
      {audience === 'site' &&
        field.select(
          'site_id',
          'Site',
          sites.map(({ id, name, client_name }) => [id, `${name} (${client_name})`] as const),
          {
            empty: 'Choose a site',
            isSearched: true,
            hint: 'Guards with a shift there, two weeks back or ahead, and its supervisors.',
            wide: true,
          },
        )}
      {audience === 'role' &&
        field.select('role', 'Role', toOptions(USER_ROLES_ROLE, ROLE_LABELS), {
          empty: 'Choose a role',
          wide: true,
        })}
      <Reach form={form} />
      {field.text('title', 'Title', { placeholder: 'New radios from Monday', wide: true })}
      {field.notes('body', 'Text', BODY)}
      {field.day('last_day', 'Last Day', LAST_DAY)}
      <LabelledCheckbox {...MUST_READ} {...form.register('must_read')} className="sm:mt-7" />
    </FieldGrid>
  );
}

export function NewAnnouncementDialog({ onClose }: { onClose: () => void }) {
  const publish = usePublish();
  const [id] = useState(() => crypto.randomUUID());
  return (
    <EntryDialog
      title="Write Announcement"
      success="Announcement sent"
      schema={announcementSchema}
      defaultValues={newForm()}
      submitLabel="Send"
      savingLabel="Sending..."
      save={(form) => publish.mutateAsync({ id, form })}
      stickyActions
      onClose={onClose}
    >
      {(form) => <NewFields form={form} />}
    </EntryDialog>
  );
}

function EditFields({ form }: { form: UseFormReturn<EditForm> }) {
  const field = createFields(form);
  return (
    <FieldGrid>
      {field.text('title', 'Title', { wide: true })}
      {field.notes('body', 'Text', BODY)}
      {field.day('last_day', 'Last Day', LAST_DAY)}
      <LabelledCheckbox {...MUST_READ} {...form.register('must_read')} className="sm:mt-7" />
      <LabelledCheckbox
        label="Everybody reads it again"
        hint="They get another notice, and the list of readers starts over."
        {...form.register('read_again')}
        className="col-span-full"
      />
    </FieldGrid>
  );
}

type EditDialogProps = { announcement: Announcement; onClose: () => void };

/** @param announcement as it is now */
export function EditAnnouncementDialog({ announcement, onClose }: EditDialogProps) {
  const edit = useEdit();
  const [opened] = useState(announcement);
  const [schema] = useState(() => editSchema(opened));
  return (
    <EntryDialog
      title="Edit Announcement"
      description="Whom it is for stays. For other people, withdraw it and write another."
      success="Announcement updated"
      schema={schema}
      defaultValues={toEditForm(opened)}
      latest={toEditForm(announcement)}
      submitLabel="Save Changes"
      save={(form) => edit.mutateAsync({ id: opened.id, form })}
      stickyActions
      onClose={onClose}
    >
      {(form) => <EditFields form={form} />}
    </EntryDialog>
  );
}
