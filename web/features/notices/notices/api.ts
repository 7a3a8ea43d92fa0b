import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { noticesKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** About a month. */
const SHOWN = 60;

async function fetchNotices(userId: string) {
  const { data } = await supabase()
    .from('notices')
    .select('id, title, body, link, created_at, read_at')
    .eq('user_id', userId)
    .order('created_at', { ascending: false })
    .order('id')
    .limit(SHOWN)
    .throwOnError();
  return data;
}

export type Notice = Awaited<ReturnType<typeof fetchNotices>>[number];

async function countUnread(userId: string): Promise<number> {
  const { count } = await supabase()
    .from('notices')
    .select('id', { count: 'exact', head: true })
    .eq('user_id', userId)
    .is('read_at', null)
    .throwOnError();
  return count ?? 0;
}

export function useUnreadCount(): number {
  const { user } = useAuth();
  useLiveTable(ownRows(user?.id, 'notices'), noticesKey);
  const { data } = useQuery({
    queryKey: [...noticesKey, 'unread', user?.id],
    queryFn: () => countUnread(user?.id ?? ''),
    enabled: user !== null,
    meta: PERSISTED,
  });
  return data ?? 0;
}

export function useNotices() {
  const { user } = useAuth();
  return useQuery({
    queryKey: [...noticesKey, 'list', user?.id],
    queryFn: () => fetchNotices(user?.id ?? ''),
    meta: PERSISTED,
  });
}

/** Marks all notices as read once they are on screen. @param isShown whether unread ones are */
export function useReadNotices(isShown: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isShown) return;
    void (async () => {
      try {
        await supabase().rpc('read_notices').throwOnError();
        await queryClient.invalidateQueries({ queryKey: [...noticesKey, 'unread'] });
      } catch (error) {
        // They stay unread and are marked at the next visit.
        console.warn('The notices could not be marked as read:', error);
      }
    })();
  }, [isShown, queryClient]);
}

const optionsKey = [...noticesKey, 'options'] as const;

async function fetchOptions() {
  const { data } = await supabase()
    .rpc('notice_options', undefined, { get: true })
    .single()
    .throwOnError();
  return data;
}

export type NoticeOptions = Awaited<ReturnType<typeof fetchOptions>>;

export const useNoticeOptions = () => useQuery({ queryKey: optionsKey, queryFn: fetchOptions });

type Choices = Pick<NoticeOptions, 'push' | 'email' | 'sms' | 'daily_report'>;

async function saveOptions({ push, email, sms, daily_report }: Choices) {
  await supabase()
    .rpc('save_notice_options', {
      p_push: push,
      p_email: email,
      p_sms: sms,
      ...(daily_report !== null && { p_daily_report: daily_report }),
    })
    .throwOnError();
}

export const useSaveOptions = () => useChange(optionsKey, saveOptions);
