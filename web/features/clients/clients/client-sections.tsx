import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, useState } from 'react';
import { mayDo } from '#shared/permissions.ts';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { RequestBadge } from '#web/components/records/client-request.tsx';
import { HistorySection } from '#web/components/records/history-section.tsx';
import { MomentText } from '#web/components/text/date-text.tsx';
import { EmailText } from '#web/components/text/email-text.tsx';
import { Badge, StatusBadge } from '#web/components/ui/badge.tsx';
import { LoadedCard, LoadedList } from '#web/components/ui/loaded-card.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { SiteLink } from '#web/components/ui/place-links.tsx';
import { ITEM, ITEM_LINK, MORE_LINK, SectionRow } from '#web/components/ui/section-row.tsx';
import { formatDay } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { hasEnded, useContacts } from './contacts-api.ts';
import { useClientHistory, useClientSites, useEnquiriesOf } from './page-api.ts';
import { useRequests } from './requests-api.ts';
import type { Client } from './schema.ts';

type ClientSitesProps = {
  clientId: string;
  name: string;
  renderStaffing: (siteId: string) => ReactNode;
};

export function ClientSites({ clientId, name, renderStaffing }: ClientSitesProps) {
  const { roles } = useAuth();
  return (
    <LoadedList
      title="Sites"
      query={useClientSites(clientId)}
      loadingText="Loading sites..."
      emptyText="No site is linked to this client."
      more={
        mayDo(roles, 'sites', 'update') && (
          <Link to="/admin/sites" search={{ q: name }} className={MORE_LINK}>
            All sites
          </Link>
        )
      }
    >
      {(site) => (
        <li
          key={site.id}
          className={`${ITEM} flex-wrap items-center gap-y-1 [&>:first-child]:basis-56`}
        >
          <SectionRow
            title={<SiteLink id={site.id} name={site.name} />}
            detail={site.address}
            badge={renderStaffing(site.id)}
          />
        </li>
      )}
    </LoadedList>
  );
}

const ContactsDialog = lazy(async () => ({
  default: (await import('./contacts-dialog.tsx')).ContactsDialog,
}));

type DialogButtonProps = { clientId: string; tab: 'people' | 'messages'; children: string };

function DialogButton({ clientId, tab, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        className={MORE_LINK}
        onClick={() => setOpen(true)}
      >
        {children}
      </button>
      {isOpen && (
        <LazyPart fallback={<Opening title="Contacts" />} onClose={close}>
          <ContactsDialog id={clientId} tab={tab} onClose={close} />
        </LazyPart>
      )}
    </>
  );
}

/** People of the client, and until when they have access to the portal. */
export function ContactsSection({ clientId }: { clientId: string }) {
  const { roles } = useAuth();
  return (
    <LoadedList
      title="Contacts of the Client"
      query={useContacts(clientId)}
      loadingText="Loading contacts..."
      emptyText="No contacts yet."
      more={
        mayDo(roles, 'client_contacts', 'insert') && (
          <DialogButton clientId={clientId} tab="people">
            Manage contacts
          </DialogButton>
        )
      }
    >
      {(contact) => (
        <li key={contact.id} className={ITEM}>
          <SectionRow
            title={contact.full_name}
            detail={
              <>
                <EmailText address={contact.email} />
                {contact.phone && <span className="tabular-nums"> · {contact.phone}</span>}
                <span className="block">
                  {!hasEnded(contact) && `Portal until ${formatDay(contact.access_until)}, `}
                  {contact.last_seen_at ? (
                    <>
                      last seen <MomentText at={contact.last_seen_at} />
                    </>
                  ) : (
                    'never signed in'
                  )}
                </span>
              </>
            }
            badge={hasEnded(contact) && <Badge tone="grey">Access ended</Badge>}
          />
        </li>
      )}
    </LoadedList>
  );
}

const REQUESTS_SHOWN = 5;

/** What the client wrote in the portal, open ones first. */
export function RequestsSection({ clientId }: { clientId: string }) {
  return (
    <LoadedCard
      title="Requests from the Portal"
      query={useRequests(clientId)}
      loadingText="Loading requests..."
      emptyText="No messages yet."
      more={
        <DialogButton clientId={clientId} tab="messages">
          Answer
        </DialogButton>
      }
    >
      {(requests) => (
        <ul aria-label="Requests from the Portal" className="divide-y divide-line">
          {requests
            .toSorted((a, b) => Number(b.status === 'open') - Number(a.status === 'open'))
            .slice(0, REQUESTS_SHOWN)
            .map(({ id, kind, headcount, body, site, contact, created_at, status }) => (
              <li key={id} className={ITEM}>
                <SectionRow
                  title={[
                    kind === 'extra_guard' ? `Extra guards: ${headcount}` : 'Message',
                    site?.name,
                  ]
                    .filter(Boolean)
                    .join(', ')}
                  detail={
                    <>
                      <span className="line-clamp-2">{body}</span>
                      {contact.full_name}, <MomentText at={created_at} />
                    </>
                  }
                  badge={<RequestBadge status={status} />}
                />
              </li>
            ))}
        </ul>
      )}
    </LoadedCard>
  );
}

/** Messages from the public site in which the client, or one of its contacts, first wrote to us. */
export function EnquiriesSection({ client }: { client: Client }) {
  return (
    <LoadedList
      title="Enquiries"
      query={useEnquiriesOf(client)}
      loadingText="Loading enquiries..."
      emptyText="No enquiry in this name, or from an address of its contacts."
      more={
        <Link to="/admin/enquiries" search={{ q: client.name }} className={MORE_LINK}>
          All enquiries
        </Link>
      }
    >
      {({ id, name, message, state, created_at }) => (
        <li key={id}>
          <Link to="/admin/enquiries" search={{ open: id }} className={ITEM_LINK}>
            <SectionRow
              title={name}
              detail={
                <>
                  <span className="line-clamp-2">{message}</span>
                  <MomentText at={created_at} />
                </>
              }
              badge={<StatusBadge status={state} />}
            />
          </Link>
        </li>
      )}
    </LoadedList>
  );
}

export const ClientHistory = ({ clientId }: { clientId: string }) => (
  <HistorySection query={useClientHistory(clientId)} row={clientId} />
);
