import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { mayManageAccounts } from '#shared/screens.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { EraseDialog } from '#web/components/records/erase-dialog.tsx';
import { DayText, MomentText } from '#web/components/text/date-text.tsx';
import { EmailText } from '#web/components/text/email-text.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { today } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { clients } from './api.ts';
import {
  type Contact,
  type ContactForm,
  contactSchema,
  sendLink,
  useAddContact,
  useContacts,
  useEndAccess,
  useEraseContact,
} from './contacts-api.ts';
import { RequestList } from './request-list.tsx';
import type { Client } from './schema.ts';

const YEAR_DAYS = 365;

type ContactRowProps = {
  contact: Contact;
  onEnd: () => void;
  /** Undefined for those who may not. */
  onErase: (() => void) | undefined;
};

function ContactRow({ contact, onEnd, onErase }: ContactRowProps) {
  const { save, busy } = useSave({ success: 'Link sent' });
  const isOver = contact.revoked_at !== null || contact.access_until < today();
  return (
    <li className="grid gap-2 py-4 sm:grid-cols-[1fr_auto] sm:items-center">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          <span className="break-words">{contact.full_name}</span>
          {isOver && <Badge tone="grey">Access ended</Badge>}
        </p>
        <p className="text-sm [overflow-wrap:anywhere] text-muted">
          <EmailText address={contact.email} />
          {contact.phone && ` · ${contact.phone}`}
        </p>
        <p className="text-sm text-muted">
          {!isOver && (
            <>
              Until <DayText day={contact.access_until} />,{' '}
            </>
          )}
          {contact.last_seen_at ? (
            <>
              last seen <MomentText at={contact.last_seen_at} />
            </>
          ) : (
            'never signed in'
          )}
        </p>
      </div>
      {isOver && onErase && (
        <Button
          variant="danger-ghost"
          aria-label={`Erase the data of ${contact.full_name}`}
          onClick={onErase}
        >
          Erase data
        </Button>
      )}
      {!isOver && (
        <div className="flex flex-wrap gap-2">
          <Button
            variant="secondary"
            busy={busy}
            aria-label={`Send a link to ${contact.full_name}`}
            onClick={() => save(() => sendLink(contact.id))}
          >
            Send link
          </Button>
          <Button
            variant="danger-ghost"
            aria-label={`End access of ${contact.full_name}`}
            onClick={onEnd}
          >
            End access
          </Button>
        </div>
      )}
    </li>
  );
}

function AddForm({ clientId, onClose }: { clientId: string; onClose: () => void }) {
  const add = useAddContact();
  const until = dayAfter(today(), YEAR_DAYS);
  function saved(mailed: boolean) {
    if (mailed) showSuccess('Contact added', 'A sign-in link is on its way.');
    else showError('The mail was not sent', 'The contact is added. Send the link again.');
    onClose();
  }
  return (
    <RecordForm<ContactForm, boolean>
      schema={contactSchema}
      defaultValues={{ full_name: '', email: '', phone: '', access_until: until }}
      submitLabel="Add and send link"
      savingLabel="Adding..."
      save={(form) => add.mutateAsync({ clientId, form })}
      onSaved={saved}
      onCancel={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.text('full_name', 'Full Name')}
            {field.text('email', 'Email', { type: 'email' })}
            {field.text('phone', 'Phone', { optional: true })}
            {field.day('access_until', 'Access until')}
          </FieldGrid>
        );
      }}
    </RecordForm>
  );
}

function ContactList({ client }: { client: Client }) {
  const query = useContacts(client.id);
  const [isAdding, setAdding] = useState(false);
  const [ending, setEnding] = useState<Contact>();
  const [erasing, setErasing] = useState<Contact>();
  const end = useEndAccess();
  const erase = useEraseContact();
  const mayErase = mayManageAccounts(useAuth().roles);
  return (
    <>
      <Loaded query={query} loadingText="Loading the contacts">
        {(contacts) => (
          <>
            {contacts.length === 0 && <p className="py-4 text-muted">No contacts yet.</p>}
            <ul className="divide-y divide-line">
              {contacts.map((contact) => (
                <ContactRow
                  key={contact.id}
                  contact={contact}
                  onEnd={() => setEnding(contact)}
                  onErase={mayErase && !isErased(contact) ? () => setErasing(contact) : undefined}
                />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <div className="mt-2 border-t border-line pt-4">
        {isAdding ? (
          <AddForm clientId={client.id} onClose={() => setAdding(false)} />
        ) : (
          <Button variant="secondary" onClick={() => setAdding(true)}>
            <UserPlus aria-hidden="true" className="size-4" />
            Add contact
          </Button>
        )}
      </div>
      {ending && (
        <ConfirmDialog
          title="End access"
          question={`Should ${ending.full_name} see nothing more of ${client.name}?`}
          confirmLabel="End access"
          success="Access ended"
          onConfirm={() => end.mutateAsync(ending.id)}
          onClose={() => setEnding(undefined)}
        >
          The open pages of this contact close at once, and links no longer work. You can add the
          same address again later.
        </ConfirmDialog>
      )}
      {erasing && (
        <EraseDialog
          title="Erase Contact"
          kind="contact"
          id={erasing.id}
          name={erasing.full_name}
          success="Contact erased"
          erase={(typed) => erase.mutateAsync({ id: erasing.id, typed })}
          onClose={() => setErasing(undefined)}
        >
          <p>
            Name, email, phone and account go, at every client. Invoices, letters and messages stay
            under the name "Former contact" and a number. Reports and invoices are no longer mailed
            to this address.
          </p>
        </EraseDialog>
      )}
    </>
  );
}

/** The address that replaces an erased one. */
const isErased = ({ email }: Contact) => email.endsWith('@erased.invalid');

type ContactsDialogProps = { id: string; onClose: () => void };

export function ContactsDialog({ id, onClose }: ContactsDialogProps) {
  const query = clients.useOne(id, undefined);
  const name = query.data?.name;
  return (
    <DetailDialog
      query={query}
      title={name ? `Contacts of ${name}` : 'Contacts'}
      description="They sign in at /client with a link by email and see this client’s sites."
      missing="This client no longer exists."
      onClose={onClose}
    >
      {(client) => (
        <Tabs defaultValue="people">
          <TabsList aria-label="Contacts and their messages">
            <TabsTrigger value="people">People</TabsTrigger>
            <TabsTrigger value="messages">Messages</TabsTrigger>
          </TabsList>
          <TabsContent value="people" className="pt-4">
            <ContactList client={client} />
          </TabsContent>
          <TabsContent value="messages" className="pt-4">
            <RequestList clientId={client.id} />
          </TabsContent>
        </Tabs>
      )}
    </DetailDialog>
  );
}
