import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { clockExceptionsKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { ClockPicture } from './clock-way.tsx';
import { type ClockException, clockExceptionsQuery } from './exceptions-api.ts';

function useClose() {
  return useChange(
    clockExceptionsKey,
    async ({ id, isClosed }: { id: string; isClosed: boolean }) => {
      await supabase()
        .rpc('close_clock_exception', { p_id: id, p_is_closed: isClosed })
        .throwOnError();
    },
  );
}

function reasonOf({ reason, detail }: ClockException): string {
  if (reason === 'wrong_pin') return 'The PIN was wrong.';
  if (reason === 'locked') return 'The PIN is locked after five wrong ones.';
  if (reason === 'no_pin') return 'The guard has no PIN.';
  return detail ?? 'The rules refuse it.';
}

function Row({
  exception,
  isBusy,
  onClose,
  onAttendance,
}: {
  exception: ClockException;
  isBusy: boolean;
  onClose: () => void;
  onAttendance: (id: string) => void;
}) {
  const { id, user_id, guard, sites, devices, kind, device_at, assignment_id } = exception;
  return (
    <li className="flex flex-wrap items-start gap-4 py-4">
      <ClockPicture eventId={id} />
      <div className="mr-auto min-w-52">
        <p className="font-semibold">
          <PersonLink id={user_id} name={guard ? formatName(guard) : 'Former user'} />
        </p>
        <p>
          Clock-{kind}, {formatDateTime(device_at, sites?.timezone)}
        </p>
        <p className="text-sm text-muted">
          {[sites?.name, devices?.name].filter(Boolean).join(', ')}
        </p>
        <p className="mt-1">{reasonOf(exception)}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {assignment_id && (
          <Button variant="secondary" onClick={() => onAttendance(assignment_id)}>
            Open Attendance
          </Button>
        )}
        <Button variant="ghost" busy={isBusy} onClick={onClose}>
          Close
        </Button>
      </div>
    </li>
  );
}

/** Clock events of shared devices without a record; shows nothing if there are none. */
export function ClockExceptions({ onAttendance }: { onAttendance: (id: string) => void }) {
  useLiveTable('clock_exceptions', clockExceptionsKey);
  const { data } = useQuery(clockExceptionsQuery);
  const [isOpen, setOpen] = useState(false);
  const { mutateAsync, isPending, variables } = useClose();
  async function close(id: string, isClosed: boolean) {
    try {
      await mutateAsync({ id, isClosed });
      if (isClosed) {
        const undo = { label: 'Undo', onPress: () => void close(id, false) };
        showSuccess('Exception closed', undefined, undo);
      }
    } catch (error) {
      showError(
        isClosed ? 'The exception was not closed' : 'The exception was not restored',
        describeError(error),
      );
    }
  }
  if (!data || data.length === 0) return null;
  return (
    <>
      <Alert
        title={
          data.length === 1
            ? '1 clock event from a shared device was not recorded'
            : `${data.length} clock events from shared devices were not recorded`
        }
        className="mb-5"
        action={
          <Button variant="secondary" onClick={() => setOpen(true)}>
            Show
          </Button>
        }
      >
        A PIN was wrong, or the rules refused it. Check who it was, and add what is missing.
      </Alert>
      {isOpen && (
        <Dialog
          open
          onOpenChange={() => setOpen(false)}
          title="Events From Shared Devices"
          className="sm:max-w-3xl"
        >
          <ul aria-label="Events that were not recorded" className="divide-y divide-line">
            {data.map((exception) => (
              <Row
                key={exception.id}
                exception={exception}
                isBusy={isPending && variables.id === exception.id}
                onClose={() => void close(exception.id, true)}
                onAttendance={(id) => {
                  setOpen(false);
                  onAttendance(id);
                }}
              />
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}
