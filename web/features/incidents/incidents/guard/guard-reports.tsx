import { usePrefetchQuery } from '@tanstack/react-query';
import { Siren } from 'lucide-react';
import { lazy, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { IncidentRows } from './incident-rows.tsx';
import { useOwnReports, useWholeReports } from './own-incident.ts';
import { siteChoicesQuery } from './site-choices.ts';
import { templatesQuery } from './template-chips.tsx';

const ReportIncidentDialog = lazy(async () => ({
  default: (await import('./report-incident-dialog.tsx')).ReportIncidentDialog,
}));

export function GuardReports({ userId }: { userId: string }) {
  const [isOpen, setOpen] = useState(false);
  // Reporting an incident must work offline.
  usePrefetchQuery(siteChoicesQuery);
  usePrefetchQuery(templatesQuery);
  useWholeReports(userId);
  const close = () => setOpen(false);
  return (
    <>
      <h1 className="mb-4 font-display text-2xl leading-tight sm:text-4xl">Report</h1>
      <Button className="min-h-16 w-full text-lg sm:w-auto sm:px-10" onClick={() => setOpen(true)}>
        <Siren aria-hidden="true" className="size-6" /> Report Incident
      </Button>
      <p className="mt-3 mb-6 text-sm text-muted">
        A photo first, then a few words. Without a signal it is sent later.
      </p>
      <LoadedCard
        title="My Reports"
        query={useOwnReports(userId)}
        loadingText="Loading your reports..."
        emptyText="You have not reported anything yet."
      >
        {(reports) => <IncidentRows label="My Reports" incidents={reports} />}
      </LoadedCard>
      {isOpen && (
        <LazyPart fallback={<Opening title="Report Incident" />} onClose={close}>
          <ReportIncidentDialog onClose={close} />
        </LazyPart>
      )}
    </>
  );
}
