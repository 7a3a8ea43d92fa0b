import { Building2, MapPin, Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Role } from '#shared/grants.ts';
import { mayDo, mayReadOfOthers } from '#shared/permissions.ts';
import { maySee } from '#shared/screens.ts';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { Breadcrumbs } from '#web/components/layout/breadcrumbs.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Item } from '#web/components/ui/figures.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { ClientLink } from '#web/components/ui/place-links.tsx';
import { RecordHeader } from '#web/components/ui/record-header.tsx';
import { SectionColumns } from '#web/components/ui/section-columns.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { sitesKey } from '#web/lib/data/keys.ts';
import { readCity } from '#web/lib/format/dates.ts';
import { directionsTo } from '#web/lib/position/directions.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { sites } from './api.ts';
import type { Site } from './schema.ts';
import { SiteFields } from './site-form.tsx';
import { DevicesSection, OrdersSection, SiteHistory } from './site-sections.tsx';

/** Sections of other features, each for those who may read it. */
export type SiteParts = {
  /** Above all others. */
  now: ReactNode;
  week: ReactNode;
  people: ReactNode;
  incidents: ReactNode;
  coverage: ReactNode;
  book: ReactNode;
  patrols: ReactNode;
  contracts: ReactNode;
  invoices: ReactNode;
  margin: ReactNode;
  contacts: ReactNode;
};

type RenderParts = { renderParts: (site: Site) => SiteParts };

/** The list of sites, or a screen that names them, which these roles may open. */
function listAbove(roles: readonly Role[]) {
  if (maySee(roles, 'sites')) return { label: 'Sites', to: '/admin/sites' } as const;
  if (maySee(roles, 'operations')) return { label: 'Operations', to: '/admin/operations' } as const;
  if (maySee(roles, 'contracts')) return { label: 'Contracts', to: '/admin/contracts' } as const;
  return { label: 'Attendance', to: '/admin/attendance' } as const;
}

function EditSite({ site }: { site: Site }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        <Pencil aria-hidden="true" className="size-4" />
        Edit
      </Button>
      {isOpen && (
        <RecordDialog records={sites} open={site.id} listed={[site]} onClose={() => setOpen(false)}>
          {(form, row) => <SiteFields form={form} siteId={row?.id} />}
        </RecordDialog>
      )}
    </>
  );
}

function SiteHeader({ site }: { site: Site }) {
  const { roles } = useAuth();
  const { client_id, client_name, address, county, timezone, latitude, longitude } = site;
  const hasPosition = latitude !== null && longitude !== null;
  return (
    <RecordHeader
      name={site.name}
      subtitle={
        <>
          <span className="inline-flex min-w-0 items-center gap-1.5">
            <Building2 aria-hidden="true" className="size-4 shrink-0" />
            <ClientLink id={client_id} name={client_name} />
          </span>
          <span className="[overflow-wrap:anywhere]">{address}</span>
          {!hasPosition && <Badge tone="orange">No position</Badge>}
          {client_id === null && <Badge tone="grey">Client not linked</Badge>}
        </>
      }
      actions={
        <div className="flex flex-wrap gap-2 print:hidden">
          <a
            href={directionsTo(site)}
            target="_blank"
            rel="noreferrer"
            className={buttonStyles({ variant: 'secondary' })}
          >
            <MapPin aria-hidden="true" className="size-4.5" />
            Directions<span className="sr-only"> to {site.name} (opens in a new tab)</span>
          </a>
          {mayDo(roles, 'sites', 'update') && <EditSite site={site} />}
        </div>
      }
    >
      {county && <Item name="County">{county}</Item>}
      <Item name="Timezone">{readCity(timezone)}</Item>
      {hasPosition && <Item name="Fence">{site.geofence_radius_m} m</Item>}
      <Item name="Alert after">{site.alert_after_minutes} min</Item>
    </RecordHeader>
  );
}

function Page({ site, renderParts }: RenderParts & { site: Site }) {
  const { roles } = useAuth();
  const reads = (table: Parameters<typeof mayReadOfOthers>[1]) => mayReadOfOthers(roles, table);
  const parts = renderParts(site);
  const { id } = site;
  return (
    <>
      <Breadcrumbs trail={[listAbove(roles)]} current={site.name} />
      <SiteHeader site={site} />
      {parts.now && <div className="mt-5">{parts.now}</div>}
      <SectionColumns
        wide={[
          parts.week,
          parts.people,
          parts.incidents,
          parts.coverage,
          parts.contracts,
          parts.invoices,
        ]}
        narrow={[
          reads('post_orders') && <OrdersSection key="orders" siteId={id} />,
          parts.book,
          parts.patrols,
          reads('devices') && <DevicesSection key="devices" siteId={id} />,
          parts.margin,
          parts.contacts,
          reads('audit_log') && <SiteHistory key="history" siteId={id} />,
        ]}
      />
    </>
  );
}

/** A site: what happens there now, its week, and all that belongs to it. */
export function SitePage({ id, renderParts }: RenderParts & { id: string }) {
  useLiveTable('sites', sitesKey);
  const query = sites.useOne(id, undefined);
  usePageTitle(query.data?.name ?? 'Site');
  return (
    <Loaded query={query} loadingText="Loading site...">
      {(site) =>
        site === null ? (
          <Alert title="There is no such site">The site was deleted, or you may not see it.</Alert>
        ) : (
          <Page site={site} renderParts={renderParts} />
        )
      }
    </Loaded>
  );
}
