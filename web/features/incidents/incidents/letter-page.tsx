import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Breadcrumbs } from '#web/components/layout/breadcrumbs.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { LabelledCheckbox } from '#web/components/ui/checkbox.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { useIncident, useReporter } from './api.ts';
import { downloadLetter } from './download-letter.ts';
import { isForClients } from './evidence-rules.ts';
import { IncidentFacts } from './incident-facts.tsx';
import { type Letter, useLetters, useWriteLetter } from './letter-api.ts';
import { LetterPhotos } from './letter-photos.tsx';
import { type LetterForm, letterSchema } from './letter-schema.ts';
import { findName, type IncidentDetails, isGrave } from './schema.ts';

type LetterFieldsProps = { form: UseFormReturn<LetterForm>; incident: IncidentDetails };

function LetterFields({ form, incident }: LetterFieldsProps) {
  const field = createFields(form);
  return (
    <FieldGrid>
      {field.text('addressee', 'Addressee')}
      {field.notes('address', 'Address', { wide: false, rows: 2 })}
      {field.text('subject', 'Subject', { wide: true })}
      {field.notes('summary', 'Summary for the client', {
        optional: false,
        hint: 'What the client needs to know, in your own words',
        rows: 6,
      })}
      {field.notes('actions', 'Actions taken', { rows: 4 })}
      <LabelledCheckbox
        {...form.register('names_included')}
        className="sm:col-span-2"
        label="Include names of our people"
        hint="Otherwise the letter names neither the reporter nor colleagues."
      />
      <LetterPhotos form={form} photos={incident.evidence.filter(isForClients)} />
      {field.text('signatory', 'Signed by')}
      {field.text('signatory_title', 'Position', { optional: true })}
      <LabelledCheckbox
        {...form.register('by_mail')}
        className="sm:col-span-2"
        label="Send it by mail"
        hint="Otherwise it is only saved, and downloaded as a PDF."
      />
      {form.watch('by_mail') &&
        field.text('email', 'Client’s email address', { type: 'email', wide: true })}
    </FieldGrid>
  );
}

/** Starts from the last version, which a correction repeats. */
function draftOf(incident: IncidentDetails, last: Letter | undefined, me: string): LetterForm {
  return {
    addressee: last?.addressee ?? incident.sites.client_name,
    address: last?.address ?? '',
    by_mail: Boolean(last?.email),
    email: last?.email ?? '',
    subject: last?.subject ?? incident.title,
    summary: last?.summary ?? '',
    actions: last?.actions ?? '',
    names_included: last?.names_included ?? false,
    // Some may have been removed since.
    photo_ids: incident.evidence
      .filter((photo) => isForClients(photo) && last?.photo_ids.includes(photo.id))
      .map(({ id }) => id),
    signatory: last?.signatory ?? me,
    signatory_title: last?.signatory_title ?? '',
  };
}

/** The people inside the company whose names the incident knows. */
function namesIn(incident: IncidentDetails, reporter: string | undefined): string[] {
  const people = [
    reporter,
    incident.owner?.full_name,
    incident.clerk?.full_name,
    ...incident.incident_updates.flatMap(({ author, owner }) => [
      author?.full_name,
      owner?.full_name,
    ]),
  ];
  // A single word may be any word of the text.
  return [...new Set(people)].filter((name) => name != null).filter((name) => name.includes(' '));
}

function toastOf({ email, approved_at }: Letter): [title: string, text: string] {
  if (approved_at === null) return ['Letter saved', 'It goes to the client once it is approved.'];
  return email === null
    ? ['Letter saved', 'The PDF is in your downloads.']
    : ['Letter saved, on its way', email];
}

type WriteLetterProps = { incident: IncidentDetails; letters: Letter[] };

function WriteLetter({ incident, letters }: WriteLetterProps) {
  const navigate = useNavigate();
  const { user } = useAuth();
  const { data: me } = useReporter(user?.id ?? null);
  const { data: reporter, isLoading } = useReporter(incident.raised_by_user_id);
  const { mutateAsync } = useWriteLetter();
  // Sent again after a lost answer, it is stored once.
  const [id] = useState(() => crypto.randomUUID());
  if (isLoading || me === undefined) return null;
  const names = namesIn(incident, findName(reporter));
  async function send(form: LetterForm) {
    const letter = await mutateAsync({ incidentId: incident.id, id, form });
    if (letter.email === null && letter.approved_at !== null) await downloadLetter(letter);
    return letter;
  }
  const isApprovedBySaving = incident.review_state === 'reviewed' && !isGrave(incident.severity);
  return (
    <RecordForm
      schema={letterSchema(names)}
      defaultValues={draftOf(incident, letters[0], findName(me) ?? '')}
      submitLabel={(form) =>
        form.watch('by_mail') && isApprovedBySaving ? 'Save and send' : 'Save letter'
      }
      save={send}
      onSaved={(letter) => {
        showSuccess(...toastOf(letter));
        void navigate({ to: '/admin/incidents', search: { open: incident.id } });
      }}
      onCancel={() => void navigate({ to: '/admin/incidents', search: { open: incident.id } })}
    >
      {(form) => <LetterFields form={form} incident={incident} />}
    </RecordForm>
  );
}

function ApprovalNotice({ incident: { severity, review_state } }: { incident: IncidentDetails }) {
  if (review_state === 'reviewed' && !isGrave(severity)) return null;
  return (
    <Alert title="This letter waits for approval once you save it">
      {review_state !== 'reviewed' && <p>The report has not been reviewed yet.</p>}
      {isGrave(severity) && <p>Someone else approves letters about high and critical incidents.</p>}
    </Alert>
  );
}

function LetterScreen({ incident }: { incident: IncidentDetails }) {
  const query = useLetters(incident.id);
  const { data: reporter } = useReporter(incident.raised_by_user_id);
  return (
    <>
      <Breadcrumbs
        trail={[
          { label: 'Incidents', to: '/admin/incidents' },
          { label: incident.title, to: '/admin/incidents', search: { open: incident.id } },
        ]}
        current="Letter to the client"
      />
      <ScreenHeading title="Letter to the client" />
      <div className="grid items-start gap-5 xl:grid-cols-[2fr_1fr]">
        <Card className="grid gap-5 p-5 sm:p-6">
          <ApprovalNotice incident={incident} />
          <Loaded query={query} loadingText="Loading letters...">
            {(letters) => <WriteLetter incident={incident} letters={letters} />}
          </Loaded>
        </Card>
        <Card className="grid gap-5 p-5 sm:p-6">
          <h3 className="font-display text-xl leading-tight">What was reported</h3>
          <IncidentFacts incident={incident} reporter={findName(reporter)} />
          <p className="text-sm whitespace-pre-line text-muted [overflow-wrap:anywhere]">
            {incident.description}
          </p>
        </Card>
      </div>
    </>
  );
}

export function LetterPage() {
  const { incidentId } = useParams({ strict: false });
  const query = useIncident(incidentId ?? '');
  return (
    <Loaded query={query} loadingText="Loading incident...">
      {(incident) =>
        incident ? (
          <LetterScreen incident={incident} />
        ) : (
          <EmptyNote>This incident does not exist, or you may not see it.</EmptyNote>
        )
      }
    </Loaded>
  );
}
