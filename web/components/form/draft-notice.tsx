import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { OpenDraft } from '#web/lib/drafts/use-draft.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';

export function DraftNotice({ draft }: { draft: OpenDraft }) {
  const { values, files, savedAt, startOver } = draft;
  if (files.length === 0 && Object.values(values).every((value) => value === '')) return null;
  return (
    <Alert
      title="Draft restored"
      action={
        <Button variant="secondary" onClick={() => void startOver()}>
          Start Over
        </Button>
      }
    >
      Not sent yet. Last changed {formatDateTime(new Date(savedAt).toISOString())}.
    </Alert>
  );
}
