import type { ReactNode } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';
import { useBackupState } from './api.ts';
import { backupProblem, changesProblem } from './problems.ts';

/** Warns admins of a missing or old backup, and of changes that are not saved. A failed check shows nothing: the screen System has its error. */
export function BackupNotice({ action }: { action: ReactNode }) {
  const { data } = useBackupState();
  const problem = data && (backupProblem(data) ?? changesProblem(data));
  if (!problem) return null;
  return (
    <Alert tone="warning" title={problem.title} action={action}>
      {problem.text}
    </Alert>
  );
}
