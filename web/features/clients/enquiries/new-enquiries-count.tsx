import { cn } from '#web/lib/cn.ts';
import { enquiriesKey } from '#web/lib/data/keys.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

async function countNewEnquiries(): Promise<number> {
  const { count } = await supabase()
    .from('contact_messages')
    .select('id', { count: 'exact', head: true })
    .eq('state', 'new')
    .throwOnError();
  return count ?? 0;
}

/** The number of unanswered enquiries. */
export const useNewEnquiries = () =>
  useLiveQuery('contact_messages', enquiriesKey, {
    queryKey: [...enquiriesKey, 'new'],
    queryFn: countNewEnquiries,
  });

/**
 * Badge of the sidebar's entry; hidden at zero.
 * @param narrow a dot on the icon; the number is then for screen readers only
 */
export function NewEnquiriesCount({ narrow = false }: { narrow?: boolean }) {
  const { data = 0 } = useNewEnquiries();
  if (data === 0) return null;
  return (
    <span
      className={cn(
        'bg-brass-400 text-navy-950',
        narrow
          ? 'absolute top-2 right-2 size-2.5 rounded-full'
          : 'ml-auto rounded-full px-2 text-[0.8125rem] font-semibold tabular-nums',
      )}
    >
      <span className={cn(narrow && 'sr-only')}>{data}</span>
      <span className="sr-only"> new</span>
    </span>
  );
}
