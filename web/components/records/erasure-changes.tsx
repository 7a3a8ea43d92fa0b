import { useQuery } from '@tanstack/react-query';
import { formatCount } from '#shared/count.ts';
import type { Database } from '#shared/database.types.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { retentionKey } from '#web/lib/data/keys.ts';
import { nameInWords } from '#web/lib/format/letter-case.ts';
import { supabase } from '#web/lib/supabase/client.ts';

export type ErasureKind = 'person' | 'contact' | 'enquiry';
type Change = Database['public']['Functions']['erasure_changes']['Returns'][number];

async function fetchChanges(kind: ErasureKind, id: string): Promise<Change[]> {
  const { data } = await supabase()
    .rpc('erasure_changes', { p_kind: kind, p_id: id })
    .throwOnError();
  return data;
}

/** Counted each time the dialog opens. */
export const useErasureChanges = (kind: ErasureKind, id: string) =>
  useQuery({
    queryKey: [...retentionKey, 'changes', kind, id],
    queryFn: () => fetchChanges(kind, id),
    gcTime: 0,
  });

const TITLES = [
  ['deleted', 'Deleted'],
  ['blanked', 'Kept, with their personal data removed'],
  ['replaced', 'Texts in which the name, address or number is replaced'],
] as const;

/** "Notices 12, Positions 3" */
function countsOf(changes: readonly Change[]): string {
  const counts = new Map<string, number>();
  for (const { record, records } of changes) {
    counts.set(record, (counts.get(record) ?? 0) + records);
  }
  return [...counts]
    .map(([name, count]) => `${nameInWords(name)} ${formatCount(count)}`)
    .join(', ');
}

export function ErasureChanges({ changes }: { changes: readonly Change[] }) {
  const refused = changes.filter(({ change }) => change === 'refused');
  return (
    <>
      <dl className="grid gap-3">
        {TITLES.map(([change, title]) => {
          const ofKind = changes.filter((row) => row.change === change);
          if (ofKind.length === 0) return null;
          return (
            <div key={change}>
              <dt className="font-semibold">{title}</dt>
              <dd className="mt-0.5 text-pretty">{countsOf(ofKind)}</dd>
            </div>
          );
        })}
      </dl>
      {refused.length > 0 && (
        <Alert title="Not everything can be replaced in texts">
          {refused.map(({ reason }) => (
            <p key={reason}>{reason}</p>
          ))}
        </Alert>
      )}
    </>
  );
}
