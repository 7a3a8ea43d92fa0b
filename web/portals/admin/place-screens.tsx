// The pages of a site and of a client, with the sections that each feature has for them.
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Role } from '#shared/grants.ts';
import { mayReadOfOthers, type TableName } from '#shared/permissions.ts';
import { mayBill, maySee } from '#shared/screens.ts';
import {
  ContractsSection,
  CoverageSection,
} from '#web/features/billing/contracts/place-sections.tsx';
import {
  InvoicesSection,
  OverdueLine,
  OwedSection,
} from '#web/features/billing/invoices/place-invoices.tsx';
import { MarginSection } from '#web/features/billing/margin/place-margin.tsx';
import { ClientPage } from '#web/features/clients/clients/client-page.tsx';
import { ContactsSection } from '#web/features/clients/clients/client-sections.tsx';
import { SitePage } from '#web/features/clients/sites/site-page.tsx';
import { IncidentsSection } from '#web/features/incidents/incidents/place-incidents.tsx';
import { AlertList } from '#web/features/operations/alerts/alert-list.tsx';
import { ClientNow, SiteNow, SiteStaffing } from '#web/features/operations/board/place-now.tsx';
import { type PlaceBoard, usePlaceBoard } from '#web/features/operations/board/use-live-board.ts';
import { SiteRounds } from '#web/features/operations/patrols/site-rounds.tsx';
import { SiteBook } from '#web/features/posts/book/site-book.tsx';
import { SitePeople } from '#web/features/shifts/shifts/site-people.tsx';
import { SiteWeek } from '#web/features/shifts/shifts/site-week.tsx';
import type { Place } from '#web/lib/data/place.ts';
import { useAuth } from '#web/lib/session/auth.ts';

const siteRoute = getRouteApi('/admin/sites/$id');
const clientRoute = getRouteApi('/admin/clients/$id');

/** Whose coverage a role may ask for: see the function `coverage`. */
const COVERAGE_ROLES: readonly Role[] = ['admin', 'ops_manager', 'finance', 'supervisor'];

function useReads() {
  const { roles } = useAuth();
  return {
    reads: (table: TableName) => mayReadOfOthers(roles, table),
    seesBoard: maySee(roles, 'operations'),
    seesCoverage: roles.some((role) => COVERAGE_ROLES.includes(role)),
    isBiller: mayBill(roles),
  };
}

function AlertsAt({ place, board }: { place: Place; board: PlaceBoard }) {
  const navigate = useNavigate();
  return (
    <AlertList
      now={board.now}
      place={place}
      onOpenShift={(open) => void navigate({ to: '/admin/operations', search: { open } })}
    />
  );
}

/** Only for those who see the operations board. */
function SiteBoard({ id }: { id: string }) {
  const place = { kind: 'site', id } as const;
  const board = usePlaceBoard(place);
  return <SiteNow board={board} sites={[id]} alerts={<AlertsAt {...{ place, board }} />} />;
}

export function SiteScreen() {
  const { id } = siteRoute.useParams();
  const { reads, seesBoard, seesCoverage, isBiller } = useReads();
  const place = { kind: 'site', id } as const;
  return (
    <SitePage
      key={id}
      id={id}
      renderParts={({ client_id: client, client_name: name }) => ({
        now: seesBoard && <SiteBoard id={id} />,
        week: reads('shifts') && <SiteWeek key="week" siteId={id} />,
        people: reads('assignments') && <SitePeople key="people" siteId={id} />,
        incidents: reads('incidents') && <IncidentsSection key="incidents" place={place} />,
        coverage: client && seesCoverage && (
          <CoverageSection key="coverage" client={client} site={id} />
        ),
        book: reads('post_entries') && <SiteBook key="book" siteId={id} />,
        patrols: reads('tours') && <SiteRounds key="patrols" siteId={id} />,
        contracts: reads('contracts') && (
          <ContractsSection key="contracts" place={place} client={name} />
        ),
        invoices: isBiller && <InvoicesSection key="invoices" place={place} client={name} />,
        margin: client && isBiller && <MarginSection key="margin" client={client} site={id} />,
        contacts: client && reads('client_contacts') && (
          <ContactsSection key="contacts" clientId={client} />
        ),
      })}
    />
  );
}

type PageProps = {
  id: string;
  now: (clientId: string) => ReactNode;
  staffing: (siteId: string) => ReactNode;
};

function ClientSections({ id, now, staffing }: PageProps) {
  const { reads, seesCoverage, isBiller } = useReads();
  const place = { kind: 'client', id } as const;
  return (
    <ClientPage
      id={id}
      renderParts={({ name }) => ({
        now: now(id),
        staffing,
        incidents: reads('incidents') && <IncidentsSection key="incidents" place={place} />,
        coverage: seesCoverage && <CoverageSection key="coverage" client={id} />,
        contracts: reads('contracts') && (
          <ContractsSection key="contracts" place={place} client={name} />
        ),
        owed: isBiller && <OwedSection key="owed" clientId={id} />,
        invoices: isBiller && <InvoicesSection key="invoices" place={place} client={name} />,
        margin: isBiller && <MarginSection key="margin" client={id} />,
      })}
    />
  );
}

/** With the operations board of the client's sites. */
function ClientWithBoard({ id }: { id: string }) {
  const { isBiller } = useReads();
  const place = { kind: 'client', id } as const;
  const board = usePlaceBoard(place);
  const sites = [...new Set(board.rows?.map(({ site }) => site.id))];
  return (
    <ClientSections
      id={id}
      now={() => (
        <ClientNow board={board} sites={sites} alerts={<AlertsAt {...{ place, board }} />}>
          {isBiller && <OverdueLine clientId={id} />}
        </ClientNow>
      )}
      staffing={(site) => <SiteStaffing board={board} site={site} />}
    />
  );
}

export function ClientScreen() {
  const { id } = clientRoute.useParams();
  const { seesBoard } = useReads();
  if (seesBoard) return <ClientWithBoard key={id} id={id} />;
  return <ClientSections key={id} id={id} now={() => null} staffing={() => null} />;
}
