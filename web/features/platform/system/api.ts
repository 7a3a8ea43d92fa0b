import { queryOptions, useQuery } from '@tanstack/react-query';
import { backupState, systemReport } from '#shared/system-report.ts';
import { refetchEvery } from '#web/lib/cache/network-retry.ts';
import { systemKey } from '#web/lib/data/keys.ts';
import { invokeFunction } from '#web/lib/supabase/functions.ts';

/** Milliseconds. */
const REFRESH_MS = 30_000;
const BACKUP_REFRESH_MS = 600_000;

export const reportQuery = queryOptions({
  queryKey: [...systemKey, 'report'],
  queryFn: async () => systemReport.parse(await invokeFunction('system-report', {})),
  refetchInterval: refetchEvery(REFRESH_MS),
});

export const useSystemReport = () => useQuery(reportQuery);

export const useBackupState = () =>
  useQuery({
    queryKey: [...systemKey, 'backups'],
    queryFn: async () => backupState.parse(await invokeFunction('backup-state', {})),
    refetchInterval: refetchEvery(BACKUP_REFRESH_MS),
  });
