// How many recovery codes are left, and the way to new ones.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { recoveryCodesQuery } from '../../api/recovery-codes.ts';
import { SectionState } from '../section-state.tsx';

const words = (left: number) =>
  left === 0 ? 'You have none.' : `You have ${left} left. Each works once.`;

export function RecoveryCodes({ onRenew }: { onRenew: () => void }) {
  const { data, error, isFetching, refetch } = useQuery(recoveryCodesQuery());
  const [asks, setAsks] = useState(false);
  return (
    <div className="mt-7 border-t border-line pt-5">
      <h3 className="font-semibold">Recovery codes</h3>
      <p className="mt-1 text-sm text-pretty text-muted">
        For the day you lose your device. {data !== undefined && words(data)}
      </p>
      {data === undefined ? (
        <SectionState error={error} isFetching={isFetching} onRetry={() => refetch()} />
      ) : (
        <Button
          variant="secondary"
          className="mt-3 max-sm:w-full"
          onClick={() => (data > 0 ? setAsks(true) : onRenew())}
        >
          {data > 0 ? 'Make new codes' : 'Make recovery codes'}
        </Button>
      )}
      {asks && (
        <ConfirmDialog
          title="Make new recovery codes?"
          confirmLabel="Make new codes"
          onConfirm={async () => onRenew()}
          onClose={() => setAsks(false)}
        >
          The codes you have saved stop working.
        </ConfirmDialog>
      )}
    </div>
  );
}
