import { useQuery } from '@tanstack/react-query';
import { DownloadData } from '#web/components/records/download-data.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { periodText, RETENTION_KINDS } from '#web/lib/vocabulary/retention.ts';
import { AccountSection, SectionState } from './account-section.tsx';
import { periodsQuery } from './api.ts';

export function PrivacySection() {
  const { data, error, refetch } = useQuery(periodsQuery());
  const shown = (data ?? []).flatMap(({ kind, days }) => {
    const words = RETENTION_KINDS[kind];
    return words?.guard === undefined ? [] : [{ kind, days, text: words.guard }];
  });
  return (
    <AccountSection
      title="What we keep about you"
      text="How long records about you are kept. Then they are removed at night, unless you or we still have a question about them."
    >
      {data === undefined ? (
        <SectionState error={error} onRetry={() => refetch()} />
      ) : (
        <>
          <dl className="-my-3 divide-y divide-line">
            {shown.map(({ kind, days, text }) => (
              <div key={kind} className="flex items-baseline justify-between gap-6 py-3">
                <dt className="text-pretty">{text}</dt>
                <dd className="font-semibold whitespace-nowrap">{periodText(days)}</dd>
              </div>
            ))}
          </dl>
          <Alert title="Your hours and pay stay longer" className="mt-6">
            Timesheets, payslips and what you worked at which site are part of the books. After you
            leave, you can ask the office to erase your name and contact data.
          </Alert>
          <div className="mt-6">
            <DownloadData label="Download My Data" />
          </div>
        </>
      )}
    </AccountSection>
  );
}
