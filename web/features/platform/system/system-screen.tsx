import { Link } from '@tanstack/react-router';
import { ListChecks, RefreshCw } from 'lucide-react';
import type { SystemReport } from '#shared/system-report.ts';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { formatBytes } from '#web/lib/format/bytes.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { useSystemReport } from './api.ts';
import { findProblems } from './problems.ts';
import { Backups, Errors, Jobs, Queues, Servers, Services, Storage } from './tables.tsx';
import { TestMessage } from './test-message.tsx';

function Problems({ report }: { report: SystemReport }) {
  const problems = findProblems(report);
  if (problems.length === 0) {
    return <Alert tone="success" title="Nothing needs your attention" />;
  }
  return (
    <ul aria-label="Problems" className="grid gap-3">
      {problems.map(({ title, text }) => (
        <li key={title}>
          <Alert tone="danger" title={title}>
            {text}
          </Alert>
        </li>
      ))}
    </ul>
  );
}

const figuresOf = ({ versions, startedAt, memoryBytes, mail }: SystemReport) =>
  [
    ['Version', versions.product],
    // In two parts, because a phone has no room for 14 digits.
    ['Newest migration', `${versions.schema.slice(0, 8)} ${versions.schema.slice(8)}`],
    ['PostgreSQL', versions.postgres.split(' ')[0] ?? ''],
    ['Node.js', versions.node],
    ['Running since', formatDateTime(startedAt)],
    ['Memory', formatBytes(memoryBytes)],
    ['Mail', mail === 'server' ? 'Mail server' : 'Files in outbox'],
  ] as const;

/** The server's report about itself, for its operator. */
export function SystemScreen() {
  const query = useSystemReport();
  return (
    <>
      <ScreenHeading
        title="System"
        subtitle={
          query.data && `As of ${formatDateTime(query.data.at)}, by the server that answered`
        }
      >
        <Link to="/admin/system/setup" className={buttonStyles({ variant: 'secondary' })}>
          <ListChecks aria-hidden="true" className="size-4.5" />
          Setup Guide
        </Link>
        <Button variant="secondary" busy={query.isFetching} onClick={() => void query.refetch()}>
          <RefreshCw aria-hidden="true" className="size-4.5" />
          Refresh
        </Button>
      </ScreenHeading>
      <Loaded query={query} loadingText="Asking the server..." failure="Error">
        {(report) => (
          <div className="grid gap-5">
            <Problems report={report} />
            <Panel title="This server">
              <Figures figures={figuresOf(report)} />
            </Panel>
            <div className="grid items-start gap-5 xl:grid-cols-2">
              <div className="grid min-w-0 gap-5">
                <Panel title="Backups">
                  <Backups report={report} />
                </Panel>
                <Panel title="Storage">
                  <Storage storage={report.storage} />
                </Panel>
                <Panel title="Services since the start">
                  <Services report={report} />
                </Panel>
              </div>
              <div className="grid min-w-0 gap-5">
                <Panel title="Messages to send">
                  <Queues report={report} />
                </Panel>
                <Panel title="Test message">
                  <TestMessage mail={report.mail} />
                </Panel>
                <Panel title="Repeated work">
                  <Jobs report={report} />
                </Panel>
                <Panel title="Servers on this database">
                  <Servers report={report} />
                </Panel>
              </div>
            </div>
            <Panel title="Last errors of this server">
              <Errors report={report} />
            </Panel>
          </div>
        )}
      </Loaded>
    </>
  );
}
