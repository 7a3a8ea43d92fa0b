import { useQuery } from '@tanstack/react-query';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { ReportCard } from './report-card.tsx';
import { reportsQuery } from './reports-api.ts';

export function ReportsScreen() {
  const query = useQuery(reportsQuery);
  usePageTitle('Reports');
  return (
    <>
      <h1 className="mb-5 font-display text-3xl leading-tight sm:text-4xl">Reports</h1>
      <Loaded query={query} loadingText="Loading your reports">
        {(reports) =>
          reports.length === 0 ? (
            <EmptyNote>No incident was reported to you.</EmptyNote>
          ) : (
            <ul aria-label="Reports" className="grid gap-4">
              {reports.map((report) => (
                <li key={report.id}>
                  <ReportCard report={report} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}
