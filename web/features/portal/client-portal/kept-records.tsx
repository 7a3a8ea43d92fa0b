import { useQuery } from '@tanstack/react-query';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { periodText, RETENTION_KINDS } from '#web/lib/vocabulary/retention.ts';
import { periodsQuery } from './requests-api.ts';

/** How long records about the contact are kept, in one paragraph. */
export function KeptRecords() {
  return (
    <div className="mt-10 border-t border-line pt-5 text-sm text-pretty text-muted">
      <Loaded query={useQuery(periodsQuery)} loadingText="Loading how long we keep records">
        {(periods) => (
          <p>
            What we keep about you:{' '}
            {periods
              .flatMap(({ kind, days }) => {
                const words = RETENTION_KINDS[kind]?.contact;
                return words === undefined ? [] : [`${words}, for ${periodText(days)}`];
              })
              .join('; ')}
            . Your name and contact data stay while you are our contact; write to us to have them
            erased.
          </p>
        )}
      </Loaded>
    </div>
  );
}
